package terminal

import (
	"fmt"
	"strconv"
	"strings"
)

// Names returns names as a message lists them: quoted, so that they stay in one line, the first of
// many, and the beginning of a long one.
func Names(names []string) string {
	const most, longest = 20, 60
	var list []string
	for _, name := range names[:min(len(names), most)] {
		quoted := fmt.Sprintf("%.*q", longest, name)
		if cut := []rune(name[:min(len(name), 4*longest+4)]); len(cut) > longest {
			quoted += "..."
		}
		list = append(list, quoted)
	}
	if n := len(names) - most; n > 0 {
		list = append(list, strconv.Itoa(n)+" more")
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

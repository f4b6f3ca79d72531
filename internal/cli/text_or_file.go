package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// textOrFile reports whether an argument that may be either is a text, rather than the
// name of a file or folder. What exists is a file, and so is "-". Of the rest, what has
// white space in it is a text. Anything else may be a word or a name with a slip in it,
// and is an error.
func textOrFile(arg string) (isText bool, err error) {
	if arg == "-" {
		return false, nil
	}
	_, err = os.Stat(arg)
	switch {
	case err == nil:
		return false, nil
	case strings.ContainsFunc(arg, unicode.IsSpace):
		return true, nil
	case arg == "" || errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%s: no such file, and not a text, since it has no white space in it (hint: pipe a text without white space to standard input)", arg)
	}
	return false, Plain(err)
}

// checkReadsText returns an error if what is known is made of columns, and the main text is none of
// them: a text alone would count for nothing.
func checkReadsText(known attributed) error {
	texts, numbers, categories := known.Attributes()
	columns := slices.Concat(texts, numbers, categories)
	if known.ReadsText() || len(columns) == 0 {
		return nil
	}
	return fmt.Errorf("a text alone has no columns, and the model reads %s (hint: a file that has them, such as .csv or .jsonl)", quotedList(columns))
}

// quotedList returns names as a message lists them, the first of many.
func quotedList(names []string) string {
	const most = 10
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, strconv.Quote(name))
	}
	last := list[len(list)-1]
	if n := len(names) - most; n > 0 {
		list, last = append(list, last), Count(n)+" more"
	}
	if len(list) == 1 {
		return last
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + last
}

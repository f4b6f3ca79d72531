package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// refuseText returns an error if what is known is columns of numbers and categories alone, so
// that a text, which what names, would count for nothing, or become the first of a model
// that has none.
func refuseText(known attributed, what string) error {
	texts, numbers, categories := known.Attributes()
	columns := append(numbers, categories...)
	if len(texts) > 0 || known.ReadsText() || len(columns) == 0 {
		return nil
	}
	const most = 20
	more := ""
	if n := len(columns) - most; n > 0 {
		columns, more = columns[:most], fmt.Sprintf(" and %d more", n)
	}
	for i, name := range columns {
		columns[i] = strconv.Quote(name)
	}
	return fmt.Errorf("%s: the model reads no text, but the columns %s%s (hint: a file with these columns, such as a .csv)", what, strings.Join(columns, ", "), more)
}

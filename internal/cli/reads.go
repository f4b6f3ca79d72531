package cli

import (
	"fmt"
	"slices"

	"bayes/internal/terminal"
)

// checkReadsText returns an error if what is known is made of columns without the main text: a
// text alone would count for nothing.
func checkReadsText(known attributed) error {
	texts, numbers, categories := known.Attributes()
	columns := slices.Concat(texts, numbers, categories)
	if known.ReadsText() || len(columns) == 0 {
		return nil
	}
	return fmt.Errorf("a text alone has no columns, and the model reads %s (hint: a file that has them, such as .csv or .jsonl)", terminal.Names(columns))
}

// checkReadsColumns returns an error if flags name columns of text for what is known to have
// numbers and categories alone: they would count for nothing, or become its first texts.
func checkReadsColumns(known attributed, flags string) error {
	texts, numbers, categories := known.Attributes()
	columns := slices.Concat(numbers, categories)
	if len(texts) > 0 || known.ReadsText() || len(columns) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the model reads no text, but the columns %s (hint: a file with these columns, such as a .csv)", flags, terminal.Names(columns))
}

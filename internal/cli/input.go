package cli

import (
	"strconv"
	"strings"

	"bayes"
	"bayes/dataset"

	"github.com/spf13/cobra"
)

// An Input holds the flags of every command that reads data.
type Input struct {
	dataset.Options
	skipBad bool
}

// AddFlags defines the flags of reading on cmd.
func (in *Input) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&in.Format, "format", "auto", "auto, "+strings.Join(dataset.Formats(), ", "))
	f.StringVar(&in.Label, "label", "label", "column of the label, by name or as #1")
	f.StringSliceVar(&in.Text, "text", nil, "column of the text, by name or as #2; several are counted apart (default text)")
	f.StringSliceVar(&in.Numeric, "numeric", nil, "columns of numbers; an empty cell is missing")
	f.StringSliceVar(&in.Categorical, "categorical", nil, "columns of categories; an empty cell is missing")
	f.BoolVar(&in.EmptyCategory, "empty-category", false, "an empty cell is a category of its own, rather than missing")
	f.StringVar(&in.Weight, "weight-column", "", "column that says how many times an example counts")
	f.BoolVar(&in.NoHeader, "no-header", false, "the first line is data")
	f.StringVar(&in.Encoding, "encoding", "auto", "character set, by its WHATWG name, such as utf-8, latin1 or shift_jis")
	f.BoolVar(&in.skipBad, "skip-bad", false, "skip bad records and report them, rather than stop")
	Group(cmd, InputFlags)
	Choices(cmd, "format", append([]string{"auto"}, dataset.Formats()...)...)
	Choices(cmd, "encoding", "auto", "utf-8", "latin1", "windows-1252", "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5", "koi8-r")
	in.completeColumns(cmd, "label", "text", "numeric", "categorical", "weight-column")
}

// SkipBad reports whether bad records are to be skipped.
func (in *Input) SkipBad() bool { return in.skipBad }

// hasColumns reports whether flags name columns of numbers or categories.
func (in *Input) hasColumns() bool { return len(in.Numeric)+len(in.Categorical) > 0 }

// For chooses the columns that a model knows, unless flags name others, and
// returns the options to read with.
func (in *Input) For(m *bayes.Model) dataset.Options {
	in.chooseColumns(m)
	return in.Options
}

// attributed is what knows the columns that it was made of: a fitted model, or counts.
type attributed interface {
	Attributes() (texts, numbers, categories []string)
	ReadsText() bool
}

// chooseColumns makes the columns those that were learned, unless flags name some.
// The main text is in the column that it is in by default, as its name is not kept.
func (in *Input) chooseColumns(known attributed) {
	if len(in.Text) > 0 || in.hasColumns() {
		return
	}
	in.Text, in.Numeric, in.Categorical = known.Attributes()
	if known.ReadsText() && in.hasColumns() {
		in.Text = append(in.Text, "text")
	}
}

// allNumbered reports whether the names are all numbers.
func allNumbered(names []string) bool {
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil {
			return false
		}
	}
	return true
}

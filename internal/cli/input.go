package cli

import (
	"strconv"

	"bayes/dataset"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// An Input holds the flags of every command that reads data.
type Input struct {
	dataset.Options
	skipBad bool
	flags   *pflag.FlagSet // which say what was given; nil if there are none
}

// AddFlags defines the flags of reading on cmd.
func (in *Input) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	in.flags = f
	f.StringVar(&in.Format, "format", "auto", "auto, csv, tsv, jsonl, fasttext, svmlight, dir or text")
	f.StringVar(&in.Label, "label", "label", "column of the label, by name or as #1")
	f.StringSliceVar(&in.Text, "text", nil, "column of the text, by name or as #2; several are counted apart (default text)")
	f.StringSliceVar(&in.Numeric, "numeric", nil, "columns of numbers; an empty cell is missing")
	f.StringSliceVar(&in.Categorical, "categorical", nil, "columns of categories; an empty cell is missing")
	f.BoolVar(&in.EmptyCategory, "empty-category", false, "an empty cell is a category of its own, rather than missing")
	f.StringVar(&in.Weight, "weight-column", "", "column that says how many times an example counts")
	f.BoolVar(&in.NoHeader, "no-header", false, "the first line is data")
	f.StringVar(&in.Encoding, "encoding", "auto", "character set, by its WHATWG name, such as utf-8, latin1 or shift_jis")
	f.BoolVar(&in.skipBad, "skip-bad", false, "skip bad records and report them, rather than stop")
}

// SkipBad reports whether bad records are to be skipped.
func (in *Input) SkipBad() bool { return in.skipBad }

// hasColumns reports whether flags name columns of numbers or categories.
func (in *Input) hasColumns() bool { return len(in.Numeric)+len(in.Categorical) > 0 }

// allNumbered reports whether the names are all numbers.
func allNumbered(names []string) bool {
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil {
			return false
		}
	}
	return true
}

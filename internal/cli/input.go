package cli

import (
	"iter"
	"strconv"

	"bayes"
	"bayes/dataset"

	"github.com/spf13/cobra"
)

// input holds the flags of every command that reads data.
type input struct {
	dataset.Options
	skipBad bool
}

func (in *input) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
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

// A source is data that is read while its reader reports progress.
type source struct {
	*dataset.Source
	app     *app
	in      *input
	vectors vectors // what the terms of svmlight files stand for
	bad     int
}

// open opens files, or standard input where there are none.
func (a *app) open(in *input, names []string) (*source, error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	if err := a.stdout.notReadFrom(names, a.stdin); err != nil {
		return nil, err
	}
	src, err := dataset.Open(names, a.stdin, &in.Options)
	if err != nil {
		return nil, err
	}
	return &source{Source: src, app: a, in: in}, nil
}

// a fitted model, or counts, that say which columns they are made of.
type attributed interface {
	Attributes() (texts, numbers, categories []string)
	ReadsText() bool
}

// knowing makes the columns those that were learned, unless flags name some. The
// main text is in the column that it is in by default, as its name is not kept.
func (in *input) knowing(known attributed) {
	if len(in.Text)+len(in.Numeric)+len(in.Categorical) > 0 {
		return
	}
	in.Text, in.Numeric, in.Categorical = known.Attributes()
	if known.ReadsText() && len(in.Numeric)+len(in.Categorical) > 0 {
		in.Text = append(in.Text, "text")
	}
}

// openFor opens files for what has been learned. Columns that are not named are
// those that it knows.
func (a *app) openFor(in *input, names []string, em bayes.EventModel, known attributed) (*source, error) {
	_, numbers, categories := known.Attributes()
	in.knowing(known)
	vectors := vectorsOf(em, append(numbers, categories...)...)
	if vectors.columns > 0 && allNumbered(in.Numeric) && allNumbered(in.Categorical) {
		in.Numeric, in.Categorical = nil, nil // columns of svmlight, which have no names
	}
	in.Vectors = vectors.kind.values()
	src, err := a.open(in, names)
	if err == nil {
		src.vectors = vectors
	}
	return src, err
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

// examples returns the examples of s, and reports or skips bad records.
func (s *source) examples() iter.Seq2[bayes.Example, error] {
	s.bad = 0
	examples := s.vectors.convert(s.Examples())
	if !s.in.skipBad {
		return examples
	}
	return dataset.Lenient(examples, func(err *dataset.SyntaxError) {
		s.bad++
		if s.bad <= 10 {
			s.app.note("skipped: %v", err)
		}
	})
}

// finish notes what was odd about the data.
func (s *source) finish() {
	if s.bad > 0 {
		s.app.note("skipped %s bad records", count(s.bad))
	}
	if n := s.Latin1Records(); n > 0 {
		s.app.note("%s records are not UTF-8 and were read as Windows-1252 (--encoding says otherwise)", count(n))
	}
}

package cli

import (
	"iter"
	"strings"

	"bayes"
	"bayes/dataset"
)

// A source is data that is read while its reader reports progress.
type source struct {
	*dataset.Source
	app     *App
	skipBad bool
	vectors vectors                         // what the values of svmlight files are
	bad     int                             // how many records were skipped
	memory  iter.Seq2[bayes.Example, error] // not nil where examples are in memory, and no file is read
}

// open opens files, or standard input where there are none.
func (a *App) open(in *Input, names []string) (*source, error) {
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
	return &source{Source: src, app: a, skipBad: in.skipBad}, nil
}

// openFor opens files for what has been learned. Columns that are not named are
// those that it knows.
func (a *App) openFor(in *Input, names []string, em bayes.EventModel, known attributed) (*source, error) {
	_, numbers, categories := known.Attributes()
	if len(in.Text) > 0 {
		if err := checkReadsColumns(known, "--text "+strings.Join(in.Text, ",")); err != nil {
			return nil, err
		}
	}
	in.chooseColumns(known)
	vectors := vectorsOf(em, append(numbers, categories...)...)
	if vectors.columns > 0 && allNumbered(in.Numeric) && allNumbered(in.Categorical) {
		// These are columns of svmlight, which have no names: no table has them.
		in.Numeric, in.Categorical = nil, nil
	}
	in.Vectors = vectors.kind.values()
	src, err := a.open(in, names)
	if err == nil {
		src.vectors = vectors
	}
	return src, err
}

// examples returns the examples of s. Bad records end them, or are skipped and noted.
func (s *source) examples() iter.Seq2[bayes.Example, error] {
	if s.memory != nil {
		return s.memory
	}
	s.bad = 0
	examples := s.vectors.convert(s.Examples())
	if !s.skipBad {
		return examples
	}
	return dataset.Lenient(examples, func(err *dataset.SyntaxError) {
		s.bad++
		if s.bad <= 10 {
			s.app.Note("skipped: %v", err)
		}
	})
}

// finish notes what was odd about the data.
func (s *source) finish() {
	if s.bad > 0 {
		s.app.Note("skipped %s", plural(s.bad, "bad record"))
	}
	if n := s.Latin1Records(); n > 0 {
		are := "are not UTF-8 and were"
		if n == 1 {
			are = "is not UTF-8 and was"
		}
		s.app.noteOnce(plural(int(n), "record") + " " + are + " read as Windows-1252 (--encoding says otherwise)")
	}
}

package cli

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"syscall"

	"bayes"
	"bayes/dataset"
	"bayes/internal/labelling"
	"bayes/label"
)

// A source is data that is read while its reader reports progress.
type source struct {
	*dataset.Source
	app      *App
	skipBad  bool
	vectors  vectors                         // what the values of svmlight files are
	outvoted map[string]map[int]bool         // by file of answers: those that are left out, from 0
	bad      int                             // how many records were skipped
	memory   iter.Seq2[bayes.Example, error] // not nil where examples are in memory, and no file is read
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
	s := &source{Source: src, app: a, skipBad: in.skipBad}
	s.findOutvoted(names, in)
	return s, nil
}

// findOutvoted finds the answers that are left out of files of bayes label, so that a text that several people have answered counts once.
func (s *source) findOutvoted(names []string, in *Input) {
	if in.everyAnswer || in.Unlabelled || in.Label != "label" || in.NoHeader || len(in.Text) > 0 && !slices.Equal(in.Text, []string{"text"}) {
		return
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // which can be read once
			continue
		}
		answers, err := label.ReadAnswers(name)
		var failed syscall.Errno // will be an error when it is read again
		if err != nil && !errors.Is(err, label.ErrNotAnswers) && !errors.As(err, &failed) {
			s.app.noteOnce(fmt.Sprintf("note: %v, so each of its rows counts, also where several people have answered", err))
		}
		left, texts := labelling.Outvoted(answers, in.LabelSeparator)
		if len(left) == 0 {
			continue
		}
		s.app.noteOnce(fmt.Sprintf("note: %s: texts that several people have answered (%s) count once each, with the label that most gave", name, Count(int64(texts))))
		if s.outvoted == nil {
			s.outvoted = make(map[string]map[int]bool)
		}
		s.outvoted[name] = left
	}
}

// withoutOutvoted yields examples but those that are left out.
func (s *source) withoutOutvoted(examples iter.Seq2[bayes.Example, error]) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for ex, err := range examples {
			if file, row := s.Place(); err == nil && s.outvoted[file][row-1] {
				continue
			}
			if !yield(ex, err) {
				return
			}
		}
	}
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
	if s.outvoted != nil {
		examples = s.withoutOutvoted(examples)
	}
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

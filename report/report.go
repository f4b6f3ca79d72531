// Package report writes pages for people: how a model did on a test, why a
// text was classified as it was, and which labels of a file are probably wrong.
//
//	r := report.New(model, nil)
//	for s, err := range model.PredictAll(test, 0) {
//		if err != nil {
//			return err
//		}
//		r.Observe(s)
//	}
//	err := r.WriteHTML(file)
//
// A page is one file. It loads nothing and runs no script, it can be read on a
// phone and printed, and it follows the reader's choice of light or dark. Equal
// input gives equal bytes: nothing in it tells when or where it was made.
package report

import (
	"cmp"
	"io"
	"slices"

	"bayes"
	"bayes/eval"
)

// Options are options for [New]. A nil *Options is the zero value.
type Options struct {
	Title    string // zero means "Test report"
	Terms    int    // telling terms to show of a class; zero means 12, a negative number none
	Mistakes int    // mistakes to show; zero means 12, a negative number none

	// Place names the place of the document that was observed after index others, such as
	// its file and row. Nil means that there is nothing to be said. It is called when a page
	// is written.
	Place func(index int64) string
}

// A Report gathers the predictions of a test. It keeps what an [eval.Tally] keeps,
// and the texts of the worst mistakes. It is for one goroutine.
type Report struct {
	model    *bayes.Model
	opts     Options
	tally    eval.Tally
	mistakes worst[Mistake]
	progress *eval.Progress // nil if the model was tested when it had learned all
}

// New returns a Report on m that has observed nothing.
func New(m *bayes.Model, opts *Options) *Report {
	r := &Report{model: m, opts: opts.withDefaults()}
	r.mistakes = worst[Mistake]{most: r.opts.Mistakes, compare: bySureness}
	return r
}

// withDefaults returns the options, with what zero means.
func (o *Options) withDefaults() Options {
	var all Options
	if o != nil {
		all = *o
	}
	all.Title = cmp.Or(all.Title, "Test report")
	all.Terms, all.Mistakes = orDefault(all.Terms, 12), orDefault(all.Mistakes, 12)
	return all
}

func orDefault(n, zero int) int {
	if n == 0 {
		return zero
	}
	return max(n, 0)
}

// Observe adds a test example and what the model predicts for it. The label need
// not be one that the model knows.
func (r *Report) Observe(s bayes.Result) {
	r.tally.Observe(s.Prediction, s.Label)
	if s.Answer().Class != s.Label {
		r.mistakes.add(Mistake{s, r.tally.Documents() - 1})
	}
}

// Tally returns what was observed. It must not be changed.
func (r *Report) Tally() *eval.Tally { return &r.tally }

// Mistakes returns the mistakes in which the model was surest, the surest first, as many as
// [Options] ask for.
func (r *Report) Mistakes() []Mistake { return slices.Clone(r.mistakes.list) }

// WriteHTML writes the page. Where something is not defined, such as a curve of a
// class without documents, it says so; a page without predictions shows the model
// alone.
func (r *Report) WriteHTML(w io.Writer) error {
	return write(w, reportPage(r.page()))
}

package report

import (
	"io"

	"bayes"
)

// WriteExplanation writes a page that shows a text, or the main text of a document,
// with each term coloured by what it adds to the log-odds, and a table of all
// parts of the explanation.
func WriteExplanation(w io.Writer, text string, ex *bayes.Explanation) error {
	marked, s := highlighted(text, ex)
	features := make([]explained, len(ex.Features))
	for i, f := range ex.Features {
		features[i] = explained{f, s.class(f.LogOdds)}
	}
	return write(w, "explain.html", struct {
		*bayes.Explanation
		Text     []stretch
		Features []explained
		Ignored  int64
	}{ex, marked, features, int64(ex.Unknown)})
}

type explained struct {
	bayes.Contribution
	Class string
}

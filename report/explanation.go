package report

import (
	"io"

	"bayes"
	"bayes/answer"
)

// Of more than mostProbable classes an explanation names the fewProbable most probable.
const mostProbable, fewProbable = 30, 10

// WriteExplanation writes a page that shows a text, or the main text of a document,
// with each term coloured by what it adds to the log-odds, and a table of all
// parts of the explanation.
func WriteExplanation(w io.Writer, text string, ex *bayes.Explanation) error {
	ex = answer.AgainstRest(ex)
	marked, s := highlighted(text, ex)
	features := make([]explained, len(ex.Features))
	for i, f := range ex.Features {
		features[i] = newExplained(f, s.class(f.LogOdds))
	}
	best := ex.Classes
	if len(best) > mostProbable {
		best = best[:fewProbable]
	}
	e := explanation{ex, best, int64(len(ex.Classes) - len(best)), marked, features, answer.Counted(ex), answer.Corrected(ex), int64(ex.Unknown), answer.NewCutoff(ex)}
	return write(w, explainPage(&e))
}

// An explanation is what explain.qtpl shows.
type explanation struct {
	*bayes.Explanation
	Best      []bayes.Prob
	Others    int64
	Text      []stretch
	Features  []explained
	Counted   bool // a frozen model has no counts to show
	Corrected bool
	Ignored   int64
	Needs     *answer.Cutoff
}

// explained is a feature as it is shown: of a number its value, and the mean and deviation of
// each class; of others how often the examples of the class have it.
type explained struct {
	bayes.Contribution
	Class, Label, For, Against string
	Number                     bool
}

func newExplained(f bayes.Contribution, class string) explained {
	e := explained{Contribution: f, Class: class, Label: featureLabel(f), For: number(f.Counts[0].Sum), Against: number(f.Counts[1].Sum)}
	if own, other, ok := answer.Spreads(f); ok {
		e.Number, e.For, e.Against = true, own.String(), other.String()
	}
	return e
}

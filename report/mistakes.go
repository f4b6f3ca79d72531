package report

import (
	"cmp"
	"math"
	"slices"

	"bayes"
	"bayes/answer"
	"bayes/internal/excerpt"
)

// A Mistake is a document that was predicted wrongly.
type Mistake struct {
	bayes.Result
	Index int64 // how many documents were observed before it
}

// worst keeps mistakes, the worst first.
type worst[M any] struct {
	most    int
	compare func(a, b M) int // below 0 if a is worse
	list    []M
}

func (w *worst[M]) add(m M) {
	// Behind those that are as bad, so that of equal ones the first are kept.
	i, _ := slices.BinarySearchFunc(w.list, m, func(a, b M) int {
		if w.compare(a, b) <= 0 {
			return -1
		}
		return 1
	})
	if i >= w.most {
		return
	}
	w.list = slices.Insert(w.list, i, m)
	w.list = w.list[:min(len(w.list), w.most)]
}

func bySureness(a, b Mistake) int { return byConfidence(a.Result, b.Result) }

// byConfidence puts the more confident prediction first. Where both probabilities
// are 1 within rounding, it is the one whose runner-up is further behind.
func byConfidence(a, b bayes.Result) int {
	return cmp.Or(cmp.Compare(b.Answer().P, a.Answer().P), cmp.Compare(runnerUp(a), runnerUp(b)))
}

// runnerUp returns ln P of the second class.
func runnerUp(s bayes.Result) float64 {
	if len(s.Classes) < 2 {
		return math.Inf(-1)
	}
	return s.Classes[1].LogP
}

// A mistakeCard shows a mistake, and why it was made.
type mistakeCard struct {
	Place            string // where the document is, empty if nobody knows
	Truth, Predicted string
	P, TruthP        string // probabilities of the predicted and of the true class
	Against          string // what the predicted class is compared with
	Unknown          bool   // the model does not know the true class
	NoTerm           bool   // nor any term of the document
	Open             bool
	shownText
}

// A shownText is a text with the evidence for a class and against it.
type shownText struct {
	Text          []stretch
	Cut           int64 // bytes of the text that are not shown
	For, Contrary []evidence
}

// newShownText returns the start of a text, with the evidence of ex unless that is nil.
func newShownText(text string, ex *bayes.Explanation) (s shownText) {
	start := excerpt.Start(text, 2000)
	s.Text, s.Cut = []stretch{{Text: start}}, int64(len(text)-len(start))
	if ex != nil {
		var colours scale
		s.Text, colours = highlighted(start, ex)
		s.For, s.Contrary = evidenceOf(ex, colours)
	}
	return s
}

// evidence is a feature and what it adds to the log-odds of a class.
type evidence struct {
	Feature string
	LogOdds float64
	Class   string
}

// explainMistakes returns the worst mistakes, each with the evidence for the prediction
// and for the truth.
func (r *Report) explainMistakes() []mistakeCard {
	var list []mistakeCard
	for i, s := range r.mistakes.list {
		m := r.explainMistake(s.Result)
		if r.opts.Place != nil {
			m.Place = r.opts.Place(s.Index)
		}
		m.Open = i < 3
		list = append(list, m)
	}
	return list
}

func (r *Report) explainMistake(s bayes.Result) mistakeCard {
	m := mistakeCard{Truth: s.Label, Predicted: s.Answer().Class, P: confidence(s.Answer().P), TruthP: "0", Unknown: true}
	for _, c := range s.Classes {
		if c.Class == s.Label {
			m.TruthP, m.Unknown = confidence(c.P), false
		}
	}
	ex := r.model.ExplainAgainst(s.Document(), m.Predicted, m.Truth)
	if ex == nil {
		ex = r.model.Explain(s.Document())
	}
	m.Against, m.NoTerm = ex.Against, ex.Known == 0
	m.shownText = newShownText(answer.Text(s.Document()), ex)
	return m
}

// evidenceOf returns the features that tell most for the class of an explanation, and for the other.
func evidenceOf(ex *bayes.Explanation, colours scale) (list, contrary []evidence) {
	for _, f := range ex.Features {
		e := evidence{featureLabel(f), f.LogOdds, colours.class(f.LogOdds)}
		switch {
		case f.LogOdds > 0 && len(list) < 10:
			list = append(list, e)
		case f.LogOdds < 0 && len(contrary) < 10:
			contrary = append(contrary, e)
		}
	}
	return list, contrary
}

// confidence returns a probability with four decimals, and says where it is nearly
// 0 or 1.
func confidence(p float64) string {
	switch {
	case p > 0.9999 && p < 1:
		return "> 0.9999"
	case p > 0 && p < 0.0001:
		return "< 0.0001"
	}
	return figure(p)
}

package eval

import (
	"cmp"
	"math"
	"slices"

	"bayes"
)

// A Ranking says how well the documents of two classes are told apart by the log-odds, which go on to
// rank them where probabilities are all as good as 0 or 1.
type Ranking struct {
	Label     string // which is to be found: spam, or else the second
	Against   string // and must not be lost
	Documents int    // of Label
	Others    int    // of Against

	// OneMinusROCA is (1 - the area under the ROC curve)·100, the figure of TREC's spam tracks: how
	// many in a hundred pairs of a document of each class are ranked the wrong way, ties half counted.
	OneMinusROCA float64

	NoneLost int // how many of Label rank above all others
	OneLost  int // and how many above all others but one
}

// Ranking returns that of t, and false unless there are two labels and documents of both.
func (t *Tally) Ranking() (Ranking, bool) {
	labels := t.Labels()
	if len(labels) != 2 {
		return Ranking{}, false
	}
	if labels[0] == "spam" {
		slices.Reverse(labels)
	}
	k := int32(t.index[labels[1]])
	var own, others []float64
	for _, r := range t.rows {
		odds := r.logOdds
		if r.best != k {
			odds = -odds
		}
		if r.truth == k {
			own = append(own, odds)
		} else {
			others = append(others, odds)
		}
	}
	if len(own) == 0 || len(others) == 0 {
		return Ranking{}, false
	}
	r := Ranking{Label: labels[1], Against: labels[0], Documents: len(own), Others: len(others)}
	slices.Sort(own)
	slices.Sort(others)
	r.OneMinusROCA = 100 * misranked(own, others) / float64(len(own)) / float64(len(others))
	r.NoneLost, r.OneLost = above(own, others[len(others)-1]), len(own)
	if len(others) > 1 {
		r.OneLost = above(own, others[len(others)-2])
	}
	return r, true
}

// misranked returns how many pairs of the two, which are sorted, have the first below the second, and
// half of those that are equal.
func misranked(own, others []float64) (pairs float64) {
	less, most := 0, 0 // of own, those below one of the others, and those not above it
	for _, v := range others {
		for less < len(own) && own[less] < v {
			less++
		}
		for most < len(own) && own[most] <= v {
			most++
		}
		pairs += float64(less) + float64(most-less)/2
	}
	return pairs
}

// above returns how many of a sorted list are more than v.
func above(list []float64, v float64) int {
	i, _ := slices.BinarySearchFunc(list, v, func(x, v float64) int { return cmp.Or(cmp.Compare(x, v), -1) })
	return len(list) - i
}

// logOdds returns the log-odds of the answer against the other of two classes, as the model scored them: calibration
// leaves their order, and makes some equal.
func logOdds(p bayes.Prediction) float64 {
	switch {
	case len(p.Classes) == 1 && p.LeftOut == 0:
		return math.Inf(1)
	case len(p.Classes) != 2:
		return 0
	}
	a, b := p.Classes[p.Chosen], p.Classes[1-p.Chosen]
	if odds := a.LogJoint - b.LogJoint; !math.IsNaN(odds) {
		return odds
	}
	return a.LogP - b.LogP // an impossible document has the prior alone
}

// Unsure returns how many predictions are unsure, as their best class is below a cutoff, and the share
// of the others that is right.
func (t *Tally) Unsure() (documents int64, accuracy float64) {
	var right, sure int64
	for _, r := range t.rows {
		if r.unsure {
			continue
		}
		if sure++; r.truth == r.best {
			right++
		}
	}
	return t.Documents() - sure, ratio(float64(right), float64(sure))
}

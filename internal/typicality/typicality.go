// Package typicality says how typical a document is of the class that it is given to, compared with
// documents of that class that were held out: a conformal p-value (Vovk, Gammerman and Shafer 2005,
// "Algorithmic learning in a random world", 2.2), whose category is the predicted class. With a the
// score of a document and aᵢ those of n held out that were given the same class,
//
//	p = (1 + |{i: aᵢ ≤ a}|) / (n + 1)
//
// so that of documents like those held out, a share of at most ε has p ≤ ε, in each predicted class.
package typicality

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bayes/internal/calibration"
	"bayes/internal/specgrammar"
)

// Evidence is what a document shows of its being of the class that it is given to.
type Evidence struct {
	Margin  float64 // how far the class's score is ahead of the mean of the others', per token
	Unknown float64 // the share of the document's features that the model does not know, in [0,1]
}

// farthest is how far ahead of a class another one is at most, as where it rules that class out.
const farthest = 1e6

// Of returns the evidence of a document of some length for the class best, given the score of each class,
// which may have a term in common, and how many of the document's features are known and are not. A
// document without features shows as little as one without known ones.
func Of(scores []float64, best int, length float64, known, unknown int) Evidence {
	e := Evidence{Unknown: 1}
	if known > 0 {
		e.Unknown = float64(unknown) / float64(known+unknown)
	}
	if top := scores[best]; len(scores) > 1 && !math.IsInf(top, 0) {
		var ahead float64
		for _, v := range scores {
			ahead += min(top-v, farthest)
		}
		e.Margin = ahead / float64(len(scores)-1) / max(length, 1)
	}
	return e
}

// Weight returns what the share of unknown features is to weigh in a score: half as much as the margin, both
// in units of their standard deviations among documents held out; 1 if one of them is always the same.
func Weight(held []Evidence) float64 {
	n := float64(len(held))
	var mean, variance Evidence
	for _, e := range held {
		mean.Margin += e.Margin / n
		mean.Unknown += e.Unknown / n
	}
	for _, e := range held {
		variance.Margin += (e.Margin - mean.Margin) * (e.Margin - mean.Margin)
		variance.Unknown += (e.Unknown - mean.Unknown) * (e.Unknown - mean.Unknown)
	}
	if variance.Margin == 0 || variance.Unknown == 0 {
		return 1
	}
	return math.Sqrt(variance.Margin/variance.Unknown) / 2
}

// Score returns the score of a document: the less, the less typical.
func (e Evidence) Score(weight float64) float64 { return e.Margin - weight*e.Unknown }

// A Table has the scores of documents held out, by the class that they were given: X is a score, and Y the
// p-value of what has less. Both rise. The classes of too few are pooled under the empty label.
type Table[P calibration.Point] map[string][]P

// Least returns how many documents of a class have to be held out for a p-value to be at most rate.
func Least(rate float64) int { return int(math.Ceil(1/rate*(1-1e-12))) - 1 }

// shares are the p-values that a table has, beside the rate of those that are foreign.
var shares = []float64{.001, .002, .005, .01, .02, .03, .04, .05, .07, .1, .15, .2, .3, .5, .7}

// New returns the table of scores by predicted class. Classes of fewer than it takes for a p-value of rate
// are pooled; of those too it takes as many for any of their documents to have such a p-value.
func New[P calibration.Point](scores map[string][]float64, rate float64) Table[P] {
	t := make(Table[P])
	var pooled []float64
	for class, list := range scores {
		if len(list) < Least(rate) || class == "" {
			pooled = append(pooled, list...)
		} else {
			t[class] = curve[P](list, rate)
		}
	}
	if points := curve[P](pooled, rate); len(points) > 0 {
		t[""] = points
	}
	return t
}

// curve returns the points of some scores.
func curve[P calibration.Point](scores []float64, rate float64) (points []P) {
	slices.Sort(scores)
	n, last := float64(len(scores)+1), 0
	for _, share := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(shares), rate)))) {
		rank := int(share * n * (1 + 1e-12)) // which makes up for rounding: 0.3·10 is 3
		if rank <= last || rank > len(scores) {
			continue
		}
		last = rank
		// Rounded down, so that no more have less. Of equal scores the first has the least p-value.
		x := roundDown(scores[rank-1])
		if k := len(points); k == 0 || (struct{ X, Y float64 })(points[k-1]).X < x {
			points = append(points, P(struct{ X, Y float64 }{x, round(float64(rank)/n, 7)}))
		}
	}
	return points
}

// roundDown returns a number of six digits that is at most v, and less than 1e-5 of it below.
func roundDown(v float64) float64 { return min(round(v-math.Abs(v)*5e-6, 6), v) }

// round rounds v to a number of significant digits.
func round(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return r
}

// P returns the p-value of a document of some score that is given a class, 1 if it is not known to be less.
func (t Table[P]) P(class string, score float64) float64 {
	points, ok := t[class]
	if !ok {
		points = t[""]
	}
	i, _ := slices.BinarySearchFunc(points, score, func(p P, score float64) int {
		if (struct{ X, Y float64 })(p).X <= score {
			return -1
		}
		return 1
	})
	if i == len(points) {
		return 1
	}
	return (struct{ X, Y float64 })(points[i]).Y
}

// Foreign reports whether a document of this p-value is foreign, where a share of documents is known.
func Foreign(p, known float64) bool { return p <= (1-known)*(1+1e-9) } // which makes up for rounding

// Check returns an error if t is no table.
func (t Table[P]) Check() error {
	for _, class := range slices.Sorted(maps.Keys(t)) {
		if err := calibration.CheckPoints(t[class]); err != nil {
			return fmt.Errorf("the typicality of %q: %w", class, err)
		}
	}
	return nil
}

// Words returns t as words, one for each class: LABEL=X:Y,X:Y.
func (t Table[P]) Words() (words []string) {
	for _, class := range slices.Sorted(maps.Keys(t)) {
		words = append(words, specgrammar.QuoteName(class, `,="\`)+"="+calibration.JoinPoints(t[class]))
	}
	return words
}

// Add adds what a word says.
func (t Table[P]) Add(word string) error {
	class, rest, err := specgrammar.CutName(word, "=,")
	if err != nil {
		return err
	}
	points, ok := strings.CutPrefix(rest, "=")
	if !ok {
		return fmt.Errorf("no = after the name %.100q", class)
	}
	if _, twice := t[class]; twice {
		return fmt.Errorf("%q is named twice", class)
	}
	t[class], err = calibration.ParsePoints[P](points)
	return err
}

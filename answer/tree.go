package answer

import (
	"slices"

	"bayes"
	"bayes/internal/labeltree"
)

// A Node is a label of a tree, or one above some labels.
type Node struct {
	Label       string  // empty of the root, which is above all
	Level       int     // how many parts the label has; 0 of the root
	Probability float64 // in [0,1]: the sum of those of the classes that are the label or below it
}

// Deepest returns the deepest node of a tree of labels that is certain enough: from the root it goes on to
// the most probable node below as long as that has at least this probability, in (0,1]. The separator is
// [bayes.Model.LabelTree]. Classes that are left out of p count as impossible.
//
// A label that others are below, such as sport beside sport/football, is the answer both where the document is
// of that class and where it is not certain which class below it is right.
func Deepest(p bayes.Prediction, separator string, certain float64) Node {
	const rounding = 1e-12
	at, below := Node{Probability: 1}, p.Classes
	for {
		next := mostProbable(below, separator, at.Level+1)
		if next.Label == at.Label || next.Probability < certain*(1-rounding) {
			return at
		}
		at = next
		below = slices.DeleteFunc(slices.Clone(below), func(c bayes.Prob) bool {
			return labeltree.Cut(c.Class, separator, at.Level) != at.Label
		})
	}
}

// mostProbable returns the most probable node of a level, of equal ones that of the most probable class. A class
// that has no such level is a node by itself.
func mostProbable(classes []bayes.Prob, separator string, level int) Node {
	sums, best := make(map[string]float64), Node{Level: level}
	for _, c := range classes {
		sums[labeltree.Cut(c.Class, separator, level)] += c.P
	}
	for _, c := range classes {
		if label := labeltree.Cut(c.Class, separator, level); sums[label] > best.Probability {
			best.Label, best.Probability = label, sums[label]
		}
	}
	return best
}

// At returns the prediction with a node of the tree as its label, and its probability, unless it says already why
// its label is no class. At the root the label is [Undecided], and the probability that of the most probable class.
func (p Prediction) At(n Node) Prediction {
	switch {
	case p.Reason != "":
		return p
	case n.Level == 0:
		p.Label, p.Reason = Undecided, byCertain
	default:
		p.Label, p.Probability = n.Label, Real(n.Probability)
	}
	p.Level = &n.Level
	return p
}

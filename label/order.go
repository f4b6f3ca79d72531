package label

import (
	"fmt"
	"math"
	"strings"
)

// An Order says which text comes next.
type Order string

const (
	// Random is the order of a shuffled pile.
	Random Order = "random"

	// Uncertain puts the text next that the model is least sure of (Lewis and Gale 1994): that with the least
	// difference between the log-probabilities of the two most probable classes, by what [Pile.LearnUnanswered] has found last or by the answers, or where a text may have several labels,
	// that with the log-odds of a label which are nearest to 0, from which on it is given.
	Uncertain Order = "uncertain"

	// Informative asks first about texts that stand for many others, and then about those that are expected to teach most.
	//
	// Until there are 20 answers, where the words of a class are one, or a model by [Pile.LearnUnanswered], the next is the text i that, with those that have an answer, has the highest
	//
	//	Σ_j max_i cosine(i, j)
	//
	// over all j of 5,000 texts, and those i that are among the 50 nearest to j: facility location. Cosines are of counts weighted with an IDF.
	//
	// Later it is one that the model is unsure of, whose words are frequent in the pile and not among those that answers have told of already, and
	// whose class has few answers. With the margin m, the number k of different terms, n(t) of texts that have term t, s(t) of answered ones among them, and
	// a(c) of answers of the most probable class c of all A answers of K classes, it is that with the highest
	//
	//	N² · 1/(1 + m/√k) · (A + K)/(a(c) + 1),   N = Σ_t √n(t)/(1 + s(t)) · 1/√k
	//
	// where terms of one text alone are left out. So density, diversity, uncertainty and balance each have a factor. Naive Bayes is surer the more features there are, also where it is wrong, so m is
	// divided by √k. A model that has learned from texts without an answer, see [Pile.LearnUnanswered], knows the frequent words already, and √√n(t) stands for √n(t).
	// Where a text may have several labels, m is the distance of the log-odds of a
	// label from 0, classes are labels, and c is the label nearest to it: the least sure decision. docs/labels.md says how the factors were chosen.
	Informative Order = "informative"
)

var orders = []Order{Random, Uncertain, Informative}

// ParseOrder returns the order of a name. An empty one is Informative.
func ParseOrder(name string) (Order, error) {
	if name == "" {
		return Informative, nil
	}
	var names []string
	for _, o := range orders {
		if string(o) == name {
			return o, nil
		}
		names = append(names, string(o))
	}
	return "", fmt.Errorf("unknown order %q: want one of %s", name, strings.Join(names, ", "))
}

// worth returns what an order puts first the higher it is.
func (o Order) worth(s *scores, i int) float64 {
	switch {
	case o == Random:
		return 0
	case s.covering():
		return s.cover.gain(i)
	}
	margin, best := s.margin(i)
	if o == Uncertain {
		return -margin
	}
	root := math.Sqrt(float64(max(1, len(s.terms[i]))))
	news := s.novelty[i] / root
	worth := news * news / (1 + margin/root)
	if best != nil {
		worth *= (s.learned + s.live) / (best.texts + 1)
	}
	return worth
}

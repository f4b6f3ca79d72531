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
	// difference between the log-probabilities of the two most probable classes, by what [Pile.Propagate] or [Pile.LearnUnanswered] has found last or by the answers, or where a text may have several labels,
	// that with the log-odds of a label which are nearest to 0, from which on it is given.
	Uncertain Order = "uncertain"

	// Informative puts the text next that is expected to teach most: one that stands for many others, whose words are frequent in the pile and not among those that
	// answers have told of already, which the model is unsure of, and whose class has few answers. It is the text i with the highest
	//
	//	(0.1 + G) · N · 1/(1 + m/√k) · 1/(1 + a(c)),   N = Σ_t √n(t)/(1 + s(t)) · 1/√k,   G = Σ_j max(0, near(i, j) - max_a near(a, j))
	//
	// with the margin m, the number k of different terms, n(t) of texts that have term t, s(t) of answered ones among them, and
	// a(c) of answers of the most probable class c, and one more if words of it are known. Terms of one text alone are left out.
	//
	// G is what an answer to i would add to what the answered texts a stand for: facility location. near(i, j) is 1 - exp(-20·w)·(1 - min(0.99, 1.5·l^2.5)): by words, for the cosine w of the angle between the counts of both, weighted with an IDF, or by what both are about,
	// for the cosine l, if it is above 0, of what is left of these in the fifty directions that keep most of all texts (latent semantic analysis). Both are taken times |i|/√(|i|² + 20²), for the length |i| of i's weighted counts, since a text of few words teaches little. The texts j are i itself and, if i is one of 5,000 texts drawn of the pile, those of
	// the 5,000 that have i among their 400 nearest and are among the 400 nearest of i; of other texts j, near(i, j) is 0.
	//
	// Naive Bayes is surer the more features there are, also where it is wrong, so m is
	// divided by √k. A model that has learned from texts without an answer, see [Pile.Propagate] and [Pile.LearnUnanswered], knows the frequent words already, and √√n(t) stands for √n(t); and √N stands for N then, and before there are 20 answers, of texts with terms that G reads. The
	// more answers there are, the more often it is right where it is sure: with A answers of K classes, m is divided by 5·√(k·K/A) if that is less.
	// Where a text may have several labels, m is the distance of the log-odds of a
	// label from 0, classes are labels, and c is the label nearest to it: the least sure decision. docs/labels-tried.md says how the factors were chosen.
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

// leastGain is what a text has for the cover at least, so that those which stand for none, as where all terms are frequent, are told apart by what else is known of them.
const leastGain = 0.1

// fewAnswers is the number of answers up to which new words count less: what stands for many texts is worth more then, as it is once texts without an answer are learned too. A model of more answers alone knows no other words than
// theirs, and loses 0.02 to 0.08 of 20news with 154 to 396 answers if new ones count less (docs/labels-tried.md).
const fewAnswers = 20

// manyAnswers is the root of the number of answers a class from which on margins count more, once texts without an answer are learned too, as the temperature
// of EM falls (eval.SemiSupervised). That gains 0.002 of accuracy in the mean on nsmc with 300 answers and more (docs/labels-tried.md).
const manyAnswers = 5

// worth returns what an order puts first the higher it is. Of a text that is not worth more than least it may return just that: most are told so at a glance.
func (o Order) worth(s *scores, i int, least float64) float64 {
	if o == Random {
		return 0
	}
	margin, best := s.margin(i)
	if o == Uncertain {
		return -margin
	}
	root := math.Sqrt(float64(max(1, len(s.terms[i]))))
	temperature := root
	if s.sure != nil {
		perClass := s.learned / max(1, s.live) // 0 if all answers that do not measure were taken back
		temperature *= min(1, manyAnswers/math.Sqrt(perClass))
	}
	novelty := s.novelty[i] / root
	if (s.sure != nil || s.learned < fewAnswers) && s.cover.own[i] > 0 { // or else new words are all that is known of it
		novelty = math.Sqrt(novelty)
	}
	rest := novelty / (1 + margin/temperature)
	if best != nil {
		rest /= 1 + best.texts
	}
	if (leastGain+s.cover.most[i])*rest <= least {
		return least
	}
	return (leastGain + s.cover.gain(i)) * rest
}

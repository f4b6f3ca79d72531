package label

import (
	"math"
	"slices"

	"bayes"
	"bayes/internal/labelset"
)

// labelsIn returns the labels of an answer: those in the set, or itself where a text has one.
func (p *Pile) labelsIn(answer string) []string {
	if sep := p.space.LabelSeparator; sep != "" {
		return labelset.Split(answer, sep)
	}
	return []string{answer}
}

// fit fits a model. Sets without a label say as little as no example.
func fit(c *bayes.Counts, em bayes.EventModel) (*bayes.Model, error) {
	if sep := c.Space().LabelSeparator; sep != "" {
		if classes := c.Classes(); len(classes) == 0 || len(classes) == 1 && classes[0] == sep {
			return nil, bayes.ErrEmpty
		}
	}
	return bayes.Fit(c, em)
}

// checkSets returns an error if an event model is for texts with one label each, and these may have several.
func checkSets(space *bayes.Space, em bayes.EventModel, texts []bayes.Document) error {
	sep := space.LabelSeparator
	if sep == "" || len(texts) == 0 {
		return nil
	}
	trial, name := bayes.NewCounts(space), "a"
	if name == sep {
		name = "b"
	}
	trial.Learn(bayes.Example{Label: name, Text: texts[0].Text, Attrs: texts[0].Attrs})
	_, err := bayes.Fit(trial, em)
	return err
}

// AnswerOf returns what a prediction of the pile's model answers, as [Pile.Answer] takes it, and how probable it is: the
// class that p answers with. Where a text may have several labels it is the set S of those that p gives, which is right
// with a probability of
//
//	Π_{l in S} P(l|d) · Π_{l not in S} (1 - P(l|d)).
func (p *Pile) AnswerOf(pr bayes.Prediction) bayes.Prob {
	sep := p.space.LabelSeparator
	if sep == "" {
		return pr.Answer()
	}
	logP := 0.0
	for _, c := range pr.Classes {
		if slices.Contains(pr.Labels, c.Class) {
			logP += c.LogP
		} else {
			logP += math.Log1p(-c.P)
		}
	}
	return bayes.Prob{Class: labelset.Join(pr.Labels, sep), P: math.Exp(logP), LogP: logP, LogJoint: logP}
}

// observed returns a prediction as a Tally of answers takes it. One of several labels is of one class, the set.
func (p *Pile) observed(pr bayes.Prediction) bayes.Prediction {
	if p.space.LabelSeparator == "" {
		return pr
	}
	return bayes.Prediction{Classes: []bayes.Prob{p.AnswerOf(pr)}, Known: pr.Known, Unknown: pr.Unknown}
}

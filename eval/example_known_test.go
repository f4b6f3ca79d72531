package eval_test

import (
	"context"
	"fmt"

	"bayes"
	"bayes/eval"
)

// Nine in ten texts like the examples are known. The least typical of a class are foreign, and so is what is
// about something else.
func ExampleScores_Known() {
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for _, word := range []string{"free", "win", "prize", "offer", "money"} {
			for _, other := range []string{"now", "today", "here", "claim"} {
				if !yield(bayes.Example{Label: "spam", Text: word + " prize " + other}, nil) ||
					!yield(bayes.Example{Label: "ham", Text: "lunch at one " + other + " with " + word}, nil) {
					return
				}
			}
		}
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fold, err := eval.StratifiedFolds(eval.Labels(c), 10, true, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := eval.CrossValidateKnown(context.Background(), c, fold, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	em, err := s.Known(bayes.Calibrated{Model: bayes.Multinomial{}}, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bayes.Fit(c.Counts(), em)
	if err != nil {
		fmt.Println(err)
		return
	}
	var tally eval.Tally
	for _, ex := range []bayes.Example{{Label: "spam", Text: "win prize now"}, {Label: "ham", Text: "lunch with money"}, {Label: "opera", Text: "the soprano was sublime"}} {
		p := m.Predict(ex.Document())
		fmt.Printf("%s: foreign %v\n", p.Best().Class, p.Foreign)
		tally.Observe(p, ex.Label)
	}
	var f eval.Foreign = tally.Foreign(m.Classes())
	fmt.Printf("%d of %d, and of other labels %d of %d\n", f.Alarms, f.Known, f.Found, f.Others)
	// What is measured is of examples that have not set what they are measured by.
	crossed, err := s.CrossKnown(0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(crossed.Tally().Foreign(s.Classes).Known, "held out")
	// Output:
	// spam: foreign false
	// ham: foreign false
	// ham: foreign true
	// 0 of 2, and of other labels 1 of 1
	// 40 held out
}

package eval_test

import (
	"context"
	"fmt"

	"bayes"
	"bayes/eval"
)

// A cutoff lets at most this share of the other examples held out through. Five of them cannot show that
// it is one in ten, so none is let through. What is less certain is unsure.
func ExampleScores_Cutoffs() {
	var model bayes.Multinomial
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for _, text := range []string{"free prize", "win a prize", "free entry", "free lunch", "lunch prize"} {
			if !yield(bayes.Example{Label: "spam", Text: text}, nil) || !yield(bayes.Example{Label: "ham", Text: "lunch at one, " + text}, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := eval.CrossValidate(context.Background(), c, nil, model)
	if err != nil {
		fmt.Println(err)
		return
	}
	rates := map[string]float64{"spam": 0.1}
	cutoffs, err := s.Cutoffs(rates)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cutoffs {
		fmt.Printf("%s: %d of %d others, %d of %d missed, shown %v\n", c.Label, c.Given, c.Others, c.Missed, c.Own, c.Shows())
	}
	m, err := bayes.Fit(c.Counts(), bayes.Calibrated{Model: model, Cutoffs: map[string]float64{"spam": 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := m.Predict(bayes.Document{Text: "prize"})
	fmt.Println(p.Best().Class, p.Unsure)
	// What is measured is of cutoffs that the other examples set.
	crossed, _, err := s.CrossCutoffs(rates)
	if err != nil {
		fmt.Println(err)
		return
	}
	unsure, accuracy := crossed.Tally().Unsure()
	fmt.Printf("%d unsure, accuracy of the rest %.2f, cutoffs of %d labels\n", unsure, accuracy, len(eval.LogOddsByLabel(cutoffs)))
	// Output:
	// spam: 0 of 5 others, 2 of 5 missed, shown false
	// spam true
	// 0 unsure, accuracy of the rest 0.70, cutoffs of 1 labels
}

// A filter predicts each message, and learns it when it is corrected.
func ExampleProgressive() {
	mail := []bayes.Example{
		{Label: "spam", Text: "win a free prize"}, {Label: "ham", Text: "free lunch today"}, {Label: "spam", Text: "win a prize now"},
		{Label: "ham", Text: "lunch today at one"}, {Label: "spam", Text: "meeting today"}, {Label: "ham", Text: "meeting at one"},
	}
	p, err := eval.Progressive(context.Background(), nil, bayes.Multinomial{}, mail, func(r bayes.Result) {
		fmt.Println(r.Label, "is taken for", r.Best().Class)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	last := p.Curve[len(p.Curve)-1]
	fmt.Println(last.Documents, "learned, wrong by label:", p.Labels, last.Wrong)
	if r, ok := p.Tally.Ranking(); ok {
		fmt.Printf("1-ROCA %.2f %%, %d of %d %s found with no %s lost\n", r.OneMinusROCA, r.NoneLost, r.Documents, r.Label, r.Against)
	}
	// Output:
	// ham is taken for spam
	// spam is taken for spam
	// ham is taken for ham
	// spam is taken for ham
	// ham is taken for ham
	// 6 learned, wrong by label: [ham spam] [1 1]
	// 1-ROCA 50.00 %, 0 of 2 spam found with no ham lost
}

package answer_test

import (
	"context"
	"fmt"
	"testing"

	"bayes"
	"bayes/answer"
)

// corrected returns a model of four examples with a correction.
func corrected() (*bayes.Model, error) {
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for _, ex := range []bayes.Example{
			{Label: "spam", Text: "win a free prize"}, {Label: "spam", Text: "free money win"}, {Label: "ham", Text: "see you at lunch"}, {Label: "ham", Text: "free lunch"},
		} {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		return nil, err
	}
	em, err := c.Correct(context.Background(), bayes.Corrected{})
	if err != nil {
		return nil, err
	}
	return bayes.Fit(c.Counts(), em)
}

func ExampleNewCorrection() {
	m, err := corrected()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.NewCorrection(m.EventModel(), m.Examples()+2))
	// Output: learned from 4 examples, for 9 features, with naive Bayes times 0; since then the model has learned 2 more
}

func ExampleCorrected() {
	m, err := corrected()
	if err != nil {
		fmt.Println(err)
		return
	}
	ex := m.Explain(bayes.Document{Text: "free lunch"})
	fmt.Println(answer.Corrected(ex), ex.Class)
	for _, f := range ex.Features {
		fmt.Println(f.Feature, answer.Base(f.LogOdds, f.Correction) == 0)
	}
	// Output:
	// true ham
	// lunch true
	// free true
}

// What JSON says of a derivation adds up with a correction too.
func TestCorrectedAddsUp(t *testing.T) {
	m, err := corrected()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range answer.NewDerivation(m.Derive(bayes.Document{Text: "win win lunch"}), 0).Classes {
		sum := float64(*c.PriorScore)
		for _, f := range c.Factors {
			sum += f.Times * float64(f.Log)
		}
		if d := sum - float64(c.LogJoint); d > 1e-12 || d < -1e-12 {
			t.Errorf("%s: factors add up to %v, not %v", c.Label, sum, c.LogJoint)
		}
	}
}

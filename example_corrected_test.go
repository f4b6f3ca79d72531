package bayes_test

import (
	"context"
	"fmt"

	"bayes"
)

// Naive Bayes is corrected, and goes on learning.
func ExampleCorpus_CheckCorrect() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.CheckCorrect()) // six examples of two classes take little
	// Output: <nil>
}

func ExampleCorpus_Correct() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	em, err := c.Correct(context.Background(), bayes.Corrected{Model: bayes.Multinomial{}, Trust: 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := c.Counts()
	counts.Learn(bayes.Example{Label: "spam", Text: "a free cruise"})
	m, err := bayes.Fit(counts, em)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(bayes.Document{Text: "free cruise"}).Best().Class)
	correction := bayes.CorrectionOf(em)
	fmt.Printf("learned from %d examples, with trust: %v; the model has %d\n", correction.Examples(), correction.Trust() > 0, m.Examples())
	fmt.Println("without:", bayes.WithoutCorrection(em))
	// Output:
	// spam
	// learned from 6 examples, with trust: true; the model has 7
	// without: multinomial smoothing=1 prior=empirical
}

func ExampleCorrected_Freedom() {
	strong := bayes.Corrected{Strength: 10, Spread: true}
	strength, rest := strong.Freedom()
	fmt.Println(strength, rest)
	// Output: 10 corrected strength=1 spread model=(multinomial smoothing=1 prior=empirical)
}

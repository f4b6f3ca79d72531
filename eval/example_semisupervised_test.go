package eval_test

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"bayes"
	"bayes/eval"
)

func ExampleSemiSupervised() {
	examples := func(label string, texts ...string) iter.Seq2[bayes.Example, error] {
		return func(yield func(bayes.Example, error) bool) {
			for i, text := range texts {
				if label != "" {
					label = []string{"sport", "money"}[i%2]
				}
				if !yield(bayes.Example{Label: label, Text: text}, nil) {
					return
				}
			}
		}
	}
	labelled := func() iter.Seq2[bayes.Example, error] {
		return examples("any", "the match", "a bank", "our team", "shares fell", "a goal", "the loan", "they won", "a price")
	}
	// What the eight texts do not say, others do: which words go together.
	others := examples("",
		"match team goal", "bank shares loan", "team won a match", "shares at a price", "goal won", "loan at the bank",
		"the keeper saved a goal in the match", "the investor lost shares of the bank", "the team won a cup", "interest on the loan at a price")

	ctx := context.Background()
	var found *eval.SemiSupervision
	found, err := eval.SemiSupervised(ctx, nil, nil, labelled(), others, &eval.SemiSupervisedOptions{Rounds: []int{1, 5}})
	if err != nil {
		panic(err)
	}
	var best eval.SemiTrial = found.SemiTrial
	fmt.Printf("alone %.3f, with %d others %.3f\n", found.Trials[0].Accuracy, found.Unlabelled, best.Accuracy)

	counts, err := bayes.Count(ctx, nil, labelled(), nil)
	if err != nil {
		panic(err)
	}
	counts.Add(found.Counts)
	model, err := bayes.Fit(counts, found.Model)
	if err != nil {
		panic(err)
	}
	fmt.Println(model.Predict(bayes.Document{Text: "keeper"}).Classes[0].Class, "of", counts.Examples(), "labelled examples")
	// Output:
	// alone 0.375, with 10 others 1.000
	// sport of 8 labelled examples
}

// Naive Bayes of so much text is surer than it is right. Labelled examples that were held out, with EM anew for those that were not, say by how much.
func ExampleSemiSupervision() {
	// Every other text has a word of the other class, too, and every fifth has two.
	drawn := func(n int, labelled bool) iter.Seq2[bayes.Example, error] {
		return func(yield func(bayes.Example, error) bool) {
			for i := range n {
				own, other := "goal", "bank"
				ex := bayes.Example{Text: fmt.Sprintf("%s%d of %s%d", own, i%7, own, i%5)}
				if i%4 > 1 {
					own, other = other, own
					ex.Text = fmt.Sprintf("%s%d of %s%d", own, i%7, own, i%5)
				}
				if labelled {
					ex.Label = own
				}
				if i%2 == 0 {
					ex.Text += fmt.Sprintf(" and %s%d", other, i%3)
				}
				if i%5 == 0 {
					ex.Text += fmt.Sprintf(", %s%d, %s%d", other, i%7, other, i%2)
				}
				ex.Text = strings.Repeat(ex.Text+" ", 3) // all of it is said three times
				if !yield(ex, nil) {
					return
				}
			}
		}
	}
	found, err := eval.SemiSupervised(context.Background(), nil, nil, drawn(120, true), drawn(400, false), nil)
	if err != nil {
		panic(err)
	}
	calibrated, err := found.HeldOut.Calibrate(found.Model, eval.Temperature)
	if err != nil {
		panic(err)
	}
	after, err := found.HeldOut.CrossCalibrate(eval.Temperature)
	if err != nil {
		panic(err)
	}
	fmt.Printf("of %d held out %.3f are right\n", found.HeldOut.Len(), found.Accuracy)
	fmt.Printf("confidence %.3f, at a temperature of %.1f %.3f\n", found.HeldOut.Tally().Confidence(), calibrated.Temperature, after.Tally().Confidence())
	// Output:
	// of 120 held out 0.833 are right
	// confidence 0.919, at a temperature of 2.7 0.826
}

package eval_test

import (
	"context"
	"fmt"
	"iter"

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

package eval_test

import (
	"context"
	"fmt"
	"log"

	"bayes"
	"bayes/eval"
)

// Of documents that may have several labels, each label is a question by itself. Where its answer is yes is chosen by
// examples held out.
func ExampleSetScores() {
	var examples []bayes.Example
	for range 10 {
		examples = append(examples,
			bayes.Example{Label: "oil", Text: "crude opec barrel"},
			bayes.Example{Label: "grain", Text: "wheat harvest"},
			bayes.Example{Label: "grain oil", Text: "wheat crude prices"},
			bayes.Example{Label: " ", Text: "weather today"}) // no label
	}
	space := &bayes.Space{LabelSeparator: " "}
	c, err := bayes.ReadCorpus(context.Background(), space, streamed(examples), nil)
	if err != nil {
		log.Fatal(err)
	}
	fold, err := eval.StratifiedFolds(eval.Labels(c), 5, true, 1)
	if err != nil {
		log.Fatal(err)
	}
	scores, err := eval.CrossValidateSets(context.Background(), c, fold, bayes.Multinomial{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(scores.Classes, len(scores.LogOdds(0)))
	var t eval.SetTally
	for _, fold := range scores.CrossTallies(true, true) {
		t.Add(fold)
	}
	fmt.Printf("%d documents, micro F1 %.2f, macro F1 %.2f, example F1 %.2f\n", t.Documents(), t.MicroF1(), t.MacroF1(), t.ExampleF1())
	fmt.Printf("subset accuracy %.2f, Hamming loss %.2f, log loss below 0.1: %v\n", t.SubsetAccuracy(), t.HammingLoss(), t.LogLoss() < 0.1)

	em := bayes.Calibrated{Model: bayes.Multinomial{}, Cutoffs: scores.Cutoffs(), Temperature: scores.Temperature()}
	m, err := bayes.Fit(c.Counts(), em)
	if err != nil {
		log.Fatal(err)
	}
	p := m.Predict(bayes.Document{Text: "crude wheat"})
	fmt.Println(p.Labels, len(scores.Tally(em.Cutoffs, em.Temperature).Classes()))
	// Output:
	// [grain oil] 2
	// 40 documents, micro F1 1.00, macro F1 1.00, example F1 1.00
	// subset accuracy 1.00, Hamming loss 0.00, log loss below 0.1: true
	// [grain oil] 2
}

func ExampleSetTally() {
	var t eval.SetTally
	t.Observe(bayes.Prediction{Labels: []string{"grain", "oil"}}, []string{"oil"})
	t.Observe(bayes.Prediction{Labels: []string{}}, nil)
	fmt.Printf("micro F1 %.4f, macro F1 %.4f, example F1 %.4f\n", t.MicroF1(), t.MacroF1(), t.ExampleF1())
	right, wrong, missed := t.Decisions("grain")
	fmt.Println(right, wrong, missed)
	// Output:
	// micro F1 0.6667, macro F1 0.5000, example F1 0.8333
	// 0 1 0
}

// Two models that have all labels of the same documents right, or not.
func ExampleCompareRight() {
	first := []bool{true, true, true, true, true, true, true, false}
	second := []bool{true, false, false, false, false, false, false, false}
	m, err := eval.CompareRight(first, second)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d against %d, p %.3f\n", m.OnlyFirst, m.OnlySecond, m.P) // 2/2⁶
	// Output:
	// 6 against 0, p 0.031
}

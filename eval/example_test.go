package eval_test

import (
	"context"
	"fmt"

	"bayes"
	"bayes/eval"
)

// tally returns the Tally of four predictions, of which three are right.
func tally() *eval.Tally {
	t := new(eval.Tally)
	for _, o := range []struct {
		label string
		spam  float64
	}{{"spam", .9}, {"spam", .4}, {"ham", .2}, {"ham", .1}} {
		spam, ham := bayes.Prob{Class: "spam", P: o.spam}, bayes.Prob{Class: "ham", P: 1 - o.spam}
		p := bayes.Prediction{Classes: []bayes.Prob{spam, ham}}
		if ham.P > spam.P {
			p.Classes = []bayes.Prob{ham, spam}
		}
		t.Observe(p, o.label)
	}
	return t
}

func ExampleTally() {
	t := tally()
	accuracy, low, high := t.Accuracy()
	fmt.Printf("%d documents, accuracy %.2f, between %.2f and %.2f\n", t.Documents(), accuracy, low, high)
	label, share := t.Majority()
	fmt.Printf("always answering %s %.2f, mean confidence %.3f\n", label, share, t.Confidence())
	fmt.Printf("balanced %.2f, macro F1 %.4f, micro %.2f, weighted %.4f\n", t.BalancedAccuracy(), t.MacroF1(), t.MicroF1(), t.WeightedF1())
	fmt.Printf("log loss %.4f, Brier %.4f, ECE %.2f\n", t.LogLoss(), t.Brier(), t.ECE())
	fmt.Printf("Matthews %.4f, kappa %.2f\n", t.Matthews(), t.Kappa())
	// Output:
	// 4 documents, accuracy 0.75, between 0.30 and 0.95
	// always answering ham 0.50, mean confidence 0.800
	// balanced 0.75, macro F1 0.7333, micro 0.75, weighted 0.7333
	// log loss 0.3375, Brier 0.2100, ECE 0.25
	// Matthews 0.5774, kappa 0.50
}

func ExampleTally_Classes() {
	for _, c := range tally().Classes() {
		fmt.Printf("%s %.2f %.2f %.2f %d\n", c.Label, c.Precision, c.Recall, c.F1, c.Support)
	}
	// Output:
	// ham 0.67 1.00 0.80 2
	// spam 1.00 0.50 0.67 2
}

func ExampleTally_Confusion() {
	t := tally()
	fmt.Println(t.Labels(), t.Confusion())
	// Output: [ham spam] [[2 0] [1 1]]
}

func ExampleTally_Add() {
	t, u := tally(), tally()
	t.Add(u)
	fmt.Println(t.Documents(), u.Documents())
	// Output: 8 4
}

func ExampleTally_ROC() {
	t := tally()
	for _, p := range t.ROC("spam") {
		fmt.Printf("at %.1f: %.1f of the spam, %.1f of the ham\n", p.Threshold, p.TruePositiveRate, p.FalsePositiveRate)
	}
	auc, _ := t.ROCAUC()
	fmt.Println(auc, t.AveragePrecision("spam"))
	// Output:
	// at 0.9: 0.5 of the spam, 0.0 of the ham
	// at 0.4: 1.0 of the spam, 0.0 of the ham
	// at 0.2: 1.0 of the spam, 0.5 of the ham
	// at 0.1: 1.0 of the spam, 1.0 of the ham
	// 1 1
}

func ExampleTally_Reliability() {
	for _, b := range tally().Reliability(2) {
		fmt.Printf("%d documents, confidence %.2f, accuracy %.2f\n", b.Documents, b.Confidence, b.Accuracy)
	}
	// Output:
	// 0 documents, confidence 0.00, accuracy 0.00
	// 4 documents, confidence 0.80, accuracy 0.75
}

func ExampleSKLearnSplit() {
	train, test := eval.SKLearnSplit(10, 0.2, 0)
	fmt.Println(train, test)
	// Output: [4 9 1 6 7 3 0 5] [2 8]
}

func ExampleSKLearnStratifiedSplit() {
	train, test, err := eval.SKLearnStratifiedSplit([]string{"a", "a", "a", "a", "b", "b"}, 0.34, 1)
	fmt.Println(len(train), len(test), err)
	// Output: 3 3 <nil>
}

func ExampleTally_Observe() {
	var t eval.Tally
	t.Observe(bayes.Prediction{Classes: []bayes.Prob{{Class: "ham", P: .8}, {Class: "spam", P: .2}}}, "ham")
	t.Observe(bayes.Prediction{Classes: []bayes.Prob{{Class: "spam", P: .7}, {Class: "ham", P: .3}}}, "invoice")
	fmt.Println(t.Documents(), t.Labels())
	// Output: 2 [ham invoice spam]
}

func ExampleTally_Accuracy() {
	p, low, high := tally().Accuracy()
	fmt.Printf("%.2f, between %.2f and %.2f\n", p, low, high)
	// Output: 0.75, between 0.30 and 0.95
}

func ExampleTally_LogLoss() {
	// The mean of -ln .9, -ln .4, -ln .8 and -ln .9.
	fmt.Printf("%.4f\n", tally().LogLoss())
	// Output: 0.3375
}

func ExampleTally_Brier() {
	// The mean of 2·.1², 2·.6², 2·.2² and 2·.1².
	fmt.Printf("%.2f\n", tally().Brier())
	// Output: 0.21
}

func ExampleTally_ECE() {
	// Confidences .9, .9 and .8 were right, .6 was wrong: (.2 + .2 + .6) / 4.
	fmt.Printf("%.2f\n", tally().ECE())
	// Output: 0.25
}

func ExampleTally_MacroF1() {
	// Of F1 4/5 and 2/3, the plain mean and the one weighted by documents.
	t := tally()
	fmt.Printf("%.4f %.4f\n", t.MacroF1(), t.WeightedF1())
	// Output: 0.7333 0.7333
}

func ExampleTally_ROCAUC() {
	var none eval.Tally
	auc, ok := tally().ROCAUC()
	fmt.Println(auc, ok)
	auc, ok = none.ROCAUC()
	fmt.Println(auc, ok)
	// Output:
	// 1 true
	// 0 false
}

func ExampleTally_AveragePrecision() {
	t := tally()
	fmt.Println(t.AveragePrecision("spam"), t.AveragePrecision("never seen"))
	// Output: 1 0
}

func ExampleTally_Matthews() {
	// (3·4 - (3·2 + 1·2)) / √((16 - 10)(16 - 8)) = 4/√48
	fmt.Printf("%.4f\n", tally().Matthews())
	// Output: 0.5774
}

func ExampleTally_Kappa() {
	// Right in 3/4, by chance in 1/2: (3/4 - 1/2) / (1 - 1/2)
	fmt.Println(tally().Kappa())
	// Output: 0.5
}

func ExampleStratifiedFolds() {
	fold, err := eval.StratifiedFolds([]string{"ham", "ham", "spam", "ham", "ham", "spam"}, 2, false, 0)
	fmt.Println(fold, err)
	// Output: [0 0 0 1 1 1] <nil>
}

func ExampleSomeFolds() {
	fold, err := eval.SomeFolds([]string{"ham", "ham", "spam", "ham", "ham", "spam"}, 2, 0, 3) // three examples are enough
	fmt.Println(fold, err)
	// Output: [-1 -1 0 0 0 -1] <nil>
}

func readMessages() *bayes.Corpus {
	list := []bayes.Example{
		{Label: "ham", Text: "lunch at one"}, {Label: "ham", Text: "lunch at two"}, {Label: "ham", Text: "see you at lunch"},
		{Label: "spam", Text: "free prize"}, {Label: "spam", Text: "win a free prize"}, {Label: "spam", Text: "free entry"},
	}
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleCrossValidate() {
	c := readMessages()
	fold, _ := eval.StratifiedFolds(eval.Labels(c), 3, true, 1)
	s, err := eval.CrossValidate(context.Background(), c, fold, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for f, t := range s.Tallies() {
		accuracy, _, _ := t.Accuracy()
		fmt.Printf("fold %d: %.2f\n", f+1, accuracy)
	}
	// Output:
	// fold 1: 1.00
	// fold 2: 1.00
	// fold 3: 1.00
}

func ExampleTry() {
	trials, err := eval.Try(context.Background(), readMessages(), nil, []bayes.EventModel{ // nil: leave one out
		bayes.Multinomial{Smoothing: bayes.Additive(0.01)}, bayes.Multinomial{Smoothing: bayes.Additive(1)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range trials {
		fmt.Printf("%v: %.4f\n", t.Model, t.LogLoss)
	}
	// Output:
	// multinomial smoothing=0.01 prior=empirical: 0.0008
	// multinomial smoothing=1 prior=empirical: 0.1663
}

func ExampleScores() {
	s, err := eval.CrossValidate(context.Background(), readMessages(), nil, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %.2f\n", s.Prediction(0).Best().Class, s.Prediction(0).Best().P)
	// Output: ham 0.87
}

func ExampleTally_PrecisionRecall() {
	t := tally()
	for _, p := range t.PrecisionRecall("ham") {
		fmt.Printf("at %.1f: precision %.2f, recall %.2f\n", p.Threshold, p.Precision, p.TruePositiveRate)
	}
	ap, _ := t.MeanAveragePrecision()
	fmt.Println(ap)
	// Output:
	// at 0.9: precision 1.00, recall 0.50
	// at 0.8: precision 1.00, recall 1.00
	// at 0.6: precision 0.67, recall 1.00
	// at 0.1: precision 0.50, recall 1.00
	// 1
}

func ExampleTally_AUC() {
	auc, ok := tally().AUC("ham")
	fmt.Println(auc, ok)
	// Output: 1 true
}

func ExampleTally_MeanROC() {
	for _, p := range tally().MeanROC(2) {
		fmt.Println(p.FalsePositiveRate, p.TruePositiveRate)
	}
	// Output:
	// 0 1
	// 0.5 1
	// 1 1
}

func ExampleTally_MeanPrecisionRecall() {
	for _, p := range tally().MeanPrecisionRecall(2) {
		fmt.Println(p.TruePositiveRate, p.Precision)
	}
	// Output:
	// 0 1
	// 0.5 1
	// 1 1
}

func ExampleTally_Bootstrap() {
	t := new(eval.Tally)
	for range 50 {
		t.Add(tally())
	}
	i := t.Bootstrap(nil)
	fmt.Printf("accuracy %.2f, between %.2f and %.2f\n", i.Accuracy.Value, i.Accuracy.Low, i.Accuracy.High)
	fmt.Printf("macro F1 %.2f, between %.2f and %.2f\n", i.MacroF1.Value, i.MacroF1.Low, i.MacroF1.High)
	// Output:
	// accuracy 0.75, between 0.69 and 0.81
	// macro F1 0.73, between 0.67 and 0.79
}

func ExampleCompareTallies() {
	// Both have the first document right; the second model has the next three too.
	ham := bayes.Prediction{Classes: []bayes.Prob{{Class: "ham", P: 1}}}
	spam := bayes.Prediction{Classes: []bayes.Prob{{Class: "spam", P: 1}}}
	var first, second eval.Tally
	first.Observe(ham, "ham")
	second.Observe(ham, "ham")
	for range 3 {
		first.Observe(ham, "spam")
		second.Observe(spam, "spam")
	}
	m, err := eval.CompareTallies(&first, &second)
	fmt.Println(m.OnlyFirst, m.OnlySecond, m.P, err) // 2 · (1/2)³
	// Output: 0 3 0.25 <nil>
}

func ExampleLearningCurve() {
	train := []bayes.Example{
		{Label: "ham", Text: "lunch at one"}, {Label: "ham", Text: "lunch at two"}, {Label: "ham", Text: "see you at lunch"},
		{Label: "spam", Text: "free prize"}, {Label: "spam", Text: "win a free prize"}, {Label: "spam", Text: "free entry"},
	}
	test := []bayes.Example{{Label: "ham", Text: "lunch at three"}, {Label: "spam", Text: "a free lunch prize"}}
	curve, err := eval.LearningCurve(context.Background(), nil, bayes.Multinomial{}, train, test, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range curve {
		fmt.Printf("%d examples: log loss %.2f\n", p.Examples, p.Tally.LogLoss())
	}
	// Output:
	// 1 examples: log loss 18.02
	// 3 examples: log loss 0.47
	// 6 examples: log loss 0.09
}

package eval_test

import (
	"fmt"

	"bayes"
	"bayes/eval"
)

// shop is a test of three classes, in which socks are taken for shoes.
func shop() *eval.Tally {
	var t eval.Tally
	for _, d := range []struct{ label, predicted string }{
		{"shoes", "shoes"}, {"shoes", "shoes"}, {"socks", "shoes"}, {"socks", "shoes"}, {"socks", "socks"}, {"hats", "hats"}, {"hats", "socks"},
	} {
		p := bayes.Prediction{Classes: []bayes.Prob{{Class: d.predicted, P: .8}}}
		for _, class := range []string{"hats", "shoes", "socks"} {
			if class != d.predicted {
				p.Classes = append(p.Classes, bayes.Prob{Class: class, P: .1})
			}
		}
		t.Observe(p, d.label)
	}
	return &t
}

func ExampleTally_Confused() {
	for _, c := range shop().Confused() {
		fmt.Println(c.Documents, c.Label, "as", c.Predicted)
	}
	// Output:
	// 2 socks as shoes
	// 1 hats as socks
}

func ExampleTally_Worst() {
	for _, c := range shop().Worst(2) {
		fmt.Printf("%s: recall %.2f of %d\n", c.Label, c.Recall, c.Support)
	}
	// Output:
	// socks: recall 0.33 of 3
	// shoes: recall 1.00 of 2
}

func ExampleTally_Areas() {
	for _, a := range shop().Areas() {
		fmt.Printf("%s: %.2f\n", a.Label, a.AUC)
	}
	// Output:
	// hats: 0.75
	// shoes: 0.80
	// socks: 0.54
}

// At the first level the question is only whether a document is of clothes or of food.
func ExampleTally_Levels() {
	var t eval.Tally
	for _, label := range []string{"clothes/socks", "clothes/shoes", "food/bread"} {
		t.Observe(bayes.Prediction{Classes: []bayes.Prob{
			{Class: "food/bread", P: .4}, {Class: "clothes/socks", P: .35}, {Class: "clothes/shoes", P: .25},
		}}, label)
	}
	for _, l := range t.Levels("/") {
		accuracy, _, _ := l.Accuracy()
		fmt.Printf("level %d: %d of %d labels cut are right; accuracy of the sums %.2f of %q\n", l.Level, l.Cut, l.Documents(), accuracy, l.Labels())
	}
	// Output:
	// level 1: 1 of 3 labels cut are right; accuracy of the sums 0.67 of ["clothes" "food"]
	// level 2: 1 of 3 labels cut are right; accuracy of the sums 0.33 of ["clothes/shoes" "clothes/socks" "food/bread"]
}

func ExampleTally_Relabel() {
	feet := shop().Relabel(func(label string) string {
		if label == "hats" {
			return "head"
		}
		return "feet"
	})
	accuracy, _, _ := feet.Accuracy()
	fmt.Printf("%q %.2f\n", feet.Labels(), accuracy)
	// Output: ["feet" "head"] 0.86
}

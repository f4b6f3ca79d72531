package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes"
	"bayes/answer"
)

func ExampleTop() {
	fmt.Println(answer.Top(3, 0), answer.Top(3, 2), answer.Top(10_000, 0), answer.Top(10_000, 50))
	// Output: 3 2 10 50
}

// A model of many classes has to predict no more of them than are answered.
func ExampleMost() {
	var p bayes.Prediction
	model().PredictTop(&p, bayes.Document{Text: "free"}, answer.Most(1))
	fmt.Println(answer.NewPrediction(p, 0, 1).LeftOut, answer.Most(0))
	// Output: 1 1000
}

// Where documents may have several labels, the derivation of one is enough.
func ExampleDerivationOf() {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	c.Learn(bayes.Example{Label: "grain;oil", Text: "wheat crude"})
	c.Learn(bayes.Example{Label: "oil", Text: "crude opec"})
	m, err := bayes.Fit(c, bayes.Multinomial{})
	if err != nil {
		panic(err)
	}
	for _, class := range answer.DerivationOf(m.Derive(bayes.Document{Text: "opec"}), []string{"grain"}).Classes {
		fmt.Printf("%s: %d of %v documents, log-odds %.3f\n", class.Class, class.Examples, class.Of, class.LogJoint)
	}
	// Output: grain: 1 of 2 documents, log-odds -0.693
}

func ExampleTopDerivation() {
	der, leftOut := answer.TopDerivation(model().Derive(bayes.Document{Text: "free"}), 1)
	fmt.Println(len(der.Classes), der.Classes[0].Class, leftOut)
	// Output: 1 spam 1
}

// An answer has the most probable classes, and says how many others there are.
func TestTop(t *testing.T) {
	m, d := model(), bayes.Document{Text: "free lunch for you"}
	if p := answer.NewPrediction(m.Predict(d), 0, 0); len(p.Probabilities) != 2 || p.LeftOut != 0 {
		t.Errorf("of two classes: %+v", p)
	}
	p := answer.NewPrediction(m.Predict(d), 0, 1)
	if _, ok := p.Probabilities[p.Label]; !ok || len(p.Probabilities) != 1 || len(p.LogJoint) != 1 || p.LeftOut != 1 {
		t.Errorf("of one class: %+v", p)
	}
	if line := string(answer.AppendPrediction(nil, "", m.Predict(d), 0, 1)); !strings.Contains(line, `},"left_out":1,"known"`) {
		t.Error(line)
	}
	if ex := answer.NewExplanation(m.Explain(d), 1); len(ex.Probabilities) != 1 || ex.LeftOut != 1 {
		t.Errorf("an explanation: %+v", ex)
	}
	if der := answer.NewDerivation(m.Derive(d), 1); len(der.Classes) != 1 || der.Classes[0].Label != p.Label || der.LeftOut != 1 {
		t.Errorf("a derivation: %+v", der)
	}
}

// Of more than a thousand classes an answer has ten, whoever asks.
func TestTopOfMany(t *testing.T) {
	c := bayes.NewCounts(nil)
	for k := range answer.Many + 1 {
		c.Learn(bayes.Example{Label: fmt.Sprintf("c%04d", k), Text: fmt.Sprintf("common w%d", k%100)})
	}
	m, err := bayes.Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := bayes.Document{Text: "common w7"}
	if p := answer.NewPrediction(m.Predict(d), 0, 0); len(p.Probabilities) != answer.Few || p.LeftOut != answer.Many+1-answer.Few {
		t.Errorf("%d classes, %d left out", len(p.Probabilities), p.LeftOut)
	}
	der := answer.NewDerivation(m.Derive(d), 0)
	if len(der.Classes) != answer.Few || der.LeftOut != answer.Many+1-answer.Few {
		t.Fatalf("%d classes are derived, %d left out", len(der.Classes), der.LeftOut)
	}
	for _, c := range der.Classes { // all that have w7 are as probable
		if !strings.HasSuffix(c.Label, "07") {
			t.Errorf("%s is derived, and more probable ones are not", c.Label)
		}
	}
}

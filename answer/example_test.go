package answer_test

import (
	"encoding/json"
	"fmt"
	"log"
	"math"

	"bayes"
	"bayes/answer"
)

// show prints v as the command and the server answer it.
func show(v any) {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", b)
}

func ExampleNewPrediction() {
	show(answer.NewPrediction(model().Predict(bayes.Document{Text: "unheard"}), 0.9, 0))
	// Output:
	// {
	//  "label": "?",
	//  "reason": "threshold",
	//  "probability": 0.5,
	//  "probabilities": {
	//   "ham": 0.5,
	//   "spam": 0.5
	//  },
	//  "log_joint": {
	//   "ham": -0.6931471805599453,
	//   "spam": -0.6931471805599453
	//  },
	//  "known": 0,
	//  "unknown": 1
	// }
}

// Which sport it is, is not certain; that it is one, is.
func ExampleDeepest() {
	p := bayes.Prediction{Classes: []bayes.Prob{
		{Class: "sport/football", P: 0.5}, {Class: "sport/golf", P: 0.4}, {Class: "science/space", P: 0.1},
	}}
	for _, certain := range []float64{0.95, 0.9, 0.5} {
		n := answer.Deepest(p, "/", certain)
		fmt.Printf("%q %d %.1f\n", n.Label, n.Level, n.Probability)
	}
	// Output:
	// "" 0 1.0
	// "sport" 1 0.9
	// "sport/football" 2 0.5
}

func ExamplePrediction_At() {
	p := answer.NewPrediction(model().Predict(bayes.Document{Text: "free"}), 0, 1)
	show(p.At(answer.Node{Label: "mail", Level: 1, Probability: 1}))
	// Output:
	// {
	//  "label": "mail",
	//  "level": 1,
	//  "probability": 1,
	//  "probabilities": {
	//   "spam": 0.6666666666666666
	//  },
	//  "log_joint": {
	//   "spam": -2.4849066497880004
	//  },
	//  "left_out": 1,
	//  "known": 1,
	//  "unknown": 0
	// }
}

func ExampleDecide() {
	p := model().Predict(bayes.Document{Text: "a free lunch"})
	fmt.Println(answer.Decide(p, 0.5), answer.Decide(p, 0.99))
	// Output: spam ?
}

func ExampleNewExplanation() {
	ex := answer.NewExplanation(model().Explain(bayes.Document{Text: "free"}), 0)
	fmt.Println(ex.Class, ex.Against)
	show(ex.Terms)
	// Output:
	// spam ham
	// [
	//  {
	//   "term": "free",
	//   "value": 1,
	//   "log_odds": 0.6931471805599454,
	//   "sum_class": 1,
	//   "sum_against": 0
	//  }
	// ]
}

func ExampleExplanation_Cut() {
	ex := model().Explain(bayes.Document{Text: "free lunch"})
	out := answer.NewExplanation(ex, 0)
	out.Cut(ex, "free lunch")
	for _, s := range out.Highlights {
		fmt.Printf("%q %.3f\n", s.Text, s.LogOdds)
	}
	// Output:
	// "free" -0.693
	// " " 0.000
	// "lunch" 0.693
}

func ExampleNewDerivation() {
	d := answer.NewDerivation(model().Derive(bayes.Document{Text: "free"}), 0)
	for _, c := range d.Classes {
		for _, f := range c.Factors {
			fmt.Println(c.Label, f.Term, f.Numerator, "/", f.Denominator)
		}
	}
	// Output:
	// ham free 1 / 12
	// spam free 2 / 12
}

func ExampleNewTerm() {
	term, known := answer.NewTerm(model(), "free")
	fmt.Println(known)
	for _, c := range term.Classes {
		fmt.Println(c.Label, c.Sum)
	}
	// Output:
	// true
	// ham 0
	// spam 1
}

func ExampleNewTopTerms() {
	for _, t := range answer.NewTopTerms(model(), "ham", 2) {
		fmt.Println(t.Term, t.Sum)
	}
	// Output:
	// at 1
	// lunch 1
}

func ExampleReals() {
	show(answer.Reals([]float64{0.5, math.Inf(-1)}))
	// Output:
	// [
	//  0.5,
	//  "-inf"
	// ]
}

func ExampleReal_MarshalJSON() {
	b, err := answer.Real(math.Inf(1)).MarshalJSON()
	fmt.Printf("%s %v\n", b, err)
	// Output: "inf" <nil>
}

func ExampleNewCutoff() {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	c.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	m, err := bayes.Fit(c, bayes.Calibrated{Cutoffs: map[string]float64{"spam": 1}})
	if err != nil {
		log.Fatal(err)
	}
	ex := m.Explain(bayes.Document{Text: "free"})
	fmt.Println(answer.Decide(ex.Prediction, 0))
	fmt.Println(answer.NewCutoff(ex))
	// Output:
	// unsure
	// spam needs log-odds of 1 against all others, and has 0.693147: unsure
}

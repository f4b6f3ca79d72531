package answer_test

import (
	"encoding/json"
	"fmt"
	"math"

	"bayes"
	"bayes/answer"
)

// show prints v in JSON.
func show(v any) {
	b, err := json.Marshal(v)
	fmt.Println(string(b), err)
}

func ExampleNewPrediction() {
	p := model().Predict(bayes.Document{Text: "a free lunch"})
	fmt.Println(answer.Decide(p, 0.5), answer.Decide(p, 0.99))
	show(answer.NewPrediction(p, 0.5))
	// Output:
	// spam ?
	// {"label":"spam","probability":0.6666666666666666,"probabilities":{"ham":0.3333333333333333,"spam":0.6666666666666666},"log_joint":{"ham":-7.4547199493640015,"spam":-6.761572768804056},"known":3,"unknown":0} <nil>
}

func ExampleNewExplanation() {
	const text = "free lunch"
	of := model().Explain(bayes.Document{Text: text})
	ex := answer.NewExplanation(of)
	ex.Cut(of, text)
	show(ex.Terms)
	show(ex.Highlights)
	// Output:
	// [{"term":"free","value":1,"log_odds":-0.6931471805599454,"sum_class":0,"sum_against":1},{"term":"lunch","value":1,"log_odds":0.6931471805599454,"sum_class":1,"sum_against":0}] <nil>
	// [{"text":"free","log_odds":-0.6931471805599454},{"text":" ","log_odds":0},{"text":"lunch","log_odds":0.6931471805599454}] <nil>
}

func ExampleNewDerivation() {
	der := answer.NewDerivation(model().Derive(bayes.Document{Text: "prize"}))
	show(der.Classes[0].Factors)
	// Output: [{"term":"prize","times":1,"count":0,"total":4,"numerator":1,"denominator":12,"absent":false,"complement":false,"log":-2.4849066497880004}] <nil>
}

func ExampleNewTerm() {
	term, ok := answer.NewTerm(model(), "prize")
	fmt.Println(ok)
	show(term)
	// Output:
	// true
	// {"term":"prize","classes":[{"label":"ham","examples":0,"present":0,"sum":0,"log_prob":-2.4849066497880004},{"label":"spam","examples":1,"present":1,"sum":1,"log_prob":-1.791759469228055}]} <nil>
}

func ExampleNewTopTerms() {
	show(answer.NewTopTerms(model(), "spam", 2))
	// Output: [{"term":"a","log_odds":0.6931471805599454,"sum":1,"present":1},{"term":"free","log_odds":0.6931471805599454,"sum":1,"present":1}] <nil>
}

// JSON has no infinities.
func ExampleReals() {
	show(answer.Reals([]float64{0.5, math.Inf(-1)}))
	// Output: [0.5,"-inf"] <nil>
}

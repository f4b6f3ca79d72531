package report_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/report"
)

func Example() {
	counts := bayes.NewCounts(nil)
	for _, ex := range mail {
		counts.Learn(ex)
	}
	model, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := report.New(model, &report.Options{Title: "mail"})
	for _, ex := range []bayes.Example{{Label: "spam", Text: "a free prize"}, {Label: "ham", Text: "free lunch at one"}, {Label: "ham", Text: "a prize"}} {
		r.Observe(bayes.Result{Example: ex, Prediction: model.Predict(ex.Document())})
	}
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		fmt.Println(err)
		return
	}
	for _, heading := range regexp.MustCompile(`<h[12]>(.*)</h[12]>`).FindAllStringSubmatch(page.String(), -1) {
		fmt.Println(heading[1])
	}
	accuracy, _, _ := r.Tally().Accuracy()
	fmt.Printf("%.4f\n", accuracy)
	// Output:
	// mail
	// How good it is
	// Classes
	// Confusion matrix
	// Curves
	// Reliability
	// Most telling terms
	// Worst mistakes
	// Settings of the model
	// 0.6667
}

func ExampleReport() {
	counts := bayes.NewCounts(nil)
	for _, ex := range mail {
		counts.Learn(ex)
	}
	model, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := report.New(model, nil)
	for _, ex := range []bayes.Example{{Label: "spam", Text: "a free prize"}, {Label: "ham", Text: "free"}, {Label: "ham", Text: "a prize"}} {
		r.Observe(bayes.Result{Example: ex, Prediction: model.Predict(ex.Document())})
	}
	for _, m := range r.Mistakes() {
		fmt.Printf("document %d, %q, is %s, not %s\n", m.Index, m.Text, m.Label, m.Best().Class)
	}
	fmt.Println(report.Advice(r.Tally()))
	for _, s := range report.Settings(model)[:2] {
		fmt.Printf("%s: %s\n", s.Name, s.Value)
	}
	// Output:
	// document 2, "a prize", is ham, not spam
	// document 1, "free", is ham, not spam
	// The model is surer than it is right: mean confidence 0.8383, accuracy 0.3333. For honest probabilities, train on data like this with --calibrate temperature.
	// event model: multinomial smoothing=1 prior=empirical
	// space: default
}

func ExampleWriteExplanation() {
	counts := bayes.NewCounts(nil)
	for _, ex := range mail {
		counts.Learn(ex)
	}
	model, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "a free lunch"
	var page strings.Builder
	if err := report.WriteExplanation(&page, text, model.Explain(bayes.Document{Text: text})); err != nil {
		fmt.Println(err)
		return
	}
	for _, mark := range regexp.MustCompile(`<mark class="(\w+).*?>(.*?)</mark>`).FindAllStringSubmatch(page.String(), -1) {
		fmt.Println(mark[2], mark[1], model.Predict(bayes.Document{Text: text}).Best().Class)
	}
	// Output:
	// a for spam
	// free for spam
	// lunch against spam
}

// A report of progressive validation shows how it went on as well.
func ExampleReport_Progressive() {
	p, err := eval.Progressive(context.Background(), nil, bayes.Multinomial{}, mail, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := report.New(p.Model, &report.Options{Mistakes: -1})
	r.Progressive(p)
	var page strings.Builder
	err = r.WriteHTML(&page)
	fmt.Println(strings.Contains(page.String(), "How it went on"), r.Tally().Documents(), err)
	// Output: true 3 <nil>
}

func ExampleWriteAudit() {
	var page strings.Builder
	err := report.WriteAudit(&page, &report.Audit{
		Title: "Audit of mail.csv", Rows: 32, Expected: 0.2,
		Doubts: []report.DoubtfulRow{{Place: "row 31", Label: "ham", Suggested: "spam", Probability: 0.998, LogOdds: 6.2, Text: "win a free prize"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, found := range regexp.MustCompile(`<div class="value">(.*?)</div>`).FindAllStringSubmatch(page.String(), -1) {
		fmt.Println(found[1])
	}
	// Output:
	// 1
	// 0.2
	// 0.0 %
	// 0
}

func ExampleSets() {
	counts := bayes.NewCounts(&bayes.Space{LabelSeparator: " "})
	for _, ex := range []bayes.Example{
		{Label: "oil", Text: "crude opec barrel"}, {Label: "grain", Text: "wheat harvest"},
		{Label: "grain oil", Text: "wheat crude prices"}, {Label: " ", Text: "weather today"},
	} {
		counts.Learn(ex)
	}
	model, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := report.NewSets(model, &report.Options{Title: "topics"})
	for _, ex := range []bayes.Example{{Label: "grain oil", Text: "wheat barrel"}, {Label: "grain", Text: "harvest of crude"}} {
		r.Observe(bayes.Result{Example: ex, Prediction: model.Predict(ex.Document())})
	}
	for _, m := range r.Mistakes() {
		fmt.Printf("document %d: %s, given %v, P %.2f\n", m.Index, m.Of.Class, m.Given, m.Of.P)
	}
	fmt.Println(report.SetAdvice(r.Tally()))
	var page strings.Builder
	err = r.WriteHTML(&page)
	fmt.Println(strings.Contains(page.String(), "Labels given wrongly"), err)
	// Output:
	// document 1: oil, given true, P 0.52
	// Of the labels that it gives, the model is about as sure as it is right: mean probability 0.5965, precision 0.7500.
	// true <nil>
}

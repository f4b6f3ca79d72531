package label_test

import (
	"context"
	"fmt"
	"strings"

	"bayes"
	"bayes/label"
)

func tickets() (texts []bayes.Document) {
	for _, text := range []string{
		"The invoice of May has the wrong amount", "I cannot log in since the update", "Please refund my order",
		"The app crashes when I log in", "Which invoice do I pay first?", "The password mail never comes",
	} {
		texts = append(texts, bayes.Document{Text: text})
	}
	return texts
}

// Somebody, here a function, gives labels until none is without one.
func Example() {
	texts := tickets()
	p, err := label.New(context.Background(), new(bayes.Space), bayes.Multinomial{}, texts, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for q, ok := p.Next("ann"); ok; q, ok = p.Next("ann") {
		answer := "access"
		if text := texts[q.Text].Text; strings.Contains(text, "invoice") || strings.Contains(text, "refund") {
			answer = "billing"
		}
		if err := p.Answer("ann", q.Text, answer); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(p.Labels())
	// Output: [access billing] map[access:3 billing:3]
}

// Where a text may have several labels, or none, an answer is the set of them.
func ExamplePile_AnswerOf() {
	texts := tickets()
	p, err := label.New(context.Background(), &bayes.Space{LabelSeparator: ";"}, nil, texts, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Seed("billing", "invoice, refund, pay")
	p.Seed("access", "password, log in")
	p.Answer("ann", 3, "access; bug")
	p.Answer("ann", 4, "billing")
	p.Answer("ann", 2, ";")
	fmt.Println(p.Labels())
	guess, err := p.Predict(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Given("ann", 3), p.AnswerOf(guess).Class, p.Space().LabelSeparator)
	// Output:
	// [access billing bug] map[access:1 billing:1 bug:1]
	// access;bug access;bug ;
}

// Without an answer, words say what the classes are.
func ExamplePile_Seed() {
	p, err := label.New(context.Background(), new(bayes.Space), nil, tickets(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Seed("billing", "invoice, refund, pay")
	p.Seed("access", "password, log in")
	for i := range p.Len() {
		guess, err := p.Predict(i)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(guess.Best().Class)
	}
	// Output:
	// billing
	// access
	// billing
	// access
	// billing
	// access
}

// What a person does is what a page or a command offers: to answer, to skip, to take back.
func ExamplePile_Next() {
	order, err := label.ParseOrder("uncertain")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := label.New(context.Background(), new(bayes.Space), nil, tickets(), &label.Options{Order: order})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, _ := p.Next("ann")
	p.Skip("ann", q.Text)
	p.Unskip("ann", q.Text)
	p.Answer("ann", q.Text, "billing")
	p.Answer("bob", q.Text, "access")
	fmt.Println(p.Label(q.Text), p.Given("ann", q.Text), p.Given("bob", q.Text))
	p.Answer("bob", q.Text, "")
	fmt.Println(p.Label(q.Text), p.Answered())
	// Output:
	// access billing access
	// billing 1
}

// What has measured in an earlier session goes on to measure.
func ExamplePile_Resume() {
	p, err := label.New(context.Background(), new(bayes.Space), nil, tickets(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Resume([]int{3}, []int{0, 1}); err != nil {
		fmt.Println(err)
		return
	}
	p.Answer("ann", 0, "billing")
	p.Answer("ann", 1, "access")
	p.Answer("ann", 3, "access")
	measured, err := p.Measure()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(measured.Documents())
	// Output: 1
}

// One answer does for texts that are about the same.
func ExamplePile_Alike() {
	texts := tickets()
	texts = append(texts, texts[2])
	p, err := label.New(context.Background(), new(bayes.Space), nil, texts, &label.Options{Measured: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Answer("ann", 2, "billing")
	for _, i := range p.Alike(2) {
		p.Answer("ann", i, "billing")
	}
	fmt.Println(p.Label(6))
	// Output: billing
}

// A guess, and the words that it rests on.
func ExamplePile_Explain() {
	p, err := label.New(context.Background(), new(bayes.Space), nil, tickets(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Answer("ann", 0, "billing")
	p.Answer("ann", 1, "access")
	ex, err := p.Explain(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ex.Class, ex.Features[0].Name())
	m, err := p.Model()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Examples(), m.Classes())
	// Output:
	// access i
	// 2 [access billing]
}

// The accuracy is that on the texts that were drawn at random, each left out.
func ExamplePile_Measure() {
	texts := tickets()
	p, err := label.New(context.Background(), new(bayes.Space), nil, texts, &label.Options{Measured: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, answer := range []string{"billing", "access", "billing", "access", "billing", "access"} {
		p.Answer("ann", i, answer)
	}
	tally, err := p.Measure()
	if err != nil {
		fmt.Println(err)
		return
	}
	accuracy, low, high := tally.Accuracy()
	fmt.Printf("%d texts: %.2f, %.2f to %.2f\n", tally.Documents(), accuracy, low, high)
	// Output: 6 texts: 0.33, 0.10 to 0.70
}

package label_test

import (
	"context"
	"fmt"

	"bayes"
	"bayes/label"
)

// Texts without an answer say which words go together.
func ExamplePile_LearnUnanswered() {
	answers := []string{"money", "sport", "money", "sport", "money", "sport", "money", "sport"}
	var texts []bayes.Document
	for _, text := range []string{
		"a bank", "the match", "shares fell", "our team", "the loan", "a goal", "a price", "they won", // which are answered
		"match team goal", "bank shares loan", "team won a match", "shares at a price", "goal won", "loan at the bank",
		"the keeper saved a goal in the match", "the investor lost shares of the bank", "the team won a cup", "interest on the loan at a price",
	} {
		texts = append(texts, bayes.Document{Text: text})
	}
	ctx := context.Background()
	p, err := label.New(ctx, new(bayes.Space), nil, texts, &label.Options{Measured: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, answer := range answers {
		p.Answer("ann", i, answer)
	}
	keeper := func() string {
		m, err := p.Model()
		if err != nil {
			return err.Error()
		}
		guess := m.Predict(bayes.Document{Text: "keeper"}).Best()
		return fmt.Sprintf("keeper is %s, %.2f", guess.Class, guess.P)
	}
	fmt.Println("of the answers:", keeper())
	var found *label.Unanswered
	if found, err = p.LearnUnanswered(ctx, 1000); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("with %d texts more, each of weight %v: %s\n", found.Unlabelled, found.Weight, keeper())
	fmt.Println("it helps:", found.Helps())
	// Output:
	// of the answers: keeper is money, 0.50
	// with 10 texts more, each of weight 0.25: keeper is sport, 0.67
	// it helps: true
}

// Answers reach further than their words: a text with none of these may be near to texts that have some.
func ExamplePile_Propagate() {
	ctx := context.Background()
	var texts []bayes.Document
	for _, text := range []string{
		"a bank loan", "the match won", "shares of a bank", "our team won", // which are answered
		"match team goal", "bank shares price", "team goal cup", "shares price interest", "loan interest price", "goal cup keeper",
		"rain and sun today", "sun and wind", "wind and rain",
	} {
		texts = append(texts, bayes.Document{Text: text})
	}
	p, err := label.New(ctx, new(bayes.Space), nil, texts, &label.Options{Order: label.Uncertain, Seed: 5, Measured: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, answer := range []string{"money", "sport", "money", "sport"} {
		p.Answer("ann", i, answer)
	}
	q, _ := p.Next("ann")
	fmt.Println("by the words of the answers:", texts[q.Text].Text)
	if err := p.Propagate(ctx, 1000); err != nil {
		fmt.Println(err)
		return
	}
	q, _ = p.Next("bob")
	fmt.Println("by what they reach:", texts[q.Text].Text)
	// Output:
	// by the words of the answers: goal cup keeper
	// by what they reach: wind and rain
}

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
	// with 10 texts more, each of weight 0.25: keeper is sport, 0.74
	// it helps: true
}

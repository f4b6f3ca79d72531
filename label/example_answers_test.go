package label_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bayes"
	"bayes/label"
)

// Answers are on disk as soon as they are given, in a table that can be trained on.
func ExampleOpenAnswers() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	a, err := label.OpenAnswers(filepath.Join(dir, "labels.csv"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	when := time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC)
	err = a.Add(
		label.Answer{Label: "billing", Text: "Which invoice do I pay first?", Row: "5", Who: "ann", When: when, Random: true},
		label.Answer{Label: "access", Text: "The password mail never comes", Row: "6", Who: "ann", When: when},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := os.ReadFile(a.Name())
	fmt.Printf("%s%v\n", table, err)
	// Output:
	// label,text,row,who,when,random
	// billing,Which invoice do I pay first?,5,ann,2026-05-04T09:30:00.000Z,yes
	// access,The password mail never comes,6,ann,2026-05-04T09:30:00.000Z,no
	// <nil>
}

// A row that was written by hand and not to its end is dropped, and told.
func ExampleAnswers_Torn() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "labels.csv")
	table := "label;text;row;who;when;random\n" + // which a spreadsheet has saved
		"billing;Which invoice do I pay first?;5;ann;;yes\n"
	if err := os.WriteFile(name, []byte(table), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		a, err := label.OpenAnswers(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d answers, and %q\n", len(a.All()), a.Torn())
		a.Close()
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		f.WriteString("access,The password mail")
		f.Close()
	}
	// Output:
	// 1 answers, and ""
	// 1 answers, and "access,The password mail"
}

// An answer is taken back, and another one given.
func ExampleAnswers_Replace() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	a, err := label.OpenAnswers(filepath.Join(dir, "labels.csv"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	if err := a.Add(label.Answer{Label: "access", Text: "Which invoice do I pay first?", Row: "5"}); err != nil {
		fmt.Println(err)
		return
	}
	isRow5 := func(x label.Answer) bool { return x.Row == "5" }
	err = a.Replace(isRow5, label.Answer{Label: "billing", Text: "Which invoice do I pay first?", Row: "5"})
	for _, x := range a.All() {
		fmt.Println(x.Label, err)
	}
	// Output: billing <nil>
}

// The accuracy after two answers, and after six.
func ExamplePile_Curve() {
	p, err := label.New(context.Background(), new(bayes.Space), nil, tickets(), &label.Options{Measured: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	order := []int{0, 1, 2, 3, 4, 5}
	for i, name := range []string{"billing", "access", "billing", "access", "billing", "access"} {
		if err := p.Answer("ann", order[i], name); err != nil {
			fmt.Println(err)
			return
		}
	}
	tallies, err := p.Curve(context.Background(), order, []int{2, 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range tallies {
		accuracy, _, _ := t.Accuracy()
		fmt.Printf("%.2f of %d\n", accuracy, t.Documents())
	}
	// Output:
	// 0.17 of 6
	// 0.33 of 6
}

// How many of the answers in a file measure.
func ExampleReadAnswers() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "labels.csv")
	table := "label,text,row,who,when,random\n" +
		"billing,Which invoice do I pay first?,5,ann,2026-05-04T09:30:00.000Z,yes\n" +
		"access,The password mail never comes,6,ann,2026-05-04T09:30:04.000Z,no\n"
	if err := os.WriteFile(name, []byte(table), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	answers, err := label.ReadAnswers(name)
	measure := 0
	for _, answer := range answers {
		if answer.Random {
			measure++
		}
	}
	fmt.Println(measure, "of", len(answers), err)
	// Output:
	// 1 of 2 <nil>
}

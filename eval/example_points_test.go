package eval_test

import (
	"context"
	"fmt"

	"bayes"
	"bayes/eval"
)

// What it takes to promise that of a thousand documents at most one is lost, and what as many as there are promise.
func ExampleNeeded() {
	fmt.Println(eval.Needed(0.001))
	fmt.Printf("none lost of 2,000: at most %.4f, with %v confidence\n", eval.AtMost(0, 2000), eval.Confidence)
	low, high := eval.ClopperPearson(3, 10)
	fmt.Printf("3 of 10: %.2f to %.2f\n", low, high)
	// Output:
	// 2995
	// none lost of 2,000: at most 0.0015, with 0.95 confidence
	// 3 of 10: 0.07 to 0.65
}

// A label that must not be missed is the answer from a cutoff on that its own examples set, whatever is more probable.
func ExampleScores_CutoffsFor() {
	s := tickets(1000)
	goals := eval.Goals{MinRecall: map[string]float64{"urgent": 0.95}, MaxFPR: map[string]float64{"routine": 0.02}}
	cutoffs, err := s.CutoffsFor(goals)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cutoffs {
		fmt.Printf("%s promises %v, as asked %v: given to %d of %d others, missed by %d of %d\n", c.Label, c.Promise, c.Shows(), c.Given, c.Others, c.Missed, c.Own)
	}
	em := eval.Operate(bayes.Calibrated{}, cutoffs)
	fmt.Println(em.Promises)
	crossed, _, err := s.CrossDecide(goals)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := crossed.Tally()
	for _, k := range t.Kept(em) {
		fmt.Printf("%s is given to %.2f of %d %s, promised %s\n", k.Label, k.Share(), k.Documents, k.Of(), k.Promised())
	}
	// To miss an urgent one costs twenty times as much as to be called for nothing.
	em.Costs = map[[2]string]float64{{"urgent", "routine"}: 20, {"routine", "urgent"}: 1}
	cost, _ := t.CostOf(em)
	fmt.Printf("mean cost %.2f, of the most probable label %.2f\n", cost.Value, s.Tally().Cost(em.Costs, nil).Value)
	// Output:
	// routine promises 0.02, as asked true: given to 0 of 250 others, missed by 216 of 750
	// urgent promises 0.95, as asked true: given to 216 of 750 others, missed by 0 of 250
	// map[routine:0.02 urgent:0.95]
	// routine is given to 0.00 of 250 of other labels, promised at most 0.02
	// urgent is given to 1.00 of 250 of its own, promised at least 0.95
	// mean cost 0.22, of the most probable label 1.30
}

// tickets returns what naive Bayes says of n tickets, each left out of what it was fitted to. One in four is urgent.
func tickets(n int) *eval.Scores {
	words := [][]string{{"invoice", "question", "thanks", "account"}, {"down", "outage", "account", "question"}}
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for i := range n {
			label, from := "routine", words[0]
			if i%4 == 0 {
				label, from = "urgent", words[1]
			}
			text := from[i*i/4%4] + " " + words[i%2][i/3%4] + " " + words[i/2%2][i/7%4]
			if !yield(bayes.Example{Label: label, Text: text}, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		panic(err) // texts in memory have none
	}
	s, err := eval.CrossValidate(context.Background(), c, nil, bayes.Multinomial{})
	if err != nil {
		panic(err)
	}
	return s
}

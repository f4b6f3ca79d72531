package answer_test

import (
	"fmt"
	"log"

	"bayes"
	"bayes/answer"
)

// Of several labels an answer is the set of those whose log-odds reach their cutoff.
func ExampleLabelSet() {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	c.Learn(bayes.Example{Label: "grain;crude oil", Text: "wheat crude"})
	c.Learn(bayes.Example{Label: "grain", Text: "wheat harvest"})
	c.Learn(bayes.Example{Label: ";", Text: "rain today"}) // no label
	m, err := bayes.Fit(c, bayes.Multinomial{})
	if err != nil {
		log.Fatal(err)
	}
	p := m.Predict(bayes.Document{Text: "wheat crude"})
	set, probabilities := answer.LabelSet(m, p, 0)
	fmt.Println(set, "|", probabilities)
	fmt.Printf("%q\n", answer.Labels(p, 0.8))
	// Output:
	// crude oil;grain | 0.623077 0.878924
	// ["grain"]
}

package label

import (
	"context"
	"errors"
	"testing"

	"bayes"
	"bayes/eval"
)

// The last point of a curve is what Measure says and every point is what a pile with
// fewer answers and the same texts to measure by would say.
func TestCurve(t *testing.T) {
	texts, labels := drawn(60, 3)
	p := pile(t, texts, nil)
	p.Seed("a", "w1 w2")
	var order []int
	for range 30 {
		q, ok := p.Next("ann")
		if !ok {
			break
		}
		if err := p.Answer("ann", q.Text, labels[q.Text]); err != nil {
			t.Fatal(err)
		}
		order = append(order, q.Text)
	}
	sizes := []int{0, 7, 15, 30}
	tallies, err := p.Curve(t.Context(), order, sizes)
	if err != nil || len(tallies) != len(sizes) {
		t.Fatalf("%d tallies, %v", len(tallies), err)
	}
	for k, size := range sizes {
		want := new(eval.Tally)
		for _, i := range p.drawnAnswers() {
			c := bayes.NewCounts(p.space)
			c.Learn(bayes.Example{Label: "a", Text: "w1 w2"})
			for _, j := range order[:size] {
				if j != i {
					c.Learn(bayes.Example{Label: labels[j], Text: texts[j].Text})
				}
			}
			m, err := bayes.Fit(c, p.event)
			if err != nil {
				t.Fatal(err)
			}
			want.Observe(m.Predict(texts[i]), labels[i])
		}
		got, _, _ := tallies[k].Accuracy()
		if accuracy, _, _ := want.Accuracy(); got != accuracy || tallies[k].Documents() != want.Documents() {
			t.Errorf("after %d answers %v of %d, want %v of %d", size, got, tallies[k].Documents(), accuracy, want.Documents())
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Curve(gone, order, sizes); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

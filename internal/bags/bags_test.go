package bags

import (
	"encoding/csv"
	"testing"

	"bayes/internal/testdata"
	"bayes/text"
)

// BenchmarkFeatures collects the distinct terms of texts that have been analyzed, in a Go map that
// is cleared for each text and in a bag.
func BenchmarkFeatures(b *testing.B) {
	rows, err := csv.NewReader(testdata.Open(b, "20news/test.csv")).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	a := new(text.Analyzer)
	bags := make([]Bag, min(500, len(rows)))
	for i := range bags {
		a.Analyze(&bags[i].Text, rows[i][1])
	}
	distinct := 0
	b.Run("map", func(b *testing.B) {
		values := make(map[string]*float64)
		for b.Loop() {
			for i := range bags {
				buf := &bags[i].Text
				clear(values)
				for j := range buf.Len() {
					v := values[string(buf.Term(j))]
					if v == nil {
						v = new(float64)
						values[string(buf.Term(j))] = v
					}
					*v++
				}
				distinct += len(values)
			}
		}
	})
	b.Run("bag", func(b *testing.B) {
		var x Bag
		for b.Loop() {
			for i := range bags {
				x.Text, bags[i].Text = bags[i].Text, x.Text
				x.Reset(x.Text.Len())
				x.AddTokens(nil)
				distinct += len(x.Terms)
				x.Text, bags[i].Text = bags[i].Text, x.Text
			}
		}
	})
}

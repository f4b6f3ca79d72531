package bayes

import (
	"encoding/csv"
	"testing"

	"bayes/internal/testdata"
)

// BenchmarkFeatures collects the distinct terms of texts that have been analyzed, in a Go map that
// is cleared for each text and in a bag.
func BenchmarkFeatures(b *testing.B) {
	rows, err := csv.NewReader(testdata.Open(b, "20news/test.csv")).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	s := new(Space)
	bags := make([]bag, min(500, len(rows)))
	for i := range bags {
		s.analyzer().Analyze(&bags[i].buf, rows[i][1])
	}
	distinct := 0
	b.Run("map", func(b *testing.B) {
		values := make(map[string]*float64)
		for b.Loop() {
			for i := range bags {
				buf := &bags[i].buf
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
		var x bag
		for b.Loop() {
			for i := range bags {
				x.buf, bags[i].buf = bags[i].buf, x.buf
				x.reset(x.buf.Len())
				x.addTokens(s)
				distinct += len(x.terms)
				x.buf, bags[i].buf = bags[i].buf, x.buf
			}
		}
	})
}

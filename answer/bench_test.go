package answer_test

import (
	"encoding/json"
	"testing"

	"bayes"
	"bayes/answer"
)

// BenchmarkAppendPrediction measures what AppendPrediction replaces.
func BenchmarkAppendPrediction(b *testing.B) {
	p := model().Predict(bayes.Document{Text: "a free lunch"})
	b.Run("way=json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(answer.NewPrediction(p, 0, 0)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("way=append", func(b *testing.B) {
		b.ReportAllocs()
		var line []byte
		for b.Loop() {
			line = answer.AppendPrediction(line[:0], "", p, 0, 0)
		}
	})
}

package bayes_test

import (
	"fmt"
	"iter"
	"runtime"
	"testing"

	"bayes"
)

// BenchmarkMemory measures what Counts hold: the bytes of a term that one class has, and those of each further
// class that has it, of half a million terms.
func BenchmarkMemory(b *testing.B) {
	const terms, each = 500_000, 100
	examples := func(classes int) iter.Seq2[bayes.Example, error] {
		return func(yield func(bayes.Example, error) bool) {
			var text []byte
			for k := range classes {
				for i := range terms {
					text = fmt.Appendf(text, "%x ", (i+1)*2654435761%(1<<32)) // as long as words are
					if i%each != each-1 {
						continue
					}
					if !yield(bayes.Example{Label: fmt.Sprint(k), Text: string(text)}, nil) {
						return
					}
					text = text[:0]
				}
			}
		}
	}
	held := func(classes int) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c, err := bayes.Count(b.Context(), nil, examples(classes), nil)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if _, features, cells := c.Size(); features != terms || cells != classes*terms {
			b.Fatalf("%d terms and %d cells, want %d and %d", features, cells, terms, classes*terms)
		}
		return float64(after.HeapAlloc - before.HeapAlloc)
	}
	for b.Loop() {
		one, many := held(1), held(10)
		b.ReportMetric(one/terms, "B/term")
		b.ReportMetric((many-one)/(9*terms), "B/cell")
	}
}

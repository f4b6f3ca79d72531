package bayes_test

import (
	"fmt"
	"iter"
	"runtime"
	"testing"
	"weak"

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

// A model that has predicted is garbage once it is dropped: nothing that it borrowed from holds on to it. Whoever fits many
// models one after the other would else have several in memory.
func TestModelIsCollected(t *testing.T) {
	corpus, err := bayes.ReadCorpus(t.Context(), nil, messages(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Correct(t.Context(), bayes.Corrected{Model: bayes.Bernoulli{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, em := range []bayes.EventModel{bayes.Multinomial{}, c} {
		m, err := bayes.Fit(corpus.Counts(), em)
		if err != nil {
			t.Fatal(err)
		}
		m.Predict(bayes.Document{Text: "a free lunch"})
		dropped := weak.Make(m)
		m = nil
		if runtime.GC(); dropped.Value() != nil {
			t.Errorf("%v: a model that is used no more is still there", em)
		}
	}
}

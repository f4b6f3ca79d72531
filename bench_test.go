package bayes_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
)

// BenchmarkTrain reads, analyzes and counts a file, end to end.
func BenchmarkTrain(b *testing.B) {
	for _, data := range []string{"20news", "nsmc", "livedoor"} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("data=%s/workers=%d", data, workers), func(b *testing.B) {
				src, err := dataset.Open([]string{testdata.Path(b, data+"/train.csv")}, nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(src.Size())
				b.ReportAllocs()
				for b.Loop() {
					if _, err := bayes.Count(context.Background(), nil, src.Examples(), &bayes.CountOptions{Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPredict predicts the documents of a test file, one at a time.
func BenchmarkPredict(b *testing.B) {
	for _, data := range []string{"20news", "mr", "nsmc", "sms"} {
		b.Run("data="+data, func(b *testing.B) {
			read := func(name string) []bayes.Example {
				src, err := dataset.Open([]string{testdata.Path(b, data+"/"+name)}, nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				var list []bayes.Example
				for ex, err := range src.Examples() {
					if err != nil {
						b.Fatal(err)
					}
					list = append(list, ex)
				}
				return list
			}
			m, err := bayes.Fit(learn(nil, read("train.csv")...), bayes.Multinomial{})
			if err != nil {
				b.Fatal(err)
			}
			test := read("test.csv")
			var p bayes.Prediction
			size := 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.PredictInto(&p, test[i%len(test)].Document())
				size += len(test[i%len(test)].Text)
			}
			b.ReportMetric(float64(size)/float64(b.N), "bytes/text")
		})
	}
}

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

package pipeline

import (
	"bytes"
	"fmt"
	"testing"

	"bayes"
	"bayes/beam/internal/generate"
	"bayes/dataset"
)

// BenchmarkShuffle measures what a worker sends to those who add up: the bytes
// of a bundle's Sums, for each distinct term in the bundle.
func BenchmarkShuffle(b *testing.B) {
	for _, size := range []int64{1 << 20, 8 << 20, 32 << 20} {
		var text bytes.Buffer
		if err := generate.CSV(&text, size, 1); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("bundle=%dMiB", size>>20), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			var c *bayes.Counts
			sent := 0
			for b.Loop() {
				c, sent = bayes.NewCounts(nil), 0
				for ex, err := range dataset.CSV(bytes.NewReader(text.Bytes()), "", nil) {
					if err != nil {
						b.Fatal(err)
					}
					c.Learn(ex)
				}
				for _, part := range c.Shard(8) {
					encoded, err := encodeSum(Sum{Counts: part})
					if err != nil {
						b.Fatal(err)
					}
					sent += len(encoded)
				}
			}
			b.ReportMetric(float64(sent)/float64(c.Len()), "B/term")
			b.ReportMetric(float64(c.Len()), "terms")
		})
	}
}

// BenchmarkSum measures how fast Sums are added up, as they arrive.
func BenchmarkSum(b *testing.B) {
	var text bytes.Buffer
	if err := generate.CSV(&text, 8<<20, 1); err != nil {
		b.Fatal(err)
	}
	c := bayes.NewCounts(nil)
	for ex := range dataset.CSV(&text, "", nil) {
		c.Learn(ex)
	}
	encoded, err := encodeSum(Sum{Counts: c})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(encoded)))
	total := Sum{Counts: bayes.NewCounts(nil)}
	for b.Loop() {
		s, err := decodeSum(encoded)
		if err == nil {
			total, err = add(total, s)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Len()), "ns/term")
}

package fastcount

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes/internal/intern"
	"bayes/internal/sparse"
	"bayes/text"
)

// BenchmarkCount measures what a Counter replaces, and what each of its parts is worth:
//
//	map         a map of moments by term and class, a map of counts for each text
//	table       numbers of terms, and a row of cells for each, but no batches
//	no-dense    a Counter without dense counters: all goes to later places
//	by-bytes    a Counter that makes and looks up the bytes of each n-gram
//	counter     a Counter
func BenchmarkCount(b *testing.B) {
	texts, size := zipfTexts(20, 4000, 150)
	for _, lengths := range [][2]int{{1, 1}, {1, 2}} {
		o := Options{Analyzer: &text.Analyzer{NGrams: lengths}, SubwordWeight: 1}
		for _, way := range []struct {
			name  string
			count func()
		}{
			{"map", func() {
				c := make(counts)
				for i, s := range texts {
					c.count(o, i%20, s)
				}
			}},
			{"table", func() { countInTable(o, texts) }},
			{"no-dense", func() { countAll(o, texts, func(c *Counter) { c.room = 0 }) }},
			{"by-bytes", func() { countAll(o, texts, (*Counter).Materialise) }},
			{"counter", func() { countAll(o, texts, func(*Counter) {}) }},
		} {
			b.Run(fmt.Sprintf("ngrams=%d-%d/way=%s", lengths[0], lengths[1], way.name), func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					way.count()
				}
			})
		}
	}
}

// zipfTexts returns n texts of some words, the i-th in class i modulo classes, and their
// size. Words are as frequent as words are, and a part of them depends on the class.
func zipfTexts(classes, n, words int) (texts []string, size int64) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 1<<17)
	for i := range n {
		var list []string
		for range words {
			w := zipf.Uint64()
			if r.IntN(4) == 0 {
				w = w<<5 + uint64(i%classes)
			}
			list = append(list, fmt.Sprint("w", w*7919))
		}
		texts = append(texts, strings.Join(list, " "))
		size += int64(len(texts[i]))
	}
	return texts, size
}

// countAll counts texts with a Counter that has been prepared.
func countAll(o Options, texts []string, prepare func(*Counter)) {
	c := New(new(sparse.Table), o)
	prepare(c)
	for i, s := range texts {
		c.Count(i%20, s)
	}
	c.Flush(20)
}

// countInTable counts texts in a table, term by term.
func countInTable(o Options, texts []string) {
	var t sparse.Table
	var buf text.Buffer
	for i, s := range texts {
		o.Analyzer.Analyze(&buf, s)
		times := make(map[int]float64)
		for j := range buf.Len() {
			term := buf.Term(j)
			times[t.Index.Insert(intern.KeyOf(term), term)]++
		}
		for term, n := range times {
			t.Add(term, i%20, sparse.Moments{Examples: 1, Present: 1, Sum: n}, +1)
		}
	}
}

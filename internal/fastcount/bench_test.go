package fastcount

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"bayes/internal/intern"
	"bayes/internal/sparse"
	"bayes/internal/testdata"
	"bayes/text"
)

// BenchmarkCount measures what a Counter replaces, and what each of its parts is worth. The
// terms are sorted at the end, except in the first way, as a model file has them.
//
//	map         a map of moments by term and class, a map of counts for each text
//	table       numbers of terms, and a row of cells for each, but no batches
//	no-dense    a Counter without dense counters: all goes to later places
//	by-bytes    a Counter that makes and looks up the bytes of each n-gram
//	counter     a Counter
//
// The last two are measured again with two Counters at once. Each counts half of the texts.
// They share n-grams, or else their tables are added to each other.
func BenchmarkCount(b *testing.B) {
	b.Run("data=generated", func(b *testing.B) { benchmarkCount(b, zipfTexts(20, 4000, 150)) })
	b.Run("data=20news", func(b *testing.B) {
		news := strings.Split(string(testdata.Read(b, "20news/train.csv")[:4<<20]), "\n")
		benchmarkCount(b, news)
	})
}

func benchmarkCount(b *testing.B, texts []string) {
	size := 0
	for _, s := range texts {
		size += len(s)
	}
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
			{"by-bytes-twice", func() { countTwice(o, texts, false) }},
			{"counter-twice", func() { countTwice(o, texts, true) }},
		} {
			b.Run(fmt.Sprintf("ngrams=%d-%d/way=%s", lengths[0], lengths[1], way.name), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					way.count()
				}
			})
		}
	}
}

// zipfTexts returns n texts of some words, the i-th in class i modulo classes. Words are
// as frequent as words are, and a part of them depends on the class.
func zipfTexts(classes, n, words int) (texts []string) {
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
	}
	return texts
}

// countAll counts texts with a Counter that has been prepared.
func countAll(o Options, texts []string, prepare func(*Counter)) {
	c := New(new(sparse.Table), o)
	prepare(c)
	for i, s := range texts {
		c.Count(i%20, s)
	}
	c.Flush(20)
	c.table.Sorted()
}

// countTwice counts texts with two Counters.
func countTwice(o Options, texts []string, share bool) {
	counters := []*Counter{New(new(sparse.Table), o), New(new(sparse.Table), o)}
	if share {
		counters[1].ShareNGrams(counters[0])
	}
	var wg sync.WaitGroup
	for j, c := range counters {
		wg.Go(func() {
			if !share {
				c.Materialise()
			}
			for i := j; i < len(texts); i += 2 {
				c.Count(i%20, texts[i])
			}
			if !share || !c.SharesNGrams() {
				c.Flush(20)
			}
		})
	}
	wg.Wait()
	t, o2 := counters[0].table, counters[1].table
	if share && counters[0].SharesNGrams() {
		same := make([]int, 20)
		for k := range same {
			same[k] = k
		}
		Merge(counters, [][]int{same, same})
		t.Sorted()
		return
	}
	numbers := t.Index.InsertAll(&o2.Index)
	t.AddParallel(len(o2.Rows), func(part *sparse.Table, from, to int) {
		for i := from; i < to; i++ {
			for _, cell := range o2.Rows[i] {
				part.Add(int(numbers[i]), int(cell.Class), cell.Moments, +1)
			}
		}
	})
	t.Sorted()
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
	t.Sorted()
}

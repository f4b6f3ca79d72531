package fastcount

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"bayes/internal/intern"
	"bayes/internal/sparse"
	"bayes/text"

	"pgregory.net/rapid"
)

// A cell is named by its term and class.
type cell struct {
	term  string
	class int
}

// counts are what texts should count.
type counts map[cell]sparse.Moments

// count counts a text the obvious way.
func (c counts) count(o Options, class int, s string) {
	var buf text.Buffer
	o.Analyzer.Analyze(&buf, s)
	times := make(map[string]float64)
	for i := range buf.Len() {
		times[string(buf.Term(i))]++
	}
	for term, n := range times {
		if o.Binary {
			n = 1
		}
		if text.IsSubword([]byte(term)) {
			n *= o.SubwordWeight
		}
		m := c[cell{term, class}]
		m.Add(sparse.Moments{Examples: 1, Present: 1, Sum: n}, +1)
		c[cell{term, class}] = m
	}
}

// of returns what a table holds.
func of(t *sparse.Table) counts {
	c := make(counts)
	for i, row := range t.Rows {
		for _, x := range row {
			c[cell{string(t.Index.Bytes(i)), int(x.Class)}] = x.Moments
		}
	}
	return c
}

// Counters count the obvious, whatever the n-grams, whatever room they have, and whenever
// they flush their logs.
func TestCounter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Analyzer: &text.Analyzer{
				Segmenter: rapid.SampledFrom([]text.Segmenter{text.Words{}, text.Words{}, phrases{}}).Draw(t, "segmenter"),
				NGrams:    rapid.SampledFrom([][2]int{{1, 1}, {1, 2}, {2, 2}, {1, 3}, {2, 3}, {3, 3}}).Draw(t, "lengths"),
			},
			SubwordWeight: 1,
			Binary:        rapid.Bool().Draw(t, "binary"),
		}
		if rapid.IntRange(0, 3).Draw(t, "subwords") == 0 {
			o.Analyzer.Subwords = [2]int{2, 3}
			o.SubwordWeight = rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "subword weight")
		}
		const classes = 5
		want := make(counts)
		counters := make([]*Counter, rapid.IntRange(1, 3).Draw(t, "counters"))
		var numbering [][]int
		for i := range counters {
			c := New(new(sparse.Table), o)
			if i > 0 {
				c.ShareNGrams(counters[0])
			}
			c.document = rapid.SampledFrom([]uint16{0, math.MaxUint16 - 1}).Draw(t, "texts before") // after which marks are counted anew
			c.room = rapid.SampledFrom([]int{0, 1 << 10, 3 << 10, maxDense}).Draw(t, "room")
			counters[i] = c
			numbering = append(numbering, []int{0, 1, 2, 3, 4})
		}
		for range rapid.IntRange(0, 5).Draw(t, "texts") {
			c := rapid.SampledFrom(counters).Draw(t, "counter")
			class, s := rapid.IntRange(0, classes-1).Draw(t, "class"), drawText(t)
			c.Count(class, s)
			want.count(o, class, s)
			if rapid.IntRange(0, 3).Draw(t, "flush the log") == 0 {
				c.flushLog()
			}
		}
		// Those that share n-grams still are merged together, each of the others alone.
		var groups [][]*Counter
		var sharing []*Counter
		for _, c := range counters {
			if c.SharesNGrams() {
				sharing = append(sharing, c)
			} else {
				groups = append(groups, []*Counter{c})
			}
		}
		if len(sharing) > 0 {
			groups = append(groups, sharing)
		}
		got := make(counts)
		for _, alike := range groups {
			Merge(alike, numbering[:len(alike)])
			for at, m := range of(alike[0].table) {
				sum := got[at]
				sum.Add(m, +1)
				got[at] = sum
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("counted %v, want %v", got, want)
		}
	})
}

// count1 counts texts by one Counter and compares it with the obvious.
func count1(t *testing.T, o Options, room int, classes int, texts func(yield func(class int, s string) bool)) {
	t.Helper()
	c, want := New(new(sparse.Table), o), make(counts)
	c.room = room
	for class, s := range texts {
		c.Count(class, s)
		want.count(o, class, s)
	}
	c.Flush(classes)
	if got := of(c.table); !maps.Equal(got, want) {
		for at, m := range want {
			if got[at] != m {
				t.Errorf("%v: %v, want %v", at, got[at], m)
			}
		}
		t.Fatalf("%d cells, want %d", len(got), len(want))
	}
}

// Texts of as many tokens as marks can count, and of one more, are followed by others that
// have the same term.
func TestLongTexts(t *testing.T) {
	for _, n := range []int{maxMarked - 1, maxMarked, maxMarked + 1, 2 * maxMarked} {
		for _, lengths := range [][2]int{{1, 1}, {1, 2}} {
			o := Options{Analyzer: &text.Analyzer{NGrams: lengths}, SubwordWeight: 1}
			count1(t, o, maxDense, 1, func(yield func(int, string) bool) {
				for _, times := range []int{1, n, 1, n, 3} {
					if !yield(0, strings.Repeat("word ", times)) {
						return
					}
				}
			})
		}
	}
}

// A single-class counter keeps 16 bits of its class: classes that have these in common stay
// apart.
func TestManyClasses(t *testing.T) {
	o := Options{Analyzer: &text.Analyzer{}, SubwordWeight: 1}
	count1(t, o, 0, 1<<16+2, func(yield func(int, string) bool) {
		for k := range 1<<16 + 2 {
			if k%(1<<16) < 2 && !yield(k, fmt.Sprint("once both", k%(1<<16), " twice twice")) {
				return
			}
		}
	})
}

// A table may hold rows already, of classes that the Counter has not met.
func TestFlushAddsToRows(t *testing.T) {
	table := new(sparse.Table)
	c := New(table, Options{Analyzer: &text.Analyzer{}, SubwordWeight: 1})
	c.Count(0, "a b")
	c.Materialise()
	i := table.Index.Insert(intern.KeyOf([]byte("a")), []byte("a"))
	for class := 2; class < 6; class++ {
		table.Add(i, class, sparse.Moments{Examples: 1, Present: 1, Sum: 3}, +1)
	}
	c.Count(1, "a a")
	c.Flush(6)
	one := sparse.Moments{Examples: 1, Present: 1, Sum: 1}
	for class, want := range []sparse.Moments{one, {Examples: 1, Present: 1, Sum: 2}, {Examples: 1, Present: 1, Sum: 3}} {
		if got := table.At(i, class); got != want {
			t.Errorf("class %d: %v, want %v", class, got, want)
		}
	}
}

// phrases cuts a text at semicolons, so that there are words with spaces, which n-grams of
// other words may look like, and empty ones.
type phrases struct{}

func (phrases) String() string { return "phrases" }

func (phrases) Segment(b *text.Buffer) {
	start := 0
	for i, c := range b.Text() {
		if c == ';' {
			b.Add(start, i)
			start = i + 1
		}
	}
	b.Add(start, len(b.Text()))
}

// drawText draws a text of words as long as keys are and longer, some of them repeated more
// often than dense counters can hold.
func drawText(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "words") {
		word := strings.Repeat("x", rapid.SampledFrom([]int{0, 6, 7, 13, 14, 15, 30}).Draw(t, "length"))
		word += fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "word"))
		word += rapid.SampledFrom([]string{" ", "; ", ";", "\t;"}).Draw(t, "gap")
		b.WriteString(strings.Repeat(word, rapid.SampledFrom([]int{1, 1, 1, 1, 2, 3, 300, 5000}).Draw(t, "times")))
	}
	if rapid.IntRange(0, 3).Draw(t, "many") == 0 {
		for i := range 2000 { // more terms than there may be dense counters for
			fmt.Fprintf(&b, "n%d ", i)
		}
	}
	return b.String()
}

// A list is sorted by the upper halves, and equal ones stay in order.
func TestSortByUpper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SampledFrom([]int{1, 2, 2047, 2048, 1 << 20, 1 << 23}).Draw(t, "rows")
		list := make([]uint64, rapid.IntRange(0, 100).Draw(t, "n"))
		for i := range list {
			list[i] = uint64(rapid.IntRange(0, rows-1).Draw(t, "row"))<<32 | uint64(i)
		}
		sorted, _ := sortByUpper(list, nil, rows)
		for i := 1; i < len(sorted); i++ {
			if sorted[i-1] >= sorted[i] {
				t.Fatalf("%x stands before %x", sorted[i-1], sorted[i])
			}
		}
	})
}

package bayes

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes/text"

	"pgregory.net/rapid"
)

// TestLearner holds learners to Counts.Learn: whatever the n-grams, whatever room they
// have, and whenever they catch up, together they count the same.
func TestLearner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &text.Analyzer{
			Segmenter: rapid.SampledFrom([]text.Segmenter{text.Words{}, text.Words{}, phrases{}}).Draw(t, "segmenter"),
			NGrams:    rapid.SampledFrom([][2]int{{1, 1}, {1, 2}, {2, 2}, {1, 3}, {2, 3}, {3, 3}}).Draw(t, "lengths"),
		}
		s := &Space{Analyzer: a, Binary: rapid.Bool().Draw(t, "binary"), SubwordWeight: rapid.SampledFrom([]float64{0, 1, 0.5}).Draw(t, "subword weight")}
		if rapid.IntRange(0, 3).Draw(t, "subwords") == 0 {
			a.Subwords = [2]int{2, 3}
		}
		d := NewCounts(s)
		learners := make([]*learner, rapid.IntRange(1, 3).Draw(t, "learners"))
		for i := range learners {
			l := newLearner(NewCounts(s))
			l.share(learners[:i])
			l.document = rapid.SampledFrom([]uint16{0, math.MaxUint16 - 1}).Draw(t, "documents before") // after which they are counted anew
			l.room = rapid.SampledFrom([]int{0, 1 << 10, 3 << 10, maxRecent}).Draw(t, "room")
			learners[i] = l
		}
		for range rapid.IntRange(0, 5).Draw(t, "examples") {
			l := rapid.SampledFrom(learners).Draw(t, "learner")
			ex := drawPlain(t)
			if !l.learn(&ex) {
				l.c.Learn(ex)
			}
			d.Learn(ex)
			if rapid.IntRange(0, 3).Draw(t, "catch up") == 0 {
				l.catchUp()
			}
		}
		c, err := sumOf(learners)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Equal(d) {
			t.Fatal("the learners count otherwise than Counts.Learn")
		}
		for _, f := range []string{"n1", "n1 n2", "n1 n2 n3", "xxxxxx1", "xxxxxx1 xxxxxx1"} { // are found by their bytes
			for _, k := range d.Classes() {
				if c.At(k, f) != d.At(k, f) {
					t.Fatalf("%s of %s: %v, want %v", f, k, c.At(k, f), d.At(k, f))
				}
			}
		}
	})
}

// Documents of as many tokens as marks can count, and of one more, are followed by others
// that have the same term.
func TestLearnerOfLongDocuments(t *testing.T) {
	for _, n := range []int{maxMarked - 1, maxMarked, maxMarked + 1, 2 * maxMarked} {
		for _, lengths := range [][2]int{{1, 1}, {1, 2}} {
			s := &Space{Analyzer: &text.Analyzer{NGrams: lengths}}
			l, want := newLearner(NewCounts(s)), NewCounts(s)
			for _, times := range []int{1, n, 1, n, 3} {
				ex := Example{Label: "a", Text: strings.Repeat("word ", times)}
				if !l.learn(&ex) {
					t.Fatal("not plain")
				}
				want.Learn(ex)
			}
			got, err := sumOf([]*learner{l})
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(want) {
				t.Errorf("%d tokens, %v: %v, want %v", n, lengths, got.At("a", "word"), want.At("a", "word"))
			}
		}
	}
}

// Of a rare term's class 16 bits are kept: classes that have these in common stay apart.
func TestLearnerOfManyClasses(t *testing.T) {
	s := &Space{Analyzer: &text.Analyzer{}}
	l, want := newLearner(NewCounts(s)), NewCounts(s)
	l.room = 0
	for k := range 1<<16 + 2 {
		ex := Example{Label: fmt.Sprint(k)}
		if k%(1<<16) < 2 {
			ex.Text = fmt.Sprint("once both", k%(1<<16), " twice twice")
		}
		l.learn(&ex)
		want.Learn(ex)
	}
	got, err := sumOf([]*learner{l})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"once", "both0", "both1", "twice"} {
		for _, k := range []string{"0", "1", "65536", "65537"} {
			if got.At(k, f) != want.At(k, f) {
				t.Errorf("%s in class %s: %v, want %v", f, k, got.At(k, f), want.At(k, f))
			}
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

// drawPlain draws an example that is mostly plain: of words as long as keys are and
// longer, some of them repeated more often than recent moments can hold.
func drawPlain(t *rapid.T) Example {
	var b strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "words") {
		word := strings.Repeat("x", rapid.SampledFrom([]int{0, 6, 7, 13, 14, 15, 30}).Draw(t, "length"))
		word += fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "word"))
		word += rapid.SampledFrom([]string{" ", "; ", ";", "\t;"}).Draw(t, "gap")
		b.WriteString(strings.Repeat(word, rapid.SampledFrom([]int{1, 1, 1, 2, 3, 5000, maxMarked, maxMarked + 1}).Draw(t, "times")))
	}
	if rapid.IntRange(0, 3).Draw(t, "many") == 0 {
		for i := range 2000 { // more terms than recent moments may have room for
			fmt.Fprintf(&b, "n%d ", i)
		}
	}
	return Example{
		Label:  fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "label")),
		Text:   b.String(),
		Weight: rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "weight"),
	}
}

// What was postponed is sorted by row, and of one row stays in order.
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

// Workers that share n-grams, and make room for more of them while others look theirs up,
// count what one does, and put them in order; also where some go on by bytes, as they do from an example on that
// is not plain.
func TestCountSharesNGrams(t *testing.T) {
	for _, plain := range []bool{true, false} {
		r := rand.New(rand.NewPCG(1, 2))
		var examples []Example
		for i := range 1500 {
			words := make([]string, r.IntN(80))
			if i%300 == 0 {
				words = make([]string, 6000) // of which more n-grams come than there is room for
			}
			for j := range words {
				words[j] = fmt.Sprint("w", r.IntN(1+r.IntN(300)))
			}
			ex := Example{Label: fmt.Sprint(r.IntN(5)), Text: strings.Join(words, " ")}
			if !plain && i%500 == 250 {
				ex.Weight = 2
			}
			examples = append(examples, ex)
		}
		s := &Space{Analyzer: &text.Analyzer{NGrams: [2]int{1, 3}}}
		want := NewCounts(s)
		for _, ex := range examples {
			want.Learn(ex)
		}
		for _, workers := range []int{1, 2, 8} {
			got, err := Count(t.Context(), s, func(yield func(Example, error) bool) {
				for _, ex := range examples {
					if !yield(ex, nil) {
						return
					}
				}
			}, &CountOptions{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(want) {
				t.Errorf("plain %v: %d workers count otherwise than Counts.Learn", plain, workers)
			}
			index := &got.blocks[0].table.Index
			for i := 1; plain && i < index.Len(); i++ {
				if bytes.Compare(index.Bytes(i-1), index.Bytes(i)) >= 0 {
					t.Fatalf("%d workers: %q stands before %q", workers, index.Bytes(i-1), index.Bytes(i))
				}
			}
		}
	}
}

package label

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
)

// topics returns texts of words of one topic each, as many of each as sizes say, shuffled, and their topics. All texts have a word in common.
func topics(sizes ...int) (texts []bayes.Document, of []int) {
	rng := rand.New(rand.NewPCG(3, 0))
	for topic, size := range sizes {
		for range size {
			words := []string{"the"}
			for range 6 {
				words = append(words, fmt.Sprintf("t%dw%d", topic, rng.IntN(25)))
			}
			texts, of = append(texts, bayes.Document{Text: strings.Join(words, " ")}), append(of, topic)
		}
	}
	rng.Shuffle(len(texts), func(i, j int) {
		texts[i], texts[j], of[i], of[j] = texts[j], texts[i], of[j], of[i]
	})
	return texts, of
}

// The first questions are of each topic once, whatever the answers are.
func TestFirstQuestionsCover(t *testing.T) {
	texts, of := topics(50, 45, 40)
	for seed := range uint32(5) {
		p := pile(t, texts, &Options{Seed: seed, Measured: -1})
		var asked []int
		for range 3 {
			q, _ := p.Next("")
			asked = append(asked, of[q.Text])
			if err := p.Answer("", q.Text, "a"); err != nil {
				t.Fatal(err)
			}
		}
		if slices.Sort(asked); !slices.Equal(asked, []int{0, 1, 2}) {
			t.Errorf("seed %d: the first questions are of topics %v", seed, asked)
		}
	}
}

// An answer that is taken back covers nothing, and one that measures never does.
func TestCoverForgets(t *testing.T) {
	texts, _ := topics(60, 40, 20)
	p, same := pile(t, texts, nil), pile(t, texts, nil)
	answered := 0
	for i := range texts {
		switch {
		case p.kept[i]:
			if err := p.Answer("", i, "a"); err != nil {
				t.Fatal(err)
			}
		case answered < 10:
			answered++
			for _, label := range []string{"a", "b", ""} {
				if err := p.Answer("", i, label); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	p.scores.prepare()
	same.scores.prepare()
	if !p.scores.covering() {
		t.Fatal("answers that measure, or that were taken back, end the cover")
	}
	for i := range texts {
		if a, b := p.scores.cover.gain(i), same.scores.cover.gain(i); a != b {
			t.Errorf("text %d would cover %v, %v before any answer", i, a, b)
		}
	}
}

// Neighbours are those with the highest cosines, which are those of the definition.
func TestNeighbours(t *testing.T) {
	texts, _ := topics(200, 100, 30)
	x, err := newIndex(t.Context(), new(bayes.Space), texts)
	if err != nil {
		t.Fatal(err)
	}
	every := make([]int, len(texts))
	for i := range every {
		every[i] = i
	}
	c, err := newCover(t.Context(), x, every)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]map[int32]float64, len(texts))
	for i := range texts {
		weights[i] = make(map[int32]float64)
		for _, e := range x.terms[i] {
			if n := len(x.texts[e.id]); n > 1 && n <= 33 {
				weights[i][e.id] = math.Log(1+e.value) * math.Log(330/float64(n))
			}
		}
	}
	cosine := func(i, j int) float64 {
		var dot, a, b float64
		for term, v := range weights[i] {
			dot += v * weights[j][term]
			a += v * v
		}
		for _, v := range weights[j] {
			b += v * v
		}
		if dot == 0 {
			return 0
		}
		return dot / math.Sqrt(a*b)
	}
	for j := range texts {
		var want []float64
		for i := range texts {
			if v := cosine(i, j); i != j && v > 0 {
				want = append(want, v)
			}
		}
		slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
		want = append([]float64{1}, want[:min(len(want), neighbours)]...)
		var got []float64
		for i := range texts {
			for _, near := range c.covers[i] {
				if int(near.text) != j {
					continue
				}
				if got = append(got, near.cosine); i != j && math.Abs(near.cosine-cosine(i, j)) > 1e-12 {
					t.Fatalf("texts %d and %d: a cosine of %v, want %v", i, j, near.cosine, cosine(i, j))
				}
			}
		}
		slices.SortFunc(got, func(a, b float64) int { return cmp.Compare(b, a) })
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Fatalf("text %d: neighbours with cosines %v, want %v", j, got, want)
		}
	}
}

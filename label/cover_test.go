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

// near returns the texts that text i is near to, itself first.
func (c *cover) near(i int) []neighbour {
	return append([]neighbour{{int32(i), c.own[i]}}, c.covers[i]...)
}

// What adds most is of each topic once, whatever the answers are, and so are the first questions.
func TestFirstQuestionsCover(t *testing.T) {
	texts, of := topics(50, 45, 40)
	for seed := range uint32(5) {
		for name, next := range map[string]func(p *Pile) int{
			"what adds most": func(p *Pile) (best int) {
				p.scores.prepare()
				for i := range texts {
					if p.scores.cover.gain(i) > p.scores.cover.gain(best) {
						best = i
					}
				}
				return best
			},
			"the questions": func(p *Pile) int { q, _ := p.Next(""); return q.Text },
		} {
			p := pile(t, texts, &Options{Seed: seed, Measured: -1})
			var asked []int
			for range 3 {
				i := next(p)
				asked = append(asked, of[i])
				if err := p.Answer("", i, "a"); err != nil {
					t.Fatal(err)
				}
			}
			if slices.Sort(asked); !slices.Equal(asked, []int{0, 1, 2}) {
				t.Errorf("seed %d: %s: topics %v", seed, name, asked)
			}
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
	for i := range texts {
		if a, b := p.scores.cover.gain(i), same.scores.cover.gain(i); a != b {
			t.Errorf("text %d would cover %v, %v before any answer", i, a, b)
		}
	}
}

// Texts cover those that they are nearest to, and themselves, as near as the definition says. Those that are not of the sample cover themselves alone.
func TestNeighbours(t *testing.T) {
	texts, _ := topics(200, 100, 30)
	for _, size := range []int{300, 40, 2, 1, 0} {
		testNeighbours(t, texts, size)
	}
}

func testNeighbours(t *testing.T, texts []bayes.Document, size int) {
	x, err := newIndex(t.Context(), new(bayes.Space), texts)
	if err != nil {
		t.Fatal(err)
	}
	sample := make([]int, size)
	for i := range sample {
		sample[i] = i
	}
	c, err := newCover(t.Context(), x, sample)
	if err != nil {
		t.Fatal(err)
	}
	common := make(map[int32]float64) // texts of the sample by term
	for _, i := range sample {
		for _, e := range x.terms[i] {
			common[e.id]++
		}
	}
	weights, length := make([]map[int32]float64, len(texts)), make([]float64, len(texts))
	for i := range texts {
		weights[i] = make(map[int32]float64)
		for _, e := range x.terms[i] {
			if n := common[e.id]; n > 1 && n <= max(10, float64(size)/10) && n < float64(size) {
				w := math.Log(1+e.value) * math.Log(float64(size)/n)
				weights[i][e.id], length[i] = w, math.Hypot(length[i], w)
			}
		}
	}
	near := func(i, j int) (sum float64) { // i has the answer
		for term, v := range weights[i] {
			sum += v * weights[j][term]
		}
		return sum / max(1e-300, length[j]) / math.Sqrt(length[i]*length[i]+20*20)
	}
	for j := range texts {
		var want []float64
		for i := range sample {
			if v := near(i, j); i != j && j < size && v > 0 {
				want = append(want, v)
			}
		}
		slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
		want = append([]float64{near(j, j)}, want[:min(len(want), neighbours)]...)
		var got []float64
		for i := range texts {
			for _, x := range c.near(i) {
				if int(x.text) != j {
					continue
				}
				if i != j && math.Abs(x.near-near(i, j)) > 1e-12 {
					t.Fatalf("of %d: text %d is %v near to %d, want %v", size, i, x.near, j, near(i, j))
				}
				got = append(got, x.near)
			}
		}
		for _, list := range [][]float64{got, want} {
			slices.SortFunc(list, func(a, b float64) int { return cmp.Compare(b, a) })
		}
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Fatalf("of %d: text %d is covered by %v, want %v", size, j, got, want)
		}
	}
}

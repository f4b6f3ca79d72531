package label

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/nearest"
	"bayes/internal/parallel"
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
func (c *cover) near(i int) []nearest.Neighbour {
	return append([]nearest.Neighbour{{Text: int32(i), Near: c.own[i]}}, c.covers[i]...)
}

// alike reports whether two texts are the same, and as near.
func alike(a, b nearest.Neighbour) bool { return a.Text == b.Text && math.Abs(a.Near-b.Near) < 1e-12 }

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

// Texts cover those that they are among the nearest of, and that are among theirs, by words or by what both are about, and themselves. Those that are not of the sample cover themselves alone.
func TestCovers(t *testing.T) {
	texts, _ := topics(600, 600, 600)
	x, err := newIndex(t.Context(), new(bayes.Space), texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1700, 40, 2, 1, 0} {
		sample := make([]int, size)
		for i := range sample {
			sample[i] = len(texts) - 1 - i
		}
		c, err := newCover(t.Context(), x, sample)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]nearest.Neighbour, len(texts))
		v, sums := nearest.NewVectors(parallel.NewPool(t.Context()), x.terms, len(x.texts), sample), make([]float64, size)
		byLength := func(i int) float64 { return v.Lengths[i] / math.Sqrt(v.Lengths[i]*v.Lengths[i]+20*20) }
		nearBy := func(words, about float64) float64 {
			return 1 - math.Exp(-20*words)*(1-min(.99, 1.5*math.Pow(max(0, about), 2.5)))
		}
		for i := range texts {
			want[i] = []nearest.Neighbour{{Text: int32(i), Near: nearBy(byLength(i), byLength(i))}}
		}
		latent := v.Latent(parallel.NewPool(t.Context()))
		lists := make([][]nearest.Neighbour, size)
		among := make(map[[2]int]bool) // a text, and one that is among the nearest of it
		for n, j := range sample {
			lists[n] = v.ToBy(j, coverNearest, sums, func(i int, words, _ float64) float64 {
				return nearBy(words, latent.Cosine(i, n)*byLength(sample[i]))
			})
			for _, near := range lists[n] {
				among[[2]int{j, sample[near.Text]}] = true
			}
		}
		left := 0
		for n, j := range sample {
			for _, near := range lists[n] {
				if i := sample[near.Text]; among[[2]int{i, j}] {
					want[i] = append(want[i], nearest.Neighbour{Text: int32(j), Near: near.Near})
				} else {
					left++
				}
			}
		}
		if size > coverNearest && left == 0 {
			t.Error("all nearest texts are mutual")
		}
		for i := range texts {
			if got := c.near(i); len(got) != len(want[i]) || math.Abs(got[0].Near-want[i][0].Near) > 1e-12 || !slices.EqualFunc(got[1:], want[i][1:], alike) {
				t.Fatalf("sample of %d: text %d covers %v, want %v", size, i, got, want[i])
			}
		}
	}
}

// What is soon worked out is never less than how near a text is, or texts would be left out.
func TestMostNearness(t *testing.T) {
	for w := 0.; w <= 1; w += .01 {
		for l := 0.; l <= 1; l += .01 {
			if most, near := mostNearness(w, l), nearness(w, l); !(most >= near-1e-15) || near < 0 || near > 1 {
				t.Fatalf("w %v, l %v: %v, at most %v", w, l, near, most)
			}
		}
	}
}

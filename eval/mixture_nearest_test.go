package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/parallel"
)

// drawRich returns n texts of four classes that have some words in common. Of a class, those of the first have many different ones, as far as rich says.
func drawRich(n int, rich float64, r *rand.Rand) []bayes.Example {
	var list []bayes.Example
	for i := range n {
		var words []string
		for range 40 {
			switch {
			case r.Float64() < .15:
				words = append(words, fmt.Sprintf("%c%d", 'a'+i%4, r.IntN(150)))
			case r.Float64() < .3 || i%4 == 0 && r.Float64() < rich:
				words = append(words, fmt.Sprint("rare", r.IntN(600)))
			default:
				words = append(words, fmt.Sprint("common", min(r.IntN(60), r.IntN(60), r.IntN(60))))
			}
		}
		list = append(list, bayes.Example{Label: string(rune('a' + i%4)), Text: strings.Join(words, " ")})
	}
	return list
}

// A class whose few labelled texts happen to have many different words takes other texts away, as it does not if log-probabilities are centred, or texts like the labelled ones tell of their classes first.
func TestClassOfManyWords(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 5))
	all := slices.Concat(drawRich(40, .9, random), drawRich(800, 0, random))
	m, err := readMixture(t.Context(), nil, each(all[:40]), each(all[40:]), 1)
	if err != nil {
		t.Fatal(err)
	}
	m.plain = bayes.Multinomial{}
	m.sublinear = m.readSublinear()
	every := make([]int, m.labelled)
	for i := range every {
		every[i] = i
	}
	right := func(centred bool) float64 {
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), every, SemiTrial{Smoothing: bayes.Additive(.01), Weight: .25, Rounds: 5, Centred: centred}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i := len(every); i < m.Len(); i++ {
			if classes, weights := s.of(i); m.classes[classes[slices.Index(weights, slices.Max(weights))]] == all[i].Label {
				right++
			}
		}
		return float64(right) / float64(m.Len()-m.labelled)
	}
	plain, centred := right(false), right(true)
	if err := m.findNearest(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if near, both := right(false), right(true); plain > .8 || centred < .95 || near < .95 || both < .95 {
		t.Errorf("%.3f right, %.3f if centred, %.3f with neighbours, %.3f with both", plain, centred, near, both)
	}
}

// The neighbours of a labelled example have its class, with shares that come to twelve by the number of labels a class, and are as they are near; none has more than half of what its length makes it count, and no other has any.
func TestSharesOfNeighbours(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	all := drawRich(640, .2, random)
	for _, labelled := range []int{8, 160} {
		m, err := readMixture(t.Context(), nil, each(all[:labelled]), each(all[labelled:]), 1)
		if err != nil {
			t.Fatal(err)
		}
		m.plain = bayes.Multinomial{}
		if err := m.findNearest(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		train := make([]int, labelled/2) // the others are held out, and tell nothing
		want := make(map[int][]float64)
		for i := range train {
			train[i] = i
			if len(m.nearest[i]) < 20 {
				t.Fatalf("%d neighbours", len(m.nearest[i]))
			}
			sum := 0.0
			for _, n := range m.nearest[i] {
				sum += n.near
			}
			for _, n := range m.nearest[i] {
				if want[n.example] == nil {
					want[n.example] = make([]float64, 4)
				}
				want[n.example][i%4] += 12 / (float64(labelled) / 8) * n.near / sum
			}
		}
		e, err := m.begin(train, SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: 1})
		if err != nil {
			t.Fatal(err)
		}
		capped := 0
		for i := labelled; i < m.Len(); i++ {
			got, of := make([]float64, 4), want[i]
			classes, weights := e.of(i)
			for j, k := range classes {
				got[k] = weights[j]
			}
			if of == nil {
				of = got[:0]
			}
			scale := m.byLength[i]
			if sum := of; len(sum) > 0 {
				if total := sum[0] + sum[1] + sum[2] + sum[3]; total > .5 {
					scale *= .5 / total
					capped++
				}
			} else if len(classes) > 0 {
				t.Fatalf("%d labels: example %d is near none, and has shares %v", labelled, i, weights)
			}
			for k, share := range of {
				if math.Abs(got[k]-share*scale) > 1./(1<<16) {
					t.Fatalf("%d labels: example %d has shares %v, want %v times %v", labelled, i, got, of, scale)
				}
			}
		}
		if (capped > 0) != (labelled == 8) {
			t.Errorf("%d labels: %d examples count half", labelled, capped)
		}
	}
}

// Among many examples without a label, neighbours are sought in as many as memory may be taken for, of all parts of them.
func TestNeighboursOfMany(t *testing.T) {
	const n = 2*nearestAmong + 10
	subject := func(i int) string { return fmt.Sprintf("subject%d", i*40/n) }
	all := []bayes.Example{{Label: "a", Text: subject(0)}, {Label: "b", Text: subject(n - 1)}}
	for i := range n {
		all = append(all, bayes.Example{Text: subject(i)})
	}
	m, err := readMixture(t.Context(), nil, each(all[:2]), each(all[2:]), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.findNearest(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for i, list := range m.nearest {
		if len(list) != 50 {
			t.Errorf("example %d has %d neighbours", i, len(list))
		}
		for _, n := range list {
			if all[n.example].Text != all[i].Text || (n.example-2)%3 != 0 {
				t.Fatalf("example %d is near %d, which are about %s and %s", i, n.example, all[i].Text, all[n.example].Text)
			}
		}
	}
}

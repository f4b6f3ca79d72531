package eval

import (
	"context"
	"errors"
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
	m, every := mixtureOf(t, all, 40)
	right := func(centred bool) float64 {
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), every, SemiTrial{Smoothing: bayes.Additive(.01), Weight: .25, Rounds: 5, Centred: centred}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return float64(rightOf(m, s, all)) / float64(m.Len()-m.labelled)
	}
	plain, centred := right(false), right(true)
	if err := m.findNearest(t.Context(), 1, true); err != nil {
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
	all[1].Weight = 3
	for _, labelled := range []int{8, 160} {
		m, every := mixtureOf(t, all, labelled)
		if err := m.findNearest(t.Context(), 1, true); err != nil {
			t.Fatal(err)
		}
		train := every[:labelled/2] // the others are held out, and tell nothing
		want := make(map[int32][]float64)
		for i := range train {
			if len(m.nearest[i]) < 20 {
				t.Fatalf("%d neighbours", len(m.nearest[i]))
			}
			sum := 0.0
			for _, n := range m.nearest[i] {
				sum += n.Near
			}
			for _, n := range m.nearest[i] {
				if want[n.Text] == nil {
					want[n.Text] = make([]float64, 4)
				}
				want[n.Text][i%4] += max(1, all[i].Weight) * 12 / (float64(labelled) / 8) * n.Near / sum
			}
		}
		e, err := m.begin(train, SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: 1})
		if err != nil {
			t.Fatal(err)
		}
		capped := 0
		for i := labelled; i < m.Len(); i++ {
			got, of := make([]float64, 4), want[int32(i)]
			classes, weights := e.of(i)
			for j, k := range classes {
				got[k] = weights[j]
			}
			if of == nil {
				if len(classes) > 0 {
					t.Fatalf("%d labels: example %d is near none, and has shares %v", labelled, i, weights)
				}
				continue
			}
			scale := m.byLength[i]
			if sum := of[0] + of[1] + of[2] + of[3]; sum > .5 {
				scale *= .5 / sum
				capped++
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

// With few labels, all trials begin with the neighbours.
func TestSemiSupervisedBeginsWithNeighbours(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 5))
	found, err := SemiSupervised(t.Context(), nil, nil, each(drawRich(40, .9, random)), each(drawRich(800, 0, random)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range found.Trials[1:] {
		if trial.Accuracy < .85 {
			t.Errorf("%+v", trial)
		}
	}
}

// Numbers make no examples alike, however large they are.
func TestNumbersAreNoNeighbours(t *testing.T) {
	number := func(label string, v float64) bayes.Example {
		return bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Number("amount", v)}}
	}
	m, err := readMixture(t.Context(), nil, each([]bayes.Example{number("a", 1), number("b", 1000)}), each([]bayes.Example{number("", 2), number("", 900), {Text: "no amount"}}), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.findNearest(t.Context(), 1, true); err != nil || len(m.nearest[0])+len(m.nearest[1]) > 0 {
		t.Errorf("%v are near: %v", m.nearest, err)
	}
}

// Among many examples without a label, neighbours are sought in as many as memory may be taken for, of all parts of them. If labels are many, none are sought.
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
	if err := m.findNearest(t.Context(), 0, true); err != nil {
		t.Fatal(err)
	}
	for i, list := range m.nearest {
		if len(list) != 50 {
			t.Errorf("example %d has %d neighbours", i, len(list))
		}
		for _, near := range list {
			if all[near.Text].Text != all[i].Text {
				t.Fatalf("example %d is near %d, which are about %s and %s", i, near.Text, all[i].Text, all[near.Text].Text)
			}
		}
	}
	pooled := 0
	for i, list := range m.pooled {
		for _, near := range list {
			if pooled++; subject(int(near.Text)) != subject(i) || len(list) > pooledTexts {
				t.Fatalf("example %d has %d neighbours, one of which is %d", i, len(list), near.Text)
			}
		}
	}
	if pooled == 0 {
		t.Error("no example has neighbours")
	}
	many, err := readMixture(t.Context(), nil, each(textsInTurn(2*manyLabels, "ab", 1, func(i int) string { return subject(i) })), each(all[2:200]), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := many.findNearest(t.Context(), 0, true); err != nil || slices.ContainsFunc(many.nearest, func(list []nearest.Neighbour) bool { return len(list) > 0 }) {
		t.Errorf("neighbours of %d labels: %v", many.labelled, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := m.findNearest(ctx, 0, true); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, though it was stopped", err)
	}
}

package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bayes"
	"bayes/internal/parallel"
)

// What is added makes labels the likeliest: of each class there are as many as probabilities say, but for the prior, which draws to 0.
func TestOffsetsFitLabels(t *testing.T) {
	m, every := heldOutMixture(t)
	random := rand.New(rand.NewPCG(1, 2))
	var h offsets
	for range every {
		h.logP = append(h.logP, []float64{random.NormFloat64(), random.NormFloat64() + 2, random.NormFloat64()})
	}
	h.logP[0][2] = math.Inf(-1) // of a class that a fold does not know, which example 0 is not of
	h.logP[1] = nil
	added := h.fit(m)
	for k := range 3 {
		slope := -heldOutPrecision * added[k]
		for i, logP := range h.logP {
			if logP == nil {
				continue
			}
			var sum float64
			for c, v := range logP {
				sum += math.Exp(v + added[c])
			}
			slope -= math.Exp(logP[k]+added[k]) / sum
			if m.Label(i) == string("abc"[k]) {
				slope++
			}
		}
		if math.Abs(slope) > .01 {
			t.Errorf("class %d: slope %v at %v", k, slope, added)
		}
	}
	if added[1] > -.5 || added[0] < .1 || added[2] < .1 {
		t.Errorf("%v, where the second class is too likely by 2", added)
	}
	if none := new(offsets).fit(m); !slices.Equal(none, []float64{0, 0, 0}) {
		t.Errorf("%v is added by no example", none)
	}
}

// A class of which no label was held out gets nothing and loses nothing, and what the others get is as if there were no such class.
func TestOffsetsOfAnUnheardClass(t *testing.T) {
	m, every := heldOutMixture(t)
	var h, without offsets
	random := rand.New(rand.NewPCG(1, 2))
	for _, i := range every {
		logP := []float64{random.NormFloat64(), random.NormFloat64() + 2, random.NormFloat64() + 1}
		other := []float64{logP[0], logP[1], math.Inf(-1)}
		if m.Label(i) == "c" {
			logP, other = nil, nil
		}
		h.logP, without.logP = append(h.logP, logP), append(without.logP, other)
	}
	added := h.fit(m)
	if added[2] != 0 || added[0] < .1 || added[1] > -.1 {
		t.Errorf("%v is added, where nothing of the third class is known and the second is too likely", added)
	}
	if other := without.fit(m); !slices.Equal(added, other) {
		t.Errorf("%v is added, and %v without the class", added, other)
	}
}

// heldOutMixture has classes of words of their own and of all, and one class of few labels.
func heldOutMixture(t *testing.T) (*mixture, []int) {
	random := rand.New(rand.NewPCG(3, 4))
	all := textsInTurn(330, "abc", 12, func(i int) string {
		if random.IntN(3) == 0 {
			return fmt.Sprintf("%c%d", "abc"[i%3], random.IntN(40))
		}
		return fmt.Sprint(random.IntN(60))
	})
	return mixtureOf(t, all, 30)
}

// Held-out labels are heard from the second round on, and the shares do not depend on how many workers there are.
func TestHeldOutRuns(t *testing.T) {
	m, every := heldOutMixture(t)
	if err := m.findNearest(t.Context(), 1, true); err != nil {
		t.Fatal(err)
	}
	for _, rounds := range []int{1, 5} {
		trial := SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: rounds, Centred: true}
		plain, err := m.run(t.Context(), parallel.NewPool(t.Context()), every, trial, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var first *shares
		for _, workers := range []int{1, 2, 3} {
			s, err := m.finish(t.Context(), &SemiSupervisedOptions{Workers: workers, Seed: 7}, trial, every)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = s
			}
			for i := range m.Len() {
				if !slices.Equal(s.weight[i], first.weight[i]) || !slices.Equal(s.class[i], first.class[i]) {
					t.Fatalf("%d workers: example %d differs", workers, i)
				}
			}
		}
		same := true
		for i := range m.Len() {
			same = same && slices.Equal(plain.weight[i], first.weight[i])
		}
		if same != (rounds == 1) {
			t.Errorf("%d rounds: shares are those without what is held out: %v", rounds, same)
		}
	}
	trial := SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: 2, Centred: true}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := m.finish(ctx, new(SemiSupervisedOptions), trial, every); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, though it was stopped", err)
	}
}

// An example whose class a fold does not know says nothing of what to add.
func TestOffsetsOfAnUnknownClass(t *testing.T) {
	m, every := heldOutMixture(t)
	var known []int
	for _, i := range every {
		if m.Label(i) != "c" {
			known = append(known, i)
		}
	}
	e, err := m.begin(known, SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Centred: true})
	if err != nil {
		t.Fatal(err)
	}
	e.read(parallel.NewPool(t.Context()))
	h := offsets{perClass: 10, logP: make([][]float64, m.labelled)}
	for _, i := range every {
		h.add(e, i)
	}
	for _, i := range every {
		if (h.logP[i] == nil) != (m.Label(i) == "c") {
			t.Errorf("example %d of class %s: %v", i, m.Label(i), h.logP[i])
		}
	}
	if added := h.fit(m); added[2] != 0 {
		t.Errorf("%v is added to a class that is not known", added)
	}
}

// What is learned both ways has half of its shares of each, but for rounding.
func TestBothWays(t *testing.T) {
	m, every := heldOutMixture(t)
	ctx, o := t.Context(), &SemiSupervisedOptions{Seed: 7}
	trial := SemiTrial{Smoothing: bayes.Additive(.1), Weight: .3, Rounds: 3}
	var of [3]*shares // not centred, centred, and both
	for at := range of {
		trial.Centred, trial.Both = at == 1, at == 2
		var err error
		if of[at], err = m.finish(ctx, o, trial, every); err != nil {
			t.Fatal(err)
		}
	}
	var differ float64 // of both ways
	for i := range m.Len() {
		want, got := make([]float64, 3), make([]float64, 3)
		for _, s := range of[:2] {
			classes, weights := s.of(i)
			for at, k := range classes {
				want[k] += weights[at] / 2
			}
		}
		classes, weights := of[2].of(i)
		for at, k := range classes {
			if got[k] != 0 || i >= m.labelled && weights[at] != trial.Weight*roundShare(weights[at]/trial.Weight) {
				t.Fatalf("example %d has %v of classes %v", i, weights, classes)
			}
			got[k] = weights[at]
		}
		for k := range want {
			if math.Abs(got[k]-want[k]) > trial.Weight/(1<<16) {
				t.Fatalf("example %d has %v, want %v", i, got, want)
			}
			differ = max(differ, math.Abs(got[k]-shareOf(of[0], i, k)))
		}
	}
	if differ < .01 {
		t.Errorf("shares of both ways differ by %v", differ)
	}
	ctx, stop := context.WithCancel(ctx)
	stop()
	if _, err := m.finish(ctx, o, SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: 2, Both: true}, every); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, though it was stopped", err)
	}
}

// shareOf returns the share of example i in class k.
func shareOf(s *shares, i, k int) float64 {
	classes, weights := s.of(i)
	if at := slices.Index(classes, int32(k)); at >= 0 {
		return weights[at]
	}
	return 0
}

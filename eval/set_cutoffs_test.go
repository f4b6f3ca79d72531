package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// drawnSetScores draws log-odds of documents: those of their labels are higher, but all of a document are higher or lower by
// as much, so that no cutoff tells labels from others.
func drawnSetScores(t *rapid.T, labels int, empty bool) *SetScores {
	s := new(SetScores)
	for k := range labels {
		s.Classes = append(s.Classes, fmt.Sprint("label", k))
	}
	for i := range 80 {
		truth := map[int]bool{}
		if !empty || rapid.Bool().Draw(t, "has a label") {
			truth[rapid.IntRange(0, labels-1).Draw(t, "label")] = true
			truth[rapid.IntRange(0, labels-1).Draw(t, "another")] = true
		}
		shift := rapid.Float64Range(-2, 1).Draw(t, "shift")
		var list []int
		for k := range labels {
			odds := shift + rapid.Float64Range(-1, 0).Draw(t, "odds")
			if truth[k] {
				odds++
				list = append(list, k)
			}
			s.odds = append(s.odds, odds)
		}
		s.Truth, s.Fold = append(s.Truth, list), append(s.Fold, i%2)
	}
	return s
}

// The cutoff of the empty label has the best micro F1 of all, and is left out where none is better than no label.
func TestNearestLabel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawnSetScores(t, rapid.IntRange(2, 6).Draw(t, "labels"), rapid.Bool().Draw(t, "some have none"))
		cutoffs := s.Cutoffs()
		chosen := s.Tally(cutoffs, 0)
		beyond, ok := cutoffs[""]
		delete(cutoffs, "")
		without := s.Tally(cutoffs, 0)
		switch {
		case !ok:
			beyond = 0
		case beyond > 0 || chosen.MicroF1() <= without.MicroF1():
			t.Fatalf("a cutoff of %v has a micro F1 of %v, and none %v", beyond, chosen.MicroF1(), without.MicroF1())
		}
		// No log-odds that rapid is fond of are as close to one of these as rounding is.
		for _, other := range []float64{0, -.0117, -.0317, -.1017, -.2017, -.3017, -.5017, -.7017, -1.0017, -1.5017, -2.0017, -3.0017, math.Inf(-1)} {
			cutoffs[""] = other
			if f1 := s.Tally(cutoffs, 0).MicroF1(); f1 > chosen.MicroF1()+1e-12 {
				t.Fatalf("%v has a micro F1 of %v, and %v, which is chosen, %v", other, f1, beyond, chosen.MicroF1())
			}
		}
	})
}

// Where the log-odds of half of the documents are all lower by 2, they are given the label that is nearest to its cutoff.
func TestNearestLabelIsWorthIt(t *testing.T) {
	s := &SetScores{Classes: []string{"a", "b", "c", "d"}}
	for i := range 80 {
		label, shift := i%4, -2*float64(i/4%2)
		for k := range s.Classes {
			odds := shift
			if k == label {
				odds++
			}
			s.odds = append(s.odds, odds)
		}
		s.Truth, s.Fold = append(s.Truth, []int{label}), append(s.Fold, i/8%2)
	}
	cutoffs := s.Cutoffs()
	if tally := s.Tally(cutoffs, 0); tally.MicroF1() != 1 || tally.withoutLabel() != 0 {
		t.Errorf("with %v the micro F1 is %v, and %d documents have no label", cutoffs, tally.MicroF1(), tally.withoutLabel())
	}
	delete(cutoffs, "")
	if n := s.Tally(cutoffs, 0).withoutLabel(); n != 40 {
		t.Errorf("without a cutoff of the empty label %d documents have no label: %v", n, cutoffs)
	}
}

// withoutLabel returns how many documents are given no label.
func (t *SetTally) withoutLabel() (n int64) {
	for came, documents := range t.patterns {
		given := false
		eachFate(came, func(_ string, f fate) { given = given || f != missed })
		if !given {
			n += documents
		}
	}
	return n
}

// A rare label has about the cutoff of labels as rare as it is, and one that no example has, has one too.
func TestCutoffsOfRareLabels(t *testing.T) {
	s := &SetScores{Classes: []string{"frequent", "never", "often", "rare1", "rare2", "rare3"}}
	add := func(odds float64, k int) {
		row := []float64{-1, -3, -1, -3, -3, -3} // what is frequent is often nearly given
		row[k] = odds
		s.odds, s.Truth, s.Fold = append(s.odds, row...), append(s.Truth, []int{k}), append(s.Fold, 0)
	}
	for range 500 {
		add(1, 0)
		add(1, 2)
	}
	for k := 3; k < 6; k++ {
		for j := range 4 {
			add(-1-.1*float64(j), k) // what is rare has low scores, if it has them at all
		}
	}
	s.odds[len(s.odds)-1] = .5 // and of the last label one is high by chance
	cutoffs := s.Cutoffs()
	for _, rare := range s.Classes[3:] {
		if c := cutoffs[rare]; !(c < -1.3 && c > -3) {
			t.Errorf("the cutoff of %s is %v: %v", rare, c, cutoffs)
		}
	}
	for _, frequent := range []string{"frequent", "often"} {
		if c := cutoffs[frequent]; !(c > -1 && c <= 1) {
			t.Errorf("the cutoff of %s is %v: %v", frequent, c, cutoffs)
		}
	}
	if c, ok := cutoffs["never"]; !ok || math.IsInf(c, 0) || math.IsNaN(c) {
		t.Errorf("the cutoff of a label without an example is %v: %v", c, cutoffs)
	}
}

// The more a missed label costs, the lower cutoffs are.
func TestMissCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawnSetScores(t, rapid.IntRange(2, 6).Draw(t, "labels"), rapid.Bool().Draw(t, "some have none"))
		last := map[string]float64{}
		for _, cost := range []float64{.1, 1, 3, 30} {
			s.MissCost = cost
			cutoffs := s.Cutoffs()
			for _, label := range s.Classes {
				if before, ok := last[label]; ok && cutoffs[label] > before {
					t.Fatalf("the cutoff of %s is %v where a missed label costs %v, and lower, %v, where it costs less", label, cutoffs[label], cost, before)
				}
				last[label] = cutoffs[label]
			}
		}
	})
}

// What is held out costs no more with cutoffs of the least cost than with those of the best F1, where there are enough examples: less in many sets of documents together. A label's cutoff is chosen by others' examples
// too, so in one set it may cost as much more as a wrong decision does, whichever costs most, in a tenth of the documents.
func TestLeastCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawnSetScores(t, 2, false) // 80 documents of two labels
		f1 := s.Cutoffs()
		s.MissCost = rapid.SampledFrom([]float64{.1, 1, 10}).Draw(t, "cost")
		if got, other := s.cost(s.Cutoffs()), s.cost(f1); got > other+.1*float64(s.Tally(f1, 0).Documents())*max(1, s.MissCost) {
			t.Fatalf("a missed label costs %v, and all cost %v with the cutoffs of the least cost, %v with those of F1", s.MissCost, got, other)
		}
	})
	random := rand.New(rand.NewPCG(1, 2))
	least, f1 := map[float64]float64{}, map[float64]float64{}
	for range 50 {
		s := &SetScores{Classes: []string{"a", "b"}}
		for i := range 80 {
			label, shift := random.IntN(2), random.Float64()
			for k := range s.Classes {
				odds := shift - 2*random.Float64()
				if k == label {
					odds++
				}
				s.odds = append(s.odds, odds)
			}
			s.Truth, s.Fold = append(s.Truth, []int{label}), append(s.Fold, i%2)
		}
		best := s.Cutoffs()
		for _, s.MissCost = range []float64{.1, 1, 10} {
			least[s.MissCost] += s.cost(s.Cutoffs())
			f1[s.MissCost] += s.cost(best)
		}
	}
	for miss, cost := range least {
		if cost >= f1[miss] {
			t.Errorf("where a missed label costs %v, all cost %v with the cutoffs of the least cost, %v with those of F1", miss, cost, f1[miss])
		}
	}
}

// cost returns what all labels cost that are given wrongly, or missed.
func (s *SetScores) cost(cutoffs map[string]float64) (sum float64) {
	tally := s.Tally(cutoffs, 0)
	for _, label := range s.Classes {
		_, wrong, missed := tally.Decisions(label)
		sum += float64(wrong) + s.MissCost*float64(missed)
	}
	return sum
}

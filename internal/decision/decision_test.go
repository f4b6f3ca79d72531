package decision

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes/internal/calibration"

	"pgregory.net/rapid"
)

var classes = []string{"a", "b", "c", "d"}

// scoresOf returns drawn scores, some of them equal or impossible, ln P of them, and the best class.
func scoresOf(rng *rand.Rand) (scores, logP []float64, best int) {
	scores, logP = make([]float64, len(classes)), make([]float64, len(classes))
	for {
		var sum float64
		for k := range scores {
			scores[k] = -float64(rng.IntN(8))
			if rng.IntN(8) == 0 {
				scores[k] = math.Inf(-1)
			}
			if scores[k] > scores[best] {
				best = k
			}
			sum += math.Exp(scores[k])
		}
		if sum > 0 {
			for k, v := range scores {
				logP[k] = v - math.Log(sum)
			}
			return scores, logP, best
		}
	}
}

// A rule does what its parts say, in their order: overrides, then costs, then cutoffs. What it says of classes that there are not
// makes no difference.
func TestDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := Settings{Cutoffs: map[string]float64{"x": 9}, Overrides: map[string]float64{"x": -9}, Costs: map[[2]string]float64{}}
		some := func() bool { return rng.IntN(3) == 0 }
		for _, name := range classes {
			switch {
			case some():
				s.Cutoffs[name] = float64(rng.IntN(9) - 4)
			case some():
				s.Overrides[name] = float64(rng.IntN(9) - 4)
			}
		}
		withCosts := some()
		for _, actual := range classes {
			for _, chosen := range classes {
				if withCosts && some() {
					s.Costs[[2]string{actual, chosen}] = float64(rng.IntN(10))
				}
			}
		}
		if withCosts && some() {
			s.Reject = map[string]float64{"a": 0.25, "b": 0.5}
		}
		scores, logP, best := scoresOf(rng)
		answer, reason := New(s, classes).Decide(scores, logP, best)

		claimed := None
		for k, name := range classes {
			if odds, ok := s.Overrides[name]; ok && calibration.LogOddsOf(scores, k) >= odds && (claimed == None || scores[k] > scores[claimed]) {
				claimed = k
			}
		}
		if claimed != None {
			if answer != claimed || (reason == "") != (answer == best) || reason != "" && reason != ByRecall {
				t.Fatalf("%v: %d by %q, but %d is claimed", scores, answer, reason, claimed)
			}
			return
		}
		expected := func(answer int) (sum float64) {
			for k, v := range logP {
				sum += math.Exp(v) * s.Cost(classes[k], classes[max(0, answer)], answer != None)
			}
			return sum
		}
		costs := len(s.Costs)+len(s.Reject) > 0
		switch {
		case answer == None && reason == ByCosts:
			for k := range classes {
				if expected(k) < expected(None)-1e-12 {
					t.Fatalf("%v: no answer costs %v, and %d %v", scores, expected(None), k, expected(k))
				}
			}
		case answer == None:
			if reason != ByCutoff || len(s.Cutoffs) == 1 {
				t.Fatalf("%v: no answer by %q", scores, reason)
			}
		default:
			if odds, ok := s.Cutoffs[classes[answer]]; ok && !(calibration.LogOddsOf(scores, answer) >= odds) {
				t.Fatalf("%v: %d is below %v", scores, answer, odds)
			}
			for k := range classes {
				if costs && expected(k) < expected(answer)-1e-12 || !costs && logP[k] > logP[answer] {
					t.Fatalf("%v: %d costs %v, and %d %v", scores, answer, expected(answer), k, expected(k))
				}
			}
			if costs && s.Reject != nil && expected(None) < expected(answer)-1e-12 {
				t.Fatalf("%v: %d costs %v, and no answer %v", scores, answer, expected(answer), expected(None))
			}
		}
	})
}

// Of two classes, a recall of one is a largest share of the other that is given the other: the others are unsure, or not.
func TestTwoClasses(t *testing.T) {
	two := classes[:2]
	byRecall, byCutoff := New(Settings{Overrides: map[string]float64{"a": -2}}, two), New(Settings{Cutoffs: map[string]float64{"b": 2}}, two)
	for odds := -4.5; odds < 5; odds++ {
		scores, best := []float64{0, odds}, 0
		if odds > 0 {
			best = 1
		}
		one, _ := byRecall.Decide(scores, nil, best)
		other, _ := byCutoff.Decide(scores, nil, best)
		if (one == 1) != (other == 1) || one == None {
			t.Errorf("log-odds %v: %d and %d", odds, one, other)
		}
	}
}

func TestNoRule(t *testing.T) {
	r := New(Settings{}, classes)
	if r != nil || r.Cutoff(1) != math.Inf(-1) || r.Needs(2, ByCutoff) != math.Inf(-1) {
		t.Errorf("%v", r)
	}
	if k, reason := r.Decide(nil, nil, 3); k != 3 || reason != "" {
		t.Error(k, reason)
	}
	r = New(Settings{Cutoffs: map[string]float64{"b": 2}, Overrides: map[string]float64{"c": 1}}, classes)
	if r.Cutoff(1) != 2 || r.Cutoff(2) != math.Inf(-1) || r.Needs(2, ByRecall) != 1 || r.Needs(1, ByCutoff) != 2 || r.Cutoff(-1) != math.Inf(-1) {
		t.Errorf("%+v", r)
	}
}

func TestCheck(t *testing.T) {
	nan := math.NaN()
	for want, s := range map[string]Settings{
		"":                                 {Cutoffs: map[string]float64{"a": math.Inf(1)}, Reject: map[string]float64{"a": -1}},
		`the cutoff of "a" is no number`:   {Cutoffs: map[string]float64{"a": nan}},
		`the cutoff of "b" is no number`:   {Overrides: map[string]float64{"b": nan}},
		`the cost of answering "b" to "a"`: {Costs: map[[2]string]float64{{"a", "b"}: math.Inf(1)}},
		`the cost of no answer to "a"`:     {Reject: map[string]float64{"a": nan}},
	} {
		if err := s.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Impossible labels are never the nearest, and without the cutoff of the empty name none is.
func TestNearest(t *testing.T) {
	classes := []string{"a", "b", "c"}
	for _, tt := range []struct {
		cutoffs map[string]float64
		odds    []float64
		want    int
	}{
		{nil, []float64{-1, -2, -3}, None},
		{map[string]float64{"a": 1}, []float64{-1, -2, -3}, None},
		{map[string]float64{"": -2}, []float64{-1, -2, -3}, 0},
		{map[string]float64{"": -1}, []float64{-1, -2, -3}, 0},
		{map[string]float64{"": -.5}, []float64{-1, -2, -3}, None},
		{map[string]float64{"": -2, "a": 4, "c": -1.5}, []float64{-1, -2, -3}, 2},
		{map[string]float64{"": math.Inf(-1)}, []float64{math.Inf(-1), math.Inf(-1), -1e9}, 2},
		{map[string]float64{"": math.Inf(-1)}, []float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}, None},
		{map[string]float64{"": -2}, []float64{-1, -1, -1}, 0},
	} {
		if got := New(Settings{Cutoffs: tt.cutoffs}, classes).Nearest(tt.odds); got != tt.want {
			t.Errorf("cutoffs %v, log-odds %v: %d, want %d", tt.cutoffs, tt.odds, got, tt.want)
		}
	}
}

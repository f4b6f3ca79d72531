package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/calibration"

	"pgregory.net/rapid"
)

// A cutoff gives its label to as many of the others as the rate allows with confidence, unless that would take a lower one
// than being the best class does, and to no more.
func TestCutoffs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, classes := rapid.IntRange(2, 60).Draw(t, "n"), rapid.IntRange(2, 4).Draw(t, "classes")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := &Scores{Classes: []string{"a", "b", "c", "d"}[:classes], Fold: make([]int, n)}
		for i := range n {
			s.Truth = append(s.Truth, i%classes)
			for range classes {
				s.logP = append(s.logP, -float64(r.IntN(12))) // so that some are equal
			}
			if i >= classes && r.IntN(5) == 0 {
				s.Fold[i] = -1 // was not tested
			}
		}
		rate := rapid.OneOf(rapid.Float64Range(0, 0.99), rapid.Just(math.Nextafter(1, 0))).Draw(t, "rate")
		cutoffs, err := s.Cutoffs(map[string]float64{"b": rate})
		if err != nil {
			t.Fatal(err)
		}
		c := cutoffs[0]
		var others []float64
		given := 0
		for _, i := range s.tested() {
			if s.Truth[i] != 1 {
				others = append(others, s.logOdds(i, 1))
				if s.Prediction(i).Best().Class == "b" && s.logOdds(i, 1) >= c.LogOdds {
					given++
				}
			}
		}
		if c.Others != len(others) || c.Given != given || float64(given) > rate*float64(len(others))+1e-9 {
			t.Fatalf("%+v: %d of %d others are given it, at a rate of %v", c, given, len(others), rate)
		}
		slices.Sort(others)
		i, _ := slices.BinarySearch(others, c.LogOdds)
		if i == 0 {
			t.Fatalf("%+v: all others reach it", c)
		}
		next := others[i-1] // the first that must not be given it
		if reach := len(others) - slices.Index(others, next); reach <= allowed(len(others), rate) {
			t.Fatalf("%+v: %v could be given it as well, as the %d. of %d", c, next, reach, len(others))
		}
		if want := len(others) >= Needed(rate) && rate > 0; c.Shows() != want || c.Shows() != (c.Promise == rate) {
			t.Fatalf("%d others show a rate of %v: %v, and promise %v", len(others), rate, c.Shows(), c.Promise)
		}
	})
}

// What is infinite is never certain enough, and what is impossible allows any cutoff.
func TestInfiniteCutoffs(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		odds []float64 // of b, for examples of a
		rate float64
		want float64
	}{
		{[]float64{inf, inf, 1}, 0.34, inf},
		{slices.Repeat([]float64{inf, -inf, -inf}, 20), 0.5, -inf},
		{slices.Repeat([]float64{math.NaN(), 2}, 20), 0.7, -inf},
	} {
		s := &Scores{Classes: []string{"a", "b"}, Truth: make([]int, len(tc.odds)), Fold: make([]int, len(tc.odds))}
		for _, v := range tc.odds {
			switch {
			case math.IsInf(v, 1):
				s.logP = append(s.logP, -inf, 0)
			case math.IsInf(v, -1):
				s.logP = append(s.logP, 0, -inf)
			case math.IsNaN(v):
				s.logP = append(s.logP, -inf, -inf)
			default:
				s.logP = append(s.logP, 0, v)
			}
		}
		cutoffs, err := s.Cutoffs(map[string]float64{"b": tc.rate})
		if err != nil || cutoffs[0].LogOdds != tc.want || float64(cutoffs[0].Given) > tc.rate*float64(len(tc.odds)) {
			t.Errorf("%v: %+v, %v", tc.odds, cutoffs, err)
		}
	}
	if calibration.Reaches(inf, inf) || !calibration.Reaches(inf, 1) || calibration.Reaches(math.NaN(), -inf) {
		t.Error("what reaches an infinite cutoff")
	}
}

func TestCutoffErrors(t *testing.T) {
	s := sharp(20, 1, 1)
	for want, rates := range map[string]map[string]float64{
		`"c" is none of the classes`:      {"c": 0.1},
		`want a number from 0 to less`:    {"a": 1},
		`want a number from 0 to less t`:  {"a": math.NaN()},
		`want a number from 0 to less th`: {"a": -0.1},
	} {
		if _, err := s.Cutoffs(rates); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", rates, err)
		}
	}
	clear(s.Truth)
	if _, err := s.Cutoffs(map[string]float64{"a": 0.1}); err == nil || !strings.Contains(err.Error(), "other than") {
		t.Error(err)
	}
}

// A model with cutoffs is unsure of exactly the examples that the scores are, since its log-odds are those
// of the model inside it, whatever the calibration is.
func TestModelWithCutoffs(t *testing.T) {
	examples := messages()
	c, err := bayes.ReadCorpus(context.Background(), nil, seqOf(examples), nil)
	if err != nil {
		t.Fatal(err)
	}
	em := bayes.Multinomial{}
	s, err := CrossValidate(context.Background(), c, nil, em)
	if err != nil {
		t.Fatal(err)
	}
	cutoffs := []Cutoff{{Label: "ham", LogOdds: 1}, {Label: "spam", LogOdds: 1.5}}
	unsure := 0
	for i, ex := range examples {
		counts := bayes.NewCounts(nil)
		for j, other := range examples {
			if j != i {
				counts.Learn(other)
			}
		}
		m, err := bayes.Fit(counts, bayes.Calibrated{Model: em, Temperature: 3, Cutoffs: LogOddsByLabel(cutoffs)})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Predict(ex.Document())
		k := slices.Index(s.Classes, p.Best().Class)
		label := slices.IndexFunc(cutoffs, func(c Cutoff) bool { return c.Label == p.Best().Class })
		want := s.logOdds(i, k) < cutoffs[label].LogOdds
		if p.Unsure != want {
			t.Errorf("%q: unsure %v, want %v", ex.Text, p.Unsure, want)
		}
		if want {
			unsure++
		}
	}
	if unsure == 0 || unsure == len(examples) {
		t.Errorf("%d of %d are unsure: nothing is tested", unsure, len(examples))
	}
}

// Cutoffs that others set keep their rate on what did not set them, and the Tally counts what is unsure.
func TestCrossCutoffs(t *testing.T) {
	s := sharp(40000, 2, 5)
	after, held, err := s.CrossCutoffs(map[string]float64{"a": 0.05, "b": 0.01})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range held {
		sd := math.Sqrt(c.MaxFPR * (1 - c.MaxFPR) / float64(c.Others) * 1.25) // the cutoff is drawn too, from four fifths
		if got := float64(c.Given) / float64(c.Others); math.Abs(got-c.MaxFPR) > 5*sd {
			t.Errorf("%s: %v of the others are given it, want about %v", c.Label, got, c.MaxFPR)
		}
	}
	tally := after.Tally()
	n, accuracy := tally.Unsure()
	wrong := held[0].Given + held[1].Given
	if sure := tally.Documents() - n; n == 0 || math.Abs(accuracy-(1-float64(wrong)/float64(sure))) > 1e-12 {
		t.Errorf("%d are unsure, accuracy of the rest %v, with %d wrong", n, accuracy, wrong)
	}
	sum := new(Tally)
	sum.Add(tally)
	if again, _ := sum.Unsure(); again != n {
		t.Errorf("%d are unsure when added, want %d", again, n)
	}
	if before, all := s.Tally().Unsure(); before != 0 || all >= accuracy {
		t.Errorf("without cutoffs %d are unsure, accuracy %v", before, all)
	}
}

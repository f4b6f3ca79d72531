package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bayes"
)

// A trial is chosen if it is more accurate than the labelled alone, and of no higher log loss: the best of both.
func TestBestTrial(t *testing.T) {
	trial := func(alpha float64, rounds int, accuracy, loss float64) SemiTrial {
		return SemiTrial{Smoothing: bayes.Additive(alpha), Weight: .25, Rounds: rounds, Accuracy: accuracy, LogLoss: loss}
	}
	alone := SemiTrial{Accuracy: .5, LogLoss: 1}
	good := trial(.1, 5, .6, .9) // five rounds are usual with 36 examples a class
	none := trial(0, 5, .6, .9)  // is smoothed by nothing, as is asked for
	surer := trial(.1, 5, .6, .8)
	even := trial(.1, 5, .6, 1)
	lucky := trial(.1, 5, .7, 1.1)
	wrong := trial(.1, 5, .5, .5)
	right := trial(.1, 5, .66, .95)
	near := trial(.01, 5, .62, .88)
	ahead := trial(.01, 5, .63, .87)
	more := trial(.3, 5, .62, .88)
	smooth := trial(.3, 5, .63, .87)
	longer := trial(.1, 10, .61, .88)
	longest := trial(.1, 10, .61, .87)
	shorter := trial(.1, 2, .62, .88)
	little, centred := trial(.1, 5, .61, .89), trial(.1, 5, .615, .885)
	later, latest := trial(.1, 10, .625, .875), trial(.1, 10, .635, .865)
	for _, t := range []*SemiTrial{&little, &centred, &later, &latest} {
		t.Centred = true
	}
	for _, of := range []struct {
		trials []SemiTrial
		want   SemiTrial
	}{
		{[]SemiTrial{alone}, alone},
		{[]SemiTrial{alone, good}, good},
		{[]SemiTrial{alone, none}, none},
		{[]SemiTrial{alone, surer, good}, surer},
		{[]SemiTrial{alone, lucky}, alone},
		{[]SemiTrial{alone, even}, even},
		{[]SemiTrial{alone, wrong}, alone},
		{[]SemiTrial{alone, good, right}, right},  // .06 more accurate, and .05 more of log loss
		{[]SemiTrial{alone, right, surer}, surer}, // .06 less accurate, and .15 less of log loss
		{[]SemiTrial{alone, lucky, good, wrong}, good},
		{[]SemiTrial{alone, good, near}, good},       // has to be ahead by 0.05, and is by 0.04
		{[]SemiTrial{alone, good, ahead}, ahead},     // by 0.06
		{[]SemiTrial{alone, good, more}, good},       // as well
		{[]SemiTrial{alone, good, smooth}, smooth},   // by 0.06
		{[]SemiTrial{alone, good, longer}, good},     // has to be ahead by 0.05·ln 2 = 0.035, and is by 0.03
		{[]SemiTrial{alone, good, longest}, longest}, // is ahead by 0.04
		{[]SemiTrial{alone, good, shorter}, good},    // has to be ahead by 0.05·ln 2.5 = 0.046
		{[]SemiTrial{alone, good, little}, good},     // has to be ahead by 0.025, and is by 0.02
		{[]SemiTrial{alone, good, centred}, centred}, // by 0.03
		{[]SemiTrial{alone, good, later}, good},      // has to be ahead by 0.025 + 0.05·ln 2 = 0.06, and is by 0.05
		{[]SemiTrial{alone, good, latest}, latest},   // by 0.07
	} {
		if got := best(of.trials, 100, usualOf(36, false)); got != of.want {
			t.Errorf("%+v: %+v, want %+v", of.trials, got, of.want)
		}
	}

	// Also of examples that were asked for, where all else has to be ahead by 0.1.
	if got := best([]SemiTrial{alone, good, centred}, 100, usualOf(36, true)); got != centred {
		t.Errorf("%+v, want %+v", got, centred)
	}
	if got := best([]SemiTrial{alone, good, little}, 100, usualOf(36, true)); got != good {
		t.Errorf("%+v is ahead by 0.02", got)
	}

	// With many examples the usual smoothing is 0.3, the usual rounds are 2, and what differs has to be ahead by 0.01·(1 + ln 2.5) = 0.02, and is by 0.01.
	alike, fewer := trial(.3, 2, .6, .9), trial(.1, 5, .605, .895)
	if got := best([]SemiTrial{alone, fewer, alike}, 2700, usualOf(360, false)); got != alike {
		t.Errorf("%+v, want %+v, which is usual", got, alike)
	}
	if further := trial(.1, 5, .615, .885); best([]SemiTrial{alone, further, alike}, 2700, usualOf(360, false)) != further {
		t.Errorf("%+v is ahead by 0.03", further)
	}
	if got := best([]SemiTrial{alone, fewer, alike}, 300, usualOf(36, false)); got != fewer {
		t.Errorf("%+v, want %+v", got, fewer)
	}

	// Of examples that were asked for a trial may be less accurate than without the others by less than 0.05, if its log loss is no higher.
	slightly, much, surely := trial(.1, 5, .46, .9), trial(.1, 5, .44, .9), trial(.1, 5, .46, 1.1)
	for _, of := range []struct {
		trial, want SemiTrial
		asked       bool
	}{{slightly, slightly, true}, {slightly, alone, false}, {much, alone, true}, {surely, alone, true}} {
		if got := best([]SemiTrial{alone, of.trial}, 100, usualOf(36, of.asked)); got != of.want {
			t.Errorf("%+v, asked for %v: %+v, want %+v", of.trial, of.asked, got, of.want)
		}
	}

	// With few labelled examples a trial may have a higher log loss than they have alone, and be less accurate by two standard errors. The one that is ahead of the other by 1/√n is learned, or else half of each.
	usually := func(accuracy, loss, error float64) SemiTrial {
		t := trial(.1, 10, accuracy, loss)
		t.Error = error
		return t
	}
	centre := func(t SemiTrial) SemiTrial { t.Centred = true; return t }
	half := func(t SemiTrial) SemiTrial { t.Both = true; return t }
	for _, of := range []struct{ plain, centred, want SemiTrial }{
		{usually(.6, .9, .1), centre(usually(.64, .92, .2)), half(usually(.62, .91, .2))},
		{usually(.6, .9, .1), centre(usually(.65, .76, .1)), centre(usually(.65, .76, .1))}, // ahead by 0.19, and has to be by 1/√29 = 0.186
		{usually(.6, .9, .1), centre(usually(.65, .77, .1)), half(usually(.625, .835, .1))},
		{usually(.65, .76, .1), centre(usually(.6, .9, .1)), usually(.65, .76, .1)},
		{usually(.65, .77, .1), centre(usually(.6, .9, .1)), half(usually(.625, .835, .1))},
		{usually(.46, 1.1, .0201), centre(usually(.44, 1.1, .0301)), half(usually(.45, 1.1, .0301))},
		{usually(.46, .5, .0199), centre(usually(.44, 1.1, .0301)), centre(usually(.44, 1.1, .0301))},
		{usually(.46, 1.1, .0201), centre(usually(.44, .5, .0299)), usually(.46, 1.1, .0201)},
		{usually(.46, .5, .0199), centre(usually(.44, .5, .0299)), alone},
	} {
		if got := best([]SemiTrial{alone, of.plain, of.centred}, 29, usualOf(9, false)); !sameTrial(got, of.want) {
			t.Errorf("%+v and %+v, by 29 labelled examples: %+v, want %+v", of.plain, of.centred, got, of.want)
		}
	}
	if got := best([]SemiTrial{alone, lucky}, 30, usualOf(9, false)); got != alone {
		t.Errorf("%+v, by 30", got)
	}

	// Of examples that were asked for three and a half rounds are usual, however many there are, and what differs has to be ahead by twice as much: by 0.02·(1 + ln(3.5/2) - ln(5/3.5)), or 0.023.
	often, seldom := trial(.6, 5, .6, .9), trial(.2, 2, .607, .893)
	often.Weight, seldom.Weight = .5, .5
	if got := best([]SemiTrial{alone, often, seldom}, 2700, usualOf(360, true)); got != often {
		t.Errorf("%+v, want %+v", got, often)
	}
	if seldom.Accuracy += .01; best([]SemiTrial{alone, often, seldom}, 2700, usualOf(360, true)) != seldom {
		t.Errorf("%+v is ahead by 0.024", seldom)
	}
	if got := best([]SemiTrial{alone, trial(.3, 2, .6, .9), trial(.3, 5, .6, .9)}, 2700, usualOf(360, true)); got.Rounds != 5 {
		t.Errorf("%+v of examples that were asked for", got)
	}
}

// sameTrial reports whether trials are the same but for rounding.
func sameTrial(a, b SemiTrial) bool {
	near := math.Abs(a.Accuracy-b.Accuracy) < 1e-12 && math.Abs(a.LogLoss-b.LogLoss) < 1e-12
	a.Accuracy, a.LogLoss = b.Accuracy, b.LogLoss
	return near && a == b
}

// A trial is chosen by how many labelled examples there are, and by how many a class: of one, or of all in a class, it would be another.
func TestChosenByManyLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	all := textsInTurn(1500, "abcdef", 5, func(i int) string {
		return fmt.Sprintf("%c%d", "abcdefg"[(i%6+random.IntN(7)*random.IntN(2))%7], random.IntN(60))
	})
	found, err := SemiSupervised(t.Context(), nil, nil, each(all[:120]), each(all[120:]), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := best(found.Trials, 120, usualOf(20, false)); found.SemiTrial != want {
		t.Errorf("%+v, want %+v", found.SemiTrial, want)
	}
	if fewer := best(found.Trials, 30, usualOf(20, false)); found.SemiTrial == fewer {
		t.Errorf("%+v would be chosen of 30 examples, too", fewer)
	}
	if more := best(found.Trials, 120, usualOf(120, false)); found.SemiTrial == more {
		t.Errorf("%+v would be chosen of 120 examples a class, too", more)
	}
}

// A trial is as unusual as its rounds and its smoothing are far from what is usual with that many labels a class.
func TestUnusual(t *testing.T) {
	for _, of := range []struct {
		perClass          float64
		asked             bool
		weight, smoothing float64
		rounds, lead      float64
	}{
		{4.5, false, .25, .1, 10, .5},
		{9, false, .25, .1, 10, .5},
		{36, false, .25, .1, 5, .5},
		{225, false, .25, .1 * math.Sqrt(225./40), 2, .5},
		{360, false, .25, .3, 2, .5},
		{10000, false, .25, .3, 2, .5},
		{9, true, .25, .1, 10, .5},
		{35, true, .25, .1, 30 / math.Sqrt(35), .5},
		{36, true, .25, .1, 5, 1},
		{74, true, .25, .1 * math.Sqrt(74./40), 3.5, 1},
		{75, true, .5, .2 * math.Sqrt(75./40), 3.5, 1},
		{360, true, .5, .6, 3.5, 1},
	} {
		u := usualOf(of.perClass, of.asked)
		trial := SemiTrial{Smoothing: bayes.Additive(of.smoothing), Weight: of.weight, Rounds: 14}
		if much, want := u.unusual(trial), math.Log(14/of.rounds); math.Abs(much-want) > 1e-12 || u.weight != of.weight || u.lead != of.lead {
			t.Errorf("%+v: fourteen rounds are unusual by %v, want %v, of %+v", of, much, want, u)
		}
		trial.Smoothing, trial.Rounds = bayes.Additive(of.smoothing/2), 1
		if much, want := u.unusual(trial), math.Log(2*of.rounds); math.Abs(much-want) > 1e-12 {
			t.Errorf("%+v: one round and half the smoothing are unusual by %v, want %v", of, much, want)
		}
	}
	for alpha, want := range map[bayes.Additive]float64{.01: 1, .05: math.Ln2, .2: math.Ln2, .3: 1, 0: 0} {
		if much := usualOf(36, false).unusual(SemiTrial{Smoothing: alpha, Weight: .25, Rounds: 5}); math.Abs(much-want) > 1e-12 {
			t.Errorf("a smoothing of %v is unusual by %v, want %v", alpha, much, want)
		}
	}
}

// The log loss of a model that is too sure of all examples alike is that of one which is as sure as it may be.
func TestTemperedLoss(t *testing.T) {
	logP := func(p float64) []float64 { return []float64{math.Log(p), math.Log(1 - p)} }
	var right, sure, unknown temperedLoss
	for i := range 4 { // one of four is wrong
		class := min(i, 1)
		right.add(logP(.25), class)
		sure.add(logP(1/(1+math.Pow(3, 16))), class) // log-odds that are 16 times as large
		unknown.add(logP(.25), -1)
	}
	want := 4 * -(.25*math.Log(.25) + .75*math.Log(.75))
	if got := slices.Min(right[:]); math.Abs(got-want) > 1e-12 || got != right[0] {
		t.Errorf("%v, want %v at temperature 1", right, want)
	}
	if got := slices.Min(sure[:]); math.Abs(got-want) > 1e-9 || got != sure[4] || math.Abs(sure[0]-mostSemiLoss) > 1e-6 {
		t.Errorf("%v, want %v at temperature 16, and %v at most for one example", sure, want, mostSemiLoss)
	}
	var never temperedLoss
	never.add([]float64{0, math.Inf(-1)}, 1)
	if got, temperature := leastLoss([]temperedLoss{never}); got != mostSemiLoss || temperature != 1 {
		t.Errorf("%v at temperature %v of a class without probability, want %v", got, temperature, mostSemiLoss)
	}
	if got := slices.Min(unknown[:]); got != 4*mostSemiLoss {
		t.Errorf("%v of a class that is not known, want %v", got, 4*mostSemiLoss)
	}
}

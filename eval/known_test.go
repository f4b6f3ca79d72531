package eval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes"
)

// drawTexts returns texts of some classes, whose words are drawn from lists that overlap by half.
func drawTexts(rng *rand.Rand, n int, classes ...int) []bayes.Example {
	list := make([]bayes.Example, n)
	for i := range list {
		k := classes[rng.IntN(len(classes))]
		words := make([]string, 4+rng.IntN(12))
		for j := range words {
			// Words are rarer the later they are in their list, so that some are new in each text.
			words[j] = fmt.Sprintf("w%d", 20*k+int(40*rng.ExpFloat64()))
		}
		list[i] = bayes.Example{Label: fmt.Sprint(k), Text: strings.Join(words, " ")}
	}
	return list
}

// known returns a model of list that knows which share of texts is like them.
func known(t *testing.T, list []bayes.Example, em bayes.EventModel, share float64) (*bayes.Model, *Scores) {
	t.Helper()
	c, err := bayes.ReadCorpus(context.Background(), nil, seqOf(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := StratifiedFolds(Labels(c), 10, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := CrossValidateKnown(context.Background(), c, fold, em)
	if err != nil {
		t.Fatal(err)
	}
	with, err := s.Known(bayes.Calibrated{Model: em}, share)
	if err != nil {
		t.Fatal(err)
	}
	learned, err := c.Correct(context.Background(), with)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bayes.Fit(c.Counts(), learned)
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

// Of texts like the examples, the rate that was stated is foreign, and of others far more.
func TestKnownRate(t *testing.T) {
	for _, em := range []bayes.EventModel{bayes.Multinomial{}, bayes.Complement{Normalize: true}, bayes.Corrected{}} {
		rng := rand.New(rand.NewPCG(7, 7))
		const share, examples, tests = 0.9, 3000, 6000
		m, s := known(t, drawTexts(rng, examples, 0, 1, 2, 3), em, share)
		var tally Tally
		for _, ex := range append(drawTexts(rng, tests, 0, 1, 2, 3), drawTexts(rng, tests, 9)...) {
			tally.Observe(m.Predict(ex.Document()), ex.Label)
		}
		f := tally.Foreign(m.Classes())
		alarms, found := float64(f.Alarms)/float64(f.Known), float64(f.Found)/float64(f.Others)
		// What was held out is a sample as well; models that lack a tenth know a little less.
		if sd := math.Sqrt(share * (1 - share) * (1./examples + 1./tests)); math.Abs(alarms-(1-share)) > 5*sd {
			t.Errorf("%v: %v of known texts are foreign, want %v ± %v", em, alarms, 1-share, sd)
		}
		if f.Known != tests || f.Others != tests || found < 0.5 {
			t.Errorf("%v: %+v: of foreign texts %v are found", em, f, found)
		}
		crossed, err := s.CrossKnown(share)
		if err != nil {
			t.Fatal(err)
		}
		held := crossed.Tally().Foreign(s.Classes)
		if got, sd := float64(held.Alarms)/float64(held.Known), math.Sqrt(share*(1-share)*1.25/examples); held.Known != examples || math.Abs(got-(1-share)) > 5*sd {
			t.Errorf("%v: of examples held out %v are foreign, want %v ± %v", em, got, 1-share, sd)
		}
	}
}

func TestKnownErrors(t *testing.T) {
	list := drawTexts(rand.New(rand.NewPCG(1, 1)), 200, 0, 1)
	_, s := known(t, list, bayes.Multinomial{}, 0.9)
	for _, share := range []float64{0, 1, -1, math.NaN()} {
		if _, err := s.Known(bayes.Calibrated{}, share); err == nil || !strings.Contains(err.Error(), "share between 0 and 1") {
			t.Errorf("%v: %v", share, err)
		}
	}
	if _, err := sharp(40, 1, 1).CrossKnown(0.9); err == nil || !strings.Contains(err.Error(), "CrossValidateKnown") {
		t.Error(err)
	}
}

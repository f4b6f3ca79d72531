package bayes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"bayes/internal/vecmath"

	"pgregory.net/rapid"
)

func drawLogP(t *rapid.T) []float64 {
	logP := rapid.SliceOfN(rapid.Float64Range(-300, 0), 2, 8).Draw(t, "logP")
	vecmath.Posterior(logP)
	return logP
}

// The best class gets the probability that the curve says, wherever a power above
// zero can give it that, and the classes stay in their order.
func TestPower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logP := drawLogP(t)
		p := rapid.Float64Range(0.001, 0.999).Draw(t, "p")
		c := Calibrated{Isotonic: []Point{{0, p}}}
		after := slices.Clone(logP)
		c.Apply(after)
		for i := range logP {
			for k := range logP {
				if logP[i] > logP[k] && after[i] < after[k] {
					t.Fatalf("%v became %v", logP, after)
				}
			}
		}
		sorted := slices.Sorted(slices.Values(logP))
		if gap := sorted[len(sorted)-1] - sorted[len(sorted)-2]; p*float64(len(logP)) < 1.001 || gap < 1e-3 {
			return
		}
		if got := math.Exp(slices.Max(after)); math.Abs(got-p) > 1e-9 {
			t.Fatalf("%v: the best has %v, want %v", logP, got, p)
		}
	})
}

func TestCalibratedSpec(t *testing.T) {
	for _, m := range []Calibrated{
		{Model: Multinomial{Smoothing: Additive(1), Prior: EmpiricalPrior{}}},
		{Model: Complement{Smoothing: Additive(0.1), Prior: EmpiricalPrior{}}, Temperature: 8.25},
		{
			Model:    Selected{MinDocuments: 2, Model: Bernoulli{Smoothing: Additive(1), Prior: UniformPrior{}}},
			Isotonic: []Point{{-1.5, 0.25}, {0, 0.5}, {1e-7, 0.999}}, Coverage: []Point{{-30, 0.001}, {-1e-9, 0.05}},
		},
		{
			Model:   Multinomial{Smoothing: Additive(1), Prior: EmpiricalPrior{}},
			Cutoffs: map[string]float64{"spam": 6.907755, "a b": -0.25, `(="\`: math.Inf(1), ")": math.Inf(-1), "not (": 0},
		},
		{
			Model: Multinomial{Smoothing: Additive(1), Prior: EmpiricalPrior{}}, Cutoffs: map[string]float64{"spam": 1},
			Overrides: map[string]float64{"a>b": -0.5, "": math.Inf(1)}, Promises: map[string]float64{"spam": 0.001, "a>b": 0.95, "": 0.5},
			Costs: map[[2]string]float64{{"a>b", ""}: 10, {"", `"`}: 0, {"x", "x"}: -1.5}, Reject: map[string]float64{"x y": 0.25},
		},
	} {
		back, err := ParseEventModel(m.String())
		if err != nil || back.String() != m.String() {
			t.Errorf("%v: %v, %v", m, back, err)
		}
	}
	for _, spec := range []string{
		"calibrated temperature=x", "calibrated isotonic=1", "calibrated isotonic=1:y", "calibrated coverage=", "calibrated smoothing=1", "calibrated cutoffs=spam", "calibrated cutoffs=spam=x",
		"calibrated overrides=spam", "calibrated promises=x", "calibrated reject=", "calibrated costs=ham=1", "calibrated costs=ham>spam", "calibrated costs=ham>spam=x",
	} {
		if em, err := ParseEventModel(spec); err == nil {
			t.Errorf("%s: %v", spec, em)
		}
	}
}

func TestCalibratedErrors(t *testing.T) {
	c := NewCounts(nil)
	c.Learn(Example{Label: "a", Text: "x"})
	c.Learn(Example{Label: "b", Text: "y"})
	nan := math.NaN()
	for _, m := range []Calibrated{
		{Temperature: -1},
		{Temperature: math.Inf(1)},
		{Temperature: nan},
		{Isotonic: []Point{{0, 1}}},
		{Isotonic: []Point{{nan, 0.5}}},
		{Isotonic: []Point{{0, 0.5}, {0, 0.6}}},
		{Isotonic: []Point{{0, 0.5}, {1, 0.4}}},
		{Coverage: []Point{{math.Inf(-1), 0.5}}},
		{Cutoffs: map[string]float64{"a": nan}},
		{Overrides: map[string]float64{"a": nan}},
		{Costs: map[[2]string]float64{{"a", "b"}: math.Inf(1)}},
		{Reject: map[string]float64{"a": nan}},
	} {
		if _, err := Fit(c, m); err == nil {
			t.Errorf("%v was fitted", m)
		}
	}
}

// The best class is the same, the contributions times the power are the log-odds,
// and the derivation ends in the same probabilities.
func TestCalibratedModel(t *testing.T) {
	c := NewCounts(nil)
	c.Learn(Example{Label: "spam", Text: "win a free prize win"})
	c.Learn(Example{Label: "ham", Text: "see you at lunch"})
	c.Learn(Example{Label: "work", Text: "the meeting at three"})
	doc := Document{Text: "free lunch at three win"}
	plain, err := Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, em := range []Calibrated{{Temperature: 4}, {Isotonic: []Point{{-1, 0.34}, {1, 0.35}}}} {
		m, err := Fit(c, em)
		if err != nil {
			t.Fatal(err)
		}
		p, was := m.Predict(doc), plain.Predict(doc)
		if p.Best().Class != was.Best().Class || p.Best().P >= was.Best().P {
			t.Errorf("%v: %v, was %v", em, p, was)
		}
		ex := m.Explain(doc)
		sum := ex.Prior + ex.Absent
		for _, f := range ex.Features {
			sum += f.LogOdds
		}
		if want := p.Classes[0].LogP - p.Classes[1].LogP; math.Abs(ex.Power*sum-want) > 1e-12 {
			t.Errorf("%v: %v · %v is not %v", em, ex.Power, sum, want)
		}
		for _, d := range m.Derive(doc).Classes {
			i := slices.IndexFunc(p.Classes, func(c Prob) bool { return c.Class == d.Class })
			if d.P != p.Classes[i].P {
				t.Errorf("%v: derived %v for %s, want %v", em, d.P, d.Class, p.Classes[i].P)
			}
		}
	}
	if _, err := plain.Cover(plain.Predict(doc), 0.9); !errors.Is(err, ErrNoCoverage) {
		t.Error(err)
	}
}

// A class below its cutoff is no answer. What counts are the log-odds against all others together, as they
// are before calibration, in a frozen model as well.
func TestUnsure(t *testing.T) {
	c := NewCounts(nil)
	for label, text := range map[string]string{"spam": "win a free prize win", "ham": "see you at lunch", "work": "the meeting at three"} {
		c.Learn(Example{Label: label, Text: text})
	}
	plain, err := Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"free lunch at three win", "win win win prize", "unheard of", "see you at the lunch meeting"} {
		d := Document{Text: text}
		p := plain.Predict(d)
		best := p.Best()
		odds := best.LogP - math.Log1p(-best.P)
		for cutoff, want := range map[float64]bool{odds - 1e-6: false, odds + 1e-6: true, math.Inf(-1): false, math.Inf(1): true} {
			em := Calibrated{Temperature: 5, Cutoffs: map[string]float64{best.Class: cutoff}}
			m, err := Fit(c, em)
			if err != nil {
				t.Fatal(err)
			}
			frozen := openFile(t, frozenFile(t, m, nil))
			for name, m := range map[string]*Model{"model": m, "frozen": frozen} {
				got := m.Predict(d)
				if got.Unsure != want || got.Best().Class != best.Class {
					t.Errorf("%s, %q: unsure %v at a cutoff of %v, log-odds %v", name, text, got.Unsure, cutoff, odds)
				}
				if ex := m.Explain(d); ex.Unsure != want || ex.Cutoff != cutoff {
					t.Errorf("%s, %q: explained as unsure %v at %v", name, text, ex.Unsure, ex.Cutoff)
				}
				var top Prediction
				if m.PredictTop(&top, d, 1); top.Unsure != want {
					t.Errorf("%s, %q: of the best alone, unsure is %v", name, text, top.Unsure)
				}
			}
		}
		other := Calibrated{Cutoffs: map[string]float64{p.Classes[1].Class: math.Inf(1)}}
		if m, err := Fit(c, other); err != nil || m.Predict(d).Unsure {
			t.Errorf("%q: the cutoff of another class counts: %v", text, err)
		}
	}
}

// A class that is chosen is the answer of a model and of a frozen one, is among the classes however few are asked for, and is
// what is explained, against the best.
func TestChosen(t *testing.T) {
	c := NewCounts(nil)
	for label, text := range map[string]string{"spam": "win a free prize win", "ham": "see you at lunch", "work": "the meeting at three"} {
		c.Learn(Example{Label: label, Text: text})
	}
	d := Document{Text: "see you at the lunch meeting"}
	for _, tc := range []struct {
		em             Calibrated
		answer, reason string
		unsure         bool
		cutoff         float64
	}{
		{Calibrated{Temperature: 2, Overrides: map[string]float64{"spam": -100}}, "spam", "recall", false, -100},
		{Calibrated{Overrides: map[string]float64{"spam": -100, "work": -100}}, "work", "recall", false, -100},
		{Calibrated{Overrides: map[string]float64{"ham": -100, "work": -100}}, "ham", "", false, math.Inf(-1)},
		{Calibrated{Overrides: map[string]float64{"spam": 100}}, "ham", "", false, math.Inf(-1)},
		{Calibrated{Costs: map[[2]string]float64{{"spam", "ham"}: 1e9, {"spam", "work"}: 1e9}}, "spam", "costs", false, math.Inf(-1)},
		{Calibrated{Costs: map[[2]string]float64{{"spam", "ham"}: 1e9, {"spam", "work"}: 1e9}, Cutoffs: map[string]float64{"spam": 0}}, "ham", "cutoff", true, math.Inf(-1)},
		{Calibrated{Reject: map[string]float64{"ham": 0, "spam": 0, "work": 0}}, "ham", "costs", true, math.Inf(-1)},
	} {
		m, err := Fit(c, tc.em)
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range map[string]*Model{"model": m, "frozen": openFile(t, frozenFile(t, m, nil))} {
			for most := 1; most <= 3; most++ {
				var p Prediction
				m.PredictTop(&p, d, most)
				if p.Answer().Class != tc.answer || p.Reason != tc.reason || p.Unsure != tc.unsure || p.Best().Class != "ham" || len(p.Classes)+p.LeftOut != 3 {
					t.Errorf("%s, %v: of the %d best %+v, want %s by %q", name, tc.em, most, p, tc.answer, tc.reason)
				}
			}
			ex, other := m.Explain(d), "ham"
			if tc.answer == "ham" {
				other = "work"
			}
			if ex.Class != tc.answer || ex.Against != other || ex.Cutoff != tc.cutoff {
				t.Errorf("%s, %v: explained as %s against %s at %v", name, tc.em, ex.Class, ex.Against, ex.Cutoff)
			}
			if got := m.Calibration().String(); got != tc.em.String() {
				t.Errorf("%s: calibration %s, want %v", name, got, tc.em)
			}
		}
	}
}

func ExampleModel_Cover() {
	c := NewCounts(nil)
	c.Learn(Example{Label: "spam", Text: "win a free prize"})
	c.Learn(Example{Label: "ham", Text: "see you at lunch"})
	// Of examples held out, one in twenty had its label below 30 percent, and one in
	// five below 60 percent. Package eval finds such figures.
	m, err := Fit(c, Calibrated{Coverage: []Point{{math.Log(0.3), 0.05}, {math.Log(0.6), 0.2}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"free prize", "hello"} {
		set, err := m.Cover(m.Predict(Document{Text: text}), 0.95)
		fmt.Println(set[0].Class, len(set), err)
	}
	_, err = m.Cover(m.Predict(Document{Text: "free"}), 0.99)
	fmt.Println(err)
	// Output:
	// spam 1 <nil>
	// ham 2 <nil>
	// bayes: coverage 0.99: the examples held out allow at most 0.95
}

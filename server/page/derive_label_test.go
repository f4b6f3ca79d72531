package page_test

import (
	"fmt"
	"testing"

	"bayes"
	"bayes/internal/browser"

	"github.com/chromedp/chromedp"
)

// addCorrectedTopics adds a model of several labels with a correction, a temperature and cutoffs.
func (s *site) addCorrectedTopics(name string, cutoffs map[string]float64) {
	s.t.Helper()
	c, err := bayes.ReadCorpus(s.t.Context(), &bayes.Space{LabelSeparator: ";"}, func(yield func(bayes.Example, error) bool) {
		for range 5 {
			for _, ex := range []bayes.Example{{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: "grain", Text: "wheat corn"}, {Label: ";", Text: "rain today"}} {
				if !yield(ex, nil) {
					return
				}
			}
		}
	}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	em, err := c.Correct(s.t.Context(), bayes.Corrected{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.add(name, c.Counts(), bayes.Calibrated{Model: em, Temperature: 2, Cutoffs: cutoffs})
}

// derivesLabel waits for the derivation of a label, each of whose steps says one of these.
func (u user) derivesLabel(label string, steps ...string) {
	u.t.Helper()
	u.wait("the derivation of "+label, `document.querySelector('#derive-label')?.value === %q`, label)
	for i, want := range steps {
		u.sees(fmt.Sprintf(".derive > li:nth-child(%d)", i+1), want)
	}
}

// formula returns the formulas of a step.
func (u user) formula(step int) string {
	u.t.Helper()
	return eval[string](u, `[...document.querySelectorAll('.derive > li:nth-child(%d) math')].map(m => m.textContent).join(' ')`, step)
}

// Where documents may have several labels, the derivation is that of the label that is explained, and another can be chosen.
func TestDeriveLabel(t *testing.T) {
	u, s := visitSets(t)
	u.write("wheat crude")
	u.sees(".verdict", "grain, oil")
	u.unfold()
	u.derivesLabel("grain", "the label grain", "in the rest", "added", "sum to 1", "grain is given.")
	// Two of five examples have the label. "wheat" stands twice among the four words of these and "crude" once; the rest has six
	// words, "crude" among them; seven words are known.
	for step, want := range map[int]string{
		1: "P(grain)P(¬grain) =23=0.6667 ln=−0.405",
		2: "2+14+7/0+16+7=3.545 1+14+7/1+16+7=1.182",
		4: "P(grain|d) =11+e−(1.027) =0.7364",
		5: "1.027≥0.000",
	} {
		if got := u.formula(step); got != want {
			t.Errorf("step %d is %q, not %q", step, got, want)
		}
	}
	u.sees(".derive .added strong", "1.027")
	if n := u.count(".derive msqrt"); n > 0 {
		t.Errorf("%d roots, which are of one label alone", n)
	}
	eval[bool](u, `(e => { e.value = 'oil'; e.focus(); return e.dispatchEvent(new Event('change')) })(document.querySelector('#derive-label'))`)
	u.derivesLabel("oil", "the label oil")
	u.sees(".legend", "oil") // the words are those of the same label
	u.wait("the choice keeps the focus", `document.activeElement.id === 'derive-label'`)
	u.write("rain today")
	u.derivesLabel("oil", "", "", "", "", "oil is not given.")
	eval[bool](u, `[...document.querySelectorAll('.bars .link')].find(b => b.innerText === 'grain').click(), true`)
	u.derivesLabel("grain", "the label grain")
	u.Clean(t, s.address())
}

// A correction, a temperature and cutoffs are part of the derivation.
func TestDeriveCorrectedLabel(t *testing.T) {
	u, s := visitSets(t)
	s.addCorrectedTopics("corrected", map[string]float64{"grain": -20, "oil": 30})
	s.addCorrectedTopics("far", map[string]float64{"grain": 20, "oil": 30, "": -25})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("corrected")
	u.write("wheat corn")
	u.sees(".verdict", "grain")
	u.unfold()
	u.derivesLabel("grain", "learned from the examples", "those of grain against all that lack it", "The bias and", "divided by 2", "grain is given.")
	for step, want := range map[int]string{1: "b=", 4: "/2)", 5: "≥−20.000"} {
		u.formulaHas(step, want)
	}
	eval[bool](u, `[...document.querySelectorAll('.bars .link')].find(b => b.innerText === 'oil').click(), true`)
	u.derivesLabel("oil", "", "", "", "", "oil is not given.")
	u.formulaHas(5, "<30.000")
	// Where no label reaches its cutoff, the nearest may be given.
	u.pick("far")
	u.write("wheat corn")
	u.sees(".verdict", "grain")
	u.unfold()
	u.derivesLabel("grain", "", "", "", "", "as no label reaches its cutoff")
	u.formulaHas(5, "<20.000")
	u.Clean(t, s.address())
}

func (u user) formulaHas(step int, want string) {
	u.t.Helper()
	u.wait("step with "+want, `[...document.querySelectorAll('.derive > li:nth-child(%d) math')].map(m => m.textContent).join(' ').includes(%q)`, step, want)
}

// The derivation of a label is whole and readable in every window and language.
func TestDeriveLabelLooks(t *testing.T) {
	u, s := visitSets(t)
	s.addCorrectedTopics("corrected", map[string]float64{"grain": 20, "oil": 30, "": -25})
	for i, w := range browser.Windows(t) {
		u.Visit(t, s.address(), w.Width, w.Scheme)
		for _, language := range languages(t, i) {
			u.speak(language)
			for _, model := range []string{"topics", "corrected"} {
				name := fmt.Sprintf("derive-%s-%d-%s-%s", model, w.Width, w.Scheme, language)
				u.pick(model)
				u.write("wheat crude crude and opec")
				u.sees(".coloured", "and opec")
				u.unfold()
				u.do(chromedp.Sleep(250 * 1e6)) // until nothing moves
				for _, complaint := range append(u.Errors(), u.Measure(t).Complaints(w.Width, w.Scheme)...) {
					t.Errorf("%s: %s", name, complaint)
				}
				u.Picture(t, name)
			}
		}
	}
}

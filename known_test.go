package bayes_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// How typical an example held out is, is what a model that never saw it says.
func TestHeldOutEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := drawSpace(t)
		list := drawExamples(t, rapid.Bool().Draw(t, "attrs"))
		models := append(textModels(), bayes.Corrected{})
		for _, ex := range list {
			if len(ex.Attrs) > 0 {
				models = mixedModels()
				space.NumberValues = true
			}
		}
		em := rapid.SampledFrom(models).Draw(t, "model")
		checkEvidence(t, space, list, em)
	})
}

func checkEvidence(t *rapid.T, space *bayes.Space, list []bayes.Example, em bayes.EventModel) {
	known := bayes.Calibrated{Model: em, Known: 0.5}
	c := readCorpus(t, space, list)
	fold := make([]int, len(list))
	for i := range fold {
		fold[i] = rapid.IntRange(-1, 1).Draw(t, "fold")
	}
	got := make([][2]float64, len(list))
	if err := c.HeldOut(context.Background(), fold, []bayes.EventModel{known}, func(h *bayes.HeldOutScores) {
		got[h.Example][0], got[h.Example][1] = h.Evidence(0)
	}); err != nil {
		return // that is tested elsewhere
	}
	for f := range 2 {
		var part []bayes.Example
		for i, ex := range list {
			if fold[i] != f {
				part = append(part, ex)
			}
		}
		learned, err := readCorpus(t, space, part).Correct(context.Background(), known)
		if err != nil {
			continue
		}
		m, err := retrained(space, list, func(i int) bool { return fold[i] != f }, learned)
		if err != nil {
			continue
		}
		for i, ex := range list {
			if p := m.Predict(ex.Document()); fold[i] != f || math.IsInf(p.Best().LogJoint, 0) {
				continue
			}
			margin, unknown := m.EvidenceOf(ex.Document())
			tolerance := 1e-9 * max(1, math.Abs(margin))
			if bayes.CorrectionOf(m.EventModel()) != nil {
				tolerance = 0.1 // of what is learned to a tolerance
			}
			if math.Abs(got[i][0]-margin) > tolerance || math.Abs(got[i][1]-unknown) > 1e-12 {
				t.Fatalf("%v in %v: example %d, %q: %v, want %v and %v", em, space, i, ex.Text, got[i], margin, unknown)
			}
		}
	}
}

// What is foreign is so in a file, in a frozen one, and in a model of counts that are merged.
func TestForeignLivesOn(t *testing.T) {
	em := bayes.Calibrated{
		Known: 0.9, Unfamiliar: 2,
		Typical: map[string][]bayes.Point{"ham": {{X: -0.1, Y: 0.1}, {X: 0.9, Y: 0.5}}, "": {{X: -0.25, Y: 0.05}}},
	}
	counts, half := bayes.NewCounts(nil), bayes.NewCounts(nil)
	for i, text := range []string{"free prize today", "lunch at one", "win a free prize", "see you at lunch"} {
		ex := bayes.Example{Label: []string{"spam", "ham"}[i%2], Text: text}
		if i < 2 {
			counts.Learn(ex)
		} else {
			half.Learn(ex)
		}
	}
	if err := counts.Add(half); err != nil {
		t.Fatal(err)
	}
	m, err := bayes.Fit(counts, em)
	if err != nil {
		t.Fatal(err)
	}
	var file, frozen bytes.Buffer
	if err := m.Freeze(&frozen, nil); err != nil {
		t.Fatal(err)
	}
	if err := m.Freeze(new(bytes.Buffer), &bayes.FreezeOptions{Prune: 0.1}); err == nil || !strings.Contains(err.Error(), "pruned") {
		t.Errorf("pruned: %v", err)
	}
	if err := bayes.Save(&file, counts, em); err != nil {
		t.Fatal(err)
	}
	models := map[string]*bayes.Model{"fitted": m}
	for name, data := range map[string]*bytes.Buffer{"loaded": &file, "frozen": &frozen} {
		if models[name], err = bayes.LoadModel(data); err != nil {
			t.Fatal(err)
		}
	}
	for name, m := range models {
		if m.Known() != 0.9 {
			t.Errorf("%s: known %v", name, m.Known())
		}
		for text, want := range map[string]string{
			"lunch at one":           "ham 1 false",
			"lunch at one qui quo":   "ham 0.1 true",
			"free prize":             "spam 1 false",
			"free dolor sit amet":    "spam 0.05 true",
			"consectetur adipiscing": "ham 0.1 true",
		} {
			p := m.Predict(bayes.Document{Text: text})
			if got := fmt.Sprint(p.Best().Class, " ", p.Typicality, " ", p.Foreign); got != want {
				margin, unknown := m.EvidenceOf(bayes.Document{Text: text})
				t.Errorf("%s: %q: %s, want %s (%v, %v)", name, text, got, want, margin, unknown)
			}
		}
	}
	// A prediction that is used again is not what it was.
	p := models["fitted"].Predict(bayes.Document{Text: "qui quo"})
	plain, err := bayes.Fit(counts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain.PredictInto(&p, bayes.Document{Text: "lunch"}); p.Foreign || p.Typicality != 0 || plain.Known() != 0 {
		t.Errorf("a model that knows nothing of it says %+v", p)
	}
}

func ExampleModel_Known() {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	c.Learn(bayes.Example{Label: "ham", Text: "lunch at one"})
	// Package eval sets how typical documents are, by examples held out.
	m, err := bayes.Fit(c, bayes.Calibrated{
		Known: 0.95, Unfamiliar: 2, Typical: map[string][]bayes.Point{"": {{X: -0.5, Y: 0.05}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"free lunch at one", "lorem ipsum dolor"} {
		p := m.Predict(bayes.Document{Text: text})
		fmt.Println(p.Best().Class, p.Typicality, p.Foreign)
	}
	fmt.Println(m.Known())
	// Output:
	// ham 1 false
	// ham 0.05 true
	// 0.95
}

package bayes_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes"
)

// generate returns n examples of two classes in which text, number and category
// each tell a little, and one cell in ten is missing. The seed is fixed.
func generate(n int) []bayes.Example {
	rng := rand.New(rand.NewPCG(2026, 11))
	var list []bayes.Example
	for range n {
		class := rng.IntN(2)
		ex := bayes.Example{Label: []string{"stays", "leaves"}[class]}
		if rng.IntN(10) > 0 {
			var words []string
			for range 6 {
				word := []string{"fine", "slow", "price", "team", "report", "mobile"}[rng.IntN(6)]
				if rng.IntN(8) == 0 {
					word = []string{"great", "cancel"}[class]
				}
				words = append(words, word)
			}
			ex.Attrs = append(ex.Attrs, bayes.Text("note", strings.Join(words, " ")))
		}
		if rng.IntN(10) > 0 {
			ex.Attrs = append(ex.Attrs, bayes.Number("months", 12+4*rng.NormFloat64()-5*float64(class)))
		}
		if rng.IntN(10) > 0 {
			plan := []string{"gold", "basic"}[class]
			if rng.IntN(3) == 0 {
				plan = []string{"basic", "gold", "trial"}[rng.IntN(3)]
			}
			ex.Attrs = append(ex.Attrs, bayes.Category("plan", plan))
		}
		list = append(list, ex)
	}
	return list
}

// only returns the examples with but the attributes of one name.
func only(name string, list []bayes.Example) []bayes.Example {
	var out []bayes.Example
	for _, ex := range list {
		var attrs []bayes.Attr
		for _, a := range ex.Attrs {
			if a.Name == name {
				attrs = append(attrs, a)
			}
		}
		ex.Attrs = attrs
		out = append(out, ex)
	}
	return out
}

func accuracyOf(t *testing.T, train, test []bayes.Example) float64 {
	t.Helper()
	m := fit(t, learn(nil, train...), bayes.Mixed{})
	right := 0
	for _, ex := range test {
		if m.Predict(ex.Document()).Best().Class == ex.Label {
			right++
		}
	}
	return float64(right) / float64(len(test))
}

// Each block alone does worse than all of them together.
func TestMixedBeatsItsParts(t *testing.T) {
	list := generate(6000)
	train, test := list[:3000], list[3000:]
	mixed := accuracyOf(t, train, test)
	for _, name := range []string{"note", "months", "plan"} {
		alone := accuracyOf(t, only(name, train), only(name, test))
		t.Logf("%s alone %.4f, mixed %.4f", name, alone, mixed)
		if alone < .55 || alone > mixed-.03 {
			t.Errorf("%s alone %.4f, mixed %.4f", name, alone, mixed)
		}
	}
}

// A mixed model is merged, unlearned, saved and explained like any other.
func TestMixedIsCounts(t *testing.T) {
	list := generate(400)
	all, first, second := learn(nil, list...), learn(nil, list[:150]...), learn(nil, list[150:]...)
	if err := first.Add(second); err != nil {
		t.Fatal(err)
	}
	a, b := fit(t, all, bayes.Mixed{}), fit(t, first, bayes.Mixed{})
	for _, ex := range list[:50] {
		p, q := a.Predict(ex.Document()).Best(), b.Predict(ex.Document()).Best()
		if p.Class != q.Class || !near(p.LogJoint, q.LogJoint, 1e-12) {
			t.Fatalf("whole %v, merged %v", p, q)
		}
	}
	for _, ex := range list {
		all.Unlearn(ex)
	}
	if all.Len() != 0 || len(all.Classes()) != 0 {
		t.Errorf("%d features and the classes %q are left", all.Len(), all.Classes())
	}
	var file bytes.Buffer
	if err := bayes.Save(&file, first, bayes.Mixed{}); err != nil {
		t.Fatal(err)
	}
	m, err := bayes.LoadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Predict(list[0].Document()).Best(), b.Predict(list[0].Document()).Best(); got != want {
		t.Errorf("loaded %v, want %v", got, want)
	}
}

// Complement's score has no prior of its own; mixed adds the prior once.
func TestMixedPrior(t *testing.T) {
	c := learn(nil, iirTraining...)
	prior := bayes.GivenPrior{"China": .9, "Japan": .1}
	alone := fit(t, c, bayes.Complement{}).Predict(bayes.Document{Text: iirTest})
	mixed := fit(t, c, bayes.Mixed{Prior: prior, Text: bayes.Complement{Prior: bayes.UniformPrior{}}}).Predict(bayes.Document{Text: iirTest})
	for label, p := range prior {
		if got, want := probOf(mixed, label).LogJoint, probOf(alone, label).LogJoint; !near(got, want+math.Log(p), 1e-12) {
			t.Errorf("%s: %v, want %v + ln %v", label, got, want, p)
		}
	}
}

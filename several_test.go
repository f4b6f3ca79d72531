package bayes_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// labelled draws examples with labels.
func labelled(t *rapid.T, label *rapid.Generator[string], name string) []bayes.Example {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bayes.Example {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"u", "v", "w", "x", "y"}), 0, 6).Draw(t, "words")
		return bayes.Example{Label: label.Draw(t, "label"), Text: strings.Join(words, " ")}
	}), 3, 12).Draw(t, name)
}

var (
	oneLabel = rapid.SampledFrom([]string{"a", "b", "c"})
	labelSet = rapid.SampledFrom([]string{"a", "b", "c", "a b", "b a", "c b a", "a c ", " ", "b  c"})
)

func counted(t *rapid.T, s *bayes.Space, list []bayes.Example) *bayes.Counts {
	c := bayes.NewCounts(s)
	for _, ex := range list {
		c.Learn(ex)
	}
	return c
}

func encoded(t *rapid.T, c *bayes.Counts) []byte {
	b, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Where each document has one label, the log-odds of labels are twice the scores of one against the rest.
func TestLabelSetsOfOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := labelled(t, oneLabel, "examples")
		apart := counted(t, &bayes.Space{LabelSeparator: " "}, list)
		one := counted(t, nil, list)
		if len(one.Classes()) < 2 {
			t.Skip("one class")
		}
		alpha := bayes.Additive(rapid.SampledFrom([]float64{1, 0.1, 2}).Draw(t, "alpha"))
		want, err := bayes.Fit(one, bayes.OneVersusRest{Smoothing: alpha})
		if err != nil {
			t.Fatal(err)
		}
		for _, em := range []bayes.EventModel{bayes.Multinomial{Smoothing: alpha}, bayes.OneVersusRest{Smoothing: alpha}} {
			m, err := bayes.Fit(apart, em)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				p, q := m.Predict(d.Document()), want.Predict(d.Document())
				for _, c := range q.Classes {
					i := slices.IndexFunc(p.Classes, func(o bayes.Prob) bool { return o.Class == c.Class })
					if got := p.Classes[i]; math.Abs(got.LogJoint-2*c.LogJoint) > 1e-9 || math.Abs(got.P-1/(1+math.Exp(-got.LogJoint))) > 1e-12 {
						t.Fatalf("%v: %q: %+v, want log-odds of %v", em, d.Text, got, 2*c.LogJoint)
					}
				}
				for _, c := range p.Classes {
					if given := slices.Contains(p.Labels, c.Class); given != (c.LogJoint >= 0) {
						t.Fatalf("%q is given %v, with log-odds %v of %s", d.Text, p.Labels, c.LogJoint, c.Class)
					}
				}
			}
		}
	})
}

// The score of a label is that of the label against the rest, as counted in two classes.
func TestLabelSetsAgainstTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := labelled(t, labelSet, "examples")
		m, err := bayes.Fit(counted(t, &bayes.Space{LabelSeparator: " "}, list), bayes.Multinomial{})
		if err != nil {
			t.Skip("no labels")
		}
		for _, label := range m.Classes() {
			var two []bayes.Example
			for _, ex := range list {
				is := fmt.Sprint(slices.Contains(strings.Fields(ex.Label), label))
				two = append(two, bayes.Example{Label: is, Text: ex.Text})
			}
			against, err := bayes.Fit(counted(t, nil, two), bayes.Multinomial{})
			if err != nil {
				t.Fatal(err)
			}
			if len(against.Classes()) < 2 {
				continue // all have it
			}
			for _, d := range list {
				p, q := m.Predict(d.Document()), against.Predict(d.Document())
				i := slices.IndexFunc(p.Classes, func(o bayes.Prob) bool { return o.Class == label })
				j := slices.IndexFunc(q.Classes, func(o bayes.Prob) bool { return o.Class == "true" })
				if got, want := p.Classes[i].P, q.Classes[j].P; math.Abs(got-want) > 1e-9 {
					t.Fatalf("%q: %s has %v, want %v", d.Text, label, got, want)
				}
			}
		}
	})
}

// Counts of sets add, subtract, unlearn and are saved as any, in whatever order labels are given.
func TestLabelSetsAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &bayes.Space{LabelSeparator: " "}
		a, b := labelled(t, labelSet, "a"), labelled(t, labelSet, "b")
		all, first := counted(t, s, slices.Concat(a, b)), counted(t, s, a)
		sum := first.Clone()
		if err := sum.Add(counted(t, s, b)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encoded(t, sum), encoded(t, all)) {
			t.Fatal("a + b differs from all")
		}
		for _, ex := range b {
			sum.Unlearn(ex)
		}
		if !bytes.Equal(encoded(t, sum), encoded(t, first)) {
			t.Fatal("unlearning b does not leave a")
		}
		var shards bayes.Counts
		if err := shards.UnmarshalBinary(encoded(t, all)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encoded(t, &shards), encoded(t, all)) || shards.Space().LabelSeparator != " " {
			t.Fatal("what is read differs")
		}
		if err := all.Add(counted(t, nil, b)); err == nil {
			t.Fatal("sets of labels and labels add")
		}
		// A model sees each document once, whatever its labels.
		if m, err := bayes.Fit(all, nil); err == nil && m.Examples() != int64(len(a)+len(b)) {
			t.Fatalf("%d documents, want %d", m.Examples(), len(a)+len(b))
		}
	})
}

// Models that cannot put each label against the rest say so.
func TestLabelSetsErrors(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	c.Learn(bayes.Example{Label: "a;b", Text: "u v"})
	c.Learn(bayes.Example{Label: ";", Text: "w"})
	for em, want := range map[bayes.EventModel]string{
		bayes.Bernoulli{}:                        "bernoulli is for documents with one label each",
		bayes.Complement{}:                       "complement is for documents with one label each",
		bayes.Mixed{}:                            "mixed is for documents with one label each",
		bayes.Selected{Model: bayes.Bernoulli{}}: "selected is for documents with one label each",
	} {
		if _, err := bayes.Fit(c, em); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", em, err, want)
		}
	}
	if _, err := bayes.Fit(c, bayes.Multinomial{Prior: bayes.GivenPrior{"a": 0.5, "b": 0.5}}); err == nil {
		t.Error("a prior that sums to one is taken for several labels")
	}
	none := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	none.Learn(bayes.Example{Label: ";", Text: "w"})
	if _, err := bayes.Fit(none, nil); err == nil {
		t.Error("no label is fitted")
	}
	if _, err := bayes.ParseSpace(`default label-separator=x`); err == nil {
		t.Error("a separator that is not quoted is read")
	}
}

// A frozen model gives the same labels.
func TestLabelSetsFrozen(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	c.Learn(bayes.Example{Label: "a;b", Text: "u v"})
	c.Learn(bayes.Example{Label: "b", Text: "v v"})
	c.Learn(bayes.Example{Label: ";", Text: "w"})
	m, err := bayes.Fit(c, bayes.Calibrated{Model: bayes.Multinomial{}, Temperature: 2, Cutoffs: map[string]float64{"a": -1}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Freeze(&b, nil); err != nil {
		t.Fatal(err)
	}
	f, err := bayes.LoadModel(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"u", "v", "w", "u v w", ""} {
		p, q := m.Predict(bayes.Document{Text: text}), f.Predict(bayes.Document{Text: text})
		if !slices.Equal(p.Labels, q.Labels) || math.Abs(p.Best().P-q.Best().P) > 1e-5 {
			t.Errorf("%q: %+v, frozen %+v", text, p, q)
		}
	}
	if f.Examples() != 3 {
		t.Errorf("%d documents, want 3", f.Examples())
	}
}

// Where no label reaches its cutoff, the one that is nearest to it is given, if it is near enough: of a model, of its
// file, and of a frozen one.
func TestLabelSetsNearest(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for label, text := range map[string]string{"a": "u u", "b": "v v v", "a;b": "u v", ";": "w w"} {
		c.Learn(bayes.Example{Label: label, Text: text})
	}
	d := bayes.Document{Text: "w"}
	plain, err := bayes.Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	odds := make(map[string]float64)
	for _, class := range plain.Predict(d).Classes {
		odds[class.Class] = class.LogJoint
	}
	if odds["a"] >= 0 || odds["b"] >= 0 {
		t.Fatalf("log-odds %v of a document with words of none", odds)
	}
	for _, tt := range []struct {
		beyond map[string]float64 // by how much each label misses its cutoff
		most   float64            // that may be
		want   []string
	}{
		{map[string]float64{"a": 2, "b": 1}, 1.5, []string{"b"}},
		{map[string]float64{"a": 1, "b": 2}, 1.5, []string{"a"}},
		{map[string]float64{"a": 2, "b": 3}, 1.5, []string{}},
		{map[string]float64{"a": 2, "b": -1}, 5, []string{"b"}}, // it reaches its own
		{map[string]float64{"a": 2, "b": 3}, math.Inf(1), []string{"a"}},
	} {
		em := bayes.Calibrated{Cutoffs: map[string]float64{"": -tt.most, "a": odds["a"] + tt.beyond["a"], "b": odds["b"] + tt.beyond["b"]}}
		m, err := bayes.Fit(c, em)
		if err != nil {
			t.Fatal(err)
		}
		var file, frozen bytes.Buffer
		if err := cmp.Or(bayes.Save(&file, c, em), m.Freeze(&frozen, nil)); err != nil {
			t.Fatal(err)
		}
		models := []*bayes.Model{m}
		for _, b := range []*bytes.Buffer{&file, &frozen} {
			m, err := bayes.LoadModel(b)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
		}
		for _, m := range models {
			if got := m.Predict(d).Labels; !slices.Equal(got, tt.want) {
				t.Errorf("cutoffs that are missed by %v, at most %v: %v, want %v", tt.beyond, tt.most, got, tt.want)
			}
		}
	}
}

// What is said of examples held out is what a model says that has learned the others, with cutoffs and corrections: of one
// label, of two and of more.
func TestLabelSetsHeldOut(t *testing.T) {
	for _, labels := range [][]string{{"a", " "}, {"a", "b", "a b", " "}, {"a", "b c", "c", " ", "a b c"}} {
		var list []bayes.Example
		for i := range 24 {
			set := labels[i%len(labels)]
			list = append(list, bayes.Example{Label: set, Text: "w" + set + fmt.Sprint(" v", i%5, " u", i%3)})
		}
		space := &bayes.Space{LabelSeparator: " "}
		c, err := bayes.ReadCorpus(t.Context(), space, streamOf(list), nil)
		if err != nil {
			t.Fatal(err)
		}
		fold := make([]int, len(list))
		for i := range fold {
			fold[i] = i % 7 / 4
		}
		var kept []bayes.Example // by the models of fold 0
		for i, ex := range list {
			if fold[i] != 0 {
				kept = append(kept, ex)
			}
		}
		rest, err := bayes.ReadCorpus(t.Context(), space, streamOf(kept), nil)
		if err != nil {
			t.Fatal(err)
		}
		ems := []bayes.EventModel{bayes.Multinomial{}, bayes.Calibrated{Model: bayes.Corrected{}, Temperature: 3}}
		var models []*bayes.Model
		for _, em := range ems {
			learned, err := rest.Correct(t.Context(), em)
			if err != nil {
				t.Fatal(err)
			}
			m, err := bayes.Fit(rest.Counts(), learned)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
		}
		var mu sync.Mutex
		err = c.HeldOut(t.Context(), fold, ems, func(h *bayes.HeldOutScores) {
			mu.Lock()
			defer mu.Unlock()
			if fold[h.Example] != 0 {
				return
			}
			for k, m := range models {
				odds := h.LogP(k)
				for _, p := range m.Predict(list[h.Example].Document()).Classes {
					at, _ := slices.BinarySearch(c.Classes(), p.Class)
					if math.Abs(odds[at]-p.LogJoint) > 1e-5 {
						t.Errorf("%q of %v: %s has %v, held out %v", list[h.Example].Text, m.EventModel(), p.Class, p.LogJoint, odds[at])
					}
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func streamOf(list []bayes.Example) func(func(bayes.Example, error) bool) {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// A model of what was learned and unlearned is one of what is left, words in examples without a label too.
func TestLabelSetsUnlearned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, gone := labelled(t, labelSet, "examples"), labelled(t, labelSet, "unlearned")
		space := &bayes.Space{LabelSeparator: " "}
		want, c := counted(t, space, list), counted(t, space, gone)
		for _, ex := range list {
			c.Learn(ex)
		}
		for _, ex := range gone {
			c.Unlearn(ex)
		}
		before, errBefore := bayes.Fit(want, bayes.Multinomial{})
		m, err := bayes.Fit(c, bayes.Multinomial{})
		if (err == nil) != (errBefore == nil) {
			t.Fatalf("%v, and without what was unlearned %v", err, errBefore)
		}
		if err != nil {
			t.Skip("no label")
		}
		for _, ex := range append(list, gone...) {
			got, want := m.Predict(ex.Document()), before.Predict(ex.Document())
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q: %v, and without what was unlearned %v", ex.Text, got, want)
			}
		}
	})
}

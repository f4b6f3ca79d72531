package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bayes/internal/tfidf"

	"pgregory.net/rapid"
)

// corrected returns the counts of examples, em with the correction that they teach, and the model of
// both.
func correctedModel(t interface{ Fatal(...any) }, s *Space, em EventModel, examples []Example) (*Counts, EventModel, *Model) {
	c, err := ReadCorpus(context.Background(), s, func(yield func(Example, error) bool) {
		for _, ex := range examples {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if em, err = c.Correct(context.Background(), em); err != nil {
		t.Fatal(err)
	}
	m, err := Fit(c.Counts(), em)
	if err != nil {
		t.Fatal(err)
	}
	return c.Counts(), em, m
}

var sentenceWords = []string{"win", "a", "free", "prize", "see", "you", "at", "lunch", "정말", "映画", "x1"}

func drawSentence(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(sentenceWords), 0, 8).Draw(t, label), " ")
}

// drawCorrected returns a Space, examples of two classes or more, and a model to be corrected.
func drawCorrected(t *rapid.T, bases ...EventModel) (*Space, []Example, EventModel) {
	spec := rapid.SampledFrom([]string{"default", "default ngrams=1-2", "default ngrams=1-2 subwords=2-3 subword-weight=0.25"}).Draw(t, "space")
	s, err := ParseSpace(spec)
	if err != nil {
		t.Fatal(err)
	}
	labels := rapid.SampledFrom([]int{2, 3, 12}).Draw(t, "labels")
	examples := []Example{{Label: "class1", Text: "win"}, {Label: "class2", Text: "see you"}}
	for range rapid.IntRange(0, 12).Draw(t, "examples") {
		examples = append(examples, Example{Label: fmt.Sprint("class", rapid.IntRange(1, labels).Draw(t, "label")), Text: drawSentence(t, "text")})
	}
	em := Corrected{
		Model: rapid.SampledFrom(bases).Draw(t, "model"), Strength: rapid.SampledFrom([]float64{0, .1, 10}).Draw(t, "strength"),
		Spread: rapid.Bool().Draw(t, "spread"), Trust: rapid.SampledFrom([]float64{0, .5, 1}).Draw(t, "trust"),
	}
	if rapid.Bool().Draw(t, "calibrated") {
		return s, examples, Calibrated{Temperature: 3, Model: em}
	}
	return s, examples, em
}

var linearModels = []EventModel{
	Multinomial{}, Complement{}, Complement{Normalize: true}, OneVersusRest{}, Multinomial{Prior: UniformPrior{}}, Selected{MinDocuments: 2},
	Multinomial{Smoothing: PerFeature{Else: 1, Alpha: map[string]float64{"win": 3}}},
}

// learnNewer has counts learn examples of a class that a correction does not know, as drawn, and returns the
// model of both and whether it has.
func learnNewer(t *rapid.T, c *Counts, em EventModel, m *Model) (*Model, bool) {
	if !rapid.Bool().Draw(t, "newer") {
		return m, false
	}
	for range rapid.IntRange(1, 3).Draw(t, "newer examples") {
		c.Learn(Example{Label: newer, Text: drawSentence(t, "newer text")})
	}
	m, err := Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	return m, true
}

const newer = "a newer class"

// A class that is newer than the correction is answered by naive Bayes, whatever the trust in it, and
// whether the model is frozen; it takes nothing from the other classes.
func TestNewerClass(t *testing.T) {
	texts := map[string]string{"mail": "lunch meeting report monday office", "spam": "win free prize money click", "sport": "match goal team league score"}
	for _, labels := range [][]string{{"mail", "spam"}, {"mail", "spam", "sport"}} {
		var examples []Example
		for i := range 60 {
			words := strings.Fields(texts[labels[i%len(labels)]])
			examples = append(examples, Example{Label: labels[i%len(labels)], Text: fmt.Sprint("the ", words[i%5], " and ", words[(i/5)%5], " of ", words[(i/2)%5])})
		}
		for _, base := range []EventModel{Multinomial{}, Complement{}, OneVersusRest{}, Bernoulli{}} {
			for _, trust := range []float64{0, 1} {
				for _, spread := range []bool{false, true} {
					em := EventModel(Corrected{Model: base, Trust: trust, Spread: spread})
					c, em, _ := correctedModel(t, nil, em, examples)
					for range 2 {
						c.Learn(Example{Label: newer, Text: "the invoice and payment of the account"})
						c.Learn(Example{Label: newer, Text: "an account and the overdue invoice"})
					}
					m, err := Fit(c, em)
					if err != nil {
						t.Fatal(err)
					}
					models := []*Model{m}
					if (base != Bernoulli{}) {
						models = append(models, openFile(t, frozenFile(t, m, nil)))
					}
					for _, m := range models {
						for text, want := range map[string]string{
							"the overdue invoice": newer, "payment of the account": newer, "the prize and the money": "spam", "lunch on monday": "mail", "click and win": "spam",
						} {
							d := Document{Text: text}
							if got := m.Predict(d).Best().Class; got != want {
								t.Errorf("%v, frozen %v: %q is %q, want %q: %v", em, m.Frozen(), text, got, want, m.Predict(d))
							}
							addsUp(t, m, d, 1e-12)
						}
					}
				}
			}
		}
	}
}

// A prediction reads one row a term: what naive Bayes says and its correction are not kept apart.
func TestOneRow(t *testing.T) {
	for _, em := range []EventModel{Corrected{Trust: 1}, Corrected{}, Corrected{Model: Bernoulli{}}, Corrected{Model: Complement{Normalize: true}, Trust: 0.5}} {
		for _, labels := range [][]string{{"ham", "spam"}, {"ham", "spam", "work"}, strings.Fields("a b c d e f g h i j k l")} {
			_, em, m := correctedModel(t, nil, em, mailExamples(labels...))
			d := Document{Text: "w1 v4 common u7 v4 unheard"}
			if p := m.Predict(d); p.Known != 4 || p.Unknown != 1 {
				t.Errorf("%v knows %d terms, and %d not", em, p.Known, p.Unknown)
			}
			m.Explain(d)
			l := m.parts[0].(correctedWeights)
			if base := l.likelihood.(interface{ base() *linear }).base(); l.rows() == nil || base.kept.Load() != nil {
				t.Errorf("%v of %d classes keeps two rows of a term", em, len(labels))
			}
		}
	}
}

// A frozen file of a corrected model scores as the model does, but for what a float32 leaves out.
func TestFreezeCorrected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, examples, em := drawCorrected(t, linearModels...)
		c, em, m := correctedModel(t, s, em, examples)
		m, _ = learnNewer(t, c, em, m)
		if m.trust > 0 && rapid.Bool().Draw(t, "prior") {
			var err error
			if m, err = m.WithPrior(UniformPrior{}); err != nil {
				t.Fatal(err)
			}
		}
		d := Document{Text: drawSentence(t, "document"), Attrs: []Attr{Term("win", .5)}}
		frozen := freezeAlike(t, m, d)
		addsUp(t, frozen, d, 1e-12)
		if m.trust == 0 {
			for _, m := range []*Model{m, frozen} {
				if _, err := m.WithPrior(UniformPrior{}); err == nil || !strings.Contains(err.Error(), "biases in its place") {
					t.Fatal(err)
				}
			}
			return
		}
		other, err := m.WithPrior(GivenPrior(priorOf(m)))
		if err != nil {
			t.Fatal(err)
		}
		otherFrozen, err := frozen.WithPrior(GivenPrior(priorOf(m)))
		if err != nil {
			t.Fatal(err)
		}
		alike(t, otherFrozen, other, d)
	})
}

// priorOf returns a prior for the classes of m.
func priorOf(m *Model) map[string]float64 {
	prior := make(map[string]float64)
	n := float64(len(m.Classes()))
	for k, label := range m.Classes() {
		prior[label] = float64(k+1) / (n * (n + 1) / 2)
	}
	return prior
}

// addsUp fails unless the contributions of an explanation, and the factors of a derivation, add up to
// the scores.
func addsUp(t interface{ Fatalf(string, ...any) }, m *Model, d Document, within float64) {
	ex := m.Explain(d)
	sum := ex.Prior + ex.Absent
	for _, f := range ex.Features {
		sum += f.LogOdds
	}
	if got := ex.Classes[0].LogJoint - ex.Classes[1].LogJoint; math.Abs(sum-got) > within*(1+math.Abs(got)) {
		t.Fatalf("%v: contributions add up to %v, want %v", m.EventModel(), sum, got)
	}
	for _, c := range m.Derive(d).Classes {
		sum := c.PriorScore + c.AbsentSum
		for _, f := range c.Factors {
			sum += f.Times * f.Log
		}
		if math.Abs(sum-c.LogJoint) > within*(1+math.Abs(sum)) {
			t.Fatalf("%v: factors add up to %v, want %v", m.EventModel(), sum, c.LogJoint)
		}
	}
}

// priorScore returns what the prior adds to the score of a class.
func priorScore(m *Model, k int) float64 {
	if m.priorScore == nil {
		return 0
	}
	return m.priorScore[k]
}

// The contributions of a corrected model add up to its score, and the part of naive Bayes and the
// correction to each.
func TestCorrectedAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, examples, em := drawCorrected(t, append(linearModels, Bernoulli{})...)
		c, em, m := correctedModel(t, s, em, examples)
		m, isNewer := learnNewer(t, c, em, m)
		d := Document{Text: drawSentence(t, "document")}
		addsUp(t, m, d, 1e-12)
		base, err := Fit(c, WithoutCorrection(em))
		if err != nil {
			t.Fatal(err)
		}
		trust := CorrectionOf(em).Trust()
		close := func(got, want float64) bool { return math.Abs(got-want) < 1e-12*(1+math.Abs(want)) }
		for k, class := range m.Derive(d).Classes {
			if !close(class.PriorScore-class.Bias, trust*priorScore(base, k)) {
				t.Fatalf("%v: the prior's part is %v, want %v", em, class.PriorScore-class.Bias, trust*priorScore(base, k))
			}
			for _, f := range class.Factors {
				stats, _ := base.Term(f.Feature)
				if !f.Corrected || f.Trust != trust && class.Class != newer || !close(f.Log-f.Correction, f.Trust*stats[k].LogProb) {
					t.Fatalf("%v: %+v, and naive Bayes has %v", em, f, stats[k])
				}
				if want := (tfidf.Dampened(f.Occurs) * f.IDF / f.Length); f.IDF == 0 || f.Times != 1 && !close(want, f.Times) {
					t.Fatalf("%v: %+v: times %v", em, f, want)
				}
			}
		}
		for _, f := range m.Explain(d).Features {
			if trust == 0 && !isNewer && f.Correction != f.LogOdds {
				t.Fatalf("%v: of %+v some is not the correction", em, f)
			}
		}
	})
}

// So they do with numbers, categories and further texts; and of numbers the model says what it did.
func TestCorrectedColumnsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) Example {
			ex := Example{Label: label, Text: drawSentence(t, "text"), Attrs: []Attr{Text("title", drawSentence(t, "title"))}}
			if rapid.Bool().Draw(t, "has number") {
				ex.Attrs = append(ex.Attrs, Number("size", float64(rapid.IntRange(-3, 9).Draw(t, "size"))))
			}
			if rapid.Bool().Draw(t, "has category") {
				ex.Attrs = append(ex.Attrs, Category("colour", rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "colour")))
			}
			return ex
		}
		examples := []Example{
			{Label: "a", Attrs: []Attr{Number("size", 1), Category("colour", "red")}}, {Label: "b", Attrs: []Attr{Number("size", 2), Category("colour", "blue")}},
			{Label: "a", Attrs: []Attr{Number("size", 3)}}, {Label: "b", Attrs: []Attr{Number("size", 5)}},
		}
		for range rapid.IntRange(0, 12).Draw(t, "examples") {
			examples = append(examples, draw(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")))
		}
		base := Mixed{Number: rapid.SampledFrom([]EventModel{Gaussian{}, Kernel{}, Discrete{}}).Draw(t, "number")}
		em := Corrected{Model: base, Spread: rapid.Bool().Draw(t, "spread"), Trust: rapid.SampledFrom([]float64{0, 1}).Draw(t, "trust")}
		c, _, m := correctedModel(t, &Space{NumberValues: true}, em, examples)
		d := draw("").Document()
		addsUp(t, m, d, 1e-12)
		plain, err := Fit(c, base)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.Parameters(), plain.Parameters(); !slices.Equal(got.Numbers, want.Numbers) || len(got.Categories) != len(want.Categories) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		got, _ := m.Term("size")
		for _, stats := range got {
			if stats.LogProb != 0 || !stats.Number {
				t.Fatalf("of a number: %+v", stats)
			}
		}
	})
}

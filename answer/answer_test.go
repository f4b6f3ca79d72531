package answer_test

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/answer"

	"pgregory.net/rapid"
)

func model() *bayes.Model {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	c.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	m, err := bayes.Fit(c, nil)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func ExampleAppendPrediction() {
	p := model().Predict(bayes.Document{Text: "a free lunch"})
	fmt.Printf("%s\n", answer.AppendPrediction(nil, "7", p, 0.99, 0))
	// Output:
	// {"id":"7","label":"?","reason":"threshold","probability":0.6666666666666666,"probabilities":{"ham":0.3333333333333333,"spam":0.6666666666666666},"log_joint":{"ham":-7.4547199493640015,"spam":-6.761572768804056},"known":3,"unknown":0}
}

// What is appended equals what encoding/json makes of the struct.
func TestAppendEqualsEncoding(t *testing.T) {
	reals := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(-1), math.Inf(1), 1e-7, 1e-6, 1e20, 1e21, -1e-9, 1e-10, 1e-100, 5e-324, math.MaxFloat64}))
	label := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<b>&", "\"\\", "스팸", "\u2028", "a\xffb", "\x00\x7f", ""}))
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) bayes.Prob {
			return bayes.Prob{Class: strings.ToValidUTF8(label.Draw(t, "class"), "�"), P: rapid.Float64Range(0, 1).Draw(t, "p"), LogJoint: reals.Draw(t, "joint")}
		}), 1, 30, func(p bayes.Prob) string { return p.Class }).Draw(t, "classes")
		p := bayes.Prediction{Classes: classes, Known: rapid.Int().Draw(t, "known"), Unknown: rapid.Int().Draw(t, "unknown"), Unsure: rapid.Bool().Draw(t, "unsure")}
		if !p.Unsure {
			p.Chosen = rapid.IntRange(0, len(classes)-1).Draw(t, "chosen")
			p.Reason = rapid.SampledFrom([]string{"", "recall", "costs"}).Draw(t, "reason")
		}
		p.Typicality = rapid.SampledFrom([]float64{0, 0.01960784, 1e-7, 1}).Draw(t, "typicality")
		p.Foreign = rapid.Bool().Draw(t, "foreign")
		if rapid.Bool().Draw(t, "several") {
			p.Labels = []string{}
			for _, c := range classes {
				if rapid.Bool().Draw(t, "given") {
					p.Labels = append(p.Labels, c.Class)
				}
			}
			slices.Sort(p.Labels)
		}
		id, threshold := label.Draw(t, "id"), rapid.Float64Range(0, 1).Draw(t, "threshold")
		top := rapid.IntRange(0, 31).Draw(t, "top")

		want := answer.NewPrediction(p, threshold, top)
		want.ID = id
		if _, ok := want.Probabilities[p.Answer().Class]; !ok || len(want.Probabilities)+want.LeftOut != len(classes) {
			t.Errorf("%+v: the answer is not among %v, of %d left out", p, want.Probabilities, want.LeftOut)
		}
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(want); err != nil {
			t.Fatal(err)
		}
		if got := string(answer.AppendPrediction(nil, id, p, threshold, top)) + "\n"; got != b.String() {
			t.Errorf("appended %s\nencoded  %s", got, b.String())
		}
	})
}

// The parts of an explanation, and the factors of a derivation, add up to the
// scores.
func TestPartsAddUp(t *testing.T) {
	m, d := model(), bayes.Document{Text: "A free lunch, free at last"}
	ex := answer.NewExplanation(m.Explain(d), 0)
	sum := float64(ex.Prior + ex.Absent)
	for _, s := range ex.Terms {
		sum += float64(s.LogOdds)
	}
	if want := float64(ex.LogJoint[ex.Class] - ex.LogJoint[ex.Against]); math.Abs(sum-want) > 1e-12 {
		t.Errorf("parts add up to %v, want %v", sum, want)
	}
	ex.Cut(m.Explain(d), d.Text)
	var text strings.Builder
	for _, s := range ex.Highlights {
		text.WriteString(s.Text)
	}
	if text.String() != d.Text {
		t.Errorf("highlights make %q, want %q", text.String(), d.Text)
	}
	for _, c := range answer.NewDerivation(m.Derive(d), 0).Classes {
		sum := float64(c.LogPrior)
		if c.PriorScore != nil || c.Factors[0].Rest != nil {
			t.Errorf("multinomial: %+v", c)
		}
		for _, f := range c.Factors {
			sum += f.Times * math.Log(f.Numerator/f.Denominator)
		}
		if want := float64(c.LogJoint); math.Abs(sum-want) > 1e-12 {
			t.Errorf("%s: factors add up to %v, want %v", c.Label, sum, want)
		}
	}
}

// With one-versus-rest the factors are square roots of quotients, the prior's too.
func TestRestAddsUp(t *testing.T) {
	c := bayes.NewCounts(nil)
	for label, text := range map[string]string{"spam": "free prize free", "ham": "lunch at one", "news": "a free press"} {
		c.Learn(bayes.Example{Label: label, Text: text})
	}
	m, err := bayes.Fit(c, bayes.OneVersusRest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range answer.NewDerivation(m.Derive(bayes.Document{Text: "a free lunch, free at last"}), 0).Classes {
		sum := float64(*c.PriorScore)
		if want := math.Log((1.0/3)/(2.0/3)) / 2; math.Abs(sum-want) > 1e-12 {
			t.Errorf("%s: the prior adds %v, want %v", c.Label, sum, want)
		}
		for _, f := range c.Factors {
			sum += f.Times * math.Log(f.Numerator/f.Denominator/(f.Rest.Numerator/f.Rest.Denominator)) / 2
		}
		if want := float64(c.LogJoint); math.Abs(sum-want) > 1e-12 {
			t.Errorf("%s: factors add up to %v, want %v", c.Label, sum, want)
		}
	}
}

func TestTerms(t *testing.T) {
	m := model()
	if list := answer.NewTopTerms(m, "spam", 2); len(list) != 2 || list[0].LogOdds <= 0 || list[0].Present != 1 {
		t.Errorf("telling terms of spam: %+v", list)
	}
	if list := answer.NewTopTerms(m, "eggs", 2); list == nil || len(list) != 0 {
		t.Errorf("telling terms of no class: %#v, want an empty list", list)
	}
	if _, ok := answer.NewTerm(m, "unheard"); ok {
		t.Error("a term is known that was never learned")
	}
	if s, ok := answer.NewTerm(m, "free"); !ok || len(s.Classes) != 2 || s.Classes[1].Label != "spam" || s.Classes[1].Sum != 1 {
		t.Errorf("free: %+v", s)
	}
}

// A class that never had a number is no reason to answer nothing.
func TestNumberOfNoClass(t *testing.T) {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", 1), bayes.Number("y", 2)}})
	c.Learn(bayes.Example{Label: "b", Attrs: []bayes.Attr{bayes.Number("z", 4)}})
	for _, em := range []bayes.Gaussian{{}, {Shared: true}} {
		m, err := bayes.Fit(c, em)
		if err != nil {
			t.Fatal(err)
		}
		d := bayes.Document{Attrs: []bayes.Attr{bayes.Number("x", 3), bayes.Number("z", 3)}}
		der := answer.NewDerivation(m.Derive(d), 0)
		if b, err := json.Marshal(der); err != nil || !strings.Contains(string(b), `"number":true,"value":3,"mean":1`) {
			t.Errorf("%v: %v: %s", em, err, b)
		}
	}
}

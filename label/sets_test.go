package label

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
	"bayes/internal/labelset"

	"pgregory.net/rapid"
)

// drawnSets returns texts of a few words each, and their sets of the labels a, b and c.
func drawnSets(n int, seed uint64) (texts []bayes.Document, sets []string) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		var words, labels []string
		for k, label := range []string{"a", "b", "c"} {
			if rng.IntN(3) == 0 {
				labels = append(labels, label)
				for range 1 + rng.IntN(2) {
					words = append(words, fmt.Sprintf("w%d%d", k, rng.IntN(8)))
				}
			}
		}
		for range 1 + rng.IntN(3) {
			words = append(words, fmt.Sprintf("w%d%d", rng.IntN(3), rng.IntN(8)))
		}
		texts, sets = append(texts, bayes.Document{Text: strings.Join(words, " ")}), append(sets, labelset.Join(labels, ";"))
	}
	return texts, sets
}

func pileOfSets(t testing.TB, texts []bayes.Document, opts *Options) *Pile {
	t.Helper()
	p, err := New(t.Context(), &bayes.Space{LabelSeparator: ";"}, nil, texts, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Sets, replaced and taken back in any order, leave the counts and the log-odds of what was answered last; these are those of
// the model.
func TestSetsAreOfLastAnswers(t *testing.T) {
	texts, _ := drawnSets(12, 1)
	rapid.Check(t, func(r *rapid.T) {
		p, want := pileOfSets(t, texts, &Options{Measured: -1}), bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
		seeds := []string{"a", "b"}[:rapid.IntRange(0, 2).Draw(r, "seeds")]
		for _, label := range seeds {
			if err := p.Seed(label, "w00 w10 heard v3"); err != nil {
				r.Fatal(err)
			}
			want.Learn(bayes.Example{Label: label, Text: "w00 w10 heard v3"})
		}
		for range rapid.IntRange(0, 30).Draw(r, "answers") {
			i, set := rapid.IntRange(0, 11).Draw(r, "text"), rapid.SampledFrom([]string{"", ";", "a", "b", "a;b", "b ; a", "c;d"}).Draw(r, "set")
			if err := p.Answer("ann", i, set); err != nil {
				r.Fatal(err)
			}
			if got, canonical := p.Given("ann", i), labelset.Canonical(set, ";"); got != canonical {
				r.Fatalf("given is %q of %q", got, set)
			}
		}
		for i := range texts {
			if p.Label(i) != "" {
				want.Learn(p.example(i))
			}
		}
		if !p.counts.Equal(want) {
			r.Fatal("the counts are others")
		}
		m, err := p.Model()
		if labels, n := p.Labels(); len(n) == 0 {
			if !errors.Is(err, bayes.ErrEmpty) {
				r.Fatalf("without a label: %v", err)
			}
			return
		} else if err != nil || !slices.Equal(labels, m.Classes()) {
			r.Fatalf("labels are %v, and of the model %v, %v", labels, m.Classes(), err)
		}
		if len(seeds) > 0 {
			return // a word of theirs that no text has counts in the model
		}
		p.scores.prepare()
		for i := range texts {
			least := math.Inf(1)
			for _, c := range m.Predict(texts[i]).Classes {
				least = min(least, math.Abs(c.LogJoint))
			}
			if got, label := p.scores.margin(i); math.Abs(got-least) > 1e-9 || label == nil {
				r.Fatalf("text %d: %v from the cutoff, want %v", i, got, least)
			}
		}
	})
}

// The accuracy is that of whole sets, of retraining without each text; the last point of the curve is the same.
func TestMeasureSets(t *testing.T) {
	texts, sets := drawnSets(80, 5)
	p := pileOfSets(t, texts, nil)
	var order []int
	for range 50 {
		q, _ := p.Next("")
		if err := p.Answer("", q.Text, sets[q.Text]); err != nil {
			t.Fatal(err)
		}
		order = append(order, q.Text)
	}
	want := new(eval.SetTally)
	for _, i := range p.drawnAnswers() {
		counts := bayes.NewCounts(p.space)
		for j := range texts {
			if j != i && p.Label(j) != "" {
				counts.Learn(p.example(j))
			}
		}
		m, err := bayes.Fit(counts, p.event)
		if err != nil {
			t.Fatal(err)
		}
		want.Observe(m.Predict(texts[i]), labelset.Split(sets[i], ";"))
	}
	tally, err := p.Measure()
	if err != nil {
		t.Fatal(err)
	}
	curve, err := p.Curve(t.Context(), order, []int{0, len(order)})
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []*eval.Tally{tally, curve[1]} {
		if accuracy, _, _ := got.Accuracy(); got.Documents() != want.Documents() || accuracy != want.SubsetAccuracy() {
			t.Errorf("%v of %d, want %v of %d", accuracy, got.Documents(), want.SubsetAccuracy(), want.Documents())
		}
	}
	if accuracy, _, _ := curve[0].Accuracy(); accuracy != 0 {
		t.Errorf("%v are right before anything is known", accuracy)
	}
	if accuracy := want.SubsetAccuracy(); accuracy == 0 || accuracy == 1 {
		t.Errorf("subset accuracy %v: the data do not test", accuracy)
	}
}

// The probabilities of all sets add up to 1, and the set that is answered is that of the labels that are given.
func TestAnswerOfSets(t *testing.T) {
	texts, sets := drawnSets(40, 9)
	p := pileOfSets(t, texts, nil)
	for i := range 30 {
		if err := p.Answer("", i, sets[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range texts {
		guess, err := p.Predict(i)
		if err != nil {
			t.Fatal(err)
		}
		best, sum := p.AnswerOf(guess), 0.0
		if best.Class != labelset.Join(guess.Labels, ";") {
			t.Errorf("%q is answered, and %v given", best.Class, guess.Labels)
		}
		for subset := range 8 {
			guess.Labels = nil
			for k, label := range []string{"a", "b", "c"} {
				if subset>>k&1 == 1 {
					guess.Labels = append(guess.Labels, label)
				}
			}
			one := p.AnswerOf(guess)
			if sum += one.P; one.P > best.P+1e-12 {
				t.Errorf("%q has %v, and %q, which is answered, %v", one.Class, one.P, best.Class, best.P)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("all sets have %v together", sum)
		}
	}
	if _, err := New(t.Context(), p.Space(), bayes.Complement{}, texts, nil); err == nil {
		t.Error("no error for a model of one label each")
	}
	if p.Seed("a;b", "w1") == nil {
		t.Error("no error for the words of two labels")
	}
}

// A text is asked next whose decision is unsure, and every text once.
func TestNextOfSets(t *testing.T) {
	texts, sets := drawnSets(60, 3)
	for _, order := range orders {
		p := pileOfSets(t, texts, &Options{Order: order})
		seen := make(map[int]bool)
		for q, ok := p.Next("ann"); ok; q, ok = p.Next("ann") {
			if seen[q.Text] {
				t.Fatalf("%s: text %d is asked twice", order, q.Text)
			}
			if seen[q.Text] = true; order == Uncertain && !q.Measured && len(seen) > 20 {
				p.scores.prepare()
				margin, _ := p.scores.margin(q.Text)
				for i := range texts {
					if other, _ := p.scores.margin(i); p.Label(i) == "" && !p.kept[i] && other < margin-1e-12 {
						t.Errorf("text %d with %v is asked, and text %d has %v", q.Text, margin, i, other)
					}
				}
			}
			if err := p.Answer("ann", q.Text, sets[q.Text]); err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) != len(texts) {
			t.Errorf("%s: %d texts were asked", order, len(seen))
		}
	}
}

// Words of a label that no text has say nothing, and the order goes by the rest.
func TestSetsUnknownWords(t *testing.T) {
	var texts []bayes.Document
	for i := range 200 {
		texts = append(texts, bayes.Document{Text: fmt.Sprintf("w%d w%d w%d", i%7, i%11, i%13)})
	}
	p, err := New(t.Context(), &bayes.Space{LabelSeparator: ";"}, bayes.OneVersusRest{}, texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Seed("sport", "unknown")
	p.scores.prepare()
	for i := range texts {
		if w := Informative.worth(p.scores, i, math.Inf(-1)); !(w > 0) {
			t.Fatalf("text %d is worth %v", i, w)
		}
	}
}

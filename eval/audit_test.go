package eval_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
)

// drawn returns examples of classes a, b, c …, each of words that are drawn from all, and more often
// from those of its class the larger the tell.
func drawn(seed uint64, n, classes int, tell float64) []bayes.Example {
	rng := rand.New(rand.NewPCG(seed, 0))
	const own = 40
	list := make([]bayes.Example, n)
	for i := range list {
		k := rng.IntN(classes)
		var words []string
		for range 3 + rng.IntN(20) {
			from := rng.IntN(classes)
			if rng.Float64() < tell {
				from = k
			}
			words = append(words, fmt.Sprintf("w%dx%d", from, rng.IntN(own)))
		}
		list[i] = bayes.Example{Label: string(rune('a' + k)), Text: strings.Join(words, " ")}
	}
	return list
}

// flipped returns examples with a share of the labels wrong, and which these are.
func flipped(seed uint64, list []bayes.Example, classes int, share float64) ([]bayes.Example, map[int]bool) {
	rng := rand.New(rand.NewPCG(seed, 1))
	wrong, list := make(map[int]bool), slices.Clone(list)
	for _, i := range rng.Perm(len(list))[:int(share*float64(len(list)))] {
		wrong[i] = true
		at := int(list[i].Label[0] - 'a')
		list[i].Label = string(rune('a' + (at+1+rng.IntN(classes-1))%classes))
	}
	return list, wrong
}

func audit(t *testing.T, list []bayes.Example, em bayes.EventModel, opts *eval.AuditOptions) *eval.Audited {
	t.Helper()
	c, err := bayes.ReadCorpus(t.Context(), nil, streamed(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := eval.Audit(t.Context(), c, em, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Doubts) != len(list) {
		t.Fatalf("%d doubts of %d examples", len(a.Doubts), len(list))
	}
	return a
}

func streamed(list []bayes.Example) func(yield func(bayes.Example, error) bool) {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// What is left out by arithmetic is what is left out by unlearning it, fitting and predicting.
func TestAuditLeavesOut(t *testing.T) {
	list, _ := flipped(1, drawn(1, 150, 3, 0.3), 3, 0.1)
	for i := range list {
		list[i].Weight = float64(1 + i%2)
	}
	counts := bayes.NewCounts(nil)
	for _, ex := range list {
		counts.Learn(ex)
	}
	for _, em := range []bayes.EventModel{
		bayes.Multinomial{}, bayes.Multinomial{Smoothing: bayes.Additive(0.1), Prior: bayes.UniformPrior{}}, bayes.Complement{}, bayes.OneVersusRest{},
	} {
		for _, d := range audit(t, list, em, nil).Doubts {
			ex := list[d.Example]
			counts.Unlearn(ex)
			m, err := bayes.Fit(counts, em)
			if err != nil {
				t.Fatal(err)
			}
			p := m.Predict(ex.Document())
			if want := logOf(p, d.Suggested) - logOf(p, d.Label); !(math.Abs(d.LeftOut-want) <= 1e-9*max(1, math.Abs(want))) {
				t.Errorf("%v: example %d: %v for %s against %s, want %v", em, d.Example, d.LeftOut, d.Suggested, d.Label, want)
			}
			counts.Learn(ex)
		}
	}
}

func logOf(p bayes.Prediction, class string) float64 {
	for _, c := range p.Classes {
		if c.Class == class {
			return c.LogP
		}
	}
	return math.Inf(-1)
}

// Where classes share no words, the labels that are wrong are the most doubtful, and what is suggested is right.
func TestAuditSeparable(t *testing.T) {
	for seed := range uint64(10) {
		classes := 2 + int(seed%4)
		right := drawn(seed, 600, classes, 0.95)
		list, wrong := flipped(seed, right, classes, []float64{0.02, 0.05, 0.1}[seed%3])
		a := audit(t, list, bayes.Multinomial{}, &eval.AuditOptions{Plain: seed%2 == 1})
		for n, d := range a.Doubts[:len(wrong)] {
			if !wrong[d.Example] || d.Suggested != right[d.Example].Label {
				t.Errorf("seed %d: place %d: example %d: %s for %s, and it is %s", seed, n, d.Example, d.Suggested, d.Label, right[d.Example].Label)
			}
		}
		cutoff, expected, err := a.Cutoff(0.005)
		if err != nil || expected > 3 {
			t.Errorf("seed %d: %v expected, %v", seed, expected, err)
		}
		if n := len(a.Above(cutoff)); n < len(wrong) || n > len(wrong)+3 {
			t.Errorf("seed %d: %d above the cutoff, %d wrong", seed, n, len(wrong))
		}
	}
}

// A clean file has right labels alone.
type cleanFile struct {
	shares   []float64 // of the classes
	tell     float64   // of the words are drawn from those of the class
	shortest int       // words
	longest  int
	copies   int // of each text, but for a word
	pair     int // rows of a further class, of words of the first and second
}

// draw returns n examples.
func (f *cleanFile) draw(seed uint64, n int) (list []bayes.Example) {
	rng := rand.New(rand.NewPCG(seed, 2))
	word := func(class int) string {
		if rng.Float64() >= f.tell {
			class = rng.IntN(len(f.shares))
		}
		return fmt.Sprintf("w%dx%d", class, rng.IntN(40))
	}
	for len(list) < n {
		class, at := 0, rng.Float64()
		for at -= f.shares[0]; at > 0; at -= f.shares[class] {
			class++
		}
		words := make([]string, f.shortest+rng.IntN(f.longest-f.shortest+1))
		for i := range words {
			words[i] = word(class)
		}
		for range 1 + f.copies {
			words[rng.IntN(len(words))] = word(class)
			list = append(list, bayes.Example{Label: string(rune('a' + class)), Text: strings.Join(words, " ")})
		}
	}
	for range f.pair {
		list = append(list, bayes.Example{Label: "z", Text: fmt.Sprint("w0x", rng.IntN(40), " w1x", rng.IntN(40), " y", rng.IntN(3))})
	}
	return list
}

// Of files whose labels are all right, however hard their texts, no more is listed than is stated.
func TestAuditClean(t *testing.T) {
	two, five, uneven := []float64{0.5, 0.5}, []float64{0.2, 0.2, 0.2, 0.2, 0.2}, []float64{0.9, 0.08, 0.02}
	for name, f := range map[string]cleanFile{
		"hardly telling, two classes":       {shares: two, tell: 0.1, shortest: 3, longest: 22},
		"hardly telling, five classes":      {shares: five, tell: 0.1, shortest: 3, longest: 22},
		"hard, two classes":                 {shares: two, tell: 0.2, shortest: 3, longest: 22},
		"hard, five classes":                {shares: five, tell: 0.2, shortest: 3, longest: 22},
		"telling, two classes":              {shares: two, tell: 0.4, shortest: 3, longest: 22},
		"telling, five classes":             {shares: five, tell: 0.4, shortest: 3, longest: 22},
		"easy, two classes":                 {shares: two, tell: 0.7, shortest: 3, longest: 22},
		"easy, five classes":                {shares: five, tell: 0.7, shortest: 3, longest: 22},
		"unbalanced, hard":                  {shares: uneven, tell: 0.2, shortest: 3, longest: 22},
		"unbalanced, telling":               {shares: uneven, tell: 0.5, shortest: 3, longest: 22},
		"short, two classes":                {shares: two, tell: 0.5, shortest: 1, longest: 3},
		"short, five classes":               {shares: five, tell: 0.5, shortest: 1, longest: 3},
		"short, unbalanced":                 {shares: uneven, tell: 0.5, shortest: 1, longest: 3},
		"nearly the same, hard":             {shares: two, tell: 0.2, shortest: 8, longest: 22, copies: 1},
		"nearly the same, four times":       {shares: five, tell: 0.3, shortest: 8, longest: 22, copies: 3},
		"a class with two rows":             {shares: two, tell: 0.4, shortest: 3, longest: 22, pair: 2},
		"a class with two rows, unbalanced": {shares: uneven, tell: 0.5, shortest: 3, longest: 22, pair: 2},
	} {
		t.Run(name, func(t *testing.T) {
			const files, share = 6, 0.005
			listed, pairs, expected, rows := 0, 0, 0.0, 0
			for seed := range uint64(files) {
				a := audit(t, f.draw(seed+100, 1500), bayes.Multinomial{}, nil)
				cutoff, e, err := a.Cutoff(share)
				if err != nil {
					t.Fatal(err)
				}
				above := a.Above(cutoff)
				for _, d := range above {
					if d.Label == "z" {
						pairs++
					}
				}
				rows += len(a.Doubts)
				listed, expected = listed+len(above), expected+e
			}
			t.Logf("%d listed, %d of them of the pair; %.1f expected, at most %.1f", listed, pairs, expected, share*float64(rows))
			if float64(listed) > share*float64(rows) {
				t.Errorf("%d listed of %d, stated are %v", listed, rows, share)
			}
		})
	}
}

// The share of wrong labels is estimated.
func TestAuditWrong(t *testing.T) {
	for _, share := range []float64{0, 0.05, 0.2} {
		list, _ := flipped(3, drawn(3, 2000, 2, 0.6), 2, share)
		// A label drawn at random is right once in two.
		if a := audit(t, list, bayes.Multinomial{}, nil); math.Abs(a.Wrong/2-share) > 0.01 {
			t.Errorf("%v estimated, %v are wrong", a.Wrong/2, share)
		}
	}
}

// Suggestions are right as often as their probabilities say, and hardly one is made where all labels are right.
func TestAuditProbability(t *testing.T) {
	for _, share := range []float64{0, 0.02, 0.1} {
		all := drawn(5, 3000, 4, 0.5)
		list, _ := flipped(5, all, 4, share)
		var stated, certain, right float64
		for _, d := range audit(t, list, bayes.Multinomial{}, nil).Doubts {
			if d.Probability < 0.5 {
				continue
			}
			stated++
			certain += d.Probability
			if all[d.Example].Label == d.Suggested {
				right++
			}
		}
		t.Logf("%v wrong: %v suggestions, %.1f of them right by their probabilities, %v are", share, stated, certain, right)
		if share == 0 && stated > 2 || share > 0 && (stated < 0.3*share*3000 || math.Abs(certain-right) > 0.1*stated) {
			t.Errorf("%v wrong: %v suggestions, %.1f of them right by their probabilities, %v are", share, stated, certain, right)
		}
	}
}

// What cannot be doubted is not.
func TestAuditWithoutDoubt(t *testing.T) {
	one := []bayes.Example{{Label: "a", Text: "x"}, {Label: "a", Text: "y"}}
	alone := []bayes.Example{{Label: "a", Text: "x"}, {Label: "b", Text: "y"}}
	same := slices.Repeat([]bayes.Example{{Label: "a", Text: "x y"}, {Label: "b", Text: "x y"}, {Label: "b", Text: "x y"}}, 20)
	single := append(drawn(1, 60, 2, 0.9), bayes.Example{Label: "z", Text: "w0x1 w0x2"})
	rest := append(slices.Repeat([]bayes.Example{{Label: "a", Text: "x y"}}, 20), bayes.Example{Label: "z", Text: "u v"})
	for name, list := range map[string][]bayes.Example{"one class": one, "each alone": alone, "all the same": same, "one alone": single, "one alone of two classes": rest, "one row": one[:1]} {
		a := audit(t, list, bayes.Multinomial{}, nil)
		cutoff, _, err := a.Cutoff(0.001)
		if err != nil {
			t.Fatal(err)
		}
		alone := strings.HasPrefix(name, "one alone")
		if above := a.Above(cutoff); !alone && len(above) > 0 {
			t.Errorf("%s: %v", name, above)
		}
		for _, d := range a.Doubts {
			if math.IsNaN(d.LogOdds) || math.IsInf(d.LogOdds, 0) || math.IsNaN(d.LeftOut) || (name != "all the same" && !alone || d.Label == "z") && (d.LogOdds != 0 || d.Suggested != "") {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
	c, err := bayes.ReadCorpus(t.Context(), nil, streamed(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eval.Audit(t.Context(), c, bayes.Multinomial{}, nil); !errors.Is(err, bayes.ErrEmpty) {
		t.Error(err)
	}
}

// Equal input, equal doubts; and models that have to be fitted anew, or are corrected as asked, do too.
func TestAuditModels(t *testing.T) {
	list, wrong := flipped(5, drawn(5, 300, 3, 0.9), 3, 0.05)
	for _, em := range []bayes.EventModel{
		bayes.Bernoulli{}, bayes.Complement{Normalize: true}, bayes.Corrected{Strength: 1, Trust: 0.5}, bayes.Multinomial{Smoothing: bayes.Additive(0)},
	} {
		first, second := audit(t, list, em, nil), audit(t, list, em, nil)
		if !slices.Equal(first.Doubts, second.Doubts) {
			t.Errorf("%v: another answer the second time", em)
		}
		hits := 0
		for _, d := range first.Doubts[:len(wrong)] {
			if wrong[d.Example] {
				hits++
			}
		}
		if hits < len(wrong)*9/10 {
			t.Errorf("%v: %d of %d", em, hits, len(wrong))
		}
	}
}

// One of the texts has the wrong label.
func ExampleAudit() {
	texts := map[string][]string{
		"spam": {"free prize", "win a prize", "free entry win", "claim a free prize", "lunch at one, see you"},
		"ham":  {"lunch at one", "see you at lunch", "are you home", "home at one", "see you at home"},
	}
	var list []bayes.Example
	for _, label := range []string{"ham", "spam"} {
		for _, text := range texts[label] {
			list = append(list, bayes.Example{Label: label, Text: text})
		}
	}
	c, err := bayes.ReadCorpus(context.Background(), nil, streamed(list), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := eval.Audit(context.Background(), c, bayes.Multinomial{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := a.Doubts[0]
	fmt.Printf("%q is %s, not %s?\n", list[d.Example].Text, d.Suggested, d.Label)
	// Ten texts are too few to be sure.
	cutoff, expected, err := a.Cutoff(0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d sure, at most %.1f of them right\n", len(a.Above(cutoff)), expected)
	// Output:
	// "lunch at one, see you" is ham, not spam?
	// 0 sure, at most 0.0 of them right
}

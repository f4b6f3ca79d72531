package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/internal/parallel"
	"bayes/text"
)

// Trials that are centred read terms by the logarithm of how often they occur, and examples by how many terms they have.
func TestSublinear(t *testing.T) {
	all := []bayes.Example{{Label: "a", Text: "x x x x y z"}, {Label: "b", Text: "u v"}, {Text: strings.Repeat("x ", 400) + "y y"}, {Text: strings.Repeat("u v ", 80)}, {Text: "z"}, {Text: "."}}
	for _, space := range []*bayes.Space{nil, {Analyzer: &text.Analyzer{Subwords: [2]int{3, 3}}, SubwordWeight: 1}} {
		m, err := readMixture(t.Context(), space, each(all[:2]), each(all[2:]), 1)
		if err != nil {
			t.Fatal(err)
		}
		sublinear := m.readSublinear()
		worth := func(n float64) float64 { // the inverse of the root of a length up to 100, and of a tenth of it beyond
			if n = max(n, 1); n > 100 {
				return 10 / n
			}
			return 1 / math.Sqrt(n)
		}
		total, lengths := 0.0, make([]float64, len(all))
		for i := range all {
			for _, f := range m.AppendFeatures(nil, i) {
				lengths[i] += f.Value
			}
			total += lengths[i]
		}
		for i := range all {
			if want := min(2, worth(lengths[i])/worth(total/float64(len(all)))); math.Abs(sublinear.byLength[i]-want) > 1e-5 {
				t.Errorf("%v: example %d counts %v, want %v", space, i, sublinear.byLength[i], want)
			}
		}
		for _, f := range sublinear.AppendFeatures(nil, 0) {
			if f.Name == "x" && f.Value != 1+math.Log(4) || f.Name == "y" && f.Value != 1 {
				t.Errorf("%v: %s is %v", space, f.Name, f.Value)
			}
		}
	}
}

// Values that are not how often terms occur stay as they are: those of a Space that weighs them, and fractions, of which a logarithm would be negative.
func TestSublinearOfWeighed(t *testing.T) {
	texts := textsInTurn(60, "ab", 10, func(i int) string { return fmt.Sprintf("%c%d", "ab"[i%2], i%5) })
	fractions := textsInTurn(60, "ab", 0, nil)
	for i := range fractions {
		fractions[i].Attrs = []bayes.Attr{bayes.Term(fmt.Sprintf("%c%d", "ab"[i%2], i%5), .1), bayes.Term("z", 2.9)}
	}
	for _, tc := range []struct {
		space *bayes.Space
		all   []bayes.Example
	}{
		{&bayes.Space{Binary: true}, texts},
		{&bayes.Space{Log: true}, texts},
		{&bayes.Space{Norm: feature.L2}, texts},
		{&bayes.Space{Threshold: 2}, texts},
		{&bayes.Space{Analyzer: &text.Analyzer{Subwords: [2]int{3, 3}}}, texts},
		{nil, fractions},
	} {
		m, err := readMixture(t.Context(), tc.space, each(tc.all[:10]), each(tc.all[10:]), 1)
		if err != nil {
			t.Fatal(err)
		}
		if m.readSublinear() != m.reading {
			t.Errorf("%v: sublinear", tc.space)
		}
		if found, err := SemiSupervised(t.Context(), tc.space, nil, each(tc.all[:10]), each(tc.all[10:]), nil); err != nil || len(found.Trials) < 2 {
			t.Errorf("%v: %v", tc.space, err)
		}
	}
}

// An answer that has one word ten thousand times, as an encoded picture does, does not lose its class in a trial that is centred.
func TestCentredTrialOfARepeatedWord(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	all := textsInTurn(1216, "abcd", 30, func(i int) string {
		if random.IntN(8) == 0 {
			return fmt.Sprintf("%c%d", "abcd"[i%4], random.IntN(100))
		}
		return fmt.Sprint(random.IntN(100))
	})
	all[0].Text += strings.Repeat("ax ", 10_000)
	m, every := mixtureOf(t, all, 16)
	for _, tc := range []struct {
		input       *reading
		least, most int // of 1,200 that are in the right class
	}{{m.readSublinear(), 1100, 1200}, {m.reading, 0, 1000}} {
		m.sublinear = tc.input
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), every, SemiTrial{Smoothing: bayes.Additive(.01), Weight: .25, Rounds: 5, Centred: true}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		right := rightOf(m, s, all)
		if right < tc.least || right > tc.most {
			t.Errorf("%d right, want %d to %d", right, tc.least, tc.most)
		}
	}
}

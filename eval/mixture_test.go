package eval

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/internal/parallel"
	"bayes/text"
)

// each yields examples.
func each(list []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// textsInTurn returns n examples of some words each, whose labels are letters in turn.
func textsInTurn(n int, labels string, words int, word func(i int) string) []bayes.Example {
	var list []bayes.Example
	for i := range n {
		text := ""
		for range words {
			text += word(i) + " "
		}
		list = append(list, bayes.Example{Label: string(labels[i%len(labels)]), Text: text})
	}
	return list
}

// The last round's model is that of examples learned one by one, each in its classes with its shares for weights.
func TestRoundsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	all := textsInTurn(209, "abc", 5, func(i int) string { return fmt.Sprintf("%c%d", "abc "[(i%3)|random.IntN(4)], random.IntN(20)) })
	m, err := readMixture(t.Context(), nil, each(all[:9]), each(all[9:]), 1)
	if err != nil {
		t.Fatal(err)
	}
	m.plain = bayes.Multinomial{}
	m.damp()
	for _, rounds := range []int{1, 2, 5} {
		trial := SemiTrial{Smoothing: bayes.Additive(0.1), Weight: .25, Rounds: rounds, Centred: rounds == 5}
		var last *bayes.Model
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), []int{0, 1, 2, 4, 5, 6, 7, 8}, trial, func(int) bool { return true }, func(_ int, model *bayes.Model) { last = model })
		if err != nil {
			t.Fatal(err)
		}
		counts, several := bayes.NewCounts(nil), 0
		for i, ex := range all {
			classes, weights := s.of(i)
			for j, k := range classes {
				ex.Label, ex.Weight = m.classes[k], weights[j]
				counts.Learn(ex)
			}
			if len(classes) > 1 {
				several++
			}
		}
		model, err := bayes.Fit(counts, bayes.Multinomial{Smoothing: trial.Smoothing})
		if err != nil || several == 0 {
			t.Fatalf("%d texts have several classes: %v", several, err)
		}
		for i := range m.Len() {
			got, _ := m.AppendLogP(nil, last, i)
			want, _ := m.AppendLogP(nil, model, i)
			if !slices.Equal(got, want) {
				t.Fatalf("%d rounds: example %d has %v, want %v", rounds, i, got, want)
			}
		}
	}
}

// The shares of an example are those that the model before says, at a temperature by its features and the labels a class, times what its length makes it count;
// the model before is of labelled examples that count by their lengths, too.
func TestSharesOfManyLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	all := textsInTurn(280, "ab", 50, func(int) string { return fmt.Sprintf("w%d", random.IntN(400)) })
	for i := range all {
		if i%7 == 0 {
			all[i].Text = all[i].Text[:len(all[i].Text)/2]
		}
		all[i].Text += all[i].Label
	}
	all[0].Text, all[245].Text, all[246].Text = "w1 a", "w1 a", "-" // so short that the root is above 2, and of no feature
	for _, n := range []int{20, 240} {
		m, err := readMixture(t.Context(), nil, each(all[:n]), each(all[240:]), 1)
		if err != nil {
			t.Fatal(err)
		}
		m.plain = bayes.Multinomial{}
		mean := 0.0
		for i := range m.Len() {
			mean += float64(m.Distinct(i)) / float64(m.Len())
		}
		worth := func(i int) float64 { return min(2, math.Sqrt(mean/max(1, float64(m.Distinct(i))))) }
		before := bayes.NewCounts(m.Space())
		train := make([]int, n/2) // a fold's
		for i := range train {
			train[i] = i
			ex := all[i]
			ex.Weight = worth(i)
			before.Learn(ex)
		}
		model, err := bayes.Fit(before, bayes.Multinomial{Smoothing: bayes.Additive(.5)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), train, SemiTrial{Smoothing: bayes.Additive(.5), Weight: 1, Rounds: 1}, func(int) bool { return false }, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := n; i < m.Len(); i++ {
			want, _ := m.AppendLogP(nil, model, i)
			soften(want, temperature(m.Distinct(i), float64(n)/4))
			got := make([]float64, 2)
			classes, weights := s.of(i)
			for j, k := range classes {
				got[k] = weights[j] / worth(i)
			}
			if math.Abs(got[0]-want[0]) > 1e-4 || math.Abs(got[1]-want[1]) > 1e-4 {
				t.Fatalf("%d labels: text %d counts %v times the shares %v, want %v", n, i-n, worth(i), got, want)
			}
		}
	}
}

// What is centred is the prior in the mean of all, each by its features, and a class that is more likely by the same factor for each feature is so no more. Examples that a class cannot have
// do not count.
func TestCentre(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const n, classes = 50, 3
	m, err := readMixture(t.Context(), nil, each(textsInTurn(3, "abc", 2, func(int) string { return "a" })), each(textsInTurn(n, " ", 2, func(i int) string { return fmt.Sprint(i) })), 1)
	if err != nil {
		t.Fatal(err)
	}
	prior, factor := []float64{math.Log(.5), math.Log(.3), math.Log(.2)}, []float64{0, -.7, 1.3}
	known := make([]float64, m.Len())
	var drawn, tilted []float64
	for i := range n {
		m.byLength[m.labelled+i] = .5 + random.Float64()
		known[m.labelled+i] = float64(random.IntN(9))
		for k := range classes {
			drawn = append(drawn, prior[k]+random.NormFloat64())
			tilted = append(tilted, drawn[len(drawn)-1]+known[m.labelled+i]*factor[k])
		}
	}
	drawn[0], tilted[0] = math.Inf(-1), math.Inf(-1)
	of := func(all []float64) func(i int) []float64 {
		return func(i int) []float64 { return all[(i-m.labelled)*classes:][:classes] }
	}
	m.centre(m.byLength, of(drawn), known, prior)
	m.centre(m.byLength, of(tilted), known, prior)
	for k := range classes {
		sum := 0.0
		for i := range n {
			if at := i*classes + k; i > 0 {
				sum += m.byLength[m.labelled+i] * (drawn[at] - prior[k])
				if math.Abs(drawn[at]-tilted[at]) > 1e-9 {
					t.Fatalf("example %d, class %d: %v, and %v where each feature is as likely again", i, k, drawn[at], tilted[at])
				}
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("class %d: all together have %v", k, sum)
		}
	}
	if !math.IsInf(drawn[0], -1) {
		t.Errorf("%v", drawn[0])
	}
	before := slices.Clone(drawn)
	if m.centre(m.byLength, of(drawn), make([]float64, m.Len()), prior); !slices.Equal(before, drawn) {
		t.Error("without a known feature, something is taken off")
	}
}

// Probabilities of many features are less sure, and those of many labels more; those of few features are as they were.
func TestSoften(t *testing.T) {
	for _, of := range []struct {
		features int
		perClass float64
		want     float64 // from 9 to 1
	}{
		{0, 1, 9}, {1, 1, 9}, {6, 1, 9},
		{12, 1, 3}, {12, 56, 3}, {60, 1, math.Pow(9, 1./10)}, // 6/k
		{60, 50, math.Pow(9, 1./10)}, {60, 100, math.Pow(9, 2./15)}, {60, 225, math.Pow(9, 1./5)}, {60, 5625, 9}, {60, 1e6, 9},
	} {
		p := []float64{math.Log(.9), math.Log(.1), math.Inf(-1)}
		if soften(p, temperature(of.features, of.perClass)); math.Abs(p[0]/p[1]-of.want) > 1e-9 || math.Abs(p[0]+p[1]-1) > 1e-12 || p[2] != 0 {
			t.Errorf("%d features, %v labels a class: %v, want %v to 1", of.features, of.perClass, p, of.want)
		}
	}
}

// Trials that are centred read terms by the logarithm of how often they occur, and examples by how many terms they have.
func TestDamp(t *testing.T) {
	all := []bayes.Example{{Label: "a", Text: "x x x x y z"}, {Label: "b", Text: "u v"}, {Text: strings.Repeat("x ", 400) + "y y"}, {Text: strings.Repeat("u v ", 80)}, {Text: "z"}, {Text: "."}}
	for _, space := range []*bayes.Space{nil, {Analyzer: &text.Analyzer{Subwords: [2]int{3, 3}}, SubwordWeight: 1}} {
		m, err := readMixture(t.Context(), space, each(all[:2]), each(all[2:]), 1)
		if err != nil {
			t.Fatal(err)
		}
		m.damp()
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
			if want := min(2, worth(lengths[i])/worth(total/float64(len(all)))); math.Abs(m.damped.byLength[i]-want) > 1e-5 {
				t.Errorf("%v: example %d counts %v, want %v", space, i, m.damped.byLength[i], want)
			}
		}
		for _, f := range m.damped.AppendFeatures(nil, 0) {
			if f.Name == "x" && f.Value != 1+math.Log(4) || f.Name == "y" && f.Value != 1 {
				t.Errorf("%v: %s is %v", space, f.Name, f.Value)
			}
		}
	}
}

// Values that are not how often terms occur stay as they are: those of a Space that weighs them, and fractions, of which a logarithm would be negative.
func TestDampWeighed(t *testing.T) {
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
		if m.damp(); m.damped != m.reading {
			t.Errorf("%v: damped", tc.space)
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
	m, err := readMixture(t.Context(), nil, each(all[:16]), each(all[16:]), 1)
	if err != nil {
		t.Fatal(err)
	}
	m.plain = bayes.Multinomial{}
	m.damp()
	every := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	for _, of := range []struct {
		by          *reading
		least, most int // of 1,200 that are in the right class
	}{{m.damped, 1100, 1200}, {m.reading, 0, 1000}} {
		m.damped = of.by
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), every, SemiTrial{Smoothing: bayes.Additive(.01), Weight: .25, Rounds: 5, Centred: true}, func(int) bool { return false }, nil)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i := len(every); i < m.Len(); i++ {
			if classes, weights := s.of(i); m.classes[classes[slices.Index(weights, slices.Max(weights))]] == all[i].Label {
				right++
			}
		}
		if right < of.least || right > of.most {
			t.Errorf("%d right, want %d to %d", right, of.least, of.most)
		}
	}
}

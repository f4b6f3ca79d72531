package eval

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bayes"
	"bayes/internal/parallel"
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

// mixtureOf returns that of examples of which the first have a label, with its readings and without neighbours, and the numbers of the labelled ones.
func mixtureOf(t *testing.T, all []bayes.Example, labelled int) (m *mixture, every []int) {
	t.Helper()
	m, err := readMixture(t.Context(), nil, each(all[:labelled]), each(all[labelled:]), 1)
	if err != nil {
		t.Fatal(err)
	}
	m.plain = bayes.Multinomial{}
	m.sublinear = m.readSublinear()
	for i := range labelled {
		every = append(every, i)
	}
	return m, every
}

// rightOf returns how many examples without a label have most of their shares in their class.
func rightOf(m *mixture, s *shares, all []bayes.Example) (right int) {
	for i := m.labelled; i < m.Len(); i++ {
		if classes, weights := s.of(i); m.classes[classes[slices.Index(weights, slices.Max(weights))]] == all[i].Label {
			right++
		}
	}
	return right
}

// The last round's model is that of examples learned one by one, each in its classes with its shares for weights.
func TestRoundsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	all := textsInTurn(209, "abc", 5, func(i int) string { return fmt.Sprintf("%c%d", "abc "[(i%3)|random.IntN(4)], random.IntN(20)) })
	m, _ := mixtureOf(t, all, 9)
	for _, rounds := range []int{1, 2, 5} {
		trial := SemiTrial{Smoothing: bayes.Additive(0.1), Weight: .25, Rounds: rounds, Centred: rounds == 5}
		var last *bayes.Model
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), []int{0, 1, 2, 4, 5, 6, 7, 8}, trial, []int{0, rounds}, func(_ int, model *bayes.Model) { last = model })
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
		s, err := m.run(t.Context(), parallel.NewPool(t.Context()), train, SemiTrial{Smoothing: bayes.Additive(.5), Weight: 1, Rounds: 1}, nil, nil)
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

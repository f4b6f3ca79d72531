package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bayes"
)

// manyClasses observes predictions over n classes, each of which is mostly right.
func manyClasses(n, documents int, seed uint64) (t *Tally, all []bayes.Prediction, truth []string) {
	r := rand.New(rand.NewPCG(seed, 0))
	t = new(Tally)
	for range documents {
		p := make([]float64, n)
		var sum float64
		for k := range p {
			p[k] = math.Exp(3 * r.NormFloat64())
			sum += p[k]
		}
		k := r.IntN(n / 10)
		p[k] += sum / 20
		var pr bayes.Prediction
		for k, v := range p {
			pr.Classes = append(pr.Classes, bayes.Prob{Class: fmt.Sprint(k), P: v / (sum + sum/20)})
		}
		slices.SortFunc(pr.Classes, func(a, b bayes.Prob) int { return cmpFloat(b.P, a.P) })
		label := fmt.Sprint(k)
		if r.IntN(8) == 0 {
			label = "met by no model"
		}
		t.Observe(pr, label)
		all, truth = append(all, pr), append(truth, label)
	}
	return t, all, truth
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Over thousands of classes a Tally keeps a few probabilities of each document. All figures
// that do not rank documents are what they are with all of them.
func TestManyClasses(t *testing.T) {
	const n, documents = 3000, 60
	tally, all, truth := manyClasses(n, documents, 1)
	if len(tally.probs) != 0 || len(tally.kept) != documents*(mostKept+2) {
		t.Fatalf("%d and %d probabilities are kept", len(tally.probs), len(tally.kept))
	}
	if got := len(tally.Labels()); got != n+1 {
		t.Errorf("%d labels, want %d", got, n+1)
	}
	var brier, loss, confidence float64
	for i, p := range all {
		own := 0.0
		for _, c := range p.Classes {
			if c.Class == truth[i] {
				own = c.P
				brier -= 2 * c.P
			}
			brier += c.P * c.P
		}
		brier++
		loss -= math.Log(max(own, epsilon))
		confidence += p.Best().P
	}
	for _, f := range []struct {
		name      string
		got, want float64
	}{{"Brier", tally.Brier(), brier}, {"log loss", tally.LogLoss(), loss}, {"confidence", tally.Confidence(), confidence}} {
		if math.Abs(f.got-f.want/documents) > 1e-12 {
			t.Errorf("%s is %v, want %v", f.name, f.got, f.want/documents)
		}
	}

	// A class's own areas are those in the list of all, and pairs of documents are ranked as by
	// what is kept.
	for _, a := range tally.Areas() {
		auc, ok := tally.AUC(a.Label)
		if auc != a.AUC || ok != a.HasAUC || tally.AveragePrecision(a.Label) != a.AveragePrecision {
			t.Fatalf("%+v, and by itself %v, %v", a, auc, tally.AveragePrecision(a.Label))
		}
		if !ok {
			continue
		}
		var right, pairs float64
		k := tally.index[a.Label]
		for _, r := range tally.rows {
			for _, s := range tally.rows {
				if int(r.truth) == k && int(s.truth) != k {
					pairs++
					right += float64(cmpFloat(tally.p(r, k), tally.p(s, k))+1) / 2
				}
			}
		}
		if math.Abs(auc-right/pairs) > 1e-12 {
			t.Errorf("the area of %s is %v, want %v of %v pairs", a.Label, auc, right, pairs)
		}
	}
}

// Tallies of many classes add, and to those of few as well.
func TestManyClassesAdd(t *testing.T) {
	a, pa, la := manyClasses(1500, 20, 1)
	b, pb, lb := manyClasses(900, 20, 2)
	var both Tally
	for i := range pa {
		both.Observe(pa[i], la[i])
	}
	for i := range pb {
		both.Observe(pb[i], lb[i])
	}
	for _, sum := range []*Tally{sumOf(a, b), sumOf(b, a)} {
		if !reflect.DeepEqual(sum.Confused(), both.Confused()) || !reflect.DeepEqual(sum.Classes(), both.Classes()) {
			t.Error("the sum is confused in another way than both")
		}
		for _, f := range [][2]float64{{sum.Brier(), both.Brier()}, {sum.LogLoss(), both.LogLoss()}, {sum.ECE(), both.ECE()}} {
			if math.Abs(f[0]-f[1]) > 1e-12 {
				t.Errorf("%v of the sum, %v of both", f[0], f[1])
			}
		}
	}
}

func TestConfused(t *testing.T) {
	tally := confused([][]int64{{9, 2, 0}, {3, 5, 2}, {0, 0, 1}})
	l := tally.Labels()
	want := []Confused{{l[1], l[0], 3}, {l[0], l[1], 2}, {l[1], l[2], 2}}
	if got := tally.Confused(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	c := tally.Classes() // of which 5, 7 and 2 documents were confused
	if got := tally.Worst(2); !slices.Equal(got, []ClassReport{c[1], c[0]}) {
		t.Errorf("worst are %v of %v", got, c)
	}
	if got := tally.Worst(9); !slices.Equal(got, []ClassReport{c[1], c[0], c[2]}) {
		t.Errorf("worst are %v of %v", got, c)
	}
}

// Where the model knows nothing, the area says so, whichever probabilities are kept.
func TestManyClassesByChance(t *testing.T) {
	const n = 2000
	r := rand.New(rand.NewPCG(5, 0))
	var tally Tally
	for range 400 {
		var pr bayes.Prediction
		for i, k := range r.Perm(n) {
			pr.Classes = append(pr.Classes, bayes.Prob{Class: fmt.Sprint(k), P: float64(n-i) * 2 / (n * (n + 1))})
		}
		tally.Observe(pr, fmt.Sprint(r.IntN(40)))
	}
	if auc, ok := tally.ROCAUC(); !ok || math.Abs(auc-.5) > .02 {
		t.Errorf("the area is %v, want a half", auc)
	}
}

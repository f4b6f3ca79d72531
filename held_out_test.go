package bayes_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/text"

	"pgregory.net/rapid"
)

// textModels are event models of texts that are swept, and some that are not.
func textModels() []bayes.EventModel {
	var ems []bayes.EventModel
	for _, alpha := range []bayes.Additive{0.01, 0.5, 1} {
		ems = append(ems,
			bayes.Multinomial{Smoothing: alpha}, bayes.Multinomial{Smoothing: alpha, Prior: bayes.UniformPrior{}},
			bayes.Complement{Smoothing: alpha}, bayes.Complement{Smoothing: alpha, Normalize: true},
			bayes.OneVersusRest{Smoothing: alpha}, bayes.OneVersusRest{Smoothing: alpha, Prior: bayes.UniformPrior{}},
			bayes.Bernoulli{Smoothing: alpha},
			bayes.Selected{MinDocuments: 2, MaxDocuments: 0.9, Model: bayes.Multinomial{Smoothing: alpha}},
			bayes.Selected{Best: 2, Model: bayes.Bernoulli{Smoothing: alpha}},
		)
	}
	return append(ems, bayes.Multinomial{Tree: "a"}, bayes.OneVersusRest{Tree: "a"}, bayes.Multinomial{Smoothing: bayes.Evidence{}}, bayes.Multinomial{Smoothing: bayes.Additive(0)}, bayes.Bernoulli{Smoothing: bayes.Additive(0)})
}

func mixedModels() []bayes.EventModel {
	return []bayes.EventModel{
		bayes.Mixed{}, bayes.Mixed{Text: bayes.Bernoulli{}, Number: bayes.Kernel{}},
		bayes.Mixed{Text: bayes.Complement{Smoothing: bayes.Additive(.1)}, Number: bayes.Discrete{}}, bayes.Mixed{Text: bayes.OneVersusRest{}},
	}
}

func drawSpace(t *rapid.T) *bayes.Space {
	s := &bayes.Space{Binary: rapid.Bool().Draw(t, "binary"), Log: rapid.Bool().Draw(t, "log")}
	if rapid.Bool().Draw(t, "threshold") {
		s.Threshold = 1
	}
	if rapid.Bool().Draw(t, "pairs") {
		s.Analyzer = &text.Analyzer{NGrams: [2]int{1, 2}}
	}
	if rapid.IntRange(0, 2).Draw(t, "subwords") == 0 {
		s.Analyzer = &text.Analyzer{Subwords: [2]int{2, 3}}
		s.SubwordWeight = rapid.SampledFrom([]float64{0, 1, 0.3}).Draw(t, "subword weight")
	}
	if rapid.Bool().Draw(t, "idf") {
		s.IDF = feature.WeightsIDF(nil)
	}
	if rapid.Bool().Draw(t, "norm") {
		s.Norm = feature.L2
	}
	if rapid.Bool().Draw(t, "hashed") {
		s.HashBits = 3
	} else if rapid.Bool().Draw(t, "vocabulary") {
		s.Vocabulary = []string{"a", "free", "*re*", "nowhere"}
	}
	if rapid.Bool().Draw(t, "labels") {
		s.Labels = []string{"unseen", "ham"}
	}
	return s
}

func drawExamples(t *rapid.T, attrs bool) []bayes.Example {
	list := rapid.SliceOfN(rapid.Custom(drawExample), 2, 14).Draw(t, "examples")
	if !attrs {
		for i := range list {
			list[i].Attrs = nil
		}
	}
	if rapid.Bool().Draw(t, "once each") {
		for i := range list {
			list[i].Weight = 1
		}
	}
	return list
}

// retrained fits em to the examples that in keeps, counted from nothing.
func retrained(s *bayes.Space, list []bayes.Example, in func(i int) bool, em bayes.EventModel) (*bayes.Model, error) {
	plain := *s
	plain.IDF, plain.Norm = nil, ""
	count := func(s *bayes.Space) *bayes.Counts {
		c := bayes.NewCounts(s)
		for i, ex := range list {
			if in(i) {
				c.Learn(ex)
			}
		}
		return c
	}
	space := *s
	if s.IDF != nil {
		space.IDF = count(&plain).IDF()
	}
	return bayes.Fit(count(&space), em)
}

// logPs returns ln P(class) for each of the classes, -Inf for those that the model
// does not know.
func logPs(m *bayes.Model, classes []string, ex bayes.Example) []float64 {
	list := slices.Repeat([]float64{math.Inf(-1)}, len(classes))
	for _, p := range m.Predict(ex.Document()).Classes {
		list[slices.Index(classes, p.Class)] = p.LogP
	}
	return list
}

func differ(a, b []float64) bool {
	return !slices.EqualFunc(a, b, func(a, b float64) bool {
		return a == b || math.Abs(a-b) <= 1e-12*math.Max(1, math.Max(math.Abs(a), math.Abs(b))) || a < -600 && b < -600
	})
}

// collect keeps what models say of each example.
func collect(n, ems int) (held [][][]float64, visit func(h *bayes.HeldOutScores)) {
	held = make([][][]float64, n)
	var mu sync.Mutex
	return held, func(h *bayes.HeldOutScores) {
		mu.Lock()
		defer mu.Unlock()
		for m := range ems {
			held[h.Example] = append(held[h.Example], slices.Clone(h.LogP(m)))
		}
	}
}

func readCorpus(t rapid.TB, s *bayes.Space, list []bayes.Example) *bayes.Corpus {
	c, err := bayes.ReadCorpus(context.Background(), s, examples(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What is held out is predicted as by models that never saw it.
func TestHeldOutIsRetraining(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attrs := rapid.Bool().Draw(t, "attrs")
		ems := textModels()
		space := drawSpace(t)
		if attrs {
			ems = mixedModels()
			space.NumberValues = true
		}
		list := drawExamples(t, attrs)
		c := readCorpus(t, space, list)
		fold := make([]int, len(list))
		for i := range fold {
			fold[i] = rapid.IntRange(-1, 2).Draw(t, "fold")
		}
		for _, em := range ems {
			held, visit := collect(len(list), 1)
			err := c.HeldOut(context.Background(), fold, []bayes.EventModel{em}, visit)
			if err != nil {
				checkRefused(t, space, list, fold, em, err)
				continue
			}
			for i, f := range fold {
				if f < 0 {
					if held[i] != nil {
						t.Fatalf("example %d is in every training part, yet predicted", i)
					}
					continue
				}
				m, err := retrained(space, list, func(j int) bool { return fold[j] != f }, em)
				if err != nil {
					t.Fatalf("%v: retraining without fold %d: %v", em, f, err)
				}
				if want := logPs(m, c.Classes(), list[i]); len(held[i]) != 1 || differ(held[i][0], want) {
					t.Fatalf("%v: example %d of fold %d\n got %v\nwant %v", em, i, f, held[i], want)
				}
			}
		}
		// All at once, event models share their sweeps.
		if !attrs {
			together(t, c, fold, ems)
		}
	})
}

// Nor do long documents, frequent terms, many smoothings or very small and large ones
// make a difference.
func TestHeldOutLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		classes, words := 1+r.IntN(8), 1+r.IntN(60)
		list := make([]bayes.Example, 20)
		for i := range list {
			list[i].Label = string(rune('a' + i%classes))
			for range 1 + r.IntN(30) {
				list[i].Text += strings.Repeat(fmt.Sprintf("w%d ", r.IntN(words)), 1+r.IntN(40)*r.IntN(2))
			}
		}
		space := &bayes.Space{Log: r.IntN(4) == 0}
		var ems []bayes.EventModel
		for range 1 + r.IntN(50) {
			alpha := bayes.Additive(math.Pow(10, 6*r.Float64()-3))
			if !space.Log && r.IntN(10) == 0 { // no rounding hides such
				alpha = bayes.Additive(math.Pow(10, 190*r.Float64()-95))
			}
			ems = append(ems, bayes.Multinomial{Smoothing: alpha}, bayes.Complement{Smoothing: alpha}, bayes.Bernoulli{Smoothing: alpha})
		}
		c := readCorpus(t, space, list)
		fold := make([]int, len(list))
		for i := range fold {
			fold[i] = r.IntN(2)
		}
		held, visit := collect(len(list), len(ems))
		if err := c.HeldOut(context.Background(), fold, ems, visit); err != nil {
			t.Skip(err)
		}
		alone, visitAlone := collect(len(list), len(ems))
		if err := c.LeaveOneOut(context.Background(), ems, visitAlone); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			m := r.IntN(len(ems))
			em := ems[m]
			for f := range 2 {
				model, err := retrained(space, list, func(j int) bool { return fold[j] != f }, em)
				for i := range list {
					if fold[i] == f {
						if err != nil {
							t.Fatal(err)
						}
						checkLong(t, em, held[i][m], logPs(model, c.Classes(), list[i]))
					}
				}
			}
			i := r.IntN(len(list))
			model, err := retrained(space, list, func(j int) bool { return j != i }, em)
			if err != nil {
				t.Fatal(err)
			}
			checkLong(t, em, alone[i][m], logPs(model, c.Classes(), list[i]))
		}
	})
}

// A trial is what the predictions themselves say, whether or not a class is known.
func TestAddTrial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ems := slices.Concat(textModels(), []bayes.EventModel{bayes.Multinomial{Smoothing: bayes.Additive(0.1)}})
		list := drawExamples(t, false)
		c := readCorpus(t, drawSpace(t), list)
		fold := make([]int, len(list))
		for i := range fold {
			fold[i] = rapid.IntRange(-1, 2).Draw(t, "fold")
		}
		var (
			mu          sync.Mutex
			n           int
			right, loss = make([]float64, len(ems)), make([]float64, len(ems))
			gotRight    = make([]int64, len(ems))
			gotLoss     = make([]int64, len(ems))
		)
		err := c.HeldOut(t.Context(), fold, ems, func(h *bayes.HeldOutScores) {
			mu.Lock()
			defer mu.Unlock()
			h.AddTrial(gotRight, gotLoss)
			n++
			label := slices.Index(c.Classes(), c.Label(h.Example))
			for m := range ems {
				logP := h.LogP(m)
				if slices.Index(logP, slices.Max(logP)) == label {
					right[m]++
				}
				loss[m] += min(-logP[label], 52*math.Ln2)
			}
		})
		if err != nil {
			t.Skip(err)
		}
		for m, em := range ems {
			if got := float64(gotLoss[m]) / (1 << 32); float64(gotRight[m]) != right[m] || math.Abs(got-loss[m]) > 1e-8*float64(n) {
				t.Fatalf("%v: %d right and loss %v of %d, want %v and %v", em, gotRight[m], got, n, right[m], loss[m])
			}
		}
	})
}

// A second text that only what is held out has is no part of what is fitted, and models of
// two texts, which are fitted one by one, do not mix up their smoothings. A class that
// vanishes with its only example is impossible, also where others were predicted before.
func TestHeldOutBlocks(t *testing.T) {
	list := []bayes.Example{
		{Label: "a", Text: "one two"}, {Label: "b", Text: "two three three"}, {Label: "a", Text: "one one three"},
		{Label: "b", Text: "two two"}, {Label: "c", Text: "four two"}, {Label: "a", Text: "one four"},
	}
	second := slices.Clone(list)
	for i := range second {
		if i > 2 {
			second[i].Attrs = []bayes.Attr{bayes.Text("more", "one two")}
		}
	}
	both := slices.Clone(second)
	for i := range both {
		both[i].Attrs = []bayes.Attr{bayes.Text("more", fmt.Sprint("word", i%2))}
	}
	var ems []bayes.EventModel
	for _, alpha := range []bayes.Additive{0.1, 1, 3} {
		ems = append(ems, bayes.Multinomial{Smoothing: alpha}, bayes.Bernoulli{Smoothing: alpha}, bayes.Complement{Smoothing: alpha})
	}
	for _, list := range [][]bayes.Example{list, second, both} {
		for _, space := range []*bayes.Space{
			{}, {IDF: feature.WeightsIDF(nil)}, {IDF: feature.WeightsIDF(nil), Norm: feature.L2},
			{Analyzer: &text.Analyzer{Subwords: [2]int{2, 3}}}, {Analyzer: &text.Analyzer{Subwords: [2]int{2, 3}}, SubwordWeight: 0.3},
		} {
			c := readCorpus(t, space, list)
			fold := []int{0, 0, 0, 1, 1, 1}
			held, visit := collect(len(list), len(ems))
			if err := c.HeldOut(t.Context(), fold, ems, visit); err != nil {
				t.Fatal(err)
			}
			alone, visitAlone := collect(len(list), len(ems))
			if err := c.LeaveOneOut(t.Context(), ems, visitAlone); err != nil {
				t.Fatal(err)
			}
			for i, ex := range list {
				for m, em := range ems {
					part, err := retrained(space, list, func(j int) bool { return fold[j] != fold[i] }, em)
					if err != nil {
						t.Fatal(err)
					}
					if want := logPs(part, c.Classes(), ex); differ(held[i][m], want) {
						t.Fatalf("%v of %v: example %d, in folds\n got %v\nwant %v", em, space, i, held[i][m], want)
					}
					others, err := retrained(space, list, func(j int) bool { return j != i }, em)
					if err != nil {
						t.Fatal(err)
					}
					if want := logPs(others, c.Classes(), ex); differ(alone[i][m], want) {
						t.Fatalf("%v of %v: example %d, alone\n got %v\nwant %v", em, space, i, alone[i][m], want)
					}
				}
			}
		}
	}
}

// checkLong allows for the rounding of some thousand logarithms of up to 200.
func checkLong(t *rapid.T, em bayes.EventModel, got, want []float64) {
	t.Helper()
	for k := range got {
		if got[k] != want[k] && !(math.Abs(got[k]-want[k]) <= 1e-10*max(1, math.Abs(want[k]))) {
			t.Fatalf("%v\n got %v\nwant %v", em, got, want)
		}
	}
}

// checkRefused: held-out prediction fails only where some retraining does.
func checkRefused(t *rapid.T, space *bayes.Space, list []bayes.Example, fold []int, em bayes.EventModel, err error) {
	for f := range 3 {
		if slices.Contains(fold, f) {
			if _, again := retrained(space, list, func(j int) bool { return fold[j] != f }, em); again != nil {
				return
			}
		}
	}
	t.Fatalf("%v is refused, though retraining works: %v", em, err)
}

func together(t *rapid.T, c *bayes.Corpus, fold []int, ems []bayes.EventModel) {
	all, visit := collect(c.Len(), len(ems))
	if err := c.HeldOut(context.Background(), fold, ems, visit); err != nil {
		return // as one of them alone was
	}
	for m, em := range ems {
		alone, visit := collect(c.Len(), 1)
		if err := c.HeldOut(context.Background(), fold, []bayes.EventModel{em}, visit); err != nil {
			t.Fatal(err)
		}
		for i := range alone {
			if alone[i] != nil && !slices.Equal(all[i][m], alone[i][0]) {
				t.Fatalf("%v: example %d: together %v, alone %v", em, i, all[i][m], alone[i][0])
			}
		}
	}
}

// Leaving one out is held-out prediction with a fold for each example.
func TestLeaveOneOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attrs := rapid.IntRange(0, 4).Draw(t, "attrs") == 0
		ems := textModels()
		space := drawSpace(t)
		if attrs {
			ems = mixedModels()
			space.NumberValues = true
		}
		list := drawExamples(t, attrs)
		c := readCorpus(t, space, list)
		for _, em := range ems {
			held, visit := collect(len(list), 1)
			err := c.LeaveOneOut(context.Background(), []bayes.EventModel{em}, visit)
			folds, visitFolds := collect(len(list), 1)
			again := c.HeldOut(context.Background(), seq(len(list)), []bayes.EventModel{em}, visitFolds)
			if (err == nil) != (again == nil) {
				t.Fatalf("%v: leaving one out: %v, fold by fold: %v", em, err, again)
			}
			if err != nil {
				continue
			}
			for i := range list {
				if len(held[i]) != 1 || differ(held[i][0], folds[i][0]) {
					t.Fatalf("%v: example %d\n got %v\nwant %v", em, i, held[i], folds[i])
				}
			}
		}
	})
}

// What rounding leaves of fractional weights does not outweigh a smoothing, however small.
func TestLeaveOneOutOfFractions(t *testing.T) {
	list := []bayes.Example{
		{Label: "solo", Text: "a b c d e e e", Weight: 0.3},
		{Label: "x", Text: "a b b c f", Weight: 0.1},
		{Label: "x", Text: "a c d", Weight: 0.7},
		{Label: "x", Text: "b e f", Weight: 1.3},
	}
	for _, labels := range [][]string{nil, {"solo", "x", "y"}} {
		c := readCorpus(t, &bayes.Space{Labels: labels}, list)
		for _, alpha := range []float64{1e-9, 1e-20, 1e-40} {
			for _, em := range []bayes.EventModel{
				bayes.Multinomial{Smoothing: bayes.Additive(alpha)},
				bayes.Complement{Smoothing: bayes.Additive(alpha)},
				bayes.Complement{Smoothing: bayes.Additive(alpha), Normalize: true},
			} {
				held, visit := collect(len(list), 1)
				if err := c.LeaveOneOut(t.Context(), []bayes.EventModel{em}, visit); err != nil {
					t.Fatal(err)
				}
				folds, visitFolds := collect(len(list), 1)
				if err := c.HeldOut(t.Context(), seq(len(list)), []bayes.EventModel{em}, visitFolds); err != nil {
					t.Fatal(err)
				}
				for i := range list {
					if differ(held[i][0], folds[i][0]) {
						t.Errorf("%v, labels %v: example %d\n got %v\nwant %v", em, labels, i, held[i], folds[i])
					}
				}
			}
		}
	}
}

// Another weighting of the same analysis is that of the documents.
func TestReweigh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := drawSpace(t)
		space.Vocabulary = nil
		plain := *space
		plain.Binary, plain.Log, plain.SubwordWeight, plain.IDF, plain.Norm = false, false, 1, nil, ""
		list := drawExamples(t, rapid.Bool().Draw(t, "attrs"))
		direct := readCorpus(t, space, list)
		other := readCorpus(t, &plain, list).Reweight(space)
		a, b := direct.Counts(), other.Counts()
		if x, y := fmt.Sprint(dump(a)), fmt.Sprint(dump(b)); x != y {
			t.Fatalf("analyzed %s\nreweighed %s", x, y)
		}
		if space.IDF == nil {
			wantEqual(t, "reweighed", b, direct.Counts())
		}
	})
}

// dump lists all moments, rounded.
func dump(c *bayes.Counts) []string {
	var list []string
	for f := range c.Features() {
		for _, class := range c.Classes() {
			if m := c.At(class, f); m.Examples != 0 {
				list = append(list, fmt.Sprintf("%s %s %d %.9f %.9f", f, class, m.Examples, m.Present, m.Sum))
			}
		}
	}
	return list
}

// The Counts of a corpus are those of its examples.
func TestCorpusCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := drawSpace(t)
		space.IDF = nil
		space.Histograms = rapid.Bool().Draw(t, "histograms")
		list := drawExamples(t, true)
		c := bayes.NewCounts(space)
		for _, ex := range list {
			c.Learn(ex)
		}
		wantEqual(t, "counts of a corpus", readCorpus(t, space, list).Counts(), c)
	})
}

// An example that is counted by shares is counted in each class with a weight, whatever its Space and its attributes; and
// what is found by numbers is what is found by names.
func TestSharesAreWeights(t *testing.T) {
	classes := []string{"spam", "new", "ham"}
	rapid.Check(t, func(t *rapid.T) {
		space := drawSpace(t)
		space.IDF = nil
		space.Histograms, space.NumberValues = rapid.Bool().Draw(t, "histograms"), rapid.Bool().Draw(t, "values")
		list := drawExamples(t, rapid.Bool().Draw(t, "attributes"))
		share, weight, want := make([][]int32, len(list)), make([][]float64, len(list)), bayes.NewCounts(space)
		for i, ex := range list {
			own := cmp.Or(ex.Weight, 1)
			for k, class := range classes {
				if w := rapid.SampledFrom([]float64{0, 0, .25, 1, 1. / 3}).Draw(t, "share"); w > 0 {
					share[i], weight[i] = append(share[i], int32(k)), append(weight[i], w)
					ex.Label, ex.Weight = class, own*w
					want.Learn(ex)
				}
			}
		}
		c, oneByOne := readCorpus(t, space, list), bayes.NewCounts(space)
		for i := range list {
			var labels []string
			for _, k := range share[i] {
				labels = append(labels, classes[k])
			}
			c.LearnInto(oneByOne, i, labels, weight[i])
		}
		wantEqual(t, "counts of examples learned one by one", oneByOne, want)
		counts := c.ShareCounter()(classes, func(i int) ([]int32, []float64) { return share[i], weight[i] })
		wantEqual(t, "counts of shares", counts, want)
		wantEqual(t, "a copy of counts of shares", counts.Clone(), want)
		for _, em := range append(textModels(), mixedModels()...) {
			byNumber, err := bayes.Fit(counts, em)
			byName, err2 := bayes.Fit(want, em)
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%v: %v, want %v", em, err, err2)
			}
			for i := range list {
				if err != nil {
					break
				}
				got, known := c.AppendLogP(nil, byNumber, i)
				logP, all := c.AppendLogP(nil, byName, i)
				if known != all || differ(got, logP) {
					t.Fatalf("%v: example %d: %v of %d features, want %v of %d", em, i, got, known, logP, all)
				}
			}
		}
	})
}

func TestHeldOutErrors(t *testing.T) {
	list := []bayes.Example{{Label: "a", Text: "x"}, {Label: "b", Text: "y"}}
	c, err := bayes.ReadCorpus(context.Background(), nil, examples(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	ems := []bayes.EventModel{bayes.Multinomial{}}
	if err := c.HeldOut(context.Background(), []int{0}, ems, func(*bayes.HeldOutScores) {}); err == nil {
		t.Error("folds of another length are taken")
	}
	if err := c.HeldOut(context.Background(), []int{0, 0}, ems, func(*bayes.HeldOutScores) {}); !errors.Is(err, bayes.ErrEmpty) {
		t.Errorf("nothing to train on: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.LeaveOneOut(ctx, ems, func(*bayes.HeldOutScores) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	failing := func(yield func(bayes.Example, error) bool) { yield(bayes.Example{}, errors.New("broken")) }
	if _, err := bayes.ReadCorpus(context.Background(), nil, failing, nil); err == nil {
		t.Error("the stream's error is lost")
	}
}

package bayes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/text"

	"pgregory.net/rapid"
)

// drawExample draws an example of few classes and few words, so that collisions
// are many.
func drawExample(t *rapid.T) bayes.Example {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "free", "not", "정말", "映画"}), 0, 8).Draw(t, "words")
	return bayes.Example{
		Attrs:  drawAttrs(t),
		Label:  rapid.SampledFrom([]string{"ham", "spam", "other"}).Draw(t, "label"),
		Text:   strings.Join(words, " "),
		Weight: float64(rapid.IntRange(0, 3).Draw(t, "weight")),
	}
}

// drawAttrs draws a further text, a number and a category, each of which may be
// missing.
func drawAttrs(t *rapid.T) []bayes.Attr {
	var attrs []bayes.Attr
	if rapid.Bool().Draw(t, "has title") {
		attrs = append(attrs, bayes.Text("title", rapid.SampledFrom([]string{"", "a", "a free a"}).Draw(t, "title")))
	}
	if rapid.Bool().Draw(t, "has size") {
		attrs = append(attrs, bayes.Number("size", float64(rapid.IntRange(-1000, 1000).Draw(t, "size"))))
	}
	if rapid.Bool().Draw(t, "has from") {
		attrs = append(attrs, bayes.Category("from", rapid.SampledFrom([]string{"", "bob", "eve"}).Draw(t, "from")))
	}
	return attrs
}

// full is a Space that keeps all that can be kept.
var full = &bayes.Space{NumberValues: true, Histograms: true}

func drawCounts(t *rapid.T, name string) *bayes.Counts {
	c := bayes.NewCounts(full)
	for _, ex := range rapid.SliceOfN(rapid.Custom(drawExample), 0, 6).Draw(t, name) {
		if rapid.IntRange(0, 9).Draw(t, "sign") == 0 {
			c.Unlearn(ex) // negative counts obey the laws too
		} else {
			c.Learn(ex)
		}
	}
	return c
}

func sum(t *rapid.T, cs ...*bayes.Counts) *bayes.Counts {
	total := bayes.NewCounts(full)
	for _, c := range cs {
		if err := total.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	return total
}

func wantEqual(t *rapid.T, law string, a, b *bayes.Counts) {
	t.Helper()
	if !a.Equal(b) {
		t.Fatalf("%s does not hold", law)
	}
}

func TestGroupLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawCounts(t, "a"), drawCounts(t, "b"), drawCounts(t, "c")
		zero := bayes.NewCounts(full)
		wantEqual(t, "a+b = b+a", sum(t, a, b), sum(t, b, a))
		wantEqual(t, "(a+b)+c = a+(b+c)", sum(t, sum(t, a, b), c), sum(t, a, sum(t, b, c)))
		wantEqual(t, "a+0 = a", sum(t, a, zero), a)
		d := sum(t, a, b)
		if err := d.Sub(b); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "(a+b)-b = a", d, a)
		if err := d.Sub(d); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "a-a = 0", d, zero)
		if d.Len() != 0 || len(d.Classes()) != 0 {
			t.Fatalf("a-a has %d features and classes %q", d.Len(), d.Classes())
		}
	})
}

func TestUnlearnInvertsLearn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, ex := drawCounts(t, "c"), drawExample(t)
		before := c.Clone()
		c.Learn(ex)
		c.Unlearn(ex)
		wantEqual(t, "c + x - x = c", c, before)
		c.Unlearn(ex)
		c.Learn(ex)
		wantEqual(t, "c - x + x = c", c, before)
	})
}

// A number's sums come back to 1e-12 of their size, whatever was added between.
func TestNumbersUnlearn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := bayes.NewCounts(nil)
		number := func(name string) bayes.Example {
			v := rapid.Float64Range(-1e6, 1e6).Draw(t, name)
			return bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", v)}, Weight: rapid.Float64Range(.1, 9).Draw(t, "weight")}
		}
		c.Learn(number("kept"))
		before := c.At("a", "x")
		var others []bayes.Example
		for range rapid.IntRange(1, 20).Draw(t, "others") {
			others = append(others, number("other"))
			c.Learn(others[len(others)-1])
		}
		for _, ex := range others {
			c.Unlearn(ex)
		}
		after := c.At("a", "x")
		for _, v := range [][2]float64{{before.Sum, after.Sum}, {before.Squares, after.Squares}, {before.Present, after.Present}} {
			if math.Abs(v[0]-v[1]) > 1e-12*math.Max(1, math.Abs(v[0])) {
				t.Fatalf("before %v, after %v", before, after)
			}
		}
	})
}

// A feature that is the same in every document changes nothing.
func TestConstantFeature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain, constant := bayes.NewCounts(nil), bayes.NewCounts(nil)
		with := func(ex bayes.Example) bayes.Example {
			ex.Attrs = append(ex.Attrs[:len(ex.Attrs):len(ex.Attrs)], bayes.Category("planet", "earth"))
			return ex
		}
		for _, ex := range rapid.SliceOfN(rapid.Custom(drawExample), 1, 8).Draw(t, "examples") {
			plain.Learn(ex)
			constant.Learn(with(ex))
		}
		doc := drawExample(t)
		a, errA := bayes.Fit(plain, bayes.Mixed{})
		b, errB := bayes.Fit(constant, bayes.Mixed{})
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for i, p := range a.Predict(doc.Document()).Classes {
			if q := b.Predict(with(doc).Document()).Classes[i]; math.Abs(p.P-q.P) > 1e-12 {
				t.Fatalf("%v became %v", p, q)
			}
		}
	})
}

// With fractional weights the sums hold to within rounding, but which features
// exist is exact.
func TestFractionalWeightsLeaveNoDust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := bayes.NewCounts(nil)
		examples := rapid.SliceOfN(rapid.Custom(drawExample), 1, 20).Draw(t, "examples")
		for i := range examples {
			examples[i].Weight = rapid.Float64Range(1e-3, 10).Draw(t, "weight")
			c.Learn(examples[i])
		}
		for _, i := range rapid.Permutation(seq(len(examples))).Draw(t, "order") {
			c.Unlearn(examples[i])
		}
		wantEqual(t, "Σx - Σx = 0", c, bayes.NewCounts(c.Space()))
	})
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func TestLinearMapsCommuteWithAdd(t *testing.T) {
	coarse := func(label string) string {
		if label == "ham" {
			return "ham"
		}
		return "rest"
	}
	short := func(f string) bool { return len(f) == 1 }
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCounts(t, "a"), drawCounts(t, "b")
		wantEqual(t, "Relabel(a+b) = Relabel(a)+Relabel(b)", sum(t, a, b).Relabel(coarse), sum(t, a.Relabel(coarse), b.Relabel(coarse)))
		wantEqual(t, "Restrict(a+b) = Restrict(a)+Restrict(b)", sum(t, a, b).Restrict(short), sum(t, a.Restrict(short), b.Restrict(short)))
		for _, f := range slices.Collect(a.Restrict(short).Features()) {
			if !short(f) {
				t.Fatalf("Restrict kept %q", f)
			}
		}
	})
}

func TestPosteriorSumsToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := bayes.NewCounts(full)
		for _, ex := range rapid.SliceOfN(rapid.Custom(drawExample), 1, 8).Draw(t, "examples") {
			c.Learn(ex)
		}
		alpha := bayes.Additive(rapid.SampledFrom([]float64{0, 1e-10, .5, 1}).Draw(t, "alpha"))
		for _, em := range []bayes.EventModel{
			bayes.Mixed{Text: bayes.Multinomial{Smoothing: alpha}},
			bayes.Mixed{Text: bayes.Complement{Smoothing: alpha}, Number: bayes.Kernel{}},
			bayes.Mixed{Text: bayes.OneVersusRest{Smoothing: alpha}},
			bayes.Mixed{Text: bayes.Bernoulli{Smoothing: alpha}, Number: bayes.Discrete{Smoothing: alpha}, Category: bayes.Categorical{Smoothing: alpha}},
			bayes.Mixed{Text: bayes.Multinomial{Smoothing: bayes.Evidence{Documents: true}}},
			bayes.Mixed{Text: bayes.Multinomial{Smoothing: alpha + 1e-9, Tree: "a"}},
			bayes.Mixed{Text: bayes.OneVersusRest{Smoothing: alpha + 1e-9, Tree: "/"}},
		} {
			m, err := bayes.Fit(c, em)
			if err != nil {
				t.Fatal(err)
			}
			doc := drawExample(t).Document()
			var total float64
			for _, p := range m.Predict(doc).Classes {
				if math.IsNaN(p.P) || math.IsNaN(p.LogJoint) || p.P < 0 || p.P > 1+1e-12 {
					t.Fatalf("%v: %v", em, p)
				}
				total += p.P
			}
			if math.Abs(total-1) > 1e-12 {
				t.Fatalf("%v: probabilities sum to %v", em, total)
			}
			checkExplanation(t, m, doc)
		}
	})
}

// checkExplanation: the parts of an explanation add up to the log-odds.
func checkExplanation(t *rapid.T, m *bayes.Model, doc bayes.Document) {
	ex := m.Explain(doc)
	if ex.Against == "" {
		return
	}
	parts := ex.Prior + ex.Absent
	for _, f := range ex.Features {
		parts += f.LogOdds
	}
	whole := ex.Classes[0].LogJoint - ex.Classes[1].LogJoint
	scale := math.Max(1, math.Max(math.Abs(ex.Classes[0].LogJoint), math.Abs(ex.Classes[1].LogJoint)))
	if !math.IsInf(whole, 0) && !math.IsNaN(whole) && math.Abs(parts-whole) > 1e-12*scale {
		t.Fatalf("%v: the parts add up to %v, the whole is %v", m.EventModel(), parts, whole)
	}
	for k, cd := range m.Derive(doc).Classes {
		score := cd.AbsentSum + cd.PriorScore
		for _, f := range cd.Factors {
			score += f.Times * f.Log
		}
		if cd.LogJoint != score && math.Abs(score-cd.LogJoint) > 1e-12*math.Max(1, math.Abs(score)) {
			t.Fatalf("%v class %d: the derivation gives %v, the score is %v", m.EventModel(), k, score, cd.LogJoint)
		}
	}
}

// A model does not change when the counts it was fitted from do.
func TestModelIsFrozen(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, ex := range iirTraining {
		c.Learn(ex)
	}
	m, err := bayes.Fit(c, bayes.Bernoulli{})
	if err != nil {
		t.Fatal(err)
	}
	before := m.Explain(bayes.Document{Text: iirTest})
	for range 100 {
		c.Learn(bayes.Example{Label: "Japan", Text: "Chinese Osaka"})
	}
	after := m.Explain(bayes.Document{Text: iirTest})
	if before.Classes[0] != after.Classes[0] || before.Features[0].Counts != after.Features[0].Counts {
		t.Errorf("before %v, after %v", before, after)
	}
}

func examples(list []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// Count gives the same bytes for any number of workers and any order.
func TestCountIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(drawExample), 0, 2000).Draw(t, "examples")
		one, err := bayes.Count(context.Background(), nil, examples(list), &bayes.CountOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(list)
		eight, err := bayes.Count(context.Background(), nil, examples(list), &bayes.CountOptions{Workers: 8})
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "Count with 1 = Count with 8, reversed", one, eight)
	})
}

func TestCountStops(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(bayes.Example, error) bool) {
		_ = yield(bayes.Example{Label: "a", Text: "b"}, nil) && yield(bayes.Example{}, broken)
	}
	for _, workers := range []int{1, 4} {
		opts := &bayes.CountOptions{Workers: workers}
		if c, err := bayes.Count(context.Background(), nil, failing, opts); !errors.Is(err, broken) || c != nil {
			t.Errorf("%d workers: %v, %v", workers, c, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := bayes.Count(ctx, nil, examples(iirTraining), opts); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

func TestFitErrors(t *testing.T) {
	learned := bayes.NewCounts(nil)
	learned.Learn(bayes.Example{Label: "a", Text: "x y"})
	learned.Learn(bayes.Example{Label: "b", Text: "z"})
	negative := learned.Clone()
	negative.Unlearn(bayes.Example{Label: "a", Text: "z"})
	residue := bayes.NewCounts(nil)
	residue.Learn(bayes.Example{Label: "a", Text: "x x"})
	residue.Unlearn(bayes.Example{Label: "a", Text: "x"})
	residue.Learn(bayes.Example{Label: "b", Text: "x"})
	below := bayes.NewCounts(nil)
	below.Learn(bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Term("t", -1)}})
	for _, tc := range []struct {
		counts *bayes.Counts
		em     bayes.EventModel
		want   string
	}{
		{bayes.NewCounts(nil), nil, "bayes: no examples"},
		{negative, nil, "bayes: more was unlearned than was learned"},
		{residue, nil, "bayes: more was unlearned than was learned"},
		{below, bayes.Multinomial{}, `bayes: multinomial needs counts, but feature "t" sums to -1 in class "a"`},
		{learned, bayes.Multinomial{Smoothing: bayes.Additive(-1)}, "bayes: smoothing must be a number from 0 up to 1e150, not -1"},
		{learned, bayes.Bernoulli{Smoothing: bayes.Additive(math.NaN())}, "bayes: smoothing must be a number from 0 up to 1e150, not NaN"},
		{learned, bayes.Complement{Smoothing: bayes.Additive(0), Normalize: true}, "bayes: complement: normalised weights need a smoothing above 0"},
		{learned, bayes.Multinomial{Tree: "/", Smoothing: bayes.Additive(0)}, "bayes: a tree of labels needs a smoothing above 0"},
		{learned, bayes.Multinomial{Prior: bayes.GivenPrior{"a": 1}}, `bayes: prior: nothing is said of class "b"`},
		{learned, bayes.Multinomial{Prior: bayes.GivenPrior{"a": .5, "c": .5}}, `bayes: prior: "c" is none of the classes ["a" "b"]`},
		{learned, bayes.Multinomial{Prior: bayes.GivenPrior{"a": 2, "b": 1}}, `bayes: prior: the probability of "a" must be between 0 and 1, not 2`},
		{learned, bayes.Multinomial{Prior: bayes.GivenPrior{"a": .5, "b": .7}}, "bayes: prior: the probabilities sum to 1.2, not to 1"},
	} {
		if _, err := bayes.Fit(tc.counts, tc.em); err == nil || err.Error() != tc.want {
			t.Errorf("%v: error %v, want %s", tc.em, err, tc.want)
		}
	}
}

// Counts of different spaces do not add, and say what differs.
func TestSpacesDiffer(t *testing.T) {
	for _, other := range []*bayes.Space{
		{Binary: true}, {Threshold: 2}, {Vocabulary: []string{"a"}}, {Labels: []string{"a"}},
	} {
		a, b := bayes.NewCounts(nil), bayes.NewCounts(other)
		b.Learn(bayes.Example{Label: "x", Text: "a"})
		var wrong *bayes.SpaceError
		if err := a.Add(b); !errors.As(err, &wrong) || wrong.Have == wrong.Want {
			t.Errorf("%v: %v", other, err)
		}
		if a.Examples() != 0 {
			t.Errorf("%v: a failed Add changed the counts", other)
		}
	}
	a := bayes.NewCounts(&bayes.Space{Vocabulary: []string{"b", "a"}})
	if err := a.Add(bayes.NewCounts(&bayes.Space{Vocabulary: []string{"a", "b"}})); err != nil {
		t.Errorf("vocabularies in other orders: %v", err)
	}
}

// A weight of subwords is spelled wherever there are subwords, whatever stands for it.
func TestSubwordWeight(t *testing.T) {
	for w, want := range map[float64]string{
		0: "0.25", 0.25: "0.25", 1: "1", 0.001: "0.001", 1000: "1000",
		-1: "0.25", 1e-4: "0.25", 1001: "0.25", math.Inf(1): "0.25", math.NaN(): "0.25",
	} {
		s := &bayes.Space{Analyzer: &text.Analyzer{Subwords: [2]int{4, 4}}, SubwordWeight: w}
		if got := s.String(); got != "default subwords=4 subword-weight="+want {
			t.Errorf("%v is spelled %q", w, got)
		}
		back, err := bayes.ParseSpace(s.String())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range back.AppendFeatures(nil, bayes.Document{Text: "word"}) {
			if got := fmt.Sprint(f.Value); text.IsSubword([]byte(f.Name)) && got != want || f.Name == "word" && got != "1" {
				t.Errorf("%v: %s counts %s", s, f.Name, got)
			}
		}
	}
	for _, bad := range []string{"0", "-1", "0.0001", "1e308", "Inf", "NaN", "x", ""} {
		if s, err := bayes.ParseSpace("default subwords=4 subword-weight=" + bad); err == nil || !strings.Contains(err.Error(), "subword-weight="+bad) {
			t.Errorf("%s is read as %v, %v", bad, s, err)
		}
	}
}

func TestSpecsRoundTrip(t *testing.T) {
	for _, em := range []bayes.EventModel{
		bayes.Multinomial{},
		bayes.Multinomial{Smoothing: bayes.Additive(.1), Prior: bayes.UniformPrior{}},
		bayes.Complement{Normalize: true, Smoothing: bayes.Additive(0.25)},
		bayes.OneVersusRest{Smoothing: bayes.Additive(.1), Prior: bayes.UniformPrior{}},
		bayes.Multinomial{Tree: "/"}, bayes.OneVersusRest{Tree: ` "(`, Smoothing: bayes.Additive(.1)}, bayes.Mixed{Text: bayes.Multinomial{Tree: "\\"}},
		bayes.Bernoulli{Prior: bayes.GivenPrior{"ham": .25, "a b": .5, "x=y,\"\n": .25}},
		bayes.Multinomial{Smoothing: bayes.Evidence{Documents: true}},
		bayes.Gaussian{Shared: true, VarSmoothing: bayes.NoVarSmoothing},
		bayes.Categorical{MinValues: 3},
		bayes.Mixed{},
		bayes.Selected{MinDocuments: 2, MaxDocuments: .5, MaxFeatures: 100},
		bayes.Mixed{Text: bayes.Selected{Best: 7, Score: feature.MutualInformation{}, Model: bayes.Complement{}}},
		bayes.Mixed{Prior: bayes.GivenPrior{"a (b": .5, "c": .5}, Text: bayes.Complement{Normalize: true}, Number: bayes.Kernel{}, Category: bayes.Categorical{Smoothing: bayes.Additive(.5)}},
		bayes.Mixed{Number: bayes.Discrete{Smoothing: bayes.Additive(0)}},
		bayes.Multinomial{Smoothing: bayes.PerFeature{Alpha: map[string]float64{"free": 2, "a,b": .5}, Else: 1}},
		bayes.Corrected{}, bayes.Corrected{Model: bayes.Selected{Best: 7}, Strength: 1e-6, Spread: true, Trust: 0.25},
	} {
		back, err := bayes.ParseEventModel(em.String())
		if err != nil || back.String() != em.String() {
			t.Errorf("%v came back as %v, %v", em, back, err)
		}
	}
	for text, want := range map[string]string{ // of what has no Go literal
		"fisher":                              "fisher robs=0.0178 robx=0.52 min-dev=0.375",
		"fisher min-dev=0 robx=0.4 robs=1e-3": "fisher robs=0.001 robx=0.4 min-dev=0",
		"calibrated cutoffs=spam=1 model=(fisher robs=2)": "calibrated cutoffs=spam=1 model=(fisher robs=2 robx=0.52 min-dev=0.375)",
	} {
		em, err := bayes.ParseEventModel(text)
		if err != nil || em.String() != want {
			t.Errorf("%s is read as %v, %v", text, em, err)
		} else if back, err := bayes.ParseEventModel(want); err != nil || !reflect.DeepEqual(back, em) {
			t.Errorf("%s came back as %v, %v", want, back, err)
		}
	}
	for _, bad := range []string{
		"fisher robs=x", "fisher prior=uniform", "fisher smoothing=1",
		"", "gauss", "multinomial smoothing=x", "multinomial smoothing=-1", "multinomial norm",
		"bernoulli prior=a=.5,b", "bernoulli prior=a=.5", "bernoulli prior=a=.5,a=.5", `multinomial prior="a`,
		"corrected correction=0123", "corrected correction=0123456789abcdeg", "corrected strength=x", "corrected prior=uniform", "corrected model=multinomial",
	} {
		if em, err := bayes.ParseEventModel(bad); err == nil {
			t.Errorf("%q is read as %v", bad, em)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of more than one line", bad)
		}
	}
}

// What Save writes Load reads, and the bytes are the same again.
func TestSaveLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCounts(t, "c")
		if rapid.Bool().Draw(t, "fractional") {
			ex := drawExample(t)
			ex.Weight = rapid.Float64Range(.001, 1e300).Draw(t, "weight")
			c.Learn(ex)
		}
		var first, second bytes.Buffer
		em := bayes.Complement{Normalize: true, Prior: bayes.GivenPrior{"a b": 1}}
		if err := bayes.Save(&first, c, em); err != nil {
			t.Fatal(err)
		}
		d, back, err := bayes.Load(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if back.String() != em.String() || !c.Equal(d) {
			t.Fatalf("%v came back as %v", em, back)
		}
		if err := bayes.Save(&second, d, back); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("saved again, the bytes differ (%v)", err)
		}
	})
}

// drawWhole draws a Space of whole values, by any of which plain examples may have to
// be counted otherwise.
func drawWhole(t *rapid.T) *bayes.Space {
	s := &bayes.Space{Binary: rapid.Bool().Draw(t, "binary"), NumberValues: rapid.Bool().Draw(t, "number values")}
	switch rapid.IntRange(0, 5).Draw(t, "space") {
	case 0:
		s.HashBits = 2
	case 1:
		s.Vocabulary = []string{"a", "free", "정말", "never seen"}
	case 2:
		s.Threshold = rapid.SampledFrom([]float64{-1, 1, 2}).Draw(t, "threshold")
	case 3:
		s.Histograms = true
	case 4:
		s.Labels = []string{"other", "nobody's"}
	}
	if rapid.Bool().Draw(t, "n-grams") {
		s.Analyzer = &text.Analyzer{NGrams: rapid.SampledFrom([][2]int{{1, 2}, {2, 2}, {1, 3}, {2, 3}}).Draw(t, "lengths")}
	} else if rapid.Bool().Draw(t, "subwords") {
		s.Analyzer = &text.Analyzer{Subwords: [2]int{2, 4}}
		s.SubwordWeight = rapid.SampledFrom([]float64{0, 1, 0.5}).Draw(t, "subword weight")
	}
	return s
}

// Count and ReadCorpus count as Learn does.
func TestCountLearns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawWhole(t)
		list := rapid.SliceOfN(rapid.Custom(drawExample), 0, 20).Draw(t, "examples")
		want := bayes.NewCounts(s)
		for _, ex := range list {
			want.Learn(ex)
		}
		stream := func(yield func(bayes.Example, error) bool) {
			for _, ex := range list {
				if !yield(ex, nil) {
					return
				}
			}
		}
		opts := &bayes.CountOptions{Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		got, err := bayes.Count(context.Background(), s, stream, opts)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "Count = Learn", got, want)
		corpus, err := bayes.ReadCorpus(context.Background(), s, stream, opts)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "ReadCorpus = Learn", corpus.Counts(), want)
	})
}

package bayes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"bayes"
	"bayes/feature"
	"bayes/text"
)

// learn returns the Counts of a few examples.
func learn(s *bayes.Space, list ...bayes.Example) *bayes.Counts {
	c := bayes.NewCounts(s)
	for _, ex := range list {
		c.Learn(ex)
	}
	return c
}

func Example() {
	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	counts.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	model, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		fmt.Println(err)
		return
	}
	best := model.Predict(bayes.Document{Text: "a free lunch, a free prize"}).Best()
	fmt.Printf("%s %.4f\n", best.Class, best.P)
	// Output: spam 0.9412
}

// Introduction to Information Retrieval, example 13.1: the multinomial model
// chooses China, 3/4·(3/7)³·(1/14)² ≈ 0.0003 against 1/4·(2/9)⁵ ≈ 0.0001.
func ExampleMultinomial() {
	c := learn(nil, iirTraining...)
	m, _ := bayes.Fit(c, bayes.Multinomial{})
	for _, p := range m.Predict(bayes.Document{Text: "Chinese Chinese Chinese Tokyo Japan"}).Classes {
		fmt.Printf("%s %.4f %.4f\n", p.Class, math.Exp(p.LogJoint), p.P)
	}
	// Output:
	// China 0.0003 0.6898
	// Japan 0.0001 0.3102
}

// The same counts as a Bernoulli model choose Japan: the three Chinese count
// once, and the absent Beijing, Shanghai and Macao speak against China.
func ExampleBernoulli() {
	c := learn(nil, iirTraining...)
	m, _ := bayes.Fit(c, bayes.Bernoulli{})
	for _, p := range m.Predict(bayes.Document{Text: "Chinese Chinese Chinese Tokyo Japan"}).Classes {
		fmt.Printf("%s %.3f\n", p.Class, math.Exp(p.LogJoint))
	}
	// Output:
	// Japan 0.022
	// China 0.005
}

// With normalised weights the answer flips: one class's weights are no longer
// larger just because its complement is small.
func ExampleComplement() {
	c := learn(nil, iirTraining...)
	for _, norm := range []bool{false, true} {
		m, _ := bayes.Fit(c, bayes.Complement{Normalize: norm})
		best := m.Predict(bayes.Document{Text: "Chinese Chinese Chinese Tokyo Japan"}).Best()
		fmt.Printf("%s %.4f\n", best.Class, best.LogJoint)
	}
	// Output:
	// Japan 7.8200
	// China 0.6773
}

// Is it about fish, or about the rest? Cod stands once among the 3 words of fish and not among the 4
// of the rest, which with |V| = 7 makes ½·ln(2/10 : 1/11) = 0.394. The prior adds ½·ln(1/3 : 2/3) =
// -0.347.
func ExampleOneVersusRest() {
	c := learn(nil,
		bayes.Example{Label: "fish", Text: "cod eel sea"},
		bayes.Example{Label: "fowl", Text: "hen egg"},
		bayes.Example{Label: "tree", Text: "oak elm"},
	)
	m, _ := bayes.Fit(c, bayes.OneVersusRest{})
	for _, p := range m.Predict(bayes.Document{Text: "cod"}).Classes {
		fmt.Printf("%s %.3f\n", p.Class, p.LogJoint)
	}
	// Output:
	// fish 0.048
	// fowl -0.549
	// tree -0.549
}

// Labels that are paths share what they know: football has seen the referee, baseball the bat, and so sport has both.
func ExampleModel_LabelTree() {
	c := learn(nil,
		bayes.Example{Label: "sport/football", Text: "goal referee stadium goal"},
		bayes.Example{Label: "sport/baseball", Text: "pitcher bat stadium"},
		bayes.Example{Label: "science/space", Text: "rocket orbit bat"},
		bayes.Example{Label: "science/crypto", Text: "key cipher goal"},
	)
	for _, separator := range []string{"", "/"} {
		m, _ := bayes.Fit(c, bayes.Multinomial{Tree: separator})
		p := m.Predict(bayes.Document{Text: "referee bat"})
		fmt.Printf("%q %s %.2f, %s %.2f\n", m.LabelTree(), p.Classes[0].Class, p.Classes[0].P, p.Classes[1].Class, p.Classes[1].P)
	}
	// Output:
	// "" science/space 0.30, sport/baseball 0.30
	// "/" sport/baseball 0.32, sport/football 0.31
}

// Maximum likelihood asks under which class the observation is most probable;
// the maximum a posteriori asks which class is most probable given the
// observation. Shoes of size 155 are likelier among women. In a barracks, where
// nine in ten are men, they are a man's all the same.
func ExampleGivenPrior() {
	c := bayes.NewCounts(nil)
	wear := func(label, size string, people float64) {
		c.Learn(bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Term("size "+size, 1)}, Weight: people})
	}
	wear("female", "145", 20)
	wear("female", "150", 40)
	wear("female", "155", 30)
	wear("female", "160", 10)
	wear("male", "150", 5)
	wear("male", "155", 15)
	wear("male", "160", 40)
	wear("male", "165", 40)
	foot := bayes.Document{Attrs: []bayes.Attr{bayes.Term("size 155", 1)}}
	for _, prior := range []bayes.Prior{bayes.UniformPrior{}, bayes.GivenPrior{"female": .1, "male": .9}} {
		m, _ := bayes.Fit(c, bayes.Multinomial{Prior: prior, Smoothing: bayes.Additive(0)})
		best := m.Predict(foot).Best()
		fmt.Printf("%s: %s %.2f\n", prior, best.Class, best.P)
	}
	// Output:
	// uniform: female 0.67
	// female=0.1,male=0.9: male 0.82
}

// A four-sentence classifier without smoothing: computer vision against
// language. CV 1/2·(1/14)⁴, NLP 1/2·(1/10)(2/10)(1/10)(1/10).
func ExampleAdditive() {
	c := learn(nil,
		bayes.Example{Label: "CV", Text: "Image recognition uses convolutional neural networks"},
		bayes.Example{Label: "CV", Text: "Transformer can be used for image classification task"},
		bayes.Example{Label: "NLP", Text: "Language modeling uses transformer"},
		bayes.Example{Label: "NLP", Text: "Document classification task is language task"},
	)
	for _, alpha := range []bayes.Additive{0, 0.1, 1} {
		m, _ := bayes.Fit(c, bayes.Multinomial{Smoothing: alpha})
		best := m.Predict(bayes.Document{Text: "Classification task uses transformer"}).Best()
		fmt.Printf("alpha %v: %s %.4f\n", alpha, best.Class, best.P)
	}
	// Output:
	// alpha 0: NLP 0.8848
	// alpha 0.1: NLP 0.8609
	// alpha 1: NLP 0.7227
}

// Each term may have pseudocounts of its own: those of a Dirichlet prior.
func ExamplePerFeature() {
	c := learn(nil, bayes.Example{Label: "a", Text: "x"}, bayes.Example{Label: "b", Text: "x y"})
	m, _ := bayes.Fit(c, bayes.Multinomial{Smoothing: bayes.PerFeature{Alpha: map[string]float64{"x": 1, "y": 2}}})
	for _, row := range m.Parameters().TermLogProb {
		fmt.Printf("%.2f %.2f\n", math.Exp(row[0]), math.Exp(row[1]))
	}
	// Output:
	// 0.50 0.50
	// 0.40 0.60
}

// Smoothing that is worked out from the counts, with no data set aside.
func ExampleEvidence() {
	c := learn(nil,
		bayes.Example{Label: "a", Text: "x x x x y z"}, bayes.Example{Label: "b", Text: "y y y y z x"}, bayes.Example{Label: "c", Text: "z z z x x y"},
	)
	m, err := bayes.Fit(c, bayes.Multinomial{Smoothing: bayes.Evidence{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := m.Derive(bayes.Document{Text: "x"}).Classes[0].Factors[0]
	fmt.Printf("alpha %.2f, P(x|a) = %.3f\n", f.Smoothing, f.P())
	// Output: alpha 11.87, P(x|a) = 0.381
}

func ExampleEmpiricalPrior() {
	c := learn(nil, iirTraining...)
	m, _ := bayes.Fit(c, bayes.Multinomial{Prior: bayes.EmpiricalPrior{}})
	for k, label := range m.Classes() {
		fmt.Printf("%s %.2f\n", label, math.Exp(m.LogPrior()[k]))
	}
	// Output:
	// China 0.75
	// Japan 0.25
}

func ExampleUniformPrior() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{Prior: bayes.UniformPrior{}})
	fmt.Printf("%.2f\n", math.Exp(m.LogPrior()[0]))
	// Output: 0.50
}

// "Not happy" is two words that, each alone, say little. Pairs of words tell
// what a single word cannot, and so does a mark on the words that a negation
// reaches.
func ExampleSpace() {
	reviews := []bayes.Example{
		{Label: "good", Text: "I am happy to see this movie !"},
		{Label: "good", Text: "happy , happy , not a dull minute"},
		{Label: "good", Text: "not bad , not long , happy to see this again"},
		{Label: "bad", Text: "I am not happy to see this"},
		{Label: "bad", Text: "bad movie , long and dull"},
		{Label: "bad", Text: "not happy : dull"},
	}
	for _, spec := range []string{"default", "default ngrams=1-2", "default negation=true"} {
		space, _ := bayes.ParseSpace(spec)
		m, _ := bayes.Fit(learn(space, reviews...), bayes.Multinomial{})
		fmt.Printf("%s:", space)
		for _, s := range []string{"I am happy to see this movie !", "I am not happy to see this movie !"} {
			fmt.Print(" ", m.Predict(bayes.Document{Text: s}).Best().Class)
		}
		fmt.Println()
	}
	// Output:
	// default: good good
	// default ngrams=1-2: good bad
	// default negation=true: good bad
}

func ExampleSpace_AppendFeatures() {
	var s bayes.Space
	for _, f := range s.AppendFeatures(nil, bayes.Document{Text: "この りんご は おいしい りんご"}) {
		fmt.Print(f.Name, f.Value, " ")
	}
	// Output: いし1 おい1 この1 しい1 は1 りん2 んご2
}

func ExampleParseSpace() {
	s, err := bayes.ParseSpace("sklearn lowercase=false ngrams=1-2 binary")
	fmt.Println(s, err)
	s, err = bayes.ParseSpace("default subwords=3-5 subword-weight=0.5 norm=l2")
	fmt.Println(s, err)
	// Output:
	// sklearn lowercase=false ngrams=1-2 binary <nil>
	// default subwords=3-5 subword-weight=0.5 norm=l2 <nil>
}

func ExampleNewCounts() {
	c := bayes.NewCounts(&bayes.Space{Analyzer: &text.Analyzer{Segmenter: text.Whitespace{}}})
	c.Learn(bayes.Example{Label: "a", Text: "x,y z"})
	fmt.Println(slices.Collect(c.Features()), c.Len(), c.Space())
	// Output: [x,y z] 2 whitespace
}

// A correction is one example less and one more.
func ExampleCounts_Unlearn() {
	c := learn(nil, bayes.Example{Label: "ham", Text: "free prize"}, bayes.Example{Label: "ham", Text: "lunch"})
	c.Unlearn(bayes.Example{Label: "ham", Text: "free prize"})
	c.Learn(bayes.Example{Label: "spam", Text: "free prize"})
	n, _ := c.Class("spam")
	fmt.Println(c.Classes(), n, c.At("ham", "free"), c.At("spam", "free"))
	// Output: [ham spam] 1 {0 0 0 0} {1 1 1 0}
}

func ExampleCounts_Learn() {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "free, free!", Weight: 3})
	fmt.Println(c.Examples(), c.At("spam", "free"))
	// Output: 1 {1 3 6 0}
}

// Two machines count, and a third adds.
func ExampleCounts_Add() {
	monday := learn(nil, bayes.Example{Label: "spam", Text: "free prize"})
	tuesday := learn(nil, bayes.Example{Label: "spam", Text: "free entry"})
	week := bayes.NewCounts(nil)
	for _, day := range []*bayes.Counts{monday, tuesday} {
		if err := week.Add(day); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(week.At("spam", "free").Sum)
	// Output: 2
}

// Leaving out a part of the data needs no second training.
func ExampleCounts_Sub() {
	fold := learn(nil, bayes.Example{Label: "spam", Text: "free prize"})
	total := learn(nil, bayes.Example{Label: "spam", Text: "free prize"}, bayes.Example{Label: "ham", Text: "lunch"})
	rest := total.Clone()
	_ = rest.Sub(fold)
	fmt.Println(rest.Classes(), rest.Equal(learn(nil, bayes.Example{Label: "ham", Text: "lunch"})))
	// Output: [ham] true
}

func ExampleCounts_Relabel() {
	c := learn(nil, bayes.Example{Label: "rec.autos", Text: "car"}, bayes.Example{Label: "rec.sport", Text: "ball"}, bayes.Example{Label: "sci.med", Text: "pill"})
	coarse := c.Relabel(func(label string) string { top, _, _ := strings.Cut(label, "."); return top })
	fmt.Println(coarse.Classes())
	// Output: [rec sci]
}

func ExampleCounts_Restrict() {
	c := learn(nil, bayes.Example{Label: "a", Text: "x 2024 y 42"})
	words := c.Restrict(func(f string) bool { return f[0] > '9' })
	fmt.Println(slices.Collect(words.Features()))
	// Output: [x y]
}

func ExampleCounts_AppendBinary() {
	c := learn(nil, bayes.Example{Label: "a", Text: "x"})
	b, _ := c.AppendBinary(nil)
	d := bayes.NewCounts(nil)
	err := d.UnmarshalBinary(b)
	fmt.Println(d.Equal(c), err)
	// Output: true <nil>
}

func ExampleCount() {
	stream := func(yield func(bayes.Example, error) bool) {
		for _, ex := range iirTraining {
			if !yield(ex, nil) {
				return
			}
		}
	}
	c, err := bayes.Count(context.Background(), nil, stream, nil)
	fmt.Println(c.Examples(), c.Len(), err)
	// Output: 4 6 <nil>
}

func ExampleFit() {
	_, err := bayes.Fit(bayes.NewCounts(nil), bayes.Multinomial{})
	fmt.Println(errors.Is(err, bayes.ErrEmpty))
	// Output: true
}

func messages() iter.Seq2[bayes.Example, error] {
	list := []bayes.Example{
		{Label: "ham", Text: "lunch at one"}, {Label: "ham", Text: "lunch at two"}, {Label: "ham", Text: "see you at lunch"},
		{Label: "spam", Text: "free prize"}, {Label: "spam", Text: "win a free prize"}, {Label: "spam", Text: "free entry"},
	}
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// How probable each label is by a model of the other messages.
func ExampleCorpus_LeaveOneOut() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := make([]float64, c.Len())
	c.LeaveOneOut(context.Background(), []bayes.EventModel{bayes.Multinomial{}}, func(h *bayes.HeldOutScores) {
		p[h.Example] = math.Exp(h.LogP(0)[slices.Index(c.Classes(), c.Label(h.Example))])
	})
	fmt.Printf("%.2f\n", p)
	// Output: [0.87 0.87 0.89 0.86 0.90 0.71]
}

// Every other message is predicted by a model of the rest.
func ExampleCorpus_HeldOut() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	right := make([]bool, c.Len())
	c.HeldOut(context.Background(), []int{0, 1, 0, 1, 0, 1}, []bayes.EventModel{bayes.Multinomial{}}, func(h *bayes.HeldOutScores) {
		logP := h.LogP(0)
		right[h.Example] = c.Classes()[slices.Index(logP, slices.Max(logP))] == c.Label(h.Example)
	})
	fmt.Println(right)
	// Output: [true true true true true true]
}

// Two smoothings, each example predicted by a model of the others.
func ExampleHeldOutScores_AddTrial() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ems := []bayes.EventModel{bayes.Multinomial{}, bayes.Multinomial{Smoothing: bayes.Additive(0.1)}}
	var (
		right, loss = make([]int64, len(ems)), make([]int64, len(ems))
		mu          sync.Mutex
	)
	c.LeaveOneOut(context.Background(), ems, func(h *bayes.HeldOutScores) {
		mu.Lock()
		defer mu.Unlock()
		h.AddTrial(right, loss)
	})
	for m, em := range ems {
		fmt.Printf("%v: %d right of %d, log loss %.2f\n", em, right[m], c.Len(), float64(loss[m])/(1<<32)/float64(c.Len()))
	}
	// Output:
	// multinomial smoothing=1 prior=empirical: 6 right of 6, log loss 0.17
	// multinomial smoothing=0.1 prior=empirical: 6 right of 6, log loss 0.01
}

// The two words that tell most of the class.
func ExampleSelected() {
	c := learn(nil, iirTraining...)
	m, _ := bayes.Fit(c, bayes.Selected{Best: 2, Score: feature.MutualInformation{}})
	fmt.Println(m.Parameters().Terms)
	// Output: [japan tokyo]
}

func ExampleModel_AppendLogJoint() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	joint := m.AppendLogJoint(nil, []feature.Feature{{Name: "chinese", Value: 3}, {Name: "tokyo", Value: 1}, {Name: "japan", Value: 1}})
	fmt.Printf("%.6f %.6f\n", joint[0], joint[1])
	// Output: -8.107690 -8.906681
}

// The same shoe in the street and in a barracks: the model need not be fitted
// again.
func ExampleModel_WithPrior() {
	c := learn(nil, bayes.Example{Label: "female", Text: "155", Weight: 3}, bayes.Example{Label: "male", Text: "155 160 165", Weight: 1})
	street, _ := bayes.Fit(c, bayes.Multinomial{Prior: bayes.UniformPrior{}})
	barracks, err := street.WithPrior(bayes.GivenPrior{"female": .1, "male": .9})
	shoe := bayes.Document{Text: "155"}
	fmt.Println(street.Predict(shoe).Best().Class, barracks.Predict(shoe).Best().Class, err)
	// Output: female male <nil>
}

func ExampleModel_PredictAll() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	stream := func(yield func(bayes.Example, error) bool) {
		_ = yield(bayes.Example{Text: "Beijing"}, nil) && yield(bayes.Example{Text: "Tokyo Tokyo Tokyo"}, nil)
	}
	for s, err := range m.PredictAll(stream, 0) {
		fmt.Println(s.Text, s.Best().Class, err)
	}
	// Output:
	// Beijing China <nil>
	// Tokyo Tokyo Tokyo Japan <nil>
}

func ExampleModel_Explain() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	ex := m.Explain(bayes.Document{Text: "Chinese Chinese Chinese Tokyo Japan"})
	fmt.Printf("%s against %s\n%+.3f prior\n", ex.Class, ex.Against, ex.Prior)
	for _, f := range ex.Features {
		fmt.Printf("%+.3f %s, seen %v and %v times\n", f.LogOdds, f.Feature, f.Counts[0].Sum, f.Counts[1].Sum)
	}
	// Output:
	// China against Japan
	// +1.099 prior
	// +1.970 chinese, seen 5 and 1 times
	// -1.135 tokyo, seen 0 and 1 times
	// -1.135 japan, seen 0 and 1 times
}

func ExampleModel_ExplainAgainst() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	ex := m.ExplainAgainst(bayes.Document{Text: "Tokyo"}, "Japan", "China")
	fmt.Printf("%s %+.3f for %s, against %s\n", ex.Features[0].Name(), ex.Features[0].LogOdds, ex.Class, ex.Against)
	fmt.Println(m.ExplainAgainst(bayes.Document{Text: "Tokyo"}, "Japan", "France"))
	// Output:
	// tokyo +1.135 for Japan, against China
	// <nil>
}

func ExampleExplanation_Highlights() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	text := "Tokyo, Chinese!"
	for _, s := range m.Explain(bayes.Document{Text: text}).Highlights(text) {
		fmt.Printf("%q %+.3f\n", s.Text, s.LogOdds)
	}
	// Output:
	// "Tokyo" -1.135
	// ", " +0.000
	// "Chinese" +0.657
	// "!" +0.000
}

func ExampleModel_Derive() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	for _, f := range m.Derive(bayes.Document{Text: "Chinese Chinese Chinese Tokyo Japan"}).Classes[0].Factors {
		fmt.Printf("P(%s|China) = (%v + %v) / (%v + %v), %v times\n", f.Feature, f.Count, f.Smoothing, f.Total, f.TotalSmoothing, f.Times)
	}
	// Output:
	// P(chinese|China) = (5 + 1) / (8 + 6), 3 times
	// P(tokyo|China) = (0 + 1) / (8 + 6), 1 times
	// P(japan|China) = (0 + 1) / (8 + 6), 1 times
}

func ExampleModel_Parameters() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	d := m.Parameters()
	fmt.Println(d.Labels, d.Terms)
	fmt.Printf("P(chinese|China) = %.4f\n", math.Exp(d.TermLogProb[0][1]))
	// Output:
	// [China Japan] [beijing chinese japan macao shanghai tokyo]
	// P(chinese|China) = 0.4286
}

func ExampleModel_TopTerms() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	for _, t := range m.TopTerms("Japan", 2) {
		fmt.Printf("%s %+.2f\n", t.Feature, t.LogOdds)
	}
	// Output:
	// japan +1.13
	// tokyo +1.13
}

func ExampleModel_Term() {
	m, _ := bayes.Fit(learn(nil, iirTraining...), bayes.Multinomial{})
	stats, ok := m.Term("chinese")
	for _, s := range stats {
		fmt.Println(s.Class, s.Moments.Examples, s.Moments.Sum, ok)
	}
	// Output:
	// China 3 5 true
	// Japan 1 1 true
}

// It is worse to lose a wanted mail than to read an unwanted one.
func ExamplePrediction_Decide() {
	c := learn(nil,
		bayes.Example{Label: "ham", Text: "lunch prize"},
		bayes.Example{Label: "spam", Text: "free prize prize"},
	)
	m, _ := bayes.Fit(c, bayes.Multinomial{})
	p := m.Predict(bayes.Document{Text: "prize"})
	costs := bayes.Costs{Of: map[[2]string]float64{{"ham", "spam"}: 10}}
	class, ok := p.Decide(costs)
	fmt.Printf("most probable %s, cheapest %s %v\n", p.Best().Class, class, ok)
	_, ok = p.Decide(bayes.Costs{Reject: 0.1})
	fmt.Println("decided:", ok)
	// Output:
	// most probable spam, cheapest ham true
	// decided: false
}

func ExampleSave() {
	c := learn(nil, iirTraining...)
	var file bytes.Buffer
	if err := bayes.Save(&file, c, bayes.Bernoulli{}); err != nil {
		fmt.Println(err)
	}
	header, _, _ := strings.Cut(file.String(), "checksum")
	fmt.Print(header)
	// Output:
	// bayes model 1
	// space default
	// event bernoulli smoothing=1 prior=empirical
	// classes 2
	// features 6
	// examples 4
}

func ExampleLoad() {
	var file bytes.Buffer
	_ = bayes.Save(&file, learn(nil, iirTraining...), bayes.Multinomial{})
	c, em, err := bayes.Load(&file)
	c.Learn(bayes.Example{Label: "Japan", Text: "Osaka"}) // a file can go on learning
	fmt.Println(c.Examples(), em, err)
	// Output: 5 multinomial smoothing=1 prior=empirical <nil>
}

func ExampleLoadModel() {
	var file bytes.Buffer
	_ = bayes.Save(&file, learn(nil, iirTraining...), bayes.Multinomial{})
	m, err := bayes.LoadModel(&file)
	fmt.Println(m.Predict(bayes.Document{Text: "Tokyo Tokyo Tokyo"}).Best().Class, err)
	// Output: Japan <nil>
}

func ExampleParseEventModel() {
	em, err := bayes.ParseEventModel("complement norm smoothing=0.5")
	fmt.Println(em, err)
	// Output: complement norm smoothing=0.5 prior=empirical <nil>
}

func ExampleParsePrior() {
	p, err := bayes.ParsePrior(`ham=0.9,"very spammy"=0.1`)
	fmt.Println(slices.Sorted(maps.Keys(p.(bayes.GivenPrior))), err)
	// Output: [ham very spammy] <nil>
}

func ExampleParseSmoothing() {
	s, err := bayes.ParseSmoothing("1,free=2")
	fmt.Println(s, err)
	// Output: 1,free=2 <nil>
}

func ExampleModel_PredictInto() {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "ham", Text: "lunch at noon"})
	c.Learn(bayes.Example{Label: "spam", Text: "free prize"})
	m, err := bayes.Fit(c, nil)
	if err != nil {
		panic(err)
	}
	var p bayes.Prediction // used again and again
	for _, text := range []string{"a free lunch at noon", "your free prize"} {
		m.PredictInto(&p, bayes.Document{Text: text})
		fmt.Printf("%s: %s %.2f\n", text, p.Best().Class, p.Best().P)
	}
	// Output:
	// a free lunch at noon: ham 0.70
	// your free prize: spam 0.84
}

func ExampleCounts_Size() {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "free prize"})
	c.Learn(bayes.Example{Label: "ham", Text: "free lunch"})
	classes, features, entries := c.Size()
	fmt.Println(classes, features, entries)
	// Output: 2 3 4
}

// Of many classes the few most probable are mostly enough, and faster to find.
func ExampleModel_PredictTop() {
	c := bayes.NewCounts(nil)
	for _, team := range []string{"billing", "network", "printers", "telephones"} {
		c.Learn(bayes.Example{Label: team, Text: team + " broken"})
	}
	m, _ := bayes.Fit(c, nil)
	var p bayes.Prediction
	m.PredictTop(&p, bayes.Document{Text: "the network is broken"}, 1)
	fmt.Printf("%s %.2f, of %d others\n", p.Best().Class, p.Best().P, p.LeftOut)
	// Output: network 0.40, of 3 others
}

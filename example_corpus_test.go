package bayes_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"bayes/feature"

	"bayes"
)

// Examples are analyzed once, and weighed in as many ways as one likes.
func ExampleCorpus_Reweight() {
	plain, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plain.Reweight(&bayes.Space{Log: true, Norm: feature.L2}).Space())
	// Output: default log norm=l2
}

// Whether leave-one-out is arithmetic, or a model for each example.
func ExampleCorpus_Refits() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Refits(bayes.Multinomial{}), c.Refits(bayes.Complement{Normalize: true}))
	// Output: false true
}

// Where examples are needed no longer once a correction is learned from them, their counts need not be copied.
func ExampleCorpus_IntoCounts() {
	c, err := bayes.ReadCorpus(context.Background(), nil, messages(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	corrected, err := c.Correct(context.Background(), bayes.Corrected{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bayes.Fit(c.IntoCounts(), corrected)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Classes(), bayes.CorrectionOf(m.EventModel()).Examples())
	// Output: [ham spam] 6
}

// How many different words a text has.
func ExampleCorpus_Distinct() {
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		yield(bayes.Example{Label: "joy", Text: "Free! Free at last!"}, nil)
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Distinct(0))
	// Output: 3
}

// How often each word of a text occurs, and how many words that makes.
func ExampleCorpus_Values() {
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		_ = yield(bayes.Example{Label: "joy", Text: "Free! Free at last!"}, nil) && yield(bayes.Example{Label: "joy", Text: "at last"}, nil)
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	times := make(map[uint64]float64)
	words := 0.0
	for word, n := range c.Values(0) {
		times[word] += n
		words += n
	}
	for word := range c.Values(1) {
		fmt.Println("a word that the first has", times[word], "times")
	}
	fmt.Println("of", words)
	// Output:
	// a word that the first has 1 times
	// a word that the first has 1 times
	// of 4
}

// Inverse document frequencies are counted first, and then part of the space.
func ExampleCounts_IDF() {
	first := learn(nil, iirTraining...)
	space := &bayes.Space{IDF: first.IDF()}
	for _, f := range space.AppendFeatures(nil, bayes.Document{Text: "Chinese Tokyo"}) {
		fmt.Printf("%s %.2f\n", f.Name, f.Value)
	}
	// Output:
	// chinese 1.00
	// tokyo 1.92
}

// Counts name the rules that cut their texts into terms, and so does a model. Where a newer
// program has other rules, predictions may differ.
func ExampleCounts_AnalyzerVersion() {
	c := learn(nil, iirTraining...)
	m, _ := bayes.Fit(c, nil)
	version := c.AnalyzerVersion()
	fmt.Println(strings.Contains(version, "default="), version == m.AnalyzerVersion(), version == c.Space().AnalyzerVersion())
	// Output: true true true
}

func ExampleSpaceError() {
	var space *bayes.SpaceError
	err := bayes.NewCounts(nil).Add(bayes.NewCounts(&bayes.Space{Binary: true}))
	if errors.As(err, &space) {
		fmt.Printf("%q and %q\n", space.Have, space.Want)
	}
	// Output: "default binary" and "default"
}

func ExampleFormatError() {
	_, _, err := bayes.Load(strings.NewReader("bayes model 1\nspace default\nno"))
	var damage *bayes.FormatError
	fmt.Println(errors.As(err, &damage))
	fmt.Println(damage.Section, damage.Msg)
	// Output:
	// true
	// header cut short
}

// A candidate of a search is the same model with another smoothing.
func ExampleWithSmoothing() {
	em, _ := bayes.ParseEventModel("selected best=100 model=(complement norm)")
	fmt.Println(bayes.WithSmoothing(em, bayes.Additive(0.1)))
	// Output: selected best=100 score=chi2 model=(complement norm smoothing=0.1 prior=empirical)
}

// Probabilities are raised to the power 1/2.
func ExampleCalibrated_Apply() {
	logP := []float64{math.Log(0.9), math.Log(0.1)}
	power := bayes.Calibrated{Temperature: 2}.Apply(logP)
	fmt.Printf("%v: %.2f %.2f\n", power, math.Exp(logP[0]), math.Exp(logP[1]))
	// Output: 0.5: 0.75 0.25
}

// Log-odds that a class needs are part of the model. A class without a cutoff needs none.
func ExampleModel_Cutoff() {
	m, err := bayes.Fit(learn(nil, iirTraining...), bayes.Calibrated{Cutoffs: map[string]float64{"China": 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Cutoff("China"), m.Cutoff("Japan"))
	p := m.Predict(bayes.Document{Text: "Chinese Tokyo"})
	fmt.Println(p.Best().Class, p.Unsure)
	// Output:
	// 2 -Inf
	// China true
}

// A frozen model is mapped into memory and searched in place.
func ExampleOpenModel() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "model.nb")
	file, err := os.Create(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _ := bayes.Fit(learn(nil, iirTraining...), nil)
	if err := errors.Join(m.Freeze(file, nil), file.Close()); err != nil {
		fmt.Println(err)
		return
	}
	frozen, err := bayes.OpenModel(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frozen.Predict(bayes.Document{Text: "Tokyo Tokyo Tokyo"}).Best().Class, frozen.ReadsText())
	fmt.Println(frozen.Attributes())
	fmt.Println(frozen.Err()) // whether the file was written to meanwhile
	// Output:
	// Japan true
	// [] [] []
	// <nil>
}

// What an example of a corpus is counted by.
func ExampleCorpus_AppendFeatures() {
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		yield(bayes.Example{Label: "spam", Text: "win, win now"}, nil)
	}, nil)
	if err != nil {
		panic(err)
	}
	for _, f := range c.AppendFeatures(nil, 0) {
		fmt.Println(f.Name, f.Value)
	}
	// Unordered output:
	// now 1
	// win 2
}

// One round of expectation-maximization: a text without a label is learned in each class by its probability.
func ExampleCorpus_ShareCounter() {
	examples := []bayes.Example{
		{Label: "sport", Text: "the match was won"},
		{Label: "money", Text: "the price was high"},
		{Label: "?", Text: "a match of the cup"},
	}
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for _, ex := range examples {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		panic(err)
	}
	classes := []string{"money", "sport"}
	share := [][]int32{{1}, {0}, nil}
	weight := [][]float64{{1}, {1}, nil}
	count := c.ShareCounter()
	shares := func(i int) ([]int32, []float64) { return share[i], weight[i] }
	model, err := bayes.Fit(count(classes, shares), nil)
	if err != nil {
		panic(err)
	}
	logP, known := c.AppendLogP(nil, model, 2)
	fmt.Printf("%d known words: money %.2f, sport %.2f\n", known, math.Exp(logP[0]), math.Exp(logP[1]))
	share[2], weight[2] = []int32{0, 1}, []float64{math.Exp(logP[0]), math.Exp(logP[1])}
	counts := count(classes, shares)
	fmt.Printf("cup: money %.2f, sport %.2f\n", counts.At("money", "cup").Sum, counts.At("sport", "cup").Sum)
	// Output:
	// 2 known words: money 0.33, sport 0.67
	// cup: money 0.33, sport 0.67
}

// An example is learned in each of two classes, half in one.
func ExampleCorpus_LearnInto() {
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		yield(bayes.Example{Label: "?", Text: "a match of the cup"}, nil)
	}, nil)
	if err != nil {
		panic(err)
	}
	counts := bayes.NewCounts(nil)
	c.LearnInto(counts, 0, []string{"sport", "money"}, []float64{1, 0.5})
	fmt.Println(counts.At("sport", "cup").Sum, counts.At("money", "cup").Sum)
	// Output: 1 0.5
}

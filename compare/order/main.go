// Command order measures how many answers each order of package label needs: it answers the questions of a pile, the
// texts of a training file, by their true labels, and measures the accuracy on the test file as it goes.
//
//	go run ./compare/order --data ../shared/data --seeds 3 agnews 20news nsmc=ko
//
// Full is the accuracy of a model of all labels of the pile. Counted are the answers after which the accuracy is at least
// 95 % of that, and stays so at the next two times it is measured, which is after each 5 % more answers.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes"
	"bayes/dataset"
	"bayes/feature"
	"bayes/internal/cli"
	"bayes/label"
)

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "`DIR` that has a folder with train.csv and test.csv for each data set")
	flag.IntVar(&o.most, "pile", 20_000, "`N` texts of the training file, the first ones, are the pile")
	flag.IntVar(&o.seeds, "seeds", 3, "`N` runs of each order")
	flag.Float64Var(&o.share, "share", 0.95, "`SHARE` of the full accuracy that is to be reached")
	flag.Float64Var(&o.correct, "correct", 0, "measure models with a correction of this `STRENGTH`; 0 is naive Bayes")
	flag.Float64Var(&o.step, "step", 1.05, "measure after `FACTOR` times as many answers")
	flag.Parse()
	if flag.NArg() == 0 || o.seeds < 1 || o.most < 1 || !(o.step > 1) {
		fmt.Fprintln(os.Stderr, "order: want data sets, each NAME or NAME=ANALYZER, and at least 1 seed, 1 text and a step above 1")
		os.Exit(2)
	}
	for _, name := range flag.Args() {
		if err := o.measure(context.Background(), name); err != nil {
			fmt.Fprintln(os.Stderr, "order:", err)
			os.Exit(1)
		}
	}
}

type options struct {
	data                 string
	most, seeds          int
	share, correct, step float64
}

// A run is an order, and how many of its questions there are for each that is drawn at random.
type run struct {
	order    label.Order
	measured int
}

var runs = []run{{label.Random, -1}, {label.Uncertain, -1}, {label.Informative, -1}, {label.Informative, 5}}

// measure measures the orders on one data set.
func (o *options) measure(ctx context.Context, name string) error {
	name, analyzer, named := strings.Cut(name, "=")
	if !named {
		analyzer = "default"
	}
	s, err := o.open(name, analyzer)
	if err != nil {
		return err
	}
	m, err := s.fit(ctx, s.train)
	if err != nil {
		return err
	}
	full := s.accuracy(m)
	fmt.Printf("%s: a pile of %d, %d test texts, accuracy of all labels %.4f\n", name, len(s.train), len(s.labels), full)
	random := math.NaN()
	for _, r := range runs {
		var needed []int
		sum := 0.0
		for seed := range o.seeds {
			n, err := s.answers(ctx, r, uint32(seed+1), o.share*full)
			if err != nil {
				return err
			}
			needed = append(needed, n)
			sum += float64(n)
		}
		mean := sum / float64(o.seeds)
		if r.order == label.Random {
			random = mean
		}
		fmt.Printf("%-12s measured %2d: %6.0f answers, %.2f of random's, %v\n", r.order, r.measured, mean, mean/random, needed)
	}
	return nil
}

// A simulation has a pile's texts and their labels, and what it is tested with.
type simulation struct {
	*options
	space    *bayes.Space
	train    []bayes.Example
	features [][]feature.Feature // of the test texts
	labels   []string            // theirs
}

func (o *options) open(name, analyzer string) (*simulation, error) {
	s := &simulation{options: o}
	var err error
	if s.space, err = bayes.ParseSpace(analyzer, cli.Languages()...); err != nil {
		return nil, err
	}
	if s.train, err = read(filepath.Join(o.data, name, "train.csv"), o.most); err != nil {
		return nil, err
	}
	test, err := read(filepath.Join(o.data, name, "test.csv"), math.MaxInt)
	if err != nil {
		return nil, err
	}
	for _, ex := range test {
		s.features = append(s.features, s.space.AppendFeatures(nil, ex.Document()))
		s.labels = append(s.labels, ex.Label)
	}
	return s, nil
}

func read(path string, most int) (list []bayes.Example, err error) {
	source, err := dataset.Open([]string{path}, os.Stdin, nil)
	if err != nil {
		return nil, err
	}
	for ex, err := range source.Examples() {
		if err != nil {
			return nil, err
		}
		if len(list) == most {
			break
		}
		list = append(list, ex)
	}
	return list, nil
}

// answers returns how many answers there are when the accuracy reaches a target.
func (s *simulation) answers(ctx context.Context, r run, seed uint32, target float64) (int, error) {
	texts := make([]bayes.Document, len(s.train))
	for i, ex := range s.train {
		texts[i] = ex.Document()
	}
	p, err := label.New(ctx, s.space, nil, texts, &label.Options{Order: r.order, Seed: seed, Measured: r.measured})
	if err != nil {
		return 0, err
	}
	var learned []bayes.Example
	next, first, times := 20, 0, 0
	for q, ok := p.Next(""); ok; q, ok = p.Next("") {
		ex := s.train[q.Text]
		if err := p.Answer("", q.Text, ex.Label); err != nil {
			return 0, err
		}
		if learned = append(learned, ex); len(learned) < next {
			continue
		}
		next = int(math.Ceil(float64(next) * s.step))
		m, err := p.Model()
		if s.correct != 0 {
			m, err = s.fit(ctx, learned)
		}
		if err != nil {
			return 0, err
		}
		if s.accuracy(m) < target {
			times = 0
			continue
		}
		if times++; times == 1 {
			first = len(learned)
		}
		if times == 3 {
			return first, nil
		}
	}
	return len(learned), nil
}

// accuracy returns that of a model on the test texts.
func (s *simulation) accuracy(m *bayes.Model) float64 {
	classes, right := m.Classes(), 0
	var joint []float64
	for i, x := range s.features {
		joint = m.AppendLogJoint(joint[:0], x)
		if classes[slices.Index(joint, slices.Max(joint))] == s.labels[i] {
			right++
		}
	}
	return float64(right) / float64(len(s.labels))
}

// fit returns a model of examples.
func (s *simulation) fit(ctx context.Context, list []bayes.Example) (*bayes.Model, error) {
	if s.correct == 0 {
		counts, err := bayes.Count(ctx, s.space, examples(list), nil)
		if err != nil {
			return nil, err
		}
		return bayes.Fit(counts, bayes.Multinomial{})
	}
	corpus, err := bayes.ReadCorpus(ctx, s.space, examples(list), nil)
	if err != nil {
		return nil, err
	}
	em, err := corpus.Correct(ctx, bayes.Corrected{Strength: s.correct})
	if err != nil {
		return nil, err
	}
	return bayes.Fit(corpus.Counts(), em)
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

// Command order measures how many answers each order of package label needs: it answers the questions of a pile, the
// texts of a training file, by their true labels, and measures the accuracy on the test file as it goes.
//
//	go run ./compare/order --data ../shared/data --seeds 3 agnews 20news nsmc=ko
//
// Full is the accuracy of a model of all labels of the pile. Counted are the answers after which the mean accuracy of the runs is at
// least 95 % of that, and stays so at the next two times it is measured, which is after each 5 % more answers. Runs differ by their seed,
// and with --part by the texts of the pile, too.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes"
	"bayes/dataset"
	"bayes/eval"
	"bayes/feature"
	"bayes/internal/cli"
	"bayes/internal/parallel"
	"bayes/label"
)

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "`DIR` that has a folder with train.csv and test.csv for each data set")
	flag.IntVar(&o.most, "pile", 20_000, "`N` texts of the training file are the pile")
	flag.IntVar(&o.skip, "skip", 0, "the pile begins after `N` texts of the training file")
	flag.IntVar(&o.seeds, "seeds", 3, "`N` runs of each order")
	flag.IntVar(&o.first, "first", 1, "the first run has this `SEED`, and each other one the next: so what is measured later is of other runs")
	flag.Float64Var(&o.share, "share", 0.95, "`SHARE` of the full accuracy that is to be reached")
	flag.Float64Var(&o.correct, "correct", 0, "measure models with a correction of this `STRENGTH`; 0 is naive Bayes")
	flag.BoolVar(&o.unlabelled, "unlabelled", false, "measure models that learn the other texts of the pile too, as train --unlabelled does; orders read such a model after each tenth more answers, as those of bayes label do")
	flag.BoolVar(&o.names, "names", false, "learn the name of each class as a text of it, as bayes label does")
	flag.Float64Var(&o.step, "step", 1.05, "measure after `FACTOR` times as many answers")
	flag.Float64Var(&o.part, "part", 1, "each run has a pile of this `SHARE` of the texts, drawn at random")
	flag.IntVar(&o.from, "from", 20, "measure from `N` answers on")
	flag.IntVar(&o.until, "until", math.MaxInt, "and up to `N` answers")
	flag.StringVar(&o.orders, "orders", "random,uncertain,informative,apart", "which `ORDERS`; apart is informative with one question in five drawn of a fifth that is kept apart")
	flag.BoolVar(&o.curve, "curve", false, "print the mean accuracies and their standard errors, which are NaN with one seed")
	flag.Parse()
	if flag.NArg() == 0 || o.seeds < 1 || o.most < 1 || o.skip < 0 || o.first < 1 || o.from < 1 || !(o.step > 1) || !(o.part > 0) {
		fmt.Fprintln(os.Stderr, "order: want data sets, each NAME or NAME=ANALYZER, and at least 1 seed, 1 text, 1 answer, a skip of 0 or more, a first seed of 1 or more, a step above 1 and a part above 0")
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
	data                       string
	orders                     string
	most, skip                 int
	seeds, first, from, until  int
	share, correct, step, part float64
	unlabelled, names, curve   bool
}

// A run is an order, and how many of its questions there are for each that is drawn at random.
type run struct {
	order    label.Order
	measured int
}

// runs are those of names between commas.
func runs(names string) (list []run, err error) {
	for name := range strings.SplitSeq(names, ",") {
		if name == "apart" {
			list = append(list, run{label.Informative, 5})
			continue
		}
		order, err := label.ParseOrder(name)
		if err != nil {
			return nil, err
		}
		list = append(list, run{order, -1})
	}
	return list, nil
}

// measure measures the orders on one data set.
func (o *options) measure(ctx context.Context, name string) error {
	list, err := runs(o.orders)
	if err != nil {
		return err
	}
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
	for _, r := range list {
		needed, err := s.answers(ctx, r, o.share*full)
		if err != nil {
			return err
		}
		if r.order == label.Random {
			random = float64(needed)
		}
		fmt.Printf("%-12s measured %2d: %6d answers, %.2f of random's\n", r.order, r.measured, needed, float64(needed)/random)
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
	if s.train, err = read(filepath.Join(o.data, name, "train.csv"), o.skip, o.most); err != nil {
		return nil, err
	}
	test, err := read(filepath.Join(o.data, name, "test.csv"), 0, math.MaxInt)
	if err != nil {
		return nil, err
	}
	for _, ex := range test {
		s.features = append(s.features, s.space.AppendFeatures(nil, ex.Document()))
		s.labels = append(s.labels, ex.Label)
	}
	return s, nil
}

// read reads at most most examples of a file, after skip others.
func read(path string, skip, most int) (list []bayes.Example, err error) {
	source, err := dataset.Open([]string{path}, os.Stdin, nil)
	if err != nil {
		return nil, err
	}
	for ex, err := range source.Examples() {
		if err != nil {
			return nil, err
		}
		if skip > 0 {
			skip--
			continue
		}
		if len(list) == most {
			break
		}
		list = append(list, ex)
	}
	return list, nil
}

// A labeller answers the questions of a pile by the true labels.
type labeller struct {
	*label.Pile
	asked      bool            // whether texts are asked for, and not drawn
	texts      []bayes.Example // of the pile
	names      []bayes.Example // of classes, each the one text of its own
	learned    []bayes.Example // in the order in which they were answered
	steering   int             // how many of these do not measure
	unlabelled bool            // whether the order reads the others
	next       int             // with how many answers these are to be learned next
}

// newLabeller returns one whose pile is a part of the texts, drawn by the seed.
func (s *simulation) newLabeller(ctx context.Context, r run, seed uint32) (*labeller, error) {
	l := &labeller{asked: r.order != label.Random, texts: s.train, unlabelled: s.unlabelled}
	if s.part < 1 {
		l.texts = nil
		for _, i := range rand.New(rand.NewPCG(uint64(seed), 25)).Perm(len(s.train))[:int(s.part*float64(len(s.train)))] {
			l.texts = append(l.texts, s.train[i])
		}
	}
	documents := make([]bayes.Document, len(l.texts))
	for i, ex := range l.texts {
		documents[i] = ex.Document()
	}
	var err error
	l.Pile, err = label.New(ctx, s.space, nil, documents, &label.Options{Order: r.order, Seed: seed, Measured: r.measured})
	if err != nil || !s.names {
		return l, err
	}
	named := make(map[string]bool)
	for _, ex := range s.train {
		if !named[ex.Label] {
			named[ex.Label] = true
			l.names = append(l.names, bayes.Example{Label: ex.Label, Text: ex.Label})
			if err := l.Seed(ex.Label, ex.Label); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// labelled returns what a model of the answers learns.
func (l *labeller) labelled() []bayes.Example { return slices.Concat(l.learned, l.names) }

// answerUpTo answers until there are n answers, or no text is left.
func (l *labeller) answerUpTo(ctx context.Context, n int) error {
	for len(l.learned) < n {
		if err := l.readUnanswered(ctx); err != nil {
			return err
		}
		q, ok := l.Next("")
		if !ok {
			return nil
		}
		ex := l.texts[q.Text]
		if err := l.Answer("", q.Text, ex.Label); err != nil {
			return err
		}
		l.learned = append(l.learned, ex)
		if !q.Measured {
			l.steering++
		}
	}
	return nil
}

// few is how many answers that do not measure there are up to which the order reads how far each reaches. With more it reads texts without an answer anew after each tenth more, as bayes label does.
const few = 30

// readUnanswered has the order read texts without an answer, if that is due. What the model of the pile learns of them is measured apart.
func (l *labeller) readUnanswered(ctx context.Context) error {
	n := len(l.learned)
	switch {
	case !l.unlabelled || !l.asked || n == 0:
		return nil
	case l.steering < few:
		return l.Propagate(ctx, len(l.texts))
	case n < l.next:
		return nil
	}
	l.next = n + (n+9)/10
	_, err := l.LearnUnanswered(ctx, len(l.texts))
	return err
}

// answers returns how many answers there are when the mean accuracy of the runs reaches a target and stays there.
func (s *simulation) answers(ctx context.Context, r run, target float64) (int, error) {
	labellers, accuracies := make([]*labeller, s.seeds), make([]float64, s.seeds)
	each := func(do func(i int) error) error { // of the runs, at the same time
		pool := parallel.NewPool(ctx)
		for i := range labellers {
			pool.Go(func() error { return do(i) })
		}
		return pool.Wait()
	}
	err := each(func(i int) (err error) {
		labellers[i], err = s.newLabeller(ctx, r, uint32(s.first+i))
		return err
	})
	if err != nil {
		return 0, err
	}
	first, times := 0, 0
	for n := s.from; n <= s.until; n = int(math.Ceil(float64(n) * s.step)) {
		err := each(func(i int) error {
			if err := labellers[i].answerUpTo(ctx, n); err != nil {
				return err
			}
			m, err := s.model(ctx, labellers[i])
			if err == nil {
				accuracies[i] = s.accuracy(m)
			}
			return err
		})
		if err != nil {
			return 0, err
		}
		if answered := len(labellers[0].learned); answered < n { // no text of the pile is left, in any run
			return answered, nil
		}
		var sum, squares float64
		for _, accuracy := range accuracies {
			sum, squares = sum+accuracy, squares+accuracy*accuracy
		}
		seeds := float64(len(labellers))
		mean := sum / seeds
		if s.curve {
			fmt.Printf("%d answers: %.4f, standard error %.4f\n", n, mean, math.Sqrt(max(0, squares/seeds-mean*mean)/(seeds-1)))
		}
		if mean < target {
			times = 0
			continue
		}
		if times++; times == 1 {
			first = n
		}
		if times == 3 {
			return first, nil
		}
	}
	return first, nil
}

// model returns that of what a labeller has answered.
func (s *simulation) model(ctx context.Context, l *labeller) (*bayes.Model, error) {
	switch {
	case s.unlabelled:
		return s.semiSupervised(ctx, l)
	case s.correct != 0:
		return s.fit(ctx, l.labelled())
	}
	return l.Model()
}

// semiSupervised returns a model of what a labeller has answered and of the other texts of the pile.
func (s *simulation) semiSupervised(ctx context.Context, l *labeller) (*bayes.Model, error) {
	var others []bayes.Example
	for i, ex := range l.texts {
		if l.Label(i) == "" {
			others = append(others, ex)
		}
	}
	found, err := eval.SemiSupervised(ctx, s.space, nil, examples(l.labelled()), examples(others), &eval.SemiSupervisedOptions{Asked: l.asked})
	if err != nil {
		return nil, err
	}
	counts, err := bayes.Count(ctx, s.space, examples(l.labelled()), nil)
	if err != nil {
		return nil, err
	}
	if err := counts.Add(found.Counts); err != nil {
		return nil, err
	}
	return bayes.Fit(counts, found.Model)
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

// Command points measures whether what --max-fpr and --min-recall promise holds. It pools the labelled files of a data set,
// draws halves of the pool, trains on one as `bayes train` does, and counts in the other what is given to others and what is missed.
//
//	go run ./compare/points --data ../shared/data --draws 200 sms mr imdb nsmc=ko chnsenticorp adult spamassassin
//
// Of each goal a line says how often the rate in the other half was as promised (kept), how often the exact interval of
// that rate, which allows for the chance in a half of so few documents, reaches the promise (agrees), the mean of what was
// promised and of what was counted, and the mean share of unsure documents.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes"
	"bayes/dataset"
	"bayes/eval"
	"bayes/internal/cli"
)

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "`DIR` that has a folder for each data set")
	flag.IntVar(&o.draws, "draws", 200, "`N` halves that are drawn")
	flag.IntVar(&o.first, "first", 0, "`N` of the first draw, so that several runs share the work")
	flag.Float64Var(&o.correct, "correct", 0, "train with corrections of this `STRENGTH`; 0 is naive Bayes")
	flag.Parse()
	if flag.NArg() == 0 || o.draws < 1 {
		fmt.Fprintln(os.Stderr, "points: want data sets, each NAME or NAME=SPACE, and at least 1 draw")
		os.Exit(2)
	}
	for _, name := range flag.Args() {
		if err := o.measure(context.Background(), name); err != nil {
			fmt.Fprintln(os.Stderr, "points:", err)
			os.Exit(1)
		}
	}
}

type options struct {
	data         string
	draws, first int
	correct      float64
}

// A goal is a rate that answers are to keep.
type goal struct {
	label             string
	maxFPR, minRecall float64
}

func (g goal) String() string {
	if g.minRecall > 0 {
		return fmt.Sprintf("--min-recall %s=%v", g.label, g.minRecall)
	}
	return fmt.Sprintf("--max-fpr %s=%v", g.label, g.maxFPR)
}

func goalsOf(labels []string) (list []goal) {
	for _, label := range labels {
		for _, rate := range []float64{0.001, 0.01, 0.05} {
			list = append(list, goal{label: label, maxFPR: rate})
		}
		for _, rate := range []float64{0.9, 0.95, 0.99} {
			list = append(list, goal{label: label, minRecall: rate})
		}
	}
	return list
}

// A sum is what was counted of a goal.
type sum struct {
	draws, kept, agrees       int
	promised, counted, unsure float64
}

func (o *options) measure(ctx context.Context, name string) error {
	name, description, named := strings.Cut(name, "=")
	if !named {
		description = "default"
	}
	pool, err := read(filepath.Join(o.data, name))
	if err != nil {
		return err
	}
	space, err := bayes.ParseSpace(description, cli.Languages()...)
	if err != nil {
		return err
	}
	var labels []string
	for _, ex := range pool {
		if !slices.Contains(labels, ex.Label) {
			labels = append(labels, ex.Label)
		}
	}
	slices.Sort(labels)
	goals := goalsOf(labels)
	sums := make([]sum, len(goals))
	order := make([]int, len(pool))
	for draw := range o.draws {
		for i := range order {
			order[i] = i
		}
		rng := rand.New(rand.NewPCG(uint64(o.first+draw+1), 26))
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		drawn := make([]bayes.Example, len(pool))
		for i, j := range order {
			drawn[i] = pool[j]
		}
		if err := o.draw(ctx, space, drawn[:len(pool)/2], drawn[len(pool)/2:], goals, sums); err != nil {
			return err
		}
	}
	for i, g := range goals {
		s, n := sums[i], float64(sums[i].draws)
		fmt.Printf("| %s | `%v` | %d | %d | %d | %.5f | %.5f | %.4f |\n", name, g, s.draws, s.kept, s.agrees, s.promised/n, s.counted/n, s.unsure/n)
	}
	return nil
}

// draw trains on one half, and counts in the other what goals come to.
func (o *options) draw(ctx context.Context, space *bayes.Space, train, test []bayes.Example, goals []goal, sums []sum) error {
	corpus, err := bayes.ReadCorpus(ctx, space, seqOf(train), nil)
	if err != nil {
		return err
	}
	var em bayes.EventModel = bayes.Multinomial{}
	if train[0].Text == "" {
		em = bayes.Mixed{}
	}
	if o.correct > 0 {
		em = bayes.Corrected{Model: em, Strength: o.correct}
	}
	var fold []int
	if corpus.Refits(em) {
		if fold, err = eval.SomeFolds(eval.Labels(corpus), 10, 1, corpus.Len()); err != nil {
			return err
		}
	}
	held, err := eval.CrossValidate(ctx, corpus, fold, em)
	if err != nil {
		return err
	}
	if o.correct > 0 {
		if em, err = corpus.Correct(ctx, em); err != nil {
			return err
		}
	}
	m, err := bayes.Fit(corpus.Counts(), em)
	if err != nil {
		return err
	}
	tests := make([]bayes.Prediction, 0, len(test))
	for r, err := range m.PredictAll(seqOf(test), 2) {
		if err != nil {
			return err
		}
		tests = append(tests, r.Prediction)
	}
	for i, g := range goals {
		if err := sums[i].count(held, g, tests, test); err != nil {
			return err
		}
	}
	return nil
}

// count adds what a goal comes to, with the cutoff that held sets.
func (s *sum) count(held *eval.Scores, g goal, predictions []bayes.Prediction, test []bayes.Example) error {
	var goals eval.Goals
	if g.minRecall > 0 {
		goals.MinRecall = map[string]float64{g.label: g.minRecall}
	} else {
		goals.MaxFPR = map[string]float64{g.label: g.maxFPR}
	}
	cutoffs, err := held.CutoffsFor(goals)
	if err != nil {
		return err
	}
	c := cutoffs[0]
	n, wrong, unsure := 0, 0, 0
	for i, p := range predictions {
		odds := p.Classes[0].LogJoint - p.Classes[1].LogJoint
		best := p.Best().Class == g.label
		if !best {
			odds = -odds
		}
		given := best && odds >= c.LogOdds
		if g.minRecall > 0 {
			given = best || odds >= c.LogOdds
		} else if best && !given {
			unsure++
		}
		own := test[i].Label == g.label
		if own == (g.minRecall > 0) {
			n++
			if given != own {
				wrong++
			}
		}
	}
	// Of a recall, what is counted and promised is the share that is missed.
	promise := c.Promise
	if g.minRecall > 0 {
		promise = 1 - promise
	}
	s.draws++
	if float64(wrong) <= promise*float64(n) {
		s.kept++
	}
	if low, _ := eval.ClopperPearson(wrong, n); low <= promise {
		s.agrees++
	}
	s.promised += promise
	s.counted += float64(wrong) / float64(n)
	s.unsure += float64(unsure) / float64(len(test))
	return nil
}

func seqOf(list []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// columns are those of data sets that are not called label and text.
var columns = map[string]*dataset.Options{
	"sms": {Label: "v1", Text: []string{"v2"}},
	"adult": {
		Label: "income", Categorical: []string{dataset.Others},
		Numeric: []string{"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"},
	},
}

// read returns the examples of all files of a folder: tables, or mail in folders.
func read(dir string) (list []bayes.Example, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".csv") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if files == nil {
		files = []string{dir}
	}
	source, err := dataset.Open(files, os.Stdin, columns[filepath.Base(dir)])
	if err != nil {
		return nil, err
	}
	for ex, err := range source.Examples() {
		if err != nil {
			return nil, err
		}
		list = append(list, ex)
	}
	return list, nil
}

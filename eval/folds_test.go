package eval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bayes"
)

// Folds of scikit-learn 1.2.1.
func TestStratifiedFolds(t *testing.T) {
	var cases []struct {
		Labels  []string
		K       int
		Shuffle bool
		Seed    uint32
		Fold    []int
	}
	readJSON(t, "stratified_folds.json", &cases)
	for _, tc := range cases {
		got, err := StratifiedFolds(tc.Labels, tc.K, tc.Shuffle, tc.Seed)
		if err != nil || !slices.Equal(got, tc.Fold) {
			t.Errorf("%d folds of %d labels, shuffle %v, seed %d\n got %v, %v\nwant %v", tc.K, len(tc.Labels), tc.Shuffle, tc.Seed, got, err, tc.Fold)
		}
	}
	for _, tc := range []struct {
		labels []string
		k      int
		want   string
	}{{strings.Fields("a b"), 1, "2 or more"}, {strings.Fields("a b c"), 2, "no class"}, {nil, 2, "no class"}} {
		if _, err := StratifiedFolds(tc.labels, tc.k, false, 0); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%d folds of %v: %v", tc.k, tc.labels, err)
		}
	}
}

func messages() []bayes.Example {
	var list []bayes.Example
	for i, s := range []string{"lunch at one", "free prize", "lunch at two", "win a free prize", "see you at lunch", "free entry", "prize at lunch"} {
		list = append(list, bayes.Example{Label: []string{"ham", "spam"}[i%2], Text: s})
	}
	return list
}

func corpus(t testing.TB, list []bayes.Example) *bayes.Corpus {
	c, err := bayes.ReadCorpus(context.Background(), nil, stream(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Trials are the metrics of cross-validation, model by model.
func TestTry(t *testing.T) {
	c := corpus(t, messages())
	fold, err := StratifiedFolds(Labels(c), 3, true, 7)
	if err != nil {
		t.Fatal(err)
	}
	ems := []bayes.EventModel{
		bayes.Multinomial{}, bayes.Multinomial{Smoothing: bayes.Additive(.1)}, bayes.Bernoulli{},
		bayes.Multinomial{Smoothing: bayes.Additive(0)}, bayes.Complement{Smoothing: bayes.Evidence{}},
	}
	for _, fold := range [][]int{fold, nil} {
		trials, err := Try(context.Background(), c, fold, ems)
		if err != nil {
			t.Fatal(err)
		}
		for m, em := range ems {
			s, err := CrossValidate(context.Background(), c, fold, em)
			if err != nil {
				t.Fatal(err)
			}
			tally := s.Tally()
			accuracy, _, _ := tally.Accuracy()
			if tally.Documents() != int64(c.Len()) || trials[m].Accuracy != accuracy || math.Abs(trials[m].LogLoss-tally.LogLoss()) > 1e-8 {
				t.Errorf("%v: trial %+v, tally accuracy %v, log loss %v", em, trials[m], accuracy, tally.LogLoss())
			}
		}
	}
}

func TestHeldOutOnce(t *testing.T) {
	c := corpus(t, messages())
	fold := []int{-1, 0, -1, 0, -1, 1, -1}
	s, err := CrossValidate(context.Background(), c, fold, bayes.Multinomial{})
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	for _, tally := range s.Tallies() {
		sizes = append(sizes, tally.Documents())
	}
	if fmt.Sprint(sizes) != "[2 1]" || s.Tally().Documents() != 3 {
		t.Errorf("fold sizes %v", sizes)
	}
	if _, err := Try(context.Background(), c, slices.Repeat([]int{-1}, c.Len()), nil); err == nil {
		t.Error("nothing held out is no error")
	}
}

// Some folds are the first of all folds, as many as have enough examples.
func TestSomeFolds(t *testing.T) {
	labels := slices.Repeat([]string{"a", "b", "b"}, 40)
	all, err := StratifiedFolds(labels, 5, true, 3)
	if err != nil {
		t.Fatal(err)
	}
	for n, folds := range map[int]int{1: 1, 24: 1, 25: 2, 96: 4, 120: 5, 1000: 5} {
		some, err := SomeFolds(labels, 5, 3, n)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range some {
			if want := all[i]; f != want && (f != -1 || want < folds) || want >= folds && f >= 0 {
				t.Fatalf("%d examples are enough: example %d is in fold %d, not %d", n, i, f, want)
			}
		}
	}
	if _, err := SomeFolds(labels, 1, 3, 10); err == nil {
		t.Error("one fold")
	}
}

package eval

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/mt19937"
)

// The order is that of scikit-learn's shuffle, as compare/curves.py has it.
func TestShuffle(t *testing.T) {
	if got, want := mt19937.New(3).Permutation(20), readCurves(t).Shuffled; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Each point is what a model does that was fitted to that prefix from scratch.
func TestLearningCurve(t *testing.T) {
	train, test := messages(), messages()[2:]
	curve, err := LearningCurve(context.Background(), nil, bayes.Multinomial{}, train, test, &LearningOptions{Sizes: []int{1, 4, 7}, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	order := mt19937.New(5).Permutation(len(train))
	for i, size := range []int{1, 4, 7} {
		counts := bayes.NewCounts(nil)
		for _, j := range order[:size] {
			counts.Learn(train[j])
		}
		m, err := bayes.Fit(counts, bayes.Multinomial{})
		if err != nil {
			t.Fatal(err)
		}
		want := new(Tally)
		for _, ex := range test {
			want.Observe(m.Predict(ex.Document()), ex.Label)
		}
		if curve[i].Examples != size || !reflect.DeepEqual(curve[i].Tally, want) {
			t.Errorf("%d examples: log loss %v, want %v", size, curve[i].Tally.LogLoss(), want.LogLoss())
		}
	}
}

// A curve that is cancelled is none, also of nothing to test.
func TestLearningCurveCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if curve, err := LearningCurve(ctx, nil, bayes.Multinomial{}, messages(), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", curve, err)
	}
}

// A correction is learned anew at each size.
func TestLearningCurveCorrected(t *testing.T) {
	train, test, ctx := messages(), messages()[2:], context.Background()
	em := bayes.Corrected{Trust: 1}
	curve, err := LearningCurve(ctx, nil, em, train, test, &LearningOptions{Sizes: []int{1, 7}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := bayes.ReadCorpus(ctx, nil, func(yield func(bayes.Example, error) bool) {
		for _, i := range mt19937.New(0).Permutation(len(train)) {
			if !yield(train[i], nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	corrected, err := c.Correct(ctx, em)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bayes.Fit(c.Counts(), corrected)
	if err != nil {
		t.Fatal(err)
	}
	want := new(Tally)
	for _, ex := range test {
		want.Observe(m.Predict(ex.Document()), ex.Label)
	}
	if !reflect.DeepEqual(curve[1].Tally, want) {
		t.Errorf("log loss %v, want %v", curve[1].Tally.LogLoss(), want.LogLoss())
	}
}

func TestLearningSizes(t *testing.T) {
	run := func(train []bayes.Example, sizes []int) (string, error) {
		curve, err := LearningCurve(context.Background(), nil, bayes.Multinomial{}, train, nil, &LearningOptions{Sizes: sizes})
		var got []string
		for _, p := range curve {
			got = append(got, strings.Repeat("x", p.Examples))
		}
		return strings.Join(got, " "), err
	}
	if got, err := run(messages(), nil); got != "x xxx xxxxxxx" || err != nil {
		t.Errorf("sizes of seven examples: %s, %v", got, err)
	}
	if got, err := run(nil, nil); got != "" || err != nil {
		t.Errorf("sizes of no example: %s, %v", got, err)
	}
	for _, sizes := range [][]int{{0}, {-1, 2}, {2, 2}, {3, 2}, {8}} {
		if _, err := run(messages(), sizes); err == nil || !strings.Contains(err.Error(), "rising numbers from 1 to 7") {
			t.Errorf("sizes %v: %v", sizes, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LearningCurve(ctx, nil, bayes.Multinomial{}, messages(), messages(), nil); err != context.Canceled {
		t.Errorf("after the context is done: %v", err)
	}
	if _, err := LearningCurve(context.Background(), nil, bayes.Gaussian{}, messages(), messages(), nil); err == nil {
		t.Error("a Gaussian of texts is fitted")
	}
}

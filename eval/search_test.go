package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/feature"
	"bayes/text"
)

// orderly returns texts of two words whose order alone tells the class.
func orderly(n int) []bayes.Example {
	r := rand.New(rand.NewPCG(1, 2))
	var list []bayes.Example
	for range n {
		noise := fmt.Sprint("n", r.IntN(50))
		if r.IntN(2) == 0 {
			list = append(list, bayes.Example{Label: "ab", Text: "a b " + noise})
		} else {
			list = append(list, bayes.Example{Label: "ba", Text: "b a " + noise})
		}
	}
	return list
}

func spaces(specs ...string) (list []*bayes.Space) {
	for _, spec := range specs {
		a, err := text.Parse(spec)
		if err != nil {
			panic(err)
		}
		list = append(list, &bayes.Space{Analyzer: a})
	}
	return list
}

func TestSearch(t *testing.T) {
	var candidates []Candidate
	for _, s := range spaces("default", "default ngrams=2") {
		idf := *s
		idf.IDF, idf.Norm = feature.WeightsIDF(nil), feature.L2
		for _, space := range []*bayes.Space{s, &idf} {
			candidates = append(candidates, Candidate{space, []bayes.EventModel{
				bayes.Multinomial{Smoothing: bayes.Additive(0.1)}, bayes.Multinomial{}, bayes.Bernoulli{},
			}})
		}
	}
	examples := orderly(800)
	rounds := make(map[int]int)
	found, err := Search(context.Background(), examples, candidates, &SearchOptions{
		First: 100, Progress: func(examples, _, all int) { rounds[examples] = all },
	})
	if err != nil {
		t.Fatal(err)
	}
	best := candidates[found[0].Candidate]
	if best.Space.Analyzer.NGrams[0] != 2 || found[0].best().Accuracy != 1 || found[0].Examples != 800 {
		t.Errorf("found %+v", found[0])
	}
	// Four candidates, then the best one and the best of the other analyzer.
	if len(rounds) != 2 || rounds[200] != 4 || rounds[800] != 2 {
		t.Errorf("rounds %v", rounds)
	}
	again, err := Search(context.Background(), examples, candidates, &SearchOptions{First: 100})
	if err != nil || fmt.Sprint(again) != fmt.Sprint(found) {
		t.Errorf("not the same twice: %v", err)
	}
}

// With one round and one candidate, a search is a cross-validation.
func TestSearchIsTry(t *testing.T) {
	examples := orderly(60)
	ems := []bayes.EventModel{bayes.Multinomial{}, bayes.Bernoulli{}}
	found, err := Search(context.Background(), examples, []Candidate{{spaces("default ngrams=1-2")[0], ems}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	shuffled := slices.Clone(examples)
	rand.New(rand.NewPCG(0, 0)).Shuffle(60, func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	c, err := bayes.ReadCorpus(context.Background(), spaces("default ngrams=1-2")[0], stream(shuffled), nil)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := StratifiedFolds(Labels(c), 5, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Try(context.Background(), c, fold, ems)
	if err != nil || fmt.Sprint(found[0].Trials) != fmt.Sprint(want) {
		t.Errorf("%v, want %v, %v", found[0].Trials, want, err)
	}
}

func TestSearchBudget(t *testing.T) {
	found, err := Search(context.Background(), orderly(100), []Candidate{{spaces("default")[0], []bayes.EventModel{bayes.Multinomial{}}}}, &SearchOptions{Budget: time.Nanosecond})
	if err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestSearchErrors(t *testing.T) {
	candidates := []Candidate{{new(bayes.Space), []bayes.EventModel{bayes.Multinomial{}}}}
	if _, err := Search(context.Background(), orderly(100), nil, nil); err == nil {
		t.Error("no candidates are searched")
	}
	if _, err := Search(context.Background(), orderly(4), candidates, nil); err == nil || !strings.Contains(err.Error(), "5 folds, but") {
		t.Errorf("four examples in five folds: %v", err)
	}
}

func ExampleSearch() {
	var candidates []Candidate
	for _, space := range spaces("default", "default ngrams=2") {
		candidates = append(candidates, Candidate{space, []bayes.EventModel{
			bayes.Multinomial{Smoothing: bayes.Additive(0.1)}, bayes.Multinomial{},
		}})
	}
	found, err := Search(context.Background(), orderly(200), candidates, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range found {
		trial := f.Trials[f.Best]
		fmt.Printf("%v: %v, accuracy %.2f\n", candidates[f.Candidate].Space, trial.Model, trial.Accuracy)
	}
	// Output:
	// default ngrams=2: multinomial smoothing=0.1 prior=empirical, accuracy 1.00
	// default: multinomial smoothing=1 prior=empirical, accuracy 0.59
}

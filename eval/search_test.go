package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/feature"
	"bayes/internal/long"
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
	for i := range again {
		if !reflect.DeepEqual(again[i].Scores, found[i].Scores) {
			t.Errorf("%d: other scores the second time", i)
		}
		again[i].Scores, found[i].Scores = nil, nil
	}
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
	c, err := bayes.ReadCorpus(context.Background(), spaces("default ngrams=1-2")[0], stream(examples), nil)
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

// A search that is cancelled returns what it has found so far.
func TestSearchCancelled(t *testing.T) {
	var candidates []Candidate
	for _, s := range spaces("default", "default ngrams=2", "default ngrams=1-2") {
		candidates = append(candidates, Candidate{s, []bayes.EventModel{bayes.Multinomial{}}})
	}
	ctx, cancel := context.WithCancel(context.Background())
	found, err := Search(ctx, orderly(400), candidates, &SearchOptions{First: 100, Progress: func(examples, done, _ int) {
		if examples == 400 && done == 1 {
			cancel()
		}
	}})
	// The best of the first round was tried on all examples, the others were not.
	if err != context.Canceled || len(found) != 3 || found[0].Examples != 400 || found[1].Examples != 100 {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := Search(ctx, orderly(400), candidates, nil); err != context.Canceled || len(found) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Each metric is that of the Tally of what was held out, and the best is best by it.
func TestSearchMetric(t *testing.T) {
	// Of a rare class nothing is found by the model that is most accurate.
	r := rand.New(rand.NewPCG(3, 4))
	var examples []bayes.Example
	for i := range 600 {
		words := fmt.Sprint("n", r.IntN(20), " n", r.IntN(20))
		switch {
		case i%12 == 0:
			examples = append(examples, bayes.Example{Label: "rare", Text: words + " hint"})
		case i%6 == 1:
			examples = append(examples, bayes.Example{Label: "common", Text: words + " hint"})
		default:
			examples = append(examples, bayes.Example{Label: "common", Text: words})
		}
	}
	ems := []bayes.EventModel{bayes.Multinomial{Smoothing: bayes.Additive(100)}, bayes.Multinomial{}, bayes.Bernoulli{Prior: bayes.UniformPrior{}}, bayes.Bernoulli{}}
	space := spaces("default")[0]
	c, err := bayes.ReadCorpus(context.Background(), space, stream(examples), nil)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := StratifiedFolds(Labels(c), 5, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	winners := make(map[int]bool)
	for _, metric := range []Metric{"", ByAccuracy, ByMacroF1, ByLogLoss} {
		found, err := Search(context.Background(), examples, []Candidate{{space, ems}}, &SearchOptions{Metric: metric})
		if err != nil {
			t.Fatal(err)
		}
		winners[found[0].Best] = true
		for m, em := range ems {
			s, err := CrossValidate(context.Background(), c, fold, em)
			if err != nil {
				t.Fatal(err)
			}
			tally, got := s.Tally(), found[0].Trials[m]
			accuracy, _, _ := tally.Accuracy()
			f1 := tally.MacroF1()
			if metric != ByMacroF1 {
				f1 = 0
			}
			if got.Accuracy != accuracy || got.MacroF1 != f1 || math.Abs(got.LogLoss-tally.LogLoss()) > 1e-9 {
				t.Errorf("%v: %+v, want %v, %v, %v", em, got, accuracy, f1, tally.LogLoss())
			}
			if metric.Compare(got, found[0].Trials[found[0].Best]) < 0 {
				t.Errorf("by %q %v is better than the best", metric, em)
			}
		}
	}
	if len(winners) < 2 {
		t.Errorf("all metrics choose %v: the data does not tell them apart", winners)
	}
}

func ExampleParseMetric() {
	rare := Trial{Accuracy: 0.90, MacroF1: 0.70, LogLoss: 0.3}
	dull := Trial{Accuracy: 0.92, MacroF1: 0.48, LogLoss: 0.4}
	for _, name := range []string{"accuracy", "macro-f1", "log-loss"} {
		metric, err := ParseMetric(name)
		fmt.Println(metric, metric.Compare(rare, dull) < 0, err)
	}
	_, err := ParseMetric("speed")
	fmt.Println(err)
	// Output:
	// accuracy false <nil>
	// macro-f1 true <nil>
	// log-loss true <nil>
	// unknown metric "speed": want accuracy, macro-f1 or log-loss
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
	// default: multinomial smoothing=1 prior=empirical, accuracy 0.56
}

// Of those of the last round that are not behind by more than a standard error, the first is the most
// probable, calibrated.
func TestPrefer(t *testing.T) {
	// scores returns the scores of 1,000 examples, of which some are wrong, as sure of each.
	scores := func(sure float64, wrong func(i int) bool) *Scores {
		s := &Scores{Classes: []string{"a", "b"}, Truth: make([]int, 1000), Fold: make([]int, 1000), logP: make([]float64, 2000)}
		for i := range s.Truth {
			p := s.LogP(i)
			p[0], p[1] = math.Log(sure), math.Log(1-sure)
			if wrong(i) {
				p[0], p[1] = p[1], p[0]
			}
		}
		return s
	}
	found := func() []Found {
		return []Found{
			{Candidate: 0, Examples: 1000, Scores: scores(0.9, func(i int) bool { return i < 100 })},
			{Candidate: 1, Examples: 1000, Scores: scores(0.95, func(i int) bool { return i >= 96 && i < 200 })}, // 4 of 200 behind
			{Candidate: 2, Examples: 1000, Scores: scores(0.9, func(i int) bool { return i < 130 })},             // always behind
			{Candidate: 3, Examples: 500},
		}
	}
	list := found()
	// A class of doubts makes the second candidate the more probable one.
	for i := range 104 {
		p := list[1].Scores.LogP(96 + i)
		p[0], p[1] = math.Log(0.45), math.Log(0.55)
	}
	for i := range list[:3] {
		list[i].loss = list[i].Scores.calibratedLoss()
	}
	plain := Candidate{new(bayes.Space), []bayes.EventModel{bayes.Multinomial{}}}
	(&search{SearchOptions: SearchOptions{Metric: ByAccuracy}, candidates: []Candidate{plain, plain, plain, plain}}).prefer(list)
	if list[0].Candidate != 1 || list[1].Candidate != 0 || list[2].Candidate != 2 {
		t.Errorf("first %d, then %d and %d", list[0].Candidate, list[1].Candidate, list[2].Candidate)
	}
	if s := found(); !s[0].Scores.ahead(s[2].Scores) || s[0].Scores.ahead(s[1].Scores) || s[1].Scores.ahead(s[0].Scores) {
		t.Error("who is ahead of whom")
	}
	list = found()
	(&search{SearchOptions: SearchOptions{Metric: ByLogLoss}, all: 1000}).prefer(list)
	if list[0].Candidate != 0 {
		t.Error("another metric than accuracy has its own best")
	}
}

// Of a search that ends before the last round, the first is the best that is corrected, if one came as far.
func TestPreferCorrected(t *testing.T) {
	candidates := []Candidate{{Models: []bayes.EventModel{bayes.Multinomial{}}}, {Models: []bayes.EventModel{bayes.Corrected{}}}}
	for _, tc := range []struct {
		examples [2]int // of the candidates
		want     int
	}{{[2]int{250, 250}, 1}, {[2]int{1000, 250}, 0}, {[2]int{4000, 4000}, 0}, {[2]int{4000, 1000}, 0}} {
		s := &search{candidates: candidates, all: 4000, results: []Found{
			{Candidate: 0, Examples: tc.examples[0], Trials: []Trial{{Accuracy: 0.9}}},
			{Candidate: 1, Examples: tc.examples[1], Trials: []Trial{{Accuracy: 0.8}}},
		}}
		if got := s.found(); got[0].Candidate != tc.want || got[1].Candidate != 1-tc.want {
			t.Errorf("%v examples: candidate %d is first, want %d", tc.examples, got[0].Candidate, tc.want)
		}
	}
}

// Corrected candidates and naive Bayes both come to the last round.
func TestSearchLeagues(t *testing.T) {
	var candidates []Candidate
	for _, s := range spaces("default", "default ngrams=2", "default ngrams=1-2") {
		for _, spread := range []bool{false, true} {
			candidates = append(candidates, Candidate{s, []bayes.EventModel{bayes.Corrected{Spread: spread}}})
		}
		candidates = append(candidates, Candidate{s, []bayes.EventModel{bayes.Multinomial{}, bayes.Bernoulli{}}})
	}
	found, err := Search(context.Background(), orderly(400), candidates, &SearchOptions{First: 100})
	if err != nil {
		t.Fatal(err)
	}
	last := make(map[bool]int)
	for _, f := range found {
		if f.Examples == 400 {
			last[f.Candidate%3 != 2]++
			if want, err := bayes.ReadCorpus(context.Background(), candidates[f.Candidate].Space, stream(orderly(400)), nil); err != nil || f.Scores.Len() != want.Len() {
				t.Errorf("candidate %d: %v, %v", f.Candidate, f.Scores, err)
			}
		}
	}
	if last[true] != 4 || last[false] != 2 {
		t.Errorf("%d corrected candidates and %d others in the last round", last[true], last[false])
	}
}

// What differs in the correction alone, from the first by the metric and from the one that is chosen, is tried on all
// examples, whatever became of it before.
func TestSearchKin(t *testing.T) {
	var candidates []Candidate
	for _, s := range spaces("default", "default ngrams=1-2") {
		for _, trust := range []float64{0, 0.5} {
			for _, strength := range []float64{0.01, 0.1, 1, 10} {
				candidates = append(candidates, Candidate{s, []bayes.EventModel{bayes.Corrected{Strength: strength, Trust: trust}}})
			}
		}
	}
	others := 0 // searches that choose another Space than that of the first by the metric
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		var examples []bayes.Example
		for i := range 400 {
			words := []string{fmt.Sprint("n", r.IntN(100)), fmt.Sprint("n", r.IntN(100)), fmt.Sprint("c", i%2)}
			if r.IntN(4) == 0 {
				words[2] = "c0"
			}
			examples = append(examples, bayes.Example{Label: fmt.Sprint(i % 2), Text: strings.Join(words, " ")})
		}
		found, err := Search(context.Background(), examples, candidates, &SearchOptions{First: 100})
		if err != nil {
			t.Fatal(err)
		}
		space := func(f Found) *bayes.Space { return candidates[f.Candidate].Space }
		first := slices.MinFunc(found, func(a, b Found) int {
			return cmp.Or(cmp.Compare(b.Examples, a.Examples), ByAccuracy.Compare(a.best(), b.best()))
		})
		if space(first) != space(found[0]) {
			others++
		}
		for _, f := range found {
			if f.Examples < len(examples) && (space(f) == space(first) || space(f) == space(found[0])) {
				t.Errorf("seed %d: candidate %d was tried on %d examples", seed, f.Candidate, f.Examples)
			}
		}
	}
	if others == 0 {
		t.Error("every search chose the Space that is first")
	}
}

// Corrections that would take too much memory are passed over, and are an error where nothing else is to be tried.
func TestSearchTooLarge(t *testing.T) {
	var examples []bayes.Example
	for i := range 30_000 {
		examples = append(examples, bayes.Example{Label: strconv.Itoa(i / 2), Text: "a"})
	}
	space := spaces("default")[0]
	correct := Candidate{space, []bayes.EventModel{bayes.Corrected{}}}
	plain := Candidate{space, []bayes.EventModel{bayes.Multinomial{}}}
	opts := &SearchOptions{First: len(examples), Folds: 2}
	if _, err := Search(context.Background(), examples, []Candidate{correct}, opts); err == nil || !strings.Contains(err.Error(), "of memory, of at most 4096") {
		t.Errorf("%v", err)
	}
	if long.Sample(t, "a search that passes over them") {
		return
	}
	found, err := Search(context.Background(), examples, []Candidate{correct, plain}, opts)
	if err != nil || len(found) != 1 || found[0].Candidate != 1 {
		t.Errorf("%d found, %v", len(found), err)
	}
}

// A round that has used up its share of the budget leaves out what it has not tried, and the best of the
// others come to the last round.
func TestSearchShares(t *testing.T) {
	var candidates []Candidate
	for _, s := range spaces("default", "default ngrams=2", "default ngrams=1-2") {
		candidates = append(candidates, Candidate{s, []bayes.EventModel{bayes.Multinomial{}}})
	}
	// Five minutes for 100 examples: half an hour is enough for three, and the 45 minutes that are left for two on all.
	found, err := searchFor(t, candidates, 5*time.Minute)
	if err != nil || len(found) != 3 || found[0].Examples != 400 || found[1].Examples != 400 || found[2].Examples != 100 {
		t.Errorf("%+v, %v", found, err)
	}
	found, err = searchFor(t, candidates, 20*time.Minute)
	if err != nil || len(found) != 2 || found[0].Examples != 400 || found[1].Examples != 100 {
		t.Errorf("%+v, %v", found, err)
	}
}

// What is left of a budget is for the best of each analyzer before the second best of one.
func TestSearchAffordsEachAnalyzer(t *testing.T) {
	var candidates []Candidate
	for _, s := range spaces("default ngrams=2", "default ngrams=1-2") {
		for _, strength := range []float64{1, 3, 10} {
			candidates = append(candidates, Candidate{s, []bayes.EventModel{bayes.Corrected{Strength: strength}}})
		}
	}
	// Those of a Space are tried at once, in 8 minutes for 100 examples, of which half are for what they share.
	found, err := searchFor(t, candidates, 8*time.Minute)
	if err != nil || len(found) != 6 || found[0].Examples != 400 || found[1].Examples != 400 || found[2].Examples != 100 {
		t.Fatalf("%+v, %v", found, err)
	}
	if a, b := found[0].Candidate, found[1].Candidate; a/3 == b/3 {
		t.Errorf("candidates %d and %d are of one analyzer", a, b)
	}
}

// What is too slow to train has no time kept for it once something else would do.
func TestChargeSlow(t *testing.T) {
	space := spaces("default")[0]
	s := &search{
		SearchOptions: SearchOptions{Training: true, Folds: 5},
		candidates:    []Candidate{{space, []bayes.EventModel{bayes.Corrected{}}}, {space, []bayes.EventModel{bayes.Multinomial{}}}},
		results:       make([]Found, 2), costs: make([]cost, 2), all: 100_000,
	}
	var cancel context.CancelFunc
	s.clock, s.ctx, cancel = newClock(t.Context(), time.Hour)
	defer cancel()
	s.clock.round(2, 0)
	if !s.charge([]int{0}, time.Second, time.Minute, 5, 100) || !s.results[0].slow || s.clock.left != 45*time.Minute {
		t.Errorf("%+v, with %v left of the budget", s.results[0], s.clock.left)
	}
	if s.charge([]int{1}, time.Millisecond, 5*time.Millisecond, 5, 100) || s.results[1].slow || s.clock.left > time.Minute {
		t.Errorf("%+v, with %v left of the budget", s.results[1], s.clock.left)
	}
}

// searchFor searches for an hour, in which trying the candidates of a Space on 100 examples takes so long.
func searchFor(t *testing.T, candidates []Candidate, takes time.Duration) ([]Found, error) {
	t.Helper()
	start, passed := time.Now(), time.Duration(0)
	now = func() time.Time { return start.Add(passed) }
	defer func() { now = time.Now }()
	return Search(context.Background(), orderly(400), candidates, &SearchOptions{First: 100, Budget: time.Hour, Progress: func(examples, _, _ int) {
		passed += takes * time.Duration(examples) / 100
	}})
}

// Of strengths that the examples do not tell apart, that which moves least is chosen; of those that they tell apart the
// more probable.
func TestSearchSimplest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var examples []bayes.Example
	for i := range 600 {
		label := fmt.Sprint("c", i%2)
		words := []string{"w" + label, fmt.Sprint("n", r.IntN(20)), fmt.Sprint("n", r.IntN(20))}
		if r.IntN(4) == 0 {
			words[0] = "wc0"
		}
		examples = append(examples, bayes.Example{Label: label, Text: strings.Join(words, " ")})
	}
	for _, c := range []struct{ probable, other, want float64 }{{1, 0.1, 0.1}, {10, 1, 10}} {
		var candidates []Candidate
		for _, strength := range []float64{c.probable, c.other} {
			candidates = append(candidates, Candidate{spaces("default")[0], []bayes.EventModel{bayes.Corrected{Strength: strength}}})
		}
		found, err := Search(context.Background(), examples, candidates, &SearchOptions{First: len(examples)})
		if err != nil {
			t.Fatal(err)
		}
		probable := slices.MinFunc(found, func(a, b Found) int { return cmp.Compare(a.loss, b.loss) })
		if got := candidates[probable.Candidate].Models[0].(bayes.Corrected).Strength; got != c.probable {
			t.Errorf("strength %v is the most probable, want %v", got, c.probable)
		}
		if got := candidates[found[0].Candidate].Models[0].(bayes.Corrected).Strength; got != c.want {
			t.Errorf("strength %v is chosen, of %v and %v, want %v", got, c.probable, c.other, c.want)
		}
	}
}

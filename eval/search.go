package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"bayes"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// A Candidate is a Space and event models to try in it. Models that differ in an
// additive smoothing only cost little more than one of them. An IDF in the Space
// says only that there is one: each training part weighs by its own.
type Candidate struct {
	Space  *bayes.Space
	Models []bayes.EventModel
}

// SearchOptions are options for [Search]. A nil *SearchOptions is the zero value.
type SearchOptions struct {
	Folds    int                           // zero means 5
	Seed     uint32                        // of the shuffling
	First    int                           // how many examples the first round has at least; zero means 250, and 5 for each class
	Budget   time.Duration                 // when it is used up, the search ends with what it has found; zero means no limit
	Training bool                          // whether the budget is to be enough for fitting the best to all examples afterwards, too; a tenth of it is then a reserve
	Metric   Metric                        // zero means [ByAccuracy]
	Progress func(examples, done, all int) // of a round; called whenever candidates have been tried
}

// A Found candidate is how one did in the last round that it reached.
type Found struct {
	Candidate int     // its place among the candidates
	Examples  int     // of the round
	Trials    []Trial // of its models, in their order
	Best      int     // the place of the best by the metric
	Scores    *Scores // what that one says of the examples held out, in the last round; nil in others, or if they are too many

	loss float64 // of the best, calibrated if that is less
	slow bool    // whether training it would take more of the budget than may be left
}

func (f Found) best() Trial {
	if len(f.Trials) == 0 {
		return Trial{}
	}
	return f.Trials[f.Best]
}

// Search finds the candidate whose best model is best, by a metric, in
// cross-validation, by successive halving (Jamieson and Talwalkar 2016,
// "Non-stochastic best arm identification"): all candidates are tried on a few
// examples, the best quarter of them (half of it the most probable, calibrated) and the best three of each analyzer on four times
// as many, and so on to all examples, which 2 of naive Bayes come to at most, and of those that are corrected
// the best 4 and the best of each analyzer; then all that differ from the best, and from the one that would be the first, in the correction alone. Of many examples not all folds
// are tested, but as many as have 1,000 examples, and 4,000 in the last round. Candidates are returned best first: those
// that came furthest, and of these by the metric; those that would take too long to train come last. The first by accuracy gives way to that of least log
// loss, calibrated, among those of the last round that are less accurate by no more than a standard error
// of the difference; of those that differ from it in the strength of the correction alone, the weakest that is neither
// less accurate nor less probable by more than that. If none came to the last round, the first is the best of those that are corrected,
// which gain more from more examples.
//
// With a budget, each round has an equal share of what is left of it, and tries at least the candidates of
// one Space: of each analyzer the best, then the second best of each, as many as the share is enough for, going by how long
// the round before took. What it does not get to is out, so that the best of the others are tried on all examples.
//
// Corrections that would take too much memory ([bayes.Corpus.CheckCorrect]) are not tried; that is an error if there is
// nothing else to try.
//
// If ctx is cancelled, Search returns what it has found so far, and the error of ctx.
//
// An example is analyzed once for each analyzer and round. Equal input gives equal
// results, unless the budget ends a round.
func Search(ctx context.Context, examples []bayes.Example, candidates []Candidate, opts *SearchOptions) ([]Found, error) {
	if opts == nil {
		opts = new(SearchOptions)
	}
	if len(candidates) == 0 {
		return nil, errors.New("no candidates")
	}
	s := &search{SearchOptions: *opts, ctx: ctx, candidates: candidates, all: len(examples)}
	if s.Budget > 0 {
		budget := s.Budget
		if s.Training { // which may take longer than it is reckoned to
			budget = budget * 9 / 10
		}
		var cancel context.CancelFunc
		s.clock, s.ctx, cancel = newClock(ctx, budget)
		defer cancel()
	}
	if s.Folds == 0 {
		s.Folds = 5
	}
	if s.First == 0 {
		s.First = max(250, 5*classesOf(examples))
	}
	// Each round takes the first examples of one order, so that rounds are nested.
	shuffled := slices.Clone(examples)
	rand.New(rand.NewPCG(uint64(s.Seed), 0)).Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	s.results = make([]Found, len(candidates))
	s.costs = make([]cost, len(candidates))
	left := make([]int, len(candidates))
	for i := range left {
		left[i], s.results[i].Candidate = i, i
	}
	sizes := rounds(len(shuffled), s.First)
	for r, n := range sizes {
		part, tested := shuffled[:n], enoughAtFirst
		if s.last = n == len(shuffled); s.last {
			part, tested = examples, Enough // in their own order, as whoever tries the best again has them
		}
		if r == 0 {
			s.clock.round(len(sizes), 0)
		} else {
			left = slices.DeleteFunc(left, func(c int) bool { return s.results[c].Examples < sizes[r-1] })
			left = s.affordable(s.survivors(left), len(sizes)-r, work(n, s.Folds, tested)/work(sizes[r-1], s.Folds, enoughAtFirst), 1)
		}
		err := s.try(part, left, tested)
		if s.ctx.Err() != nil {
			return s.found(), ctx.Err() // nil if only the budget is used up
		}
		if err == nil && s.done == 0 {
			err = s.tooLarge
		}
		if err != nil {
			return nil, err
		}
	}
	for _, first := range []func() []Found{s.ranked, s.found} { // often in one Space, and then there is nothing left
		if err := s.try(examples, s.kin(first()), Enough); err != nil && s.ctx.Err() == nil {
			return nil, err
		}
	}
	return s.found(), ctx.Err()
}

// kin returns those that few examples may have been unjust to: what differs from the first of the last round in the correction
// alone and did not come there. They share most of what it takes to try them.
func (s *search) kin(found []Found) []int {
	if len(found) == 0 || found[0].Examples < s.all {
		return nil
	}
	best := found[0].Candidate
	var left []int
	for _, f := range found {
		c := f.Candidate
		if f.Examples < s.all && s.corrects(c) && s.candidates[c].Space.String() == s.candidates[best].Space.String() {
			s.costs[c] = s.costs[best]
			left = append(left, c)
		}
	}
	return s.affordable(left, 1, 1, 0)
}

// ranked returns the candidates that were tried, the best by the metric first.
func (s *search) ranked() []Found {
	tried := slices.DeleteFunc(slices.Clone(s.results), func(f Found) bool { return f.Examples == 0 })
	slices.SortStableFunc(tried, s.compare)
	return tried
}

// found returns them with the one to take first.
func (s *search) found() []Found {
	tried := s.ranked()
	s.prefer(tried)
	return tried
}

// prefer moves the most probable of those that are as good as the first to the front. If none has come
// to the last round, it moves the best that is corrected: corrections gain more from more examples.
func (s *search) prefer(tried []Found) {
	if len(tried) == 0 || s.Metric != "" && s.Metric != ByAccuracy {
		return
	}
	if tried[0].Scores == nil {
		s.preferCorrected(tried)
		return
	}
	best, least := 0, math.Inf(1)
	for i, f := range tried {
		if f.Scores == nil || f.slow != tried[0].slow || f.Examples != tried[0].Examples || tried[0].Scores.ahead(f.Scores) {
			continue
		}
		if f.loss < least {
			best, least = i, f.loss
		}
	}
	moveToFront(tried, s.simplest(tried, best))
}

// simplest returns which of those that differ from the best in the strength of the correction alone moves least,
// of all that are no less accurate and no less probable than it by more than a standard error: the rule of one standard error
// (Breiman et al. 1984, "Classification and regression trees").
func (s *search) simplest(tried []Found, best int) int {
	chosen := tried[best]
	kind, strength, ok := s.strength(chosen.Candidate)
	if !ok {
		return best
	}
	for i, f := range tried {
		of, less, _ := s.strength(f.Candidate)
		if of == kind && less < strength && f.Scores != nil && f.slow == chosen.slow && f.Examples == chosen.Examples &&
			!tried[0].Scores.ahead(f.Scores) && !chosen.Scores.moreProbable(f.Scores) {
			best, strength = i, less
		}
	}
	return best
}

// strength returns that of a candidate that is corrected, and what it is apart from that.
func (s *search) strength(c int) (kind string, strength float64, ok bool) {
	m, ok := s.candidates[c].Models[0].(interface {
		Freedom() (strength float64, rest bayes.EventModel)
	})
	if !ok {
		return "", 0, false
	}
	strength, rest := m.Freedom()
	return fmt.Sprint(s.candidates[c].Space, " ", rest), strength, true
}

func (s *search) preferCorrected(tried []Found) {
	for i, f := range tried {
		if f.Examples < tried[0].Examples || f.Examples == s.all || f.slow != tried[0].slow {
			return
		}
		if s.corrects(f.Candidate) {
			moveToFront(tried, i)
			return
		}
	}
}

func moveToFront(tried []Found, i int) {
	chosen := tried[i]
	copy(tried[1:i+1], tried[:i])
	tried[0] = chosen
}

// ahead reports whether s is right more often than t, by more than a standard error of the difference.
func (s *Scores) ahead(t *Scores) bool {
	var only, others float64 // examples that s alone has right, and t alone
	for i, f := range s.Fold {
		if f < 0 {
			continue
		}
		switch right := floats.MaxIdx(s.LogP(i)) == s.Truth[i]; {
		case right == (floats.MaxIdx(t.LogP(i)) == t.Truth[i]):
		case right:
			only++
		default:
			others++
		}
	}
	n := float64(len(s.tested()))
	return only-others > math.Sqrt(only+others-(only-others)*(only-others)/n)
}

// moreProbable reports whether the log loss of s, calibrated, is less than that of t, by more than a standard error of
// the difference.
func (s *Scores) moreProbable(t *Scores) bool {
	s, t = s.mostProbable(), t.mostProbable()
	var differences []float64
	logP := func(s *Scores, i int) float64 { return max(s.LogP(i)[s.Truth[i]], math.Log(epsilon)) } // as LogLoss has it
	for _, i := range s.tested() {
		differences = append(differences, logP(s, i)-logP(t, i))
	}
	mean, deviation := stat.MeanStdDev(differences, nil)
	return mean > stat.StdErr(deviation, float64(len(differences)))
}

// calibratedLoss returns the log loss after calibration, if that is less than before.
func (s *Scores) calibratedLoss() float64 { return s.mostProbable().Tally().LogLoss() }

// mostProbable returns s, or s calibrated if its log loss is then less.
func (s *Scores) mostProbable() *Scores {
	if after, err := s.CrossCalibrate(Temperature); err == nil && after.Tally().LogLoss() < s.Tally().LogLoss() {
		return after
	}
	return s
}

// mostScores is how many scores are kept of the candidates of a Space at most.
const mostScores = 1 << 25

// rounds returns how many examples each round has: all in the last, and in those
// before it a quarter, while that is not less than the first may have.
func rounds(n, first int) []int {
	sizes := []int{n}
	for n /= 4; n >= first; n /= 4 {
		sizes = append(sizes, n)
	}
	slices.Reverse(sizes)
	return sizes
}

type search struct {
	SearchOptions
	ctx        context.Context
	candidates []Candidate
	results    []Found // by candidate
	last       bool    // whether this is the last round
	done, of   int     // candidates of the round
	all        int     // examples
	tooLarge   error   // why corrections were not tried, if they take too much memory
	clock      *clock  // nil without a budget
	costs      []cost  // of candidates, in the last round
}

// compare orders by how far candidates came, then by the metric.
func (s *search) compare(a, b Found) int {
	if a.slow != b.slow {
		return cmp.Compare(slowness(a), slowness(b))
	}
	return cmp.Or(cmp.Compare(b.Examples, a.Examples), s.Metric.Compare(a.best(), b.best()))
}

// slowness orders what would take too long to train behind all else.
func slowness(f Found) int {
	if f.slow {
		return 1
	}
	return 0
}

// How many candidates are tried on all examples: of naive Bayes, and of corrected ones beside the best of
// each analyzer. Before the last round the best three of each analyzer are kept: few examples do not tell which
// of them is best.
const finalists, correctedFinalists, ofAnalyzer = 2, 4, 3

// survivors returns the best quarter of the candidates and the best few of each
// analyzer, best first; for the last round fewer. Naive Bayes and what is corrected
// are judged apart: corrections gain more from more examples.
func (s *search) survivors(left []int) []int {
	left = slices.Clone(left)
	slow := func(c int) bool { return s.results[c].slow }
	if quick := slices.DeleteFunc(slices.Clone(left), slow); len(quick) > 0 {
		left = quick
	}
	slices.SortStableFunc(left, func(a, b int) int { return s.compare(s.results[a], s.results[b]) })
	var kept []int
	for _, league := range grouped(left, func(c int) string { return strconv.FormatBool(s.corrects(c)) }) {
		most, each := (len(league)+3)/4, ofAnalyzer
		switch {
		case s.last && s.corrects(league[0]):
			most, each = min(most, correctedFinalists), 1
		case s.last:
			most, each = finalists, 0
		}
		kept = append(kept, s.chosen(league, most, each)...)
	}
	slices.SortStableFunc(kept, func(a, b int) int { return s.compare(s.results[a], s.results[b]) })
	return kept
}

// chosen returns the best candidates of a league, which is sorted, best first: at most most of them, by the metric
// and by log loss in turn, since few examples tell losses apart better than accuracies; and beside them what is
// among the first each of its analyzer.
func (s *search) chosen(league []int, most, each int) (kept []int) {
	probable := slices.Clone(league)
	slices.SortStableFunc(probable, func(a, b int) int { return cmp.Compare(s.results[a].loss, s.results[b].loss) })
	in := make(map[int]bool)
	take := func(list []int) (rest []int) {
		for len(list) > 0 && in[list[0]] {
			list = list[1:]
		}
		if len(list) == 0 || len(in) == most {
			return nil
		}
		in[list[0]] = true
		return list[1:]
	}
	for best := league; len(best) > 0 || len(probable) > 0; {
		best, probable = take(best), take(probable)
	}
	seen := make(map[string]int)
	for _, c := range league {
		key := analyzerKey(s.candidates[c].Space)
		if in[c] || seen[key] < each {
			kept = append(kept, c)
		}
		seen[key]++
	}
	return kept
}

// corrects reports whether corrections are learned for a candidate.
func (s *search) corrects(c int) bool {
	return corrects(s.candidates[c].Models[0])
}

// corrects reports whether corrections are learned for em, which may be nil.
func corrects(em bayes.EventModel) bool {
	return em != nil && bayes.WithoutCorrection(em).String() != em.String()
}

// enoughAtFirst is how many examples are tested before the last round.
const enoughAtFirst = 1000

// classesOf returns how many classes the examples have.
func classesOf(examples []bayes.Example) int {
	classes := make(map[string]bool)
	for i := range examples {
		classes[examples[i].Label] = true
	}
	return len(classes)
}

// analyzerKey returns what the plain counts of a Space depend on.
func analyzerKey(s *bayes.Space) string { return unweighted(s).String() }

// unweighted returns s with the counts themselves.
func unweighted(s *bayes.Space) *bayes.Space {
	plain := *s
	plain.Binary, plain.Log, plain.SubwordWeight, plain.IDF, plain.Norm = false, false, 1, nil, ""
	return &plain
}

// try tries the candidates left on the examples, those of an analyzer together,
// and these by weighting. At least as many examples as tested says are predicted, if there are.
func (s *search) try(examples []bayes.Example, left []int, tested int) error {
	s.done, s.of = 0, len(left)
	slow, corrected := 0, 0 // Spaces
	for _, alike := range grouped(left, func(c int) string { return analyzerKey(s.candidates[c].Space) }) {
		if s.done > 0 && s.clock.over() {
			break
		}
		if s.last {
			runtime.GC() // of all examples, the corpus before this one is large
		}
		// Analyzing costs most, so the corpus is read once. If there are several weightings, it has the
		// counts themselves, and each is worked out of these.
		start := now()
		spaces := grouped(alike, func(c int) string { return s.candidates[c].Space.String() })
		space := s.candidates[alike[0]].Space
		if len(spaces) > 1 {
			space = unweighted(space)
		}
		corpus, err := bayes.ReadCorpus(s.ctx, space, stream(examples), nil)
		if err != nil {
			return err
		}
		reading := now().Sub(start)
		fold, err := SomeFolds(Labels(corpus), s.Folds, s.Seed, tested)
		if err != nil {
			return err
		}
		for _, same := range spaces {
			if s.done > 0 && s.clock.over() {
				break
			}
			if s.tooLarge = corpus.CheckCorrect(); s.tooLarge != nil || slow >= tooSlow && slow == corrected {
				if same = slices.DeleteFunc(slices.Clone(same), s.corrects); len(same) == 0 {
					continue
				}
			}
			start := now()
			if err := s.tryWeighted(corpus, fold, same); err != nil {
				return err
			}
			if s.corrects(same[0]) {
				corrected++
			}
			if s.charge(same, reading, now().Sub(start), slices.Max(fold)+1, corpus.Len()) {
				slow++
			}
		}
	}
	return nil
}

// tryWeighted tries candidates of one Space.
func (s *search) tryWeighted(corpus *bayes.Corpus, fold []int, same []int) error {
	var models []bayes.EventModel
	for _, c := range same {
		models = append(models, s.candidates[c].Models...)
	}
	weighted := corpus
	if space := s.candidates[same[0]].Space; space.String() != corpus.Space().String() {
		weighted = corpus.Reweight(space)
	}
	var scores []*Scores
	if len(models)*weighted.Len()*len(weighted.Classes()) <= mostScores {
		for range models {
			scores = append(scores, newScores(weighted, fold))
		}
	}
	trials, err := tryBy(s.ctx, weighted, fold, models, s.Metric, scores)
	if err != nil {
		return err
	}
	// The trials of all models come in one list: each candidate takes its own.
	for _, c := range same {
		n := len(s.candidates[c].Models)
		f := Found{Candidate: c, Examples: corpus.Len(), Trials: trials[:n:n]}
		for i, t := range f.Trials {
			if s.Metric.Compare(t, f.best()) < 0 {
				f.Best = i
			}
		}
		f.loss = f.best().LogLoss
		if scores != nil {
			f.Scores, scores = scores[f.Best], scores[n:]
			f.loss = f.Scores.calibratedLoss()
		}
		if !s.last {
			f.Scores = nil
		}
		s.results[c], trials = f, trials[n:]
	}
	s.done += len(same)
	if s.Progress != nil {
		s.Progress(corpus.Len(), s.done, s.of)
	}
	return nil
}

// grouped returns the candidates by key, in order of first appearance.
func grouped(list []int, key func(c int) string) [][]int {
	var groups [][]int
	number := make(map[string]int)
	for _, c := range list {
		k, ok := number[key(c)]
		if !ok {
			k = len(groups)
			number[key(c)] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], c)
	}
	return groups
}

func stream(examples []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range examples {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

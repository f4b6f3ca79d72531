package eval

import (
	"cmp"
	"slices"
	"time"
)

// A cost is how long it took to try a candidate: what it shares with those of the same analyzer, with
// those of the same Space, and what is its own; and how long it would take to train it.
type cost struct{ reading, weighing, own, training time.Duration }

// tooSlow is how many Spaces a round tries with corrections if all turn out too slow to train; then it passes over
// corrections in the others.
const tooSlow = 2

// training returns how long it takes to train one of some candidates of a Space, and, before the last
// round, to find its calibration on examples held out, given how long a training part took with all of them.
func (s *search) training(reading, part time.Duration, same []int) time.Duration {
	// About half of a part's time is for what corrected candidates share. Of naive Bayes, it is for counting.
	fit, fits := part/time.Duration(min(2, len(same))), 1
	if !s.corrects(same[0]) {
		fit = part / time.Duration(len(same)*len(s.candidates[same[0]].Models))
	}
	if s.last {
		return (reading + fit) * 7 / 4 // fits to all examples need more passes, and a model is to be written
	}
	fits += min(s.Folds, (Enough*s.Folds+s.all-1)/s.all)
	// A tenth more: of more examples each takes less time mostly (20news 33 s where 707 let 42 be expected), but more where
	// training parts take turns (livedoor 44 s where 1,473 let 37 be).
	return (2*reading + time.Duration(fits)*fit) * 11 / 10
}

// charge notes what it took to read n examples, and to try candidates of one Space on some training parts of them, and has enough be
// left of the budget to train the best. It reports whether these are corrected and would take too long to train.
func (s *search) charge(same []int, reading, spent time.Duration, parts, n int) (slow bool) {
	training := time.Duration(0)
	if s.Training {
		training = s.training(reading, spent/time.Duration(parts), same) * time.Duration(s.all) / time.Duration(n)
		slow = !s.clock.leave(training) && s.corrects(same[0])
	}
	for _, c := range same { // about half is for what candidates of a Space share
		s.costs[c] = cost{reading, spent / 2, spent / 2 / time.Duration(len(same)), training}
		s.results[c].slow = slow
	}
	return slow
}

// affordable returns those of left, which are best first, that the next round has time for, and least of them at the least.
// It begins that round. With it, rounds are left, and trying a candidate takes times as long as in the last one.
func (s *search) affordable(left []int, rounds int, times float64, least int) []int {
	if s.clock == nil {
		return left
	}
	of := func(c int) string { return analyzerKey(s.candidates[c].Space) }
	rank := make(map[int]int) // among those of the same analyzer
	for _, alike := range grouped(left, of) {
		for i, c := range alike {
			rank[c] = i
		}
	}
	byRank := slices.Clone(left)
	slices.SortStableFunc(byRank, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	var spent, training time.Duration
	read, weighed, chosen := make(map[string]bool), make(map[string]bool), make(map[int]bool)
	for _, c := range byRank {
		took, space := s.costs[c], s.candidates[c].Space.String()
		cost := took.own
		if !weighed[space] {
			cost += took.weighing
		}
		if !read[of(c)] {
			cost += took.reading
		}
		cost = time.Duration(times * float64(cost))
		if len(chosen) >= least && spent+cost > s.clock.has(rounds, max(training, took.training)) {
			continue
		}
		spent, training = spent+cost, max(training, took.training)
		chosen[c], weighed[space], read[of(c)] = true, true, true
	}
	s.clock.round(rounds, training)
	return slices.DeleteFunc(slices.Clone(left), func(c int) bool { return !chosen[c] })
}

// work returns what trying a candidate on n examples takes, up to a factor, if as many folds are tested as
// have tested examples.
func work(n, folds, tested int) float64 {
	return float64(n) * float64(min(folds, (tested*folds+n-1)/n))
}

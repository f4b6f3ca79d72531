package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bayes"
	"bayes/internal/calibration"
	"bayes/internal/mt19937"

	"gonum.org/v1/gonum/floats"
)

// A Calibration is a way to make probabilities come true.
type Calibration string

// The calibrations.
const (
	NoCalibration Calibration = "none"        // leaves them as they are; only the coverage is learned
	Temperature   Calibration = "temperature" // one power for all
	Isotonic      Calibration = "isotonic"    // a power for each confidence, so that the best class is right as often as it says
)

// ParseCalibration returns the calibration called name.
func ParseCalibration(name string) (Calibration, error) {
	for _, c := range []Calibration{NoCalibration, Temperature, Isotonic} {
		if string(c) == name {
			return c, nil
		}
	}
	return "", fmt.Errorf("unknown calibration %q: want temperature, isotonic or none", name)
}

// leastCalibration is how many examples held out calibration needs.
const leastCalibration = 10

// Calibrate returns em calibrated by what it said of examples held out. It is an
// error if there are fewer than 10, or only one class.
func (s *Scores) Calibrate(em bayes.EventModel, how Calibration) (bayes.Calibrated, error) {
	c := bayes.Calibrated{Model: em}
	if n := len(s.tested()); n < leastCalibration {
		return c, fmt.Errorf("%d examples held out: calibration needs %d", n, leastCalibration)
	}
	if len(s.Classes) < 2 {
		return c, errors.New("there is one class only: nothing to calibrate")
	}
	switch how {
	case Temperature:
		c.Temperature = s.temperature()
	case Isotonic:
		c.Isotonic = s.isotonic()
	}
	after := s.clone()
	for i := range after.Truth {
		c.Apply(after.LogP(i))
	}
	c.Coverage = after.coverage()
	return c, nil
}

// CrossCalibrate returns s as it would be with calibration: each fifth of the
// examples is calibrated by the others, so that what is measured of it is not what
// it was fitted to. Which examples a fifth has depends on their number and classes alone.
func (s *Scores) CrossCalibrate(how Calibration) (*Scores, error) {
	after := s.clone()
	err := s.crossed(func(others *Scores, part []int) error {
		c, err := others.Calibrate(nil, how)
		if err != nil {
			return err
		}
		for _, i := range part {
			c.Apply(after.LogP(i))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// crossed deals the examples out to five parts, and calls f with each and with the scores of the
// others alone.
func (s *Scores) crossed(f func(others *Scores, part []int) error) error {
	const parts = 5
	part := s.deal(parts)
	for p := range parts {
		others := *s
		others.Fold = slices.Clone(s.Fold)
		var own []int
		for i := range others.Fold {
			if part[i] == p {
				others.Fold[i] = -1
				own = append(own, i)
			}
		}
		if err := f(&others, own); err != nil {
			return err
		}
	}
	return nil
}

// deal shuffles the examples of each class, and deals those that were tested out to some parts, class
// by class, and so as evenly as it goes, however few a class has. It returns the part of each, -1 of
// one that was not tested.
func (s *Scores) deal(parts int) []int {
	order := mt19937.New(1).Permutation(len(s.Truth))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.Truth[i], s.Truth[j]) })
	part, n := make([]int, len(order)), 0
	for _, i := range order {
		part[i] = -1
		if s.Fold[i] >= 0 {
			part[i] = n % parts
			n++
		}
	}
	return part
}

func (s *Scores) clone() *Scores {
	c := *s
	c.logP = slices.Clone(s.logP)
	return &c
}

// tested returns the examples that were tested.
func (s *Scores) tested() []int {
	var list []int
	for i, f := range s.Fold {
		if f >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// The least and the most that a temperature can be, where log-odds are about 1: if answers are worth nothing, none is high enough.
const coldest, hottest = 1e-2, 1e4

// temperature returns the T of least log loss, at which the derivative by 1/T of
//
//	Σ ln Σ exp(ln P(k) / T) - ln P(label) / T
//
// is zero. It rises with 1/T, so that halving the interval finds it. Examples whose
// label was held to be impossible say nothing about T.
//
// If all n examples are right, none is low enough, however few they are. Then it is the T at which the best class has a probability of
// (n + 1)/(n + 2) in their mean: that of the next example to be right, by the rule of succession (Laplace 1774, "Mémoire sur la probabilité des causes par les événements").
func (s *Scores) temperature() float64 {
	told := s.telling()
	tooSure := func(power float64) bool { return s.slope(told, power) > 0 }
	if n := float64(len(told)); n > 0 && s.allRight(told) {
		most := (n + 1) / (n + 2)
		tooSure = func(power float64) bool { return s.meanBest(told, power) > most }
	}
	odds := s.meanOdds()
	low, high := -math.Log(hottest*max(1, odds)), -math.Log(coldest*min(1, odds)) // of ln 1/T
	for range 60 {
		middle := (low + high) / 2
		if tooSure(math.Exp(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	return round(math.Exp(-low), 6)
}

// telling returns the examples that were tested and whose label was not held to be impossible.
func (s *Scores) telling() []int {
	return slices.DeleteFunc(s.tested(), func(i int) bool { return math.IsInf(s.LogP(i)[s.Truth[i]], -1) })
}

// allRight reports whether the best class of each of some examples is its label.
func (s *Scores) allRight(list []int) bool {
	return !slices.ContainsFunc(list, func(i int) bool { return floats.MaxIdx(s.LogP(i)) != s.Truth[i] })
}

// meanBest returns the mean probability of the best class of some examples at a power.
func (s *Scores) meanBest(list []int, power float64) float64 {
	var total float64
	for _, i := range list {
		logP := s.LogP(i)
		top, sum := slices.Max(logP), 0.0 // 1/P(best)
		for _, v := range logP {
			sum += math.Exp(power * (v - top))
		}
		total += 1 / sum
	}
	return total / float64(len(list))
}

// meanOdds returns how far, on the mean, the best class is ahead of the next, in log-odds;
// 1 if that is not known.
func (s *Scores) meanOdds() float64 {
	var sum, n float64
	for i, f := range s.Fold {
		logP := slices.Sorted(slices.Values(s.LogP(i)))
		if k := len(logP); f >= 0 && k > 1 && logP[k-2] > math.Inf(-1) {
			sum += logP[k-1] - logP[k-2]
			n++
		}
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return 1
	}
	return sum / n
}

// slope returns the derivative of the log loss of some examples by the power.
func (s *Scores) slope(list []int, power float64) float64 {
	var total float64
	for _, i := range list {
		logP := s.LogP(i)
		truth := logP[s.Truth[i]]
		// The derivative of ln Σ exp(power·v) by the power is the mean of v, weighted by
		// these exponentials; the largest is taken off first, so that none overflows.
		top := slices.Max(logP)
		var sum, mean float64
		for _, v := range logP {
			if math.IsInf(v, -1) {
				continue
			}
			e := math.Exp(power * (v - top))
			sum += e
			mean += e * v
		}
		total += mean/sum - truth
	}
	return total
}

// A block is examples of about the same log-odds.
type block struct {
	n, odds, right float64
}

// isotonic returns how often the best class is right, by its log-odds, as the
// non-decreasing function of least square error, by pooling adjacent violators; a
// point for each pool, at its mean, and lines between (Oron and Flournoy 2017,
// "Centered isotonic regression"). A pool has 10 examples or more, and none claims to
// be right always or never.
func (s *Scores) isotonic() []bayes.Point {
	const farthest = 1e4
	type example struct {
		odds  float64
		right bool
	}
	var examples []example
	for _, i := range s.tested() {
		logP := s.LogP(i)
		odds := min(max(calibration.LogOdds(logP), -farthest), farthest)
		examples = append(examples, example{round(odds, 6), floats.MaxIdx(logP) == s.Truth[i]})
	}
	slices.SortStableFunc(examples, func(a, b example) int { return cmp.Compare(a.odds, b.odds) })
	var pools []block
	var b block
	for i, e := range examples {
		// A pool grows to 10 examples, takes all of the same odds, and leaves enough for
		// the next one.
		b.n++
		b.odds += e.odds
		if e.right {
			b.right++
		}
		rest := len(examples) - 1 - i
		if rest > 0 && (b.n < leastCalibration || rest < leastCalibration || examples[i+1].odds == e.odds) {
			continue
		}
		pools = append(pools, b)
		b = block{}
		// Where the share falls from one pool to the next, the two become one, and that may
		// fall below the one before it.
		for n := len(pools); n > 1 && pools[n-2].right*pools[n-1].n >= pools[n-1].right*pools[n-2].n; n-- {
			p, q := pools[n-2], pools[n-1]
			pools = append(pools[:n-2], block{p.n + q.n, p.odds + q.odds, p.right + q.right})
		}
	}
	points := make([]bayes.Point, 0, len(pools))
	for _, b := range pools {
		points = append(points, bayes.Point{X: round(b.odds/b.n, 6), Y: round(b.share(), 6)})
	}
	return rising(points)
}

// share returns how often the best class was right, never 0 nor 1.
func (b block) share() float64 { return min(max(b.right, 0.5), b.n-0.5) / b.n }

// rising returns the points that stand to the right of those before them.
func rising(points []bayes.Point) []bayes.Point {
	kept := points[:0]
	for _, p := range points {
		if len(kept) == 0 || p.X > kept[len(kept)-1].X && p.Y >= kept[len(kept)-1].Y {
			kept = append(kept, p)
		}
	}
	return kept
}

// coverage returns the distribution of the probability of the right class. Of the
// sorted ln P of n examples, a new document has less than the r-th with a
// probability of at most r/(n+1).
func (s *Scores) coverage() []bayes.Point {
	var right []float64
	for _, i := range s.tested() {
		right = append(right, s.LogP(i)[s.Truth[i]])
	}
	slices.Sort(right)
	n := float64(len(right) + 1)
	var points []bayes.Point
	last := 0
	for _, share := range coverageShares() {
		// The rank of this share, where 1e-12 makes up for rounding: 0.3·10 is 3.
		rank := int(share * n * (1 + 1e-12))
		if rank <= last || rank > len(right) || math.IsInf(right[rank-1], -1) {
			continue
		}
		last = rank
		// Rounded down, so that no more are left out.
		x := right[rank-1]
		x -= math.Abs(x) * 1e-6
		if k := len(points); k > 0 && points[k-1].X >= x {
			continue // of equal ones the first, which promises more
		}
		points = append(points, bayes.Point{X: x, Y: float64(rank) / n})
	}
	for i := range points {
		points[i].X = round(points[i].X, 7)
		points[i].Y = round(points[i].Y, 7)
	}
	return rising(points)
}

// coverageShares are the shares of mistakes that the coverage is noted for.
func coverageShares() []float64 {
	shares := []float64{0.0001, 0.0002, 0.0005}
	for i := 1; i < 20; i++ {
		shares = append(shares, float64(i)/1000)
	}
	for i := 4; i <= 100; i++ {
		shares = append(shares, float64(i)/200)
	}
	return shares
}

// round rounds v to a number of significant digits.
func round(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return r
}

package labelling

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"bayes"
	"bayes/eval"
	"bayes/label"
)

// Quality is how good the classifier is by now, by the texts that were drawn at random. Where texts may have several labels, it is
// right where all are.
type Quality struct {
	Measured int     // how many of these have an answer
	Points   []Point // by what was learned; the last is now
	MicroF1  float64 // of several labels a text: the F1 of all decisions about a label and a text, now; else 0
	Gain     Gain    // of the last doubling
	Err      error   // why it could not be measured
	version  int
}

// A Point is the accuracy after a number of answers.
type Point struct {
	Texts               int // that were answered
	Accuracy, Low, High float64
}

// A Gain is by how much the accuracy grew when the number of answers was doubled.
type Gain struct {
	From, To   int     // answers
	Mean, Most float64 // the difference, and the upper end of its 95 % interval
	Known      bool    // whether there is enough to say
}

// Pays reports whether more answers may be worth their while: whether it is not known that they hardly are.
func (g Gain) Pays() bool { return !g.Known || g.Mean >= leastGain || g.Most >= mostGain }

const (
	leastMeasured = 40   // to say anything of a gain
	leastGain     = 0.01 // a doubling that brings less is not worth its while,
	mostGain      = 0.05 // if it is known that it brings less than this
)

// Measure measures how good the classifier is.
func (s *Session) Measure(ctx context.Context) error {
	s.mu.Lock()
	version, order := s.version, distinct(s.order)
	s.mu.Unlock()
	sizes := sizesUpTo(len(order))
	tallies, err := s.pile.Curve(ctx, order, sizes)
	if err != nil {
		return err
	}
	q := Quality{version: version}
	for k, t := range tallies {
		accuracy, low, high := t.Accuracy()
		q.Measured = int(t.Documents())
		q.Points = append(q.Points, Point{sizes[k], accuracy, low, high})
	}
	if s.separator != "" {
		q.MicroF1 = s.microF1(tallies[len(tallies)-1])
	}
	if n := len(tallies); n >= 2 && q.Measured >= leastMeasured {
		if q.Gain, err = gain(tallies[n-2], tallies[n-1]); err != nil {
			return err
		}
		q.Gain.From, q.Gain.To = sizes[n-2], sizes[n-1]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quality = q
	return nil
}

// Watch measures whenever something has changed, until ctx is done.
func (s *Session) Watch(ctx context.Context) {
	watch(ctx, s.changed, func() {
		if err := s.Measure(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, bayes.ErrEmpty) {
			s.mu.Lock()
			s.quality.Err = err
			s.mu.Unlock()
		}
	})
}

// WatchUnanswered learns from texts without an answer whenever that is due, until ctx is done. How far the first answers reach is read beside that, since that takes longer.
func (s *Session) WatchUnanswered(ctx context.Context) {
	go watch(ctx, s.spread, func() { s.Propagate(ctx) })
	watch(ctx, s.grown, func() { s.LearnUnanswered(ctx) })
}

// watch does something for each change, until ctx is done.
func watch(ctx context.Context, changed <-chan struct{}, do func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		start := time.Now()
		do()
		// Answers come first: that takes at most a third of the time.
		select {
		case <-ctx.Done():
			return
		case <-time.After(2 * time.Since(start)):
		}
	}
}

// distinct returns list without what comes again.
func distinct(list []int) []int {
	seen := make(map[int]bool)
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool {
		was := seen[i]
		seen[i] = true
		return was
	})
}

// sizesUpTo returns n and its halves, down to 5, from the least.
func sizesUpTo(n int) (sizes []int) {
	const fewest, most = 5, 7
	for ; n >= fewest && len(sizes) < most || len(sizes) == 0; n /= 2 {
		sizes = append(sizes, n)
	}
	slices.Reverse(sizes)
	return sizes
}

// gain returns the difference of two accuracies on the same documents, and an interval by adding half an observation to
// each of the four cells of right and wrong (Agresti and Min 2005).
func gain(before, after *eval.Tally) (Gain, error) {
	m, err := eval.CompareTallies(before, after)
	if err != nil {
		return Gain{}, err
	}
	n := float64(after.Documents())
	lost, won := float64(m.OnlyFirst), float64(m.OnlySecond)
	mean := (won - lost) / n
	n, lost, won = n+2, lost+0.5, won+0.5
	shifted := (won - lost) / n
	deviation := math.Sqrt((won+lost)/n-shifted*shifted) / math.Sqrt(n)
	return Gain{Mean: mean, Most: shifted + 1.96*deviation, Known: true}, nil
}

// An Agreement is how far two people agree on the texts that both have answered.
type Agreement struct {
	A, B  string
	Texts int
	Same  int
	Kappa float64 // Cohen's; NaN where both gave all texts one label
}

// microF1 returns the F1 of all decisions about a label and a text, 2·both / (given + true), from a tally of sets.
func (s *Session) microF1(t *eval.Tally) float64 {
	both, sizes := int64(0), int64(0)
	count := func(truth, guess string, n int64) {
		a, b := s.labels(truth), s.labels(guess)
		sizes += n * int64(len(a)+len(b))
		for _, label := range a {
			if slices.Contains(b, label) {
				both += n
			}
		}
	}
	wrong := make(map[string]int64)
	for _, c := range t.Confused() {
		count(c.Label, c.Predicted, c.Documents)
		wrong[c.Label] += c.Documents
	}
	for _, c := range t.Classes() {
		count(c.Label, c.Label, c.Support-wrong[c.Label])
	}
	if sizes == 0 {
		return 0
	}
	return 2 * float64(both) / float64(sizes)
}

// agreements returns that of all pairs who have texts in common, by answers in one spelling. Those about texts that find does not know are told apart by what they say of these. Nobody's labels are those of the file.
func agreements(answers []label.Answer, find *finder, spell func(string) string) (list []Agreement) {
	given := make(map[string]map[string]string) // by person and text
	var people []string
	for _, a := range answers {
		if a.Row == Words {
			continue
		}
		if given[a.Who] == nil {
			given[a.Who] = make(map[string]string)
			people = append(people, a.Who)
		}
		text := a.Row + "\x00" + a.Text
		if i, ok := find.text(&a); ok { // its row may have moved since
			text = strconv.Itoa(i)
		}
		given[a.Who][text] = spell(a.Label)
	}
	slices.Sort(people)
	for i, a := range people {
		for _, b := range people[i+1:] {
			if g := agreement(a, b, given[a], given[b]); g.Texts > 0 {
				list = append(list, g)
			}
		}
	}
	return list
}

func agreement(a, b string, first, second map[string]string) Agreement {
	g, t := Agreement{A: a, B: b}, new(eval.Tally)
	for text, one := range first {
		if other, ok := second[text]; ok {
			t.Observe(bayes.Prediction{Classes: []bayes.Prob{{Class: other, P: 1}}}, one)
			g.Texts++
			if one == other {
				g.Same++
			}
		}
	}
	g.Kappa = t.Kappa()
	return g
}

package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bayes"
	"bayes/internal/vecmath"
)

// A LabelDoubt is how doubtful it is that an example has a label, or has it not.
type LabelDoubt struct {
	Label   string
	Given   bool    // the example has it, and it may be wrong; or else it has it not, and it may be missing
	LogOdds float64 // that this is wrong by the text alone, calibrated, from -1e4 to 1e4

	factor float64 // the log Bayes factor of the label being given, or not
}

// Probability returns the probability that it is wrong, in [0,1]. Unlike LogOdds that takes into account that the label was given or was not, which is right except for the shares
// of wrong and of missing labels, or for one of all if that is more: where the shares are near zero hardly one has a probability of 0.5.
func (d *LabelDoubt) Probability() float64 { return math.Exp(vecmath.LogSigmoid(d.LogOdds + d.factor)) }

// A SetDoubt is how doubtful the labels of an example are, where it may have several.
type SetDoubt struct {
	Example   int
	Labels    []string // that it has, sorted
	Suggested []string // these with Changes, sorted

	// Changes are what is more probable than not to be wrong by the text alone, the most doubtful first; if nothing is, that which
	// is nearest to it. There is none if nothing is known of any label.
	Changes []LabelDoubt
	LogOdds float64 // those of the first of Changes; 0 if there is none
}

// AuditedSets is a list of examples that may have several labels each.
type AuditedSets struct {
	Doubts  []SetDoubt // of each example, the most doubtful first
	Wrong   float64    // the estimated share of the labels given that are wrong, in [0,1]
	Missing float64    // the estimated share of the labels that examples should have that they lack, in [0,1]

	clean cleanOdds
}

// AuditSets is [Audit] of examples that may have several labels: it finds labels that are probably wrong, and labels that
// are probably missing. Each pair of an example and a label is a question by itself, which is judged by models that have not
// seen the example.
//
// Two log-odds of each pair, x by em and y by em corrected, are fitted to the examples of other folds: those of em to ten,
// divided by the root of the number of distinct features unless the labels are more probable without, and those of the
// correction, of strength 1 unless em says how it is corrected, to five or opts.Folds. The label belongs there with the probability
//
//	P = 1 / (1 + exp(-(w₀ + w₁·x + w₂·y))),
//
// and is given with the probability (1 - missing)·P + added·(1 - P). Weights and shares are those under which what is given is most
// probable. Of a label that no example of other folds has nothing is known, and it is left out of account.
func AuditSets(ctx context.Context, c *bayes.Corpus, em bayes.EventModel, opts *AuditOptions) (*AuditedSets, error) {
	if opts == nil {
		opts = new(AuditOptions)
	}
	if c.Len() == 0 {
		return nil, bayes.ErrEmpty
	}
	if f := opts.Folds; f < 0 || f == 1 {
		return nil, fmt.Errorf("audit: %d folds: want 2 or more", f)
	}
	if c.Space().LabelSeparator == "" {
		return nil, errOneLabel
	}
	a := &setAuditor{c: c, em: bayes.WithoutCorrection(em), classes: c.Classes(), truth: setsOf(c)}
	if err := a.score(ctx, em, opts); err != nil {
		return nil, err
	}
	return a.audited(), nil
}

// A setAuditor holds what models say of pairs of an example and a label that they were not fitted to.
type setAuditor struct {
	c       *bayes.Corpus
	em      bayes.EventModel
	classes []string
	truth   [][]int      // by example: its labels, rising
	views   []*SetScores // by em and, if there is one, by the correction
	others  [2][]int     // by view, and then by fold and label: how many examples of other folds have it
	setFit
}

// The folds of em and, unless options say otherwise, of the correction, which takes longer.
const plainSetFolds, correctedSetFolds = 10, 5

// score sets the views and fits their weights. There is no view unless two examples have labels.
func (a *setAuditor) score(ctx context.Context, em bayes.EventModel, opts *AuditOptions) error {
	labelled := 0
	for _, truth := range a.truth {
		if len(truth) > 0 {
			labelled++
		}
	}
	if labelled < 2 {
		return nil
	}
	plain, err := a.plain(ctx, opts)
	if err != nil {
		return err
	}
	a.views = plain[:1:1]
	if !opts.Plain && a.c.CheckCorrect() == nil {
		if em.String() == a.em.String() {
			em = bayes.Corrected{Model: em, Strength: 1}
		}
		s, err := CrossValidateSets(ctx, a.c, a.folds(cmp.Or(opts.Folds, correctedSetFolds), opts.Seed), em)
		if err != nil {
			return err
		}
		a.views = append(a.views, s)
	}
	for v, scores := range a.views {
		a.others[v] = scores.inOtherFolds()
	}
	a.fit(plain)
	return nil
}

// plain returns what em says, with each of the smoothings.
func (a *setAuditor) plain(ctx context.Context, opts *AuditOptions) (list []*SetScores, err error) {
	ems := []bayes.EventModel{a.em}
	if len(opts.Smoothings) > 0 {
		ems = nil
		for _, s := range opts.Smoothings {
			ems = append(ems, bayes.WithSmoothing(a.em, s))
		}
	}
	fold := a.folds(plainSetFolds, opts.Seed)
	for _, em := range ems {
		s, err := CrossValidateSets(ctx, a.c, fold, em)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// folds deals the examples out to k folds, or as many as there are examples: of those that have a label, and no rarer
// one, each fold has as many, or one more.
func (a *setAuditor) folds(k int, seed uint32) []int {
	examples := make([]int, len(a.classes))
	for _, truth := range a.truth {
		for _, k := range truth {
			examples[k]++
		}
	}
	rarest := make([]int, len(a.truth)) // -1 of none
	for i, truth := range a.truth {
		rarest[i] = -1
		if len(truth) > 0 {
			rarest[i] = slices.MinFunc(truth, func(k, l int) int { return examples[k] - examples[l] })
		}
	}
	order := rand.New(rand.NewPCG(uint64(seed), 3)).Perm(len(a.truth))
	slices.SortStableFunc(order, func(i, j int) int { return rarest[i] - rarest[j] })
	fold := make([]int, len(order))
	for at, i := range order {
		fold[i] = at % min(k, len(order))
	}
	return fold
}

// inOtherFolds returns by fold and label how many examples of other folds have the label.
func (s *SetScores) inOtherFolds() []int {
	n, folds := len(s.Classes), slices.Max(append(s.Fold, -1))+1
	all, others := make([]int, n), make([]int, n*folds)
	for i, truth := range s.Truth {
		for _, k := range truth {
			all[k]++
			others[s.Fold[i]*n+k]--
		}
	}
	for at := range others {
		others[at] += all[at%n]
	}
	return others
}

// knows reports whether each view has seen the label k when it judges example i.
func (a *setAuditor) knows(i, k int) bool {
	for v, scores := range a.views {
		if a.others[v][scores.Fold[i]*len(a.classes)+k] == 0 {
			return false
		}
	}
	return len(a.views) > 0
}

// look returns what the views say of example i and label k, and 1 for the intercept.
func (a *setAuditor) look(i, k int) (v pairView) {
	v[0], v[1] = 1, a.views[0].LogOdds(i)[k]
	if a.rooted {
		v[1] /= math.Sqrt(float64(max(1, a.c.Distinct(i))))
	}
	if len(a.views) > 1 {
		v[2] = a.views[1].LogOdds(i)[k]
	}
	for j := range v {
		v[j] = max(-farthestDoubt, min(v[j], farthestDoubt))
	}
	return v
}

// audited returns what is known of all examples.
func (a *setAuditor) audited() *AuditedSets {
	r := &AuditedSets{Doubts: make([]SetDoubt, a.c.Len()), Wrong: a.wrong, Missing: a.missing, clean: make(cleanOdds, cleanBins)}
	for i := range r.Doubts {
		r.Doubts[i] = a.doubtsOf(i, r.clean)
	}
	slices.SortStableFunc(r.Doubts, func(a, b SetDoubt) int { return cmp.Compare(b.LogOdds, a.LogOdds) })
	return r
}

// doubtsOf returns how doubtful the labels of example i are, and adds to clean what would be if they were drawn from what is
// said of them.
func (a *setAuditor) doubtsOf(i int, clean cleanOdds) SetDoubt {
	d, truth := SetDoubt{Example: i}, a.truth[i]
	var all []LabelDoubt
	for k, label := range a.classes {
		given := len(truth) > 0 && truth[0] == k
		if given {
			truth, d.Labels = truth[1:], append(d.Labels, label)
		}
		if !a.knows(i, k) {
			continue
		}
		odds := max(-farthestDoubt, min(a.odds(a.look(i, k)), farthestDoubt))
		clean.add(math.Abs(odds), math.Exp(vecmath.LogSigmoid(-math.Abs(odds))))
		factor := a.missingFactor
		if given {
			odds, factor = -odds, a.wrongFactor
		}
		all = append(all, LabelDoubt{label, given, odds, factor})
	}
	slices.SortStableFunc(all, func(a, b LabelDoubt) int { return cmp.Compare(b.LogOdds, a.LogOdds) })
	n := min(1, len(all))
	for n < len(all) && all[n].LogOdds > 0 {
		n++
	}
	if d.Changes = all[:n:n]; n > 0 {
		d.LogOdds = all[0].LogOdds
	}
	d.Suggested = d.With(0)
	return d
}

// With returns Labels with those of Changes that have at least a probability, sorted.
func (d *SetDoubt) With(probability float64) []string {
	labels := slices.Clone(d.Labels)
	for _, c := range d.Changes {
		if c.Probability() < probability {
			continue
		}
		if c.Given {
			labels = slices.DeleteFunc(labels, func(l string) bool { return l == c.Label })
		} else {
			labels = append(labels, c.Label)
		}
	}
	slices.Sort(labels)
	return labels
}

// setTail is what tail is where an example has as many chances to be doubtful as there are labels: trials with generated
// lists had up to 4.1 times as many.
const setTail = 6

// Cutoff returns the least log-odds at which, of as many examples whose labels are all right, at most a share
// is expected to have a pair as doubtful; and how many that are.
func (r *AuditedSets) Cutoff(share float64) (logOdds, expected float64, err error) {
	return r.clean.cutoff(share, setTail, len(r.Doubts))
}

// Above returns the doubts of log-odds above zero that are at least a cutoff.
func (r *AuditedSets) Above(logOdds float64) []SetDoubt {
	return doubtful(r.Doubts, logOdds, func(d *SetDoubt) float64 { return d.LogOdds })
}

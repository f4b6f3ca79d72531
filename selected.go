package bayes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bayes/feature"
	"bayes/internal/sparse"
	"bayes/internal/vecmath"
)

var _ EventModel = Selected{}

// Selected fits Model to some of the features only. As they are chosen from the
// counts being fitted, cross-validation chooses afresh in each fold, and counts
// go on adding. The limits are applied in the order of the fields, to each block
// by itself.
type Selected struct {
	MinDocuments float64       // the least documents that a feature must be in, or, below 1, their share; zero means no limit
	MaxDocuments float64       // the most, or, below 1, their share; zero means no limit
	MaxFeatures  int           // how many of the most frequent features to keep; zero means all
	Best         int           // then how many of the best by Score to keep; zero means all
	Score        feature.Score // nil means feature.ChiSquare{}
	Model        EventModel    // nil means Multinomial{}
}

// inDocuments returns a limit, which below 1 is a share of all documents, as a number of them.
func inDocuments(limit float64, all int64) float64 {
	if limit < 1 {
		return limit * float64(all)
	}
	return limit
}

func parseSelected(o *options) EventModel {
	m := Selected{MinDocuments: o.Limit("min-df"), MaxDocuments: o.Limit("max-df"), MaxFeatures: o.Count("max-features"), Best: o.Count("best"), Model: o.model("model")}
	o.Each("score", func(value string) (err error) { m.Score, err = feature.ParseScore(value); return prefixed(err) })
	return m
}

func (m Selected) String() string {
	words := []string{"selected"}
	add := func(key string, set bool, value any) {
		if set {
			words = append(words, fmt.Sprintf("%s=%v", key, value))
		}
	}
	add("min-df", m.MinDocuments != 0, m.MinDocuments)
	add("max-df", m.MaxDocuments != 0, m.MaxDocuments)
	add("max-features", m.MaxFeatures != 0, m.MaxFeatures)
	add("best", m.Best != 0, m.Best)
	add("score", m.Best != 0, m.score())
	return strings.Join(words, " ") + fmt.Sprintf(" model=(%v)", m.model())
}

func (m Selected) model() EventModel { return cmp.Or[EventModel](m.Model, Multinomial{}) }

func (m Selected) score() feature.Score { return cmp.Or[feature.Score](m.Score, feature.ChiSquare{}) }

func (m Selected) prior() Prior { return m.model().prior() }

func (m Selected) withSmoothing(s Smoothing) EventModel {
	m.Model = WithSmoothing(m.model(), s)
	return m
}

func (m Selected) models(kind attrKind) bool { return m.model().models(kind) }

func (m Selected) grid() (place gridPlace, ok bool) {
	inner, ok := m.model().(gridded)
	if !ok {
		return place, false
	}
	if place, ok = inner.grid(); ok && place.reduce != nil {
		return place, false // selects twice
	}
	m.Model = Multinomial{}
	place.key, place.reduce = m.String()+place.key, m.reduce
	return place, ok
}

func (m Selected) fit(blocks []*statistics) ([]likelihood, error) {
	if err := partOf("selected", m.model()); err != nil {
		return nil, err
	}
	chosen := make([]*statistics, len(blocks))
	for i, s := range blocks {
		var err error
		if chosen[i], err = m.reduce(s); err != nil {
			return nil, err
		}
	}
	return m.model().fit(chosen)
}

// reduce returns s with the features that are kept.
func (m Selected) reduce(s *statistics) (*statistics, error) {
	if m.MinDocuments < 0 || m.MaxDocuments < 0 || m.MaxFeatures < 0 || m.Best < 0 {
		return nil, errors.New("selected: limits must not be negative")
	}
	return s.only(m.choose(s)), nil
}

// choose returns the numbers of the features that are kept.
func (m Selected) choose(s *statistics) []int {
	var documents int64
	whole := s.whole()
	for _, n := range whole.examples {
		documents += n
	}
	least, most := inDocuments(m.MinDocuments, documents), math.Inf(1)
	if m.MaxDocuments > 0 {
		most = inDocuments(m.MaxDocuments, documents)
	}
	// The limits apply one after the other, each to what the one before it leaves.
	numbers := s.existing()
	if m.MaxFeatures > 0 || m.Best > 0 {
		numbers = s.sorted() // so that of equal features the first by name is kept
	}
	numbers = slices.DeleteFunc(numbers, func(i int) bool {
		var n int64
		for _, c := range whole.rows.At(i) {
			n += c.Examples
		}
		return float64(n) < least || float64(n) > most
	})
	if m.MaxFeatures > 0 {
		numbers = vecmath.Top(numbers, m.MaxFeatures, func(i int) float64 { return s.rowSum(i, s.rows.At(i)) })
	}
	if m.Best > 0 {
		score := m.score()
		numbers = vecmath.Top(numbers, m.Best, func(i int) float64 { return score.Of(s.observed(i, score.OfPresence()), s.weight) })
	}
	return numbers
}

// only returns s with no features but those of these numbers.
func (s *statistics) only(numbers []int) *statistics {
	r := *s
	if s.sets != nil {
		r.sets = s.sets.only(numbers)
	}
	r.declared, r.full, r.size, r.sums, r.tallied = false, false, 0, nil, nil
	rows := make([][]sparse.Cell, s.rows.Len())
	for _, i := range numbers {
		rows[i] = s.rows.At(i)
		if len(rows[i]) > 0 {
			r.size++
		}
	}
	r.rows = sparse.RowsOf(rows)
	return &r
}

// observed returns how often feature i was seen in each class.
func (s *statistics) observed(i int, presence bool) []float64 {
	observed := make([]float64, len(s.classes))
	for _, c := range s.rows.At(i) {
		observed[s.sortedIndex[c.Class]] = c.Sum
		if presence {
			observed[s.sortedIndex[c.Class]] = c.Present
		}
	}
	return observed
}

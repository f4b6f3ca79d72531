package bayes

import (
	"fmt"
	"slices"

	"bayes/internal/sparse"
	"bayes/internal/sweep"
)

// Event models that differ in an additive smoothing alone form a group, which package sweep
// scores for all smoothings at once, straight from the counts.

// A group is event models that differ in smoothing alone, or one event model that has no place in
// a grid.
type group struct {
	number  int // of the group
	ems     []EventModel
	members []int     // by ems: its index in the list that was grouped
	alphas  []float64 // their smoothings; nil if the group has no place in a grid
	place   gridPlace // of the first
}

// groups returns the event models by group, in order of first appearance.
func groups(ems []EventModel) []*group {
	var list []*group
	byKey := make(map[string]*group)
	for m, em := range ems {
		var place gridPlace
		g, ok := em.(gridded)
		if ok {
			place, ok = g.grid()
		}
		of := byKey[place.key]
		if of == nil || !ok {
			of = &group{number: len(list), place: place}
			list = append(list, of)
		}
		of.ems, of.members = append(of.ems, em), append(of.members, m)
		if ok {
			byKey[place.key], of.alphas = of, append(of.alphas, place.alpha)
		}
	}
	return list
}

// A grid scores documents under the groups that read the same statistics.
type grid struct {
	*sweep.Grid
	stats   *statistics
	groups  []*group // in the order of the Grid's
	classes []int    // by class of the statistics: the sorted index in the corpus
}

// gridsOf puts each group that has a place in a grid, and that can accepts, into one, and returns
// the other groups as rest.
func (c *Corpus) gridsOf(counts *Counts, groups []*group, space *workspace, can func(*group) bool) (list []*grid, rest []*group, err error) {
	all, err := collect(counts)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range groups {
		if g.alphas == nil || len(all) != 1 || all[0].sets != nil || !can(g) {
			rest = append(rest, g)
			continue
		}
		// Groups that select the same features share statistics, and so a grid.
		s := all[0]
		if g.place.reduce != nil {
			s, err = g.place.reduce(s)
		}
		if err == nil {
			i := slices.IndexFunc(list, func(l *grid) bool { return l.stats == s })
			if i < 0 {
				i = len(list)
				list = append(list, c.newGrid(s, space))
				space = new(workspace) // the first grid has the caller's memory, others their own
			}
			err = list[i].add(g)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("bayes: %w", err)
		}
	}
	return list, rest, nil
}

func (c *Corpus) newGrid(s *statistics, space *workspace) *grid {
	return &grid{Grid: sweep.New(sweep.Statistics{
		Rows: s.rows.List(), IDs: s.ids, Sorted: s.sortedIndex, Weight: s.weight, Totals: s.totalSums(), Size: s.size,
		Declared: s.declared, Exact: s.exact, Threshold: s.threshold,
	}, &space.grid), stats: s, classes: c.positions(s.classes)}
}

func (g *grid) add(of *group) error {
	if len(g.groups) == 0 {
		if err := g.stats.nonNegative(name(of.place.model)); err != nil {
			return err
		}
	}
	g.groups = append(g.groups, of)
	prior := orEmpirical(of.place.model.prior())
	return g.Add(sweep.Group{Kind: of.place.kind, Alphas: of.alphas, LogPrior: func(weight []float64) ([]float64, error) {
		s := *g.stats
		s.weight = weight
		return prior.logPrior(&s)
	}})
}

// A gridScorer scores documents under the groups of a grid, for one goroutine.
type gridScorer struct {
	*sweep.Scorer
	*grid
	entries []sparse.Entry // of the document, if it came as a bag
}

// enterBag enters a document: those of its features that exist.
func (s *gridScorer) enterBag(x *bag) {
	s.entries = s.entries[:0]
	for i := range x.Terms {
		t := &x.Terms[i]
		// IDs count from 1. A term that has none is looked up by name, and left out if it is unknown.
		number := int(t.ID) - 1
		if t.ID == 0 {
			n, ok := s.stats.index.Lookup(t.Key, t.Name)
			if !ok {
				continue
			}
			number = n
		}
		s.entries = append(s.entries, sparse.Entry{Number: int32(number + 1), Value: t.Value})
	}
	s.Enter(s.entries)
}

// leaveOut makes the next score that of counts without one example of a class. The class vanishes
// with its only example, unless its label is declared.
func (s *gridScorer) leaveOut(class int, weight float64, declared []string) {
	vanishes := s.stats.examples[class] <= 1 && !slices.Contains(declared, s.stats.classes[class])
	s.LeaveOut(class, weight, vanishes)
}

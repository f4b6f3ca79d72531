package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"bayes/internal/parallel"
	"bayes/internal/sparse"
	"bayes/internal/typicality"
	"bayes/internal/vecmath"
)

// HeldOutScores are what event models predict of an example that they were not fitted to. They are
// valid until the function that they are passed to returns.
type HeldOutScores struct {
	Example int

	class   int            // the sorted index of the example's class
	all     int            // how many classes the corpus has
	models  []column       // by event model: where its scores are
	members [][]int        // by group and column: the event model
	groups  []*groupScores // by group
	logP    [][]float64    // by event model, if it was asked for

	evidence []typicality.Evidence // by event model that has known classes

	right, loss []int64 // scratch of AddTrial, by column of a group
}

// groupScores are the scores of a group of event models: a matrix of ln P(class | example), with a
// row for each class of the training part, and a column for each event model.
type groupScores struct {
	logP    []float64
	width   int   // columns, with padding
	classes []int // by row: the class's sorted index in the corpus
}

// rowOf returns the row of a class of the corpus, and -1 if the training part lacks the class.
func (c *groupScores) rowOf(class int) int {
	if class < len(c.classes) && c.classes[class] == class {
		return class
	}
	return slices.Index(c.classes, class)
}

// A column is where the scores of an event model are.
type column struct{ group, number int }

// newHeldOutScores returns room for the scores of groups of event models.
func newHeldOutScores(groups []*group, classes int) *HeldOutScores {
	h := &HeldOutScores{all: classes, groups: make([]*groupScores, len(groups))}
	for g, group := range groups {
		h.models = sparse.Lengthen(h.models, slices.Max(group.members)+1)
		h.members = append(h.members, group.members)
		for a, m := range group.members {
			h.models[m] = column{g, a}
		}
	}
	h.logP, h.evidence = make([][]float64, len(h.models)), make([]typicality.Evidence, len(h.models))
	return h
}

// LogP returns ln P(class | example) by event model m, in the order of [Corpus.Classes]. A class
// that the model does not know has -Inf. Where examples may have several labels, see [Space], it returns the
// log-odds of each label against the rest, before any calibration.
func (h *HeldOutScores) LogP(m int) []float64 {
	if h.logP[m] == nil {
		h.logP[m] = make([]float64, h.all)
	}
	at, logP := h.models[m], h.logP[m]
	for k := range logP {
		logP[k] = math.Inf(-1)
	}
	g := h.groups[at.group]
	for k, class := range g.classes {
		logP[class] = g.logP[k*g.width+at.number]
	}
	return logP
}

// Evidence returns, of event model m, which is [Calibrated] with known classes, what its typicality rests on: how
// far the best class is ahead of the mean of the others, per token, and the share of features that are not known.
func (h *HeldOutScores) Evidence(m int) (margin, unknown float64) {
	return h.evidence[m].Margin, h.evidence[m].Unknown
}

// chunkExamples is how many examples are scored at a time.
const chunkExamples = 256

// mostLoss is the loss of a label that is held to be impossible.
const mostLoss = 52 * math.Ln2

// AddTrial, of examples with one label each, adds, for each event model m, 1 to right[m] if it holds the label of the example to
// be the most probable, the first in the order of [Corpus.Classes] of equal ones; and to
// loss[m] -ln P(label | example), at most 52·ln 2, in whole units of 2^-32, so that sums do not
// depend on the order of the examples.
func (h *HeldOutScores) AddTrial(right, loss []int64) {
	for g, c := range h.groups {
		ranked, losses := sparse.Reuse(&h.right, c.width), sparse.Reuse(&h.loss, c.width)
		clear(ranked)
		clear(losses)
		if row := c.rowOf(h.class); row >= 0 {
			vecmath.Judge(c.logP, c.width, row, mostLoss, ranked, losses)
		} else {
			for a := range losses {
				losses[a] = int64(math.Trunc(mostLoss * vecmath.LossUnit))
			}
		}
		for a, m := range h.members[g] {
			right[m] += ranked[a]
			loss[m] += losses[a]
		}
	}
}

// HeldOut predicts each example by models of others: example i, of fold[i] from 0
// up, by each event model fitted to all examples of other folds. An example of a
// negative fold is in every training part and is not predicted. The counts of a
// training part are those of all examples less those of a fold.
//
// The function visit is called once for each predicted example, by several
// goroutines at once and in no certain order. Event models that differ in an
// additive smoothing only are worked out together.
func (c *Corpus) HeldOut(ctx context.Context, fold []int, ems []EventModel, visit func(h *HeldOutScores)) error {
	if len(fold) != len(c.labels) {
		return fmt.Errorf("bayes: %d folds given for %d examples", len(fold), len(c.labels))
	}
	// The examples of each fold.
	members := make(map[int][]int)
	for i, f := range fold {
		if f >= 0 {
			members[f] = append(members[f], i)
		}
	}
	groups, p := groups(ems), parallel.NewPool(ctx)
	var spaces sync.Pool
	if c.total.Len() > manyFeatures && slices.ContainsFunc(ems, func(em EventModel) bool { _, ok, _ := correctedIn(em); return ok }) {
		p.Serial()
	}
	for f := range slices.Max(append(fold, -1)) + 1 {
		if len(members[f]) == 0 {
			continue
		}
		// A fold is a task. Its training part is made in memory that an earlier fold has left, and its
		// examples are parts of the task, which idle goroutines take over.
		p.Go(func() error {
			return borrow(&spaces, func(space *workspace) error {
				part := c.without(fold, f, members[f], space)
				fitted, err := c.fitAll(ctx, part, groups, space, members[f])
				if err != nil {
					return fmt.Errorf("fold %d: %w", f+1, err)
				}
				p.Part(len(members[f]), chunkExamples, func(from, to int) { fitted.visit(members[f][from:to], visit) })
				return nil
			})
		})
	}
	return p.Wait()
}

// fitted are groups of event models, fitted to a training part, that predict examples of a corpus.
type fitted struct {
	*Corpus
	groups  []*group
	partIDF []float64 // the inverse document frequencies of the training part, if the corpus has weights
	grids   []*grid
	models  []*fittedModel // of the groups that have no place in a grid
}

// fitAll fits groups of event models to a training part, by which some examples are tested. Those that have
// a place in a grid need no fitting: the grid reads the counts.
func (c *Corpus) fitAll(ctx context.Context, p trainingPart, groups []*group, space *workspace, tested []int) (*fitted, error) {
	grids, rest, err := c.gridsOf(p.counts, groups, space, func(*group) bool { return true })
	if err != nil {
		return nil, err
	}
	f := &fitted{Corpus: c, groups: groups, partIDF: p.idf, grids: grids}
	for _, g := range grids {
		if c.idf || c.space.weighs() {
			g.KeepLogs()
		}
	}
	// The others are fitted as any model is.
	var corrected []*fittedModel
	for _, g := range rest {
		for a, em := range g.ems {
			m := &fittedModel{em: em, column: column{g.number, a}}
			f.models = append(f.models, m)
			of, ok, err := correctedIn(em)
			if ok {
				m.corrects = &of
				corrected = append(corrected, m)
			} else if err == nil {
				if m.Model, err = Fit(p.counts, em); err == nil {
					m.classes = c.positions(m.labels())
				}
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if len(corrected) > 0 {
		err = c.learnCorrections(ctx, p, corrected, tested)
	}
	return f, err
}

// positions returns the sorted index of each label among the classes of c, -1 if it is none of them.
func (c *Corpus) positions(labels []string) []int {
	all := c.Classes()
	at := make([]int, len(labels))
	for k, label := range labels {
		var ok bool
		if at[k], ok = slices.BinarySearch(all, label); !ok {
			at[k] = -1
		}
	}
	return at
}

// A fittedModel is a model whose scores are a column.
type fittedModel struct {
	*Model
	column
	classes  []int // by class of the model: the sorted index in the corpus
	em       EventModel
	corrects *Corrected  // what it corrects; nil if nothing
	known    [][]float64 // what it says, by example, if that is known
	features []int       // and how many features it knows
}

// predict sets the column of m in p.held, given the features x of example i, weighted by idf.
func (p *predictor) predict(m *fittedModel, i int, x *features, idf []float64) {
	var joint []float64
	known := 0
	if m.known != nil {
		joint, known = m.known[i], m.features[i]
	} else {
		joint, known = m.appendJoint(nil, x)
		m.heldOut(joint)
	}
	h := p.held
	g := h.groups[m.group]
	for k, logP := range joint {
		if m.classes[k] >= 0 {
			g.logP[m.classes[k]*g.width+m.number] = logP
		}
	}
	if c, ok := m.em.(calibrator); ok && c.known() > 0 {
		p.fillWith(true, i, &p.all, idf)
		h.evidence[h.members[m.group][m.number]] = m.evidence(p.space, joint, slices.Index(joint, slices.Max(joint)), &p.all, known)
	}
}

// A predictor predicts examples one after the other, for one goroutine.
type predictor struct {
	*fitted
	held    *HeldOutScores
	scorers []*gridScorer
	sorted  []int    // by class ID: the sorted index
	x, all  features // of the example; all with terms that are not listed
}

func (f *fitted) predictor() *predictor {
	all := len(f.Classes())
	p := &predictor{fitted: f, held: newHeldOutScores(f.groups, all), sorted: make([]int, len(f.total.classes))}
	every := make([]int, all)
	for i := range every {
		every[i] = i
	}
	for i, id := range f.total.order() {
		p.sorted[id] = i
	}
	// Scorers write where the held-out scores are read, so nothing is copied. Their rows are the classes
	// of the training part.
	for _, g := range f.grids {
		s := &gridScorer{Scorer: g.Scorer(), grid: g}
		p.scorers = append(p.scorers, s)
		for i, of := range g.groups {
			scores, width := s.Scores(i)
			p.held.groups[of.number] = &groupScores{scores, width, g.classes}
		}
	}
	// What models predict has a row for each class of the corpus. A class that the training part lacks
	// keeps its -Inf.
	for i, g := range f.groups {
		if p.held.groups[i] == nil {
			n := len(g.members)
			p.held.groups[i] = &groupScores{slices.Repeat([]float64{math.Inf(-1)}, n*all), n, every}
		}
	}
	return p
}

// visit predicts the examples of a chunk and shows each to visit.
func (f *fitted) visit(chunk []int, visit func(*HeldOutScores)) {
	p := f.predictor()
	f.examples().Each(chunk, func(i int, list []sparse.Entry) {
		p.read(i, list)
		for _, s := range p.scorers {
			s.Score()
		}
		for _, m := range f.models {
			p.predict(m, i, &p.x, p.partIDF)
		}
		visit(p.held)
	})
}

// read enters example i, with its entries, into the grids, and fills p.x if models need it.
func (p *predictor) read(i int, list []sparse.Entry) {
	p.held.Example, p.held.class = i, p.sorted[p.labels[i]]
	// Grids can read entries as they are where these are features of the main text alone, with the IDs of the training part.
	plain := !p.idf && len(p.blocks) < 2 && (len(p.blocks) == 0 || p.blocks[0] == blockID{}) && !p.named(blockID{})
	if !plain && len(p.scorers) > 0 || len(p.models) > 0 {
		p.fill(i, &p.x, p.partIDF)
	}
	for _, s := range p.scorers {
		if plain {
			s.Enter(list)
		} else {
			s.enterBag(&p.x.bags[0])
		}
	}
}

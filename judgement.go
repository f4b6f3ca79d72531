package bayes

import (
	"math"

	"bayes/internal/vecmath"
)

// A Judgement adds up how event models do on examples that they were not fitted to. The
// zero value has seen none. It is for one goroutine; Merge adds up those of several. In what
// order examples are added makes no difference.
type Judgement struct {
	examples int64
	models   []column
	groups   []judged
}

// What is judged of a group of event models, by column: how often the label was held to be
// the most probable, and the loss in units of 1/vecmath.LossUnit.
type judged struct{ right, loss []int64 }

// mostLoss is the loss of a label that is held to be impossible.
const mostLoss = 52 * math.Ln2

// Add adds an example. All that are added are of the same event models.
func (j *Judgement) Add(h *Held) {
	j.shape(h.models, len(h.groups), func(g int) int { return h.groups[g].width })
	j.examples++
	for g, c := range h.groups {
		if row := c.rowOf(h.class); row >= 0 {
			vecmath.Judge(c.logP, c.width, row, mostLoss, j.groups[g].right, j.groups[g].loss)
			continue
		}
		for a := range j.groups[g].loss {
			j.groups[g].loss[a] += int64(math.Trunc(mostLoss * vecmath.LossUnit))
		}
	}
}

// Merge adds what k has seen, of the same event models.
func (j *Judgement) Merge(k *Judgement) {
	j.shape(k.models, len(k.groups), func(g int) int { return len(k.groups[g].right) })
	j.examples += k.examples
	for g := range k.groups {
		for a := range k.groups[g].right {
			j.groups[g].right[a] += k.groups[g].right[a]
			j.groups[g].loss[a] += k.groups[g].loss[a]
		}
	}
}

// shape makes room for event models in so many groups of so many columns.
func (j *Judgement) shape(models []column, groups int, width func(g int) int) {
	if j.models != nil {
		return
	}
	j.models = models
	for g := range groups {
		j.groups = append(j.groups, judged{make([]int64, width(g)), make([]int64, width(g))})
	}
}

// Examples returns how many examples there were.
func (j *Judgement) Examples() int64 { return j.examples }

// Accuracy returns of how many of the examples, in [0,1], event model m held the label to
// be the most probable; NaN without examples. Of classes held equally probable the first
// in the order of [Corpus.Classes] counts.
func (j *Judgement) Accuracy(m int) float64 {
	if j.examples == 0 {
		return math.NaN()
	}
	at := j.models[m]
	return float64(j.groups[at.group].right[at.number]) / float64(j.examples)
}

// LogLoss returns the mean of -ln P(label | example) of event model m, of which each is at
// most 52·ln 2; NaN without examples.
func (j *Judgement) LogLoss(m int) float64 {
	if j.examples == 0 {
		return math.NaN()
	}
	at := j.models[m]
	return float64(j.groups[at.group].loss[at.number]) / vecmath.LossUnit / float64(j.examples)
}

package bayes

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"

	"bayes/internal/mmap"
	"bayes/internal/modelfile"
	"bayes/internal/sparse"
	"bayes/internal/weightfile"
	"bayes/internal/wire"
)

// FreezeOptions are options for [Model.Freeze]. A nil *FreezeOptions is the zero
// value.
type FreezeOptions struct {
	// Bits is the size of a weight: 32, a float32, which zero means too; or 8, one
	// of 256 steps between the least and the largest weight of the class.
	Bits int

	// Prune leaves out the terms whose weights differ by no more than this between
	// the classes: with 0 none.
	Prune float64
}

// Errors returned by [Model.Freeze].
var (
	errNotText   = errors.New("bayes: only a model of texts can be frozen")
	errNoWeights = errors.New("bayes: the model is frozen, or is a fisher model, whose score is no sum of weights")
	errInfinite  = errors.New("bayes: a model without smoothing cannot be frozen: some of its weights are infinite")
	errPruned    = errors.New("bayes: a model that says what is foreign cannot be pruned: terms that are left out would be unknown")
	errPresence  = errors.New("bayes: a corrected Bernoulli model cannot be frozen unless its trust is 0: its weights and its corrections read different values")
)

// Freeze writes the weights of m, and nothing of what they rest on, to w, for
// [OpenModel]. Such a file predicts, and cannot learn. Equal models give equal bytes.
//
// The error says which models cannot be frozen: those of numbers or categories, and those
// with infinite weights.
func (m *Model) Freeze(w io.Writer, opts *FreezeOptions) error {
	opts = cmp.Or(opts, new(FreezeOptions))
	if opts.Bits != 0 && opts.Bits != 8 && opts.Bits != 32 {
		return fmt.Errorf("bayes: weights of %d bits: want 8 or 32", opts.Bits)
	}
	if !(opts.Prune >= 0) {
		return fmt.Errorf("bayes: prune %v: want a number from 0 up", opts.Prune)
	}
	if opts.Prune > 0 && m.Known() > 0 {
		return errPruned
	}
	texts, err := m.freeze(opts.Prune)
	if err != nil {
		return err
	}
	return mmap.Write(w, m.frozenFile(texts, opts.Bits))
}

// freeze asks the likelihood of each text what its terms add.
func (m *Model) freeze(prune float64) ([]*weightfile.Draft, error) {
	var all []*weightfile.Draft
	for _, part := range m.parts {
		if part.data().id.kind != textAttr {
			return nil, errNotText
		}
		p, ok := part.(interface {
			freeze(prune float64) (*weightfile.Draft, error)
		})
		if !ok {
			return nil, errNoWeights
		}
		d, err := p.freeze(prune)
		if err != nil {
			return nil, err
		}
		d.Prior, d.Bias = m.logPrior, make([]float64, len(m.labels()))
		part.add(d.Bias, new(bag))                                 // the score of an empty document
		if c := CorrectionOf(m.event); c != nil && len(all) == 0 { // what its biases lack
			for k, b := range c.learned.Biases(m.labels()) {
				d.Bias[k] += m.bias[k] - b
			}
		}
		if !d.Finite() {
			return nil, errInfinite
		}
		all = append(all, d)
	}
	return all, nil
}

func (l *linear) freeze(prune float64) (*weightfile.Draft, error) {
	return l.freezeRows(l.rule(), l.presence, prune)
}

// freeze adds the corrections to the weights, times the trust.
func (l *corrected) freeze(prune float64) (*weightfile.Draft, error) {
	base := l.likelihood.(interface{ base() *linear }).base()
	if base.presence && l.classes.Trust != 0 {
		return nil, errPresence
	}
	return l.data().freezeRows(l.rule(base), false, prune)
}

// freezeRows returns what features weigh by a rule, without those that are to be left out.
func (s *statistics) freezeRows(rule sparse.Weights, presence bool, prune float64) (*weightfile.Draft, error) {
	d := &weightfile.Draft{Rows: weightfile.NewRows(rule.Bias, rule.Scale, prune), Presence: presence}
	for _, i := range s.sorted() {
		var cells []weightfile.Cell
		unseen := rule.Each(i, func(class int, gain float64) { cells = append(cells, weightfile.Cell{Class: class, Gain: gain}) })
		kept, err := d.Add(s.index.Bytes(i), cells, unseen)
		if err != nil {
			return nil, errInfinite
		}
		if kept && rule.Scaling != nil {
			d.Scales = append(d.Scales, math.Abs(rule.Scaling.Of(i)))
		}
	}
	return d, nil
}

func (l *linear) base() *linear { return l }

// frozenFile returns the file of what was frozen of each text.
func (m *Model) frozenFile(texts []*weightfile.Draft, bits int) []byte {
	h := modelfile.Header{
		Kind: modelfile.Frozen, Space: m.space.String(), Event: m.event.String(),
		Classes: int64(len(m.labels())), Examples: m.Examples(),
	}
	for _, d := range texts {
		h.Features += int64(len(d.Terms))
	}
	b := modelfile.AppendOrigin(h.Append(nil), m.AnalyzerVersion(), m.columns)
	if m.space.IDF != nil {
		b = wire.AppendSection(b, modelfile.IDF, func(b []byte) []byte { return modelfile.AppendIDF(b, m.space.IDF) })
	}
	s := m.stats[0]
	b = wire.AppendSection(b, modelfile.Classes, func(b []byte) []byte {
		for k, label := range s.classes {
			b = appendClass(b, label, tally{s.examples[k], s.weight[k]})
		}
		return b
	})
	c := CorrectionOf(m.event)
	if c != nil {
		b = wire.AppendSection(b, modelfile.Correction, c.learned.AppendHead)
	}
	for i, d := range texts {
		if id := m.parts[i].data().id; len(texts) > 1 || id != (blockID{}) {
			b = wire.AppendSection(b, modelfile.Block, func(b []byte) []byte {
				return append(wire.AppendUvarint(b, uint64(len(d.Terms))), id.name...)
			})
		}
		b = d.AppendSections(b, c != nil, bits)
	}
	// A reader allocates no more than the size of the file accounts for.
	b = append(b, wire.Fill(len(b), m.space.IDF.Size())...)
	return wire.AppendSection(b, modelfile.End, func(b []byte) []byte { return b })
}

package bayes

import (
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
	errNotText  = errors.New("bayes: only a model of one text can be frozen")
	errInfinite = errors.New("bayes: a model without smoothing cannot be frozen: some of its weights are infinite")
	errPresence = errors.New("bayes: a corrected Bernoulli model cannot be frozen unless its trust is 0: its weights and its corrections read different values")
)

// Freeze writes the weights of m, and nothing of what they rest on, to w, for
// [OpenModel]. Such a file predicts, and cannot learn. Equal models give equal bytes.
//
// The error says which models cannot be frozen: those of several texts, of numbers
// or categories, and those with infinite weights.
func (m *Model) Freeze(w io.Writer, opts *FreezeOptions) error {
	if opts == nil {
		opts = new(FreezeOptions)
	}
	if opts.Bits != 0 && opts.Bits != 8 && opts.Bits != 32 {
		return fmt.Errorf("bayes: weights of %d bits: want 8 or 32", opts.Bits)
	}
	if !(opts.Prune >= 0) {
		return fmt.Errorf("bayes: prune %v: want a number from 0 up", opts.Prune)
	}
	f, err := m.freeze(opts)
	if err != nil {
		return err
	}
	return mmap.Write(w, f.file(m, opts.Bits))
}

// frozenWeights are what a frozen file is made of.
type frozenWeights struct {
	terms    [][]byte // sorted
	rows     *weightfile.Rows
	bias     []float64 // of a document without a term
	presence bool      // whether a term's value says only that it is present
	scales   []float64 // by term: what its value is multiplied by; of a model with a correction
}

// freeze asks the likelihood of m what each term adds.
func (m *Model) freeze(opts *FreezeOptions) (*frozenWeights, error) {
	if len(m.parts) != 1 || m.parts[0].data().id != (blockID{}) {
		return nil, errNotText
	}
	part, ok := m.parts[0].(interface {
		freeze(prune float64) (*frozenWeights, error)
	})
	if !ok {
		return nil, errors.New("bayes: the model is frozen")
	}
	f, err := part.freeze(opts.Prune)
	if err != nil {
		return nil, err
	}
	f.bias = make([]float64, len(m.labels()))
	m.parts[0].add(f.bias, new(bag))          // the score of an empty document
	if c := CorrectionOf(m.event); c != nil { // what its biases lack
		for k, b := range c.learned.Biases(m.labels()) {
			f.bias[k] += m.bias[k] - b
		}
	}
	if !weightfile.Finite(f.bias...) || !weightfile.Finite(m.logPrior...) {
		return nil, errInfinite
	}
	return f, nil
}

func (l *linear) freeze(prune float64) (*frozenWeights, error) {
	return l.freezeRows(l.rule(), l.presence, prune)
}

// freeze adds the corrections to the weights, times the trust.
func (l *corrected) freeze(prune float64) (*frozenWeights, error) {
	base := l.likelihood.(interface{ base() *linear }).base()
	if base.presence && l.classes.Trust != 0 {
		return nil, errPresence
	}
	return l.data().freezeRows(l.rule(base), false, prune)
}

// freezeRows returns what features weigh by a rule, without those that are to be left out.
func (s *statistics) freezeRows(rule sparse.Weights, presence bool, prune float64) (*frozenWeights, error) {
	f := &frozenWeights{rows: weightfile.NewRows(rule.Bias, rule.Scale, prune), presence: presence}
	for _, i := range s.sorted() {
		var cells []weightfile.Cell
		unseen := rule.Each(i, func(class int, gain float64) { cells = append(cells, weightfile.Cell{Class: class, Gain: gain}) })
		kept, err := f.rows.Add(cells, unseen)
		if err != nil {
			return nil, errInfinite
		}
		if !kept {
			continue
		}
		if f.terms = append(f.terms, s.index.Bytes(i)); rule.Scaling != nil {
			f.scales = append(f.scales, math.Abs(rule.Scaling.Of(i)))
		}
	}
	return f, nil
}

func (l *linear) base() *linear { return l }

// file returns the frozen file.
func (f *frozenWeights) file(m *Model, bits int) []byte {
	h := modelfile.Header{
		Kind: modelfile.Frozen, Space: m.space.String(), Event: m.event.String(),
		Classes: int64(len(f.bias)), Features: int64(len(f.terms)), Examples: m.Examples(),
	}
	b := modelfile.AppendOrigin(h.Append(nil), m.AnalyzerVersion(), m.columns)
	if m.space.IDF != nil {
		b = wire.AppendSection(b, modelfile.IDF, func(b []byte) []byte { return appendIDF(b, m.space.IDF) })
	}
	s := m.stats[0]
	b = wire.AppendSection(b, modelfile.Classes, func(b []byte) []byte {
		for k, label := range s.classes {
			b = appendClass(b, label, tally{s.examples[k], s.weight[k]})
		}
		return b
	})
	if c := CorrectionOf(m.event); c != nil {
		b = wire.AppendSection(b, modelfile.Correction, c.learned.AppendHead)
		b = wire.AppendSection(b, modelfile.Scales, func(b []byte) []byte { return weightfile.AppendFloat32s(b, f.scales) })
	}
	b = wire.AppendSection(b, modelfile.Bias, func(b []byte) []byte {
		presence := byte(0)
		if f.presence {
			presence = 1
		}
		b = append(b, presence)
		b = weightfile.AppendFloats(b, m.logPrior)
		return weightfile.AppendFloats(b, f.bias)
	})
	b = f.rows.AppendSection(b, bits)
	b = wire.AppendSection(b, modelfile.Index, func(b []byte) []byte { return weightfile.AppendIndex(b, f.terms) })
	// A reader allocates no more than the size of the file accounts for.
	b = append(b, wire.Fill(len(b), m.space.IDF.Size())...)
	return wire.AppendSection(b, modelfile.End, func(b []byte) []byte { return b })
}

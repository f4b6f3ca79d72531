package bayes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"bayes/internal/mapped"
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
)

// The tags of the sections of a frozen file.
const (
	biasSection   = "BIAS"
	weightSection = "WGHT"
	indexSection  = "INDX"
)

// Freeze writes the weights of m, and nothing of what they rest on, to w, for
// [Open]. Such a file predicts, and cannot learn. Equal models give equal bytes.
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
	return mapped.Write(w, f.file(m, opts.Bits))
}

// frozenWeights are what a frozen file is made of.
type frozenWeights struct {
	terms    [][]byte  // sorted
	rows     []float64 // by term, then by class
	bias     []float64 // of a document without a term
	presence bool      // whether a term's value says only that it is present
}

// freeze asks the likelihood of m what each term adds.
func (m *Model) freeze(opts *FreezeOptions) (*frozenWeights, error) {
	if len(m.parts) != 1 || m.parts[0].data().id != (blockID{}) {
		return nil, errNotText
	}
	part := m.parts[0]
	s := part.data()
	if s.index == nil {
		return nil, errors.New("bayes: the model is frozen")
	}
	classes := len(s.classes)
	f := &frozenWeights{bias: make([]float64, classes), presence: !part.counted()}
	part.add(f.bias, new(bag))
	x := &bag{terms: make([]term, 1)}
	joint := make([]float64, classes)
	for _, i := range s.sorted() {
		clear(joint)
		x.terms[0] = term{key: s.index.Key(i), name: s.index.Bytes(i), value: max(1, s.binarize+1)}
		part.add(joint, x)
		least, most := math.Inf(1), math.Inf(-1)
		for k := range joint {
			joint[k] -= f.bias[k]
			if !f.presence {
				joint[k] /= x.terms[0].value
			}
			least, most = min(least, joint[k]), max(most, joint[k])
		}
		if math.IsInf(least, 0) || math.IsInf(most, 0) || math.IsNaN(least) {
			return nil, errInfinite
		}
		if opts.Prune > 0 && most-least <= opts.Prune {
			continue
		}
		f.terms, f.rows = append(f.terms, s.index.Bytes(i)), append(f.rows, joint...)
	}
	for _, b := range append(f.bias, m.logPrior...) {
		if math.IsInf(b, 0) || math.IsNaN(b) {
			return nil, errInfinite
		}
	}
	return f, nil
}

// file returns the frozen file.
func (f *frozenWeights) file(m *Model, bits int) []byte {
	b := appendHeaderLines(nil, "frozen", m.space, m.event, len(f.bias), len(f.terms), m.Examples())
	if m.space.IDF != nil {
		b = wire.AppendSection(b, idfSection, func(b []byte) []byte { return appendIDF(b, m.space.IDF) })
	}
	s := m.sums[0]
	b = wire.AppendSection(b, classSection, func(b []byte) []byte {
		for k, label := range s.classes {
			b = appendClass(b, label, tally{s.examples[k], s.weight[k]})
		}
		return b
	})
	b = wire.AppendSection(b, biasSection, func(b []byte) []byte {
		presence := byte(0)
		if f.presence {
			presence = 1
		}
		b = append(b, presence)
		b = appendFloats(b, m.logPrior)
		return appendFloats(b, f.bias)
	})
	b = wire.AppendSection(b, weightSection, func(b []byte) []byte { return f.appendWeights(b, bits) })
	b = wire.AppendSection(b, indexSection, f.appendIndex)
	b = append(b, wire.Fill(len(b), m.space.IDF.Size())...)
	return wire.AppendSection(b, endSection, func(b []byte) []byte { return b })
}

func appendFloats(b []byte, list []float64) []byte {
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// appendWeights appends the size of a weight in bits, of 8-bit weights the least
// one of each class and the step between them, and the weights.
func (f *frozenWeights) appendWeights(b []byte, bits int) []byte {
	classes := len(f.bias)
	if bits != 8 {
		b = append(b, 32)
		for _, w := range f.rows {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(w)))
		}
		return b
	}
	b = append(b, 8)
	low, step := f.steps()
	b = appendFloats(appendFloats(b, low), step)
	for i, w := range f.rows {
		k := i % classes
		q := 0.0
		if step[k] > 0 {
			q = math.Round((w - low[k]) / step[k])
		}
		b = append(b, byte(min(max(q, 0), 255)))
	}
	return b
}

// steps returns the least weight of each class, and a 255th of how far the largest
// is above it.
func (f *frozenWeights) steps() (low, step []float64) {
	classes := len(f.bias)
	low, step = make([]float64, classes), make([]float64, classes)
	if len(f.terms) == 0 {
		return low, step
	}
	copy(low, f.rows)
	high := append([]float64(nil), low...)
	for i, w := range f.rows {
		k := i % classes
		low[k], high[k] = min(low[k], w), max(high[k], w)
	}
	for k := range step {
		step[k] = (high[k] - low[k]) / 255
	}
	return low, step
}

// appendIndex appends the terms: how many slots there are, the slots of a hash
// table, where each term ends, and the terms.
func (f *frozenWeights) appendIndex(b []byte) []byte {
	slots := 1
	for 3*slots < 4*(len(f.terms)+1) {
		slots *= 2
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(slots))
	start := len(b)
	b = append(b, make([]byte, slots*slotBytes)...)
	table := b[start:]
	for n, name := range f.terms {
		h := frozenHash(name)
		i := int(h & uint64(slots-1))
		for binary.LittleEndian.Uint32(table[i*slotBytes+4:]) != 0 {
			i = (i + 1) & (slots - 1)
		}
		binary.LittleEndian.PutUint32(table[i*slotBytes:], uint32(h>>32))
		binary.LittleEndian.PutUint32(table[i*slotBytes+4:], uint32(n+1))
	}
	end := 0
	for _, name := range f.terms {
		end += len(name)
		b = binary.LittleEndian.AppendUint64(b, uint64(end))
	}
	for _, name := range f.terms {
		b = append(b, name...)
	}
	return b
}

// slotBytes is the size of a slot: the upper half of a term's hash, and its number
// plus one.
const slotBytes = 8

// frozenHash is FNV-1a with 64 bits, its halves mixed (Fowler, Noll and Vo).
func frozenHash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h ^ h>>32
}

package weightfile

import (
	"fmt"
	"slices"

	"bayes/internal/modelfile"
	"bayes/internal/wire"
)

// A Draft is what the sections of one text are made of.
type Draft struct {
	Terms       [][]byte // sorted
	Rows        *Rows
	Prior, Bias []float64 // by class: ln P(class), and the score of a document without a term
	Presence    bool      // whether a term's value says only that it is present
	Scales      []float64 // by term: what its value is multiplied by; of a model with a correction
}

// Add adds a term, unless it is left out. The error is that a weight is not finite.
func (d *Draft) Add(name []byte, cells []Cell, unseen float64) (kept bool, err error) {
	if kept, err = d.Rows.Add(cells, unseen); kept {
		d.Terms = append(d.Terms, name)
	}
	return kept, err
}

// Finite reports whether what does not depend on a term is finite.
func (d *Draft) Finite() bool { return Finite(d.Bias...) && Finite(d.Prior...) }

// AppendSections appends the sections that [ReadBlock] reads.
func (d *Draft) AppendSections(b []byte, scaled bool, bits int) []byte {
	if scaled {
		b = wire.AppendSection(b, modelfile.Scales, func(b []byte) []byte { return AppendFloat32s(b, d.Scales) })
	}
	b = wire.AppendSection(b, modelfile.Bias, func(b []byte) []byte {
		presence := byte(0)
		if d.Presence {
			presence = 1
		}
		return AppendFloats(AppendFloats(append(b, presence), d.Prior), d.Bias)
	})
	b = d.Rows.AppendSection(b, bits)
	return wire.AppendSection(b, modelfile.Index, func(b []byte) []byte { return AppendIndex(b, d.Terms) })
}

// A Block is the weights of the terms of one text.
type Block struct {
	*Table
	Prior, Bias []float64 // by class: ln P(class), and the score of a document without a term
	Presence    bool      // whether a term's value says only that it is present
	Scaled      bool      // whether the model has a correction, and so scales

	Threshold float64 // above which a value is present
	Subwords  float64 // what values of subwords were multiplied by; 0 if texts have none
}

// ReadBlock reads the sections of a text of that many terms, which stay in the mapped file. Their lengths
// are checked, and their bytes only if the whole is asked for: opening takes no longer for a larger file.
func ReadBlock(r *modelfile.Reader, classes, terms int, scaled, whole bool) (*Block, error) {
	b := &Block{Table: New(classes, terms), Scaled: scaled}
	for _, s := range []struct {
		tag   string
		read  func(payload []byte) error
		check func() error
	}{
		{modelfile.Scales, b.SetScales, b.CheckScales},
		{modelfile.Bias, b.readBias, func() error { return nil }},
		{modelfile.Weights, func(payload []byte) error { return b.Set(r.Tag, payload) }, b.CheckWeights},
		{modelfile.Index, b.SetIndex, b.CheckIndex},
	} {
		if s.tag == modelfile.Scales && !scaled {
			continue
		}
		offset := r.Payload.Offset()
		if r.Tag != s.tag && (r.Tag != modelfile.Gains || s.tag != modelfile.Weights) {
			return nil, modelfile.Errorf(modelfile.SectionName(r.Tag), offset, "where section %s is due", s.tag)
		}
		err := s.read(r.Payload.Rest())
		if err == nil && whole {
			err = s.check()
		}
		if err != nil {
			return nil, modelfile.Errorf(r.Tag, offset, "%v", err)
		}
		if err := r.Next(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *Block) readBias(payload []byte) (err error) {
	if len(payload) != 1+16*b.classes || payload[0] > 1 {
		return fmt.Errorf("%d bytes", len(payload))
	}
	b.Presence = payload[0] == 1
	if b.Prior, err = Floats(payload[1:], b.classes); err != nil {
		return err
	}
	if top := slices.Max(b.Prior); top > 1e-9 {
		return fmt.Errorf("the prior of a class is above 1: its logarithm is %v", top)
	}
	b.Bias, err = Floats(payload[1+8*b.classes:], b.classes)
	return err
}

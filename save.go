package bayes

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"bayes/internal/modelfile"
	"bayes/internal/sparse"
	"bayes/internal/wire"
)

// Save writes c, and how it is to be fitted, to w in the format of
// docs/format.md. Equal Counts and event models give equal bytes.
//
// The error is that of w, or says why a reader would refuse the description of em.
func Save(w io.Writer, c *Counts, em EventModel) error {
	if em != nil {
		if _, err := ParseEventModel(em.String()); err != nil {
			return err
		}
		if err := CorrectionOf(em).data().Here(); err != nil {
			return fmt.Errorf("bayes: %w", err)
		}
	}
	for piece := range c.pieces(em, c.AnalyzerVersion(), c.columns) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// AppendBinary appends c in the format of docs/format.md, without an event
// model. Equal Counts append equal bytes. It implements
// [encoding.BinaryAppender].
func (c *Counts) AppendBinary(b []byte) ([]byte, error) {
	for piece := range c.pieces(nil, c.AnalyzerVersion(), c.columns) {
		b = append(b, piece...)
	}
	return b, nil
}

// MarshalBinary implements [encoding.BinaryMarshaler].
func (c *Counts) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// pieces yields the file of c and em, which may be nil, piece by piece. An empty version
// of the analyzer is left out, and so are columns.
func (c *Counts) pieces(em EventModel, version, columns string) iter.Seq[[]byte] {
	return func(yield func(piece []byte) bool) {
		order := c.order()
		b, size := c.appendHead(em, version, columns, order), 0
		all := func(pieces ...[]byte) bool {
			for _, piece := range pieces {
				if size += len(piece); !yield(piece) {
					return false
				}
			}
			return true
		}
		// Classes and features are written sorted, so that equal Counts have equal bytes however they
		// came to be.
		position := make([]int, len(c.classes))
		for p, k := range order {
			position[k] = p
		}
		for _, bl := range c.blocks {
			if bl.id != (blockID{}) {
				if !bl.live() {
					continue
				}
				b = bl.appendHead(b, order)
			}
			if !all(b) {
				return
			}
			b = nil
			// Sections are encoded on all cores, and written as soon as they are complete.
			sections := encodeTable(bl.table, position, len(order))
			for _, e := range sections {
				defer e.Wait() // even if no more is wanted
			}
			for _, e := range sections {
				if !all(e.Pieces()...) {
					return
				}
			}
		}
		correction := CorrectionOf(em)
		if correction != nil && !all(wire.SectionPieces(modelfile.Correction, [][]byte{correction.learned.Payload})...) {
			return
		}
		b = append(b, c.fill(size+len(b), correction)...)
		yield(wire.AppendSection(b, modelfile.End, func(b []byte) []byte { return b }))
	}
}

// fill returns the section that lets a file of size bytes hold the names of c and of a correction,
// which may be nil.
func (c *Counts) fill(size int, correction *Correction) []byte {
	names := correction.data().NameBytes() + modelfile.Lengths(c.space.Labels) + modelfile.Lengths(c.space.Vocabulary) + modelfile.Lengths(modelfile.JoinValues(c.space.Values)) + c.space.IDF.Size()
	most := names
	for _, b := range c.blocks {
		most += b.table.Index.Size()
	}
	if wire.Fill(size, most) == nil {
		return nil
	}
	for _, b := range c.blocks {
		for i, row := range b.table.Rows {
			if len(row) > 0 {
				names += len(b.table.Index.Bytes(i))
			}
		}
	}
	return wire.Fill(size, names)
}

// appendHead returns what a file begins with: all that is of no block.
func (c *Counts) appendHead(em EventModel, version, columns string, order []int) []byte {
	b := modelfile.AppendOrigin(c.header(em, len(order)).Append(nil), version, columns)
	if c.space.Labels != nil {
		b = wire.AppendSection(b, modelfile.Labels, func(b []byte) []byte { return modelfile.AppendNames(b, c.space.Labels) })
	}
	if c.space.Vocabulary != nil {
		b = wire.AppendSection(b, modelfile.Vocabulary, func(b []byte) []byte { return modelfile.AppendNames(b, c.space.Vocabulary) })
	}
	if c.space.Values != nil {
		b = wire.AppendSection(b, modelfile.Values, func(b []byte) []byte { return modelfile.AppendNames(b, modelfile.JoinValues(c.space.Values)) })
	}
	if c.space.IDF != nil {
		b = wire.AppendSection(b, modelfile.IDF, func(b []byte) []byte { return modelfile.AppendIDF(b, c.space.IDF) })
	}
	return wire.AppendSection(b, modelfile.Classes, func(b []byte) []byte { return c.appendClasses(b, order) })
}

// encodeTable begins to make the sections of a table. position is the place of each class ID
// among the classes of the file.
func encodeTable(t *sparse.Table, position []int, classes int) []*wire.Encoding {
	rows := t.Sorted()
	return []*wire.Encoding{
		wire.Encode(modelfile.Terms, len(rows), func(b []byte, from, to int) []byte { return t.AppendNames(b, rows, from, to) }),
		wire.Encode(modelfile.Moments, len(rows), func(b []byte, from, to int) []byte { return t.AppendRows(b, rows[from:to], position, classes) }),
	}
}

// appendHead appends what a block has beside its table.
func (bl *block) appendHead(b []byte, order []int) []byte {
	b = wire.AppendSection(b, modelfile.Block, func(b []byte) []byte {
		return append(append(b, blockKinds[bl.id.kind]), bl.id.name...)
	})
	b = wire.AppendSection(b, modelfile.Seen, func(b []byte) []byte {
		for _, k := range order {
			t := bl.seenIn(k)
			b = wire.AppendUvarint(b, wire.Zigzag(t.examples))
			b = wire.AppendNumber(b, t.weight)
		}
		return b
	})
	if bl.id.kind != numberAttr {
		return b
	}
	return wire.AppendSection(b, modelfile.Number, func(b []byte) []byte {
		for _, k := range order {
			n := bl.numberIn(k)
			b = n.Append(b)
		}
		return b
	})
}

// header returns the header of a file of c, fitted as em, which may be nil.
func (c *Counts) header(em EventModel, classes int) *modelfile.Header {
	h := &modelfile.Header{
		Kind: modelfile.Counts, Space: c.space.String(), Classes: int64(classes), Features: int64(c.Len()), Examples: c.Examples(),
	}
	if em != nil {
		h.Kind, h.Event = modelfile.Model, em.String()
	}
	return h
}

func (c *Counts) appendClasses(b []byte, order []int) []byte {
	for _, k := range order {
		b = appendClass(b, c.classes[k].label, c.classes[k].tally)
	}
	return b
}

func appendClass(b []byte, label string, t tally) []byte {
	b = wire.AppendUvarint(b, uint64(len(label)))
	b = append(b, label...)
	b = wire.AppendUvarint(b, wire.Zigzag(t.examples))
	return wire.AppendNumber(b, t.weight)
}

// Equal reports whether c and d have the same Space and the same sums, whatever the
// analyzer's version and the columns.
func (c *Counts) Equal(d *Counts) bool {
	a := bytes.Join(slices.Collect(c.pieces(nil, "", "")), nil)
	b := bytes.Join(slices.Collect(d.pieces(nil, "", "")), nil)
	return bytes.Equal(a, b)
}

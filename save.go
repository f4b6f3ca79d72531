package bayes

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"bayes/feature"
	"bayes/internal/doubledouble"
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
			if size += len(b); !yield(b) {
				return
			}
			b = nil
			// Sections are encoded on all cores, and written as soon as they are complete.
			sections := encodeTable(bl.table, position, len(order))
			for _, e := range sections {
				defer e.running.Wait() // even if no more is wanted
			}
			for _, e := range sections {
				for _, piece := range e.pieces() {
					if size += len(piece); !yield(piece) {
						return
					}
				}
			}
		}
		if correction := CorrectionOf(em); correction != nil {
			b = wire.AppendSection(b, modelfile.Correction, func(b []byte) []byte { return append(b, correction.learned.Payload...) })
		}
		b = append(b, c.fill(size+len(b), CorrectionOf(em))...)
		yield(wire.AppendSection(b, modelfile.End, func(b []byte) []byte { return b }))
	}
}

// fill returns the section that lets a file of size bytes hold the names of c and of a correction,
// which may be nil.
func (c *Counts) fill(size int, correction *Correction) []byte {
	names := correction.data().NameBytes() + lengths(c.space.Labels) + lengths(c.space.Vocabulary) + lengths(joinValues(c.space.Values)) + c.space.IDF.Size()
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

func lengths(names []string) (n int) {
	for _, name := range names {
		n += len(name)
	}
	return n
}

// appendHead returns what a file begins with: all that is of no block.
func (c *Counts) appendHead(em EventModel, version, columns string, order []int) []byte {
	b := modelfile.AppendOrigin(c.header(em, len(order)).Append(nil), version, columns)
	if c.space.Labels != nil {
		b = wire.AppendSection(b, modelfile.Labels, func(b []byte) []byte { return appendNames(b, c.space.Labels) })
	}
	if c.space.Vocabulary != nil {
		b = wire.AppendSection(b, modelfile.Vocabulary, func(b []byte) []byte { return appendNames(b, c.space.Vocabulary) })
	}
	if c.space.Values != nil {
		b = wire.AppendSection(b, modelfile.Values, func(b []byte) []byte { return appendNames(b, joinValues(c.space.Values)) })
	}
	if c.space.IDF != nil {
		b = wire.AppendSection(b, modelfile.IDF, func(b []byte) []byte { return appendIDF(b, c.space.IDF) })
	}
	return wire.AppendSection(b, modelfile.Classes, func(b []byte) []byte { return c.appendClasses(b, order) })
}

// partRows is how many rows are encoded at a time. Tests lower it.
var partRows = 1 << 15

// encodeTable begins to make the sections of a table. position is the place of each class ID
// among the classes of the file.
func encodeTable(t *sparse.Table, position []int, classes int) []*encoding {
	rows := t.Sorted()
	return []*encoding{
		encode(modelfile.Terms, len(rows), func(b []byte, from, to int) []byte { return t.AppendNames(b, rows, from, to) }),
		encode(modelfile.Moments, len(rows), func(b []byte, from, to int) []byte { return t.AppendRows(b, rows[from:to], position, classes) }),
	}
}

// An encoding is a section that is being made.
type encoding struct {
	tag     string
	parts   [][]byte
	running sync.WaitGroup
}

// encode begins to make a section of what f appends of n rows, some at a time on each
// core.
func encode(tag string, n int, f func(b []byte, from, to int) []byte) *encoding {
	rows := partRows
	e := &encoding{tag: tag, parts: make([][]byte, (n+rows-1)/rows)}
	for j := range e.parts {
		e.running.Go(func() { e.parts[j] = f(nil, j*rows, min((j+1)*rows, n)) })
	}
	return e
}

// pieces waits for the section and returns it.
func (e *encoding) pieces() [][]byte {
	e.running.Wait()
	return wire.SectionPieces(e.tag, e.parts)
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
			for _, d := range []doubledouble.Number{n.sum, n.squares, n.plainSum, n.plainSquares} {
				b = wire.AppendNumber(b, d.Hi)
				b = wire.AppendNumber(b, d.Lo)
			}
		}
		return b
	})
}

// appendIDF appends each term and its weight.
func appendIDF(b []byte, idf *feature.IDF) []byte {
	var prev []byte
	for _, term := range idf.Terms() {
		b = wire.AppendName(b, prev, []byte(term))
		prev = []byte(term)
		b = wire.AppendNumber(b, idf.Weight(prev))
	}
	return b
}

// joinValues returns the declared values of categories, each behind the length
// and the name of its category.
func joinValues(values map[string][]string) []string {
	var list []string
	for name, vs := range values {
		for _, v := range vs {
			list = append(list, string(wire.AppendUvarint(nil, uint64(len(name))))+name+v)
		}
	}
	return list
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

func appendNames(b []byte, names []string) []byte {
	var prev []byte
	for _, name := range sortedSet(names) {
		b = wire.AppendName(b, prev, []byte(name))
		prev = []byte(name)
	}
	return b
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

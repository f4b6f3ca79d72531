package part

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
)

const (
	// maxChunk bounds a chunk. It is a quarter of the longest record that is read,
	// so that one too long fills whole chunks; see cutter.
	maxChunk = 16 << 20

	// longest is the length of chunks without the end of a record, in a row, from
	// which on a file is not cut any more.
	longest = 32 << 20
)

// A Chunk is a range of bytes of a table.
type Chunk struct {
	File       File
	Start, End int64
}

// Chunks returns the ranges of f to be scanned, of size bytes each, but not more
// than 16 MiB.
func (f File) Chunks(size int64) []Chunk {
	size = max(1, min(size, maxChunk))
	var list []Chunk
	for start := f.Body; start < f.Size; start += size {
		list = append(list, Chunk{f, start, min(start+size, f.Size)})
	}
	return list
}

// A state is where in a table one is between two bytes, as far as quotation
// marks go.
type state uint8

const (
	plain  state = iota // outside of quotes
	quoted              // within a quoted field
	closed              // after a quotation mark in a quoted field: its end, or the first of two
	states
)

// A Scan is what was found in a chunk, for each state in which it may be
// entered.
type Scan struct {
	Chunk Chunk
	Exit  [states]uint8 // the state after its last byte
	First [states]int64 // in the file, the end of the first record that ends in it; -1 if none does
}

// Scan reads a chunk.
func (c Chunk) Scan(ctx context.Context) (Scan, error) {
	f, err := open(ctx, c.File.Name, c.File.Path)
	if err != nil {
		return Scan{}, err
	}
	defer f.Close()
	// The byte before the chunk tells whether a field begins with it.
	b := make([]byte, 1+c.End-c.Start)
	b[0] = '\n'
	before := int64(1)
	if c.Start > c.File.Body {
		before = 0
	}
	if _, err := f.ReadAt(b[before:], c.Start-1+before); err != nil && err != io.EOF {
		return Scan{}, fmt.Errorf("%s: %w", c.File.Name, err)
	}
	s := Scan{Chunk: c}
	for entry := plain; entry < states; entry++ {
		exit, first := scan(b, c.File.Delimiter, entry)
		s.Exit[entry], s.First[entry] = uint8(exit), -1
		if first > 0 {
			s.First[entry] = c.Start - 1 + int64(first)
		}
	}
	return s, nil
}

// scan goes through b[1:], entered in state s, and returns the state after it
// and the index after the first line feed that ends a record, zero if none does.
//
// A quotation mark opens a field only behind a comma or a line feed; elsewhere
// outside of quotes it stands for itself. Within quotes, two of them are one, and
// one closes the field.
func scan(b []byte, comma byte, s state) (exit state, first int) {
	for i := 1; i < len(b); {
		if s == closed {
			if s = plain; b[i] == '"' {
				s = quoted
				i++
			}
			continue
		}
		n := bytes.IndexByte(b[i:], '"')
		next := i + n
		if n < 0 {
			next = len(b)
		}
		if s == plain && first == 0 {
			first = i + 1 + bytes.IndexByte(b[i:next], '\n')
			if first == i {
				first = 0
			}
		}
		switch {
		case n < 0:
			return s, first
		case s == quoted:
			s = closed
		case b[next-1] == comma || b[next-1] == '\n':
			s = quoted
		}
		i = next + 1
	}
	return s, first
}

// Cut returns the parts of a table, of about size bytes each, from the scans of
// all its chunks, in any order.
func Cut(scans []Scan, size int64) []Part {
	slices.SortFunc(scans, func(a, b Scan) int { return cmp.Compare(a.Chunk.Start, b.Chunk.Start) })
	var parts []Part
	if len(scans) == 0 {
		return nil
	}
	f := scans[0].Chunk.File
	start, endless := f.Body, int64(0)
	add := func(end int64) {
		if end > start {
			parts = append(parts, f.part(Bytes, start, end))
		}
		start = end
	}
	at := plain
	for _, s := range scans {
		first := s.First[at]
		if endless += s.Chunk.End - s.Chunk.Start; first >= 0 {
			endless = 0
		}
		if endless >= longest {
			break // there may be a record here that is too long, and ends at any line feed
		}
		if first-start >= size-size/8 {
			add(first)
		}
		at = state(s.Exit[at])
	}
	add(f.Size)
	return parts
}

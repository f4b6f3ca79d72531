// Package weightfile holds the weights of terms as bytes that are searched in place,
// so that a file of millions of them is ready when it is mapped. The format is
// described in docs/format.md, under "Frozen files".
//
// The weights are a row for each term, with a number for each class, of 32 or of 8
// bits. The index is a hash table with open addressing and linear probing: a slot
// holds the upper half of a term's hash and the term's number plus one, so that
// most terms that are not there are told from those that are without looking at
// their bytes.
package weightfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
)

// slotBytes is the size of a slot.
const slotBytes = 8

// Hash is FNV-1a with 64 bits, its halves mixed (Fowler, Noll and Vo).
func Hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h ^ h>>32
}

// AppendFloats appends numbers of 64 bits.
func AppendFloats(b []byte, list []float64) []byte {
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// Floats reads n numbers of 64 bits, all of which must be finite.
func Floats(b []byte, n int) ([]float64, error) {
	list := make([]float64, n)
	for i := range list {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("a number is not finite")
		}
		list[i] = v
	}
	return list, nil
}

// AppendWeights appends the size of a weight in bits, of 8-bit weights the least
// one of each class and the step between them, and the weights. Rows come one
// after the other.
func AppendWeights(b []byte, rows []float64, classes, bits int) []byte {
	if bits != 8 {
		b = append(b, 32)
		for _, w := range rows {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(w)))
		}
		return b
	}
	b = append(b, 8)
	low, step := steps(rows, classes)
	b = AppendFloats(AppendFloats(b, low), step)
	for i, w := range rows {
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
func steps(rows []float64, classes int) (low, step []float64) {
	low, step = make([]float64, classes), make([]float64, classes)
	if len(rows) == 0 {
		return low, step
	}
	copy(low, rows)
	high := slices.Clone(low)
	for i, w := range rows {
		k := i % classes
		low[k], high[k] = min(low[k], w), max(high[k], w)
	}
	for k := range step {
		step[k] = (high[k] - low[k]) / 255
	}
	return low, step
}

// AppendIndex appends the index of terms, which are sorted: how many slots there
// are, the slots, where each term ends, and the terms.
func AppendIndex(b []byte, terms [][]byte) []byte {
	slots := 1
	for 3*slots < 4*(len(terms)+1) {
		slots *= 2
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(slots))
	start := len(b)
	b = append(b, make([]byte, slots*slotBytes)...)
	table := b[start:]
	for n, name := range terms {
		h := Hash(name)
		i := int(h & uint64(slots-1))
		for binary.LittleEndian.Uint32(table[i*slotBytes+4:]) != 0 {
			i = (i + 1) & (slots - 1)
		}
		binary.LittleEndian.PutUint32(table[i*slotBytes:], uint32(h>>32))
		binary.LittleEndian.PutUint32(table[i*slotBytes+4:], uint32(n+1))
	}
	end := 0
	for _, name := range terms {
		end += len(name)
		b = binary.LittleEndian.AppendUint64(b, uint64(end))
	}
	for _, name := range terms {
		b = append(b, name...)
	}
	return b
}

// A Table reads weights and their index. Whatever is wrong with their bytes, its
// methods end, without a panic, and stay within them.
type Table struct {
	classes, terms int
	low, step      []float64 // of 8-bit weights
	weights        []byte
	slots          []byte
	ends           []byte
	arena          []byte
}

// New returns a Table of terms with a weight for each class, of which nothing has been
// read.
func New(classes, terms int) *Table { return &Table{classes: classes, terms: terms} }

// SetWeights has t read what [AppendWeights] appended.
func (t *Table) SetWeights(b []byte) (err error) {
	size, head := t.classes*t.terms, 1+16*t.classes
	switch {
	case len(b) == 1+4*size && b[0] == 32:
		t.weights = b[1:]
		return nil
	case len(b) == head+size && b[0] == 8:
		t.weights = b[head:]
		if t.low, err = Floats(b[1:], t.classes); err == nil {
			t.step, err = Floats(b[1+8*t.classes:], t.classes)
		}
		return err
	}
	return fmt.Errorf("%d bytes for %d features of %d classes", len(b), t.terms, t.classes)
}

// SetIndex has t read what [AppendIndex] appended.
func (t *Table) SetIndex(b []byte) error {
	if len(b) < 8 {
		return fmt.Errorf("%d bytes", len(b))
	}
	slots := binary.LittleEndian.Uint64(b)
	b = b[8:]
	if slots == 0 || slots&(slots-1) != 0 || slots > uint64(len(b))/slotBytes || uint64(t.terms) >= slots {
		return fmt.Errorf("%d slots", slots)
	}
	t.slots, b = b[:slots*slotBytes], b[slots*slotBytes:]
	if len(b) < 8*t.terms {
		return fmt.Errorf("%d features do not fit", t.terms)
	}
	t.ends, t.arena = b[:8*t.terms], b[8*t.terms:]
	return nil
}

// CheckWeights looks at all weights, which must be finite.
func (t *Table) CheckWeights() error {
	if t.low != nil {
		return nil
	}
	for b := t.weights; len(b) > 0; b = b[4:] {
		if w := float64(math.Float32frombits(binary.LittleEndian.Uint32(b))); math.IsNaN(w) || math.IsInf(w, 0) {
			return errors.New("a weight is not finite")
		}
	}
	return nil
}

// CheckIndex looks each term up.
func (t *Table) CheckIndex() error {
	for number := range t.terms {
		name := t.name(number)
		if found, ok := t.Find(Hash(name), name); !ok || found != number {
			return fmt.Errorf("term %d is not in its slot", number)
		}
	}
	return nil
}

// Find returns the number of a term whose hash is h, and whether it has one.
func (t *Table) Find(h uint64, name []byte) (int, bool) {
	mask := len(t.slots)/slotBytes - 1
	for i, n := int(h)&mask, 0; n <= mask; i, n = (i+1)&mask, n+1 {
		number := int(binary.LittleEndian.Uint32(t.slots[i*slotBytes+4:])) - 1
		if number < 0 || number >= t.terms {
			return 0, false
		}
		if binary.LittleEndian.Uint32(t.slots[i*slotBytes:]) == uint32(h>>32) && string(t.name(number)) == string(name) {
			return number, true
		}
	}
	return 0, false
}

// name returns a term.
func (t *Table) name(number int) []byte {
	start := uint64(0)
	if number > 0 {
		start = binary.LittleEndian.Uint64(t.ends[8*(number-1):])
	}
	end := binary.LittleEndian.Uint64(t.ends[8*number:])
	if start > end || end > uint64(len(t.arena)) {
		return nil
	}
	return t.arena[start:end]
}

// Prefetch asks for what Find and AddRow will mostly read of up to [intern.Stage]
// terms with these hashes: the slots of all, then what these lead to, so that
// memory answers many questions at once.
func (t *Table) Prefetch(hashes []uint64) {
	var list [intern.Stage]uint32
	at, mask := list[:len(hashes)], len(t.slots)/slotBytes-1
	for j, h := range hashes {
		at[j] = uint32(int(h) & mask)
	}
	prefetch.Rows(t.slots, slotBytes, at)
	for j, i := range at {
		at[j] = max(1, binary.LittleEndian.Uint32(t.slots[int(i)*slotBytes+4:])) - 1
	}
	prefetch.Rows(t.ends, 8, at)
	prefetch.Rows(t.weights, len(t.weights)/max(1, t.terms), at)
	for j, number := range at {
		at[j] = 0
		if 0 < number && int(number) <= t.terms {
			at[j] = uint32(binary.LittleEndian.Uint64(t.ends[8*(number-1):]))
		}
	}
	prefetch.Elements(t.arena, at)
}

// AddRow adds v times the weights of a term to sums, by class.
func (t *Table) AddRow(sums []float64, number int, v float64) {
	if t.low == nil {
		row := t.weights[4*number*len(sums):]
		for k := range sums {
			sums[k] += v * float64(math.Float32frombits(binary.LittleEndian.Uint32(row[4*k:])))
		}
		return
	}
	row := t.weights[number*len(sums):]
	for k := range sums {
		sums[k] += v * (t.low[k] + t.step[k]*float64(row[k]))
	}
}

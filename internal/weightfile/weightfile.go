// Package weightfile holds the weights of terms as bytes that are searched in place,
// so that a file of millions of them is ready when it is mapped. The format is
// described in docs/format.md, under "Frozen files".
//
// Each term has a row of weights, a number of 32 or of 8 bits for each class; or, where that is
// shorter, of gains, for the classes that have seen the term alone ([Rows]). The index is a hash table with open addressing and linear probing. A slot holds the upper half of a
// term's hash and the term's number plus one, so that most searches for a term that is not
// there end without a look at the bytes of terms.
package weightfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/modelfile"
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

// AppendFloat32s appends numbers as 32 bits.
func AppendFloat32s(b []byte, list []float64) []byte {
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

// Floats reads n numbers of 64 bits, which must be finite.
func Floats(b []byte, n int) ([]float64, error) {
	list := make([]float64, n)
	for i := range list {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		if !Finite(v) {
			return nil, errors.New("a number is not finite")
		}
		list[i] = v
	}
	return list, nil
}

// Finite reports whether all of list are numbers, and not infinite.
func Finite(list ...float64) bool {
	return !slices.ContainsFunc(list, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// appendWeights appends the size of a weight in bits, for 8-bit weights also the least
// weight of each class and its step, and then the weights, row by row.
func appendWeights(b []byte, rows []float64, classes, bits int) []byte {
	if bits != 8 {
		return AppendFloat32s(append(b, 32), rows)
	}
	// A weight w of class k is low[k] + q·step[k], where q is a byte.
	b = append(b, 8)
	low, step := steps(rows, classes)
	b = AppendFloats(AppendFloats(b, low), step)
	for i, w := range rows {
		k := i % classes
		b = append(b, quantum(w, low[k], step[k]))
	}
	return b
}

// steps returns the least weight of each class, and a 255th of the difference between the
// largest and the least.
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

// AppendIndex appends the index of terms, which are sorted: the number of slots, the slots,
// the end of each term in the bytes of all terms, and these bytes.
func AppendIndex(b []byte, terms [][]byte) []byte {
	// At most three quarters of the slots are used.
	slots := 1
	for 3*slots < 4*(len(terms)+1) {
		slots *= 2
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(slots))
	// Each term takes the first free slot from the one that its hash names.
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

// A Table reads weights and their index. However damaged the bytes are, its methods
// terminate, do not panic, and read nothing outside of them.
type Table struct {
	classes, terms int
	low, step      []float64 // of 8-bit weights or gains, by class
	weights        []byte    // rows
	gains          *gains    // in place of weights; or nil
	packed         bool      // whether weights are other than a float32 for each class
	scales         []byte    // what values are multiplied by; or nil
	slots          []byte    // of the index
	ends           []byte    // of each term in arena
	arena          []byte    // the bytes of all terms
}

// New returns a Table for a number of terms with a weight for each of a number of classes.
// Set and SetIndex give it the bytes.
func New(classes, terms int) *Table { return &Table{classes: classes, terms: terms} }

// Set makes t read the weights from b, the payload of the section with this tag that
// [Rows.AppendSection] appended.
func (t *Table) Set(tag string, b []byte) error {
	if tag == modelfile.Gains {
		return t.setGains(b)
	}
	return t.setWeights(b)
}

func (t *Table) setWeights(b []byte) (err error) {
	size, head := t.classes*t.terms, 1+16*t.classes
	switch {
	case len(b) == 1+4*size && b[0] == 32:
		t.weights = b[1:]
		return nil
	case len(b) == head+size && b[0] == 8:
		t.weights, t.packed = b[head:], true
		if t.low, err = Floats(b[1:], t.classes); err == nil {
			t.step, err = Floats(b[1+8*t.classes:], t.classes)
		}
		return err
	}
	return fmt.Errorf("%d bytes for %d features of %d classes", len(b), t.terms, t.classes)
}

// SetIndex makes t read the index from b, what [AppendIndex] appended.
func (t *Table) SetIndex(b []byte) error {
	if len(b) < 8 {
		return fmt.Errorf("%d bytes", len(b))
	}
	// There must be a power of two of slots, and at least one of them is empty.
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

// errNotFinite is of a weight that is no number.
var errNotFinite = errors.New("a weight is not finite")

// CheckWeights returns an error unless all weights are finite, and of gains also unless their rows
// are in order.
func (t *Table) CheckWeights() error {
	switch {
	case t.gains != nil:
		return t.checkGains()
	case t.low != nil:
		return nil
	}
	for b := t.weights; len(b) > 0; b = b[4:] {
		if !Finite(float64(Float32At(b))) {
			return errNotFinite
		}
	}
	return nil
}

// CheckIndex returns an error unless each term can be found.
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
	// No search is longer than the table, even if the file is damaged and no slot is empty.
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

// name returns a term, or nil if the file is damaged.
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

// Prefetch prefetches what Find and AddRow will mostly read for up to [intern.Batch]
// terms with these hashes: the slots of all, then what the slots refer to, so that the
// processor waits for many reads at once. It is not inlined, since its list would be allocated in
// a caller of another package.
//
//go:noinline
func (t *Table) Prefetch(hashes []uint64) {
	var list [intern.Batch]uint32
	at, mask := list[:len(hashes)], len(t.slots)/slotBytes-1
	for j, h := range hashes {
		at[j] = uint32(int(h) & mask)
	}
	prefetch.Rows(t.slots, slotBytes, at)
	// Mostly a term is in its first slot. An empty slot is taken for one of the first term.
	for j, i := range at {
		at[j] = max(1, binary.LittleEndian.Uint32(t.slots[int(i)*slotBytes+4:])) - 1
	}
	prefetch.Rows(t.ends, 8, at)
	if t.gains != nil {
		t.gains.prefetch(at)
	} else {
		prefetch.Rows(t.weights, len(t.weights)/max(1, t.terms), at)
	}
	prefetch.Rows(t.scales, 4, at)
	// The bytes of the terms, where the ones before them end.
	for j, number := range at {
		at[j] = 0
		if 0 < number && int(number) <= t.terms {
			at[j] = uint32(binary.LittleEndian.Uint64(t.ends[8*(number-1):]))
		}
	}
	prefetch.Elements(t.arena, at)
}

// AddRow adds v times the weights of a term to sums, by class; of gains without what AddEach adds.
// It returns what the term adds to every class, v times which is part of what AddEach is given.
func (t *Table) AddRow(sums []float64, number int, v float64) (unseen float64) {
	if t.packed { // a call, so that the loop below is inlined
		return t.addPacked(sums, number, v)
	}
	row := t.weights[4*number*len(sums):]
	for k := range sums {
		sums[k] += v * float64(Float32At(row[4*k:]))
	}
	return 0
}

// addPacked is AddRow of gains, and of weights of 8 bits.
func (t *Table) addPacked(sums []float64, number int, v float64) (unseen float64) {
	if t.gains != nil {
		return t.addGains(sums, number, v)
	}
	t.addQuanta(sums, t.weights[number*len(sums):], v)
	return 0
}

// AddEach adds to sums what the rows of terms have in common: n is the sum of the values v of
// AddRow, and unseen that of the values times what it returned.
func (t *Table) AddEach(sums []float64, n, unseen float64) {
	if t.gains == nil {
		return
	}
	for k, bias := range t.gains.bias {
		sums[k] += n*bias + unseen*t.gains.scale[k]
	}
}

// addQuanta adds v times the 8-bit numbers that row begins with.
func (t *Table) addQuanta(sums []float64, row []byte, v float64) {
	row, low, step := row[:len(sums)], t.low[:len(sums)], t.step[:len(sums)]
	for k := range sums {
		sums[k] += v * (low[k] + step[k]*float64(row[k]))
	}
}

// Float32At returns the float32 that b begins with.
func Float32At(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

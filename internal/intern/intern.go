// Package intern numbers byte strings: equal strings get equal numbers, in the
// order in which they were first seen.
//
// A [Table] stores each string once, in one arena, beside an open-addressing
// index. Looking up allocates nothing.
package intern

import (
	"bytes"
	"hash/maphash"
)

var seed = maphash.MakeSeed()

// Hash returns the hash of b that the methods of [Table] expect. It differs
// from process to process and must not be stored.
func Hash(b []byte) uint64 { return maphash.Bytes(seed, b) }

// A Table numbers byte strings from zero. The zero Table is empty and ready to
// use. It may be read by many goroutines while none changes it.
type Table struct {
	slots  []slot // a power of two of them, at most 3/4 used
	hashes []uint64
	ends   []int // ends[i] is where string i ends in arena
	arena  []byte
}

// A slot names a string by its number plus one; zero is an empty slot. The tag
// is the upper half of the string's hash, which spares most comparisons.
type slot struct{ tag, number uint32 }

// Len returns how many strings t holds.
func (t *Table) Len() int { return len(t.ends) }

// Bytes returns string i, which must not be modified.
func (t *Table) Bytes(i int) []byte {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.arena[start:t.ends[i]:t.ends[i]]
}

// Hash returns the hash of string i.
func (t *Table) Hash(i int) uint64 { return t.hashes[i] }

// Lookup returns the number of b, whose hash is h, and whether it has one.
func (t *Table) Lookup(h uint64, b []byte) (int, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s.number == 0 {
			return 0, false
		}
		if s.tag == uint32(h>>32) && bytes.Equal(t.Bytes(int(s.number-1)), b) {
			return int(s.number - 1), true
		}
	}
}

// Insert returns the number of b, whose hash is h, and copies b into t if it
// is new.
func (t *Table) Insert(h uint64, b []byte) int {
	if i, ok := t.Lookup(h, b); ok {
		return i
	}
	t.append(h, b)
	return len(t.ends) - 1
}

// Append gives b, which must be new, the next number.
func (t *Table) Append(b []byte) { t.append(Hash(b), b) }

func (t *Table) append(h uint64, b []byte) {
	if 4*(len(t.ends)+1) > 3*len(t.slots) {
		t.grow()
	}
	t.arena = append(t.arena, b...)
	t.ends = append(t.ends, len(t.arena))
	t.hashes = append(t.hashes, h)
	t.place(h, uint32(len(t.ends)))
}

func (t *Table) grow() {
	t.slots = make([]slot, max(64, 2*len(t.slots)))
	for i, h := range t.hashes {
		t.place(h, uint32(i+1))
	}
}

func (t *Table) place(h uint64, number uint32) {
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i].number != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = slot{uint32(h >> 32), number}
}

// Clone returns a copy of t.
func (t *Table) Clone() Table {
	return Table{
		slots:  append([]slot(nil), t.slots...),
		hashes: append([]uint64(nil), t.hashes...),
		ends:   append([]int(nil), t.ends...),
		arena:  append([]byte(nil), t.arena...),
	}
}

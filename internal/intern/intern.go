// Package intern numbers byte strings: equal strings get equal numbers, in the
// order in which they were first seen.
//
// A [Table] stores each string once, in one arena, beside an open-addressing
// index. Looking up allocates nothing.
package intern

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// A Key stands for a byte string in a [Table]. Strings of up to 15 bytes, as
// most words are, have keys of their own; of longer ones a key is a hash.
// Keys differ from process to process and must not be stored.
type Key struct{ low, high uint64 }

// The last byte of a key is the length of the string, or long.
const (
	lengthShift = 56
	longest     = 15
	long        = 0xff << lengthShift
)

// keep are masks of the first n of 16 bytes, and the key's last byte.
var keep = func() (masks [longest + 1]struct{ low, high, length uint64 }) {
	for n := range masks {
		m := &masks[n]
		m.low = ^uint64(0) >> (8 * max(0, 8-n))
		m.high = ^uint64(0) >> (8 * min(8, 16-n))
		m.length = uint64(n) << lengthShift
	}
	return masks
}()

// KeyOf returns the key of b. It reads up to 16 bytes of what b has room for
// instead of branching on b's length.
func KeyOf(b []byte) Key {
	n := len(b)
	if n > longest {
		return Key{maphash.Bytes(seed, b), uint64(n) | long}
	}
	if cap(b) < 16 {
		b = append(make([]byte, 0, 16), b...)
	}
	w, m := b[:16], &keep[n]
	return Key{
		binary.LittleEndian.Uint64(w) & m.low,
		binary.LittleEndian.Uint64(w[8:])&m.high | m.length,
	}
}

var (
	seed  = maphash.MakeSeed()
	seeds = [2]uint64{maphash.Comparable(seed, 0), maphash.Comparable(seed, 1)}
)

// Hash returns a hash of the key.
func (k Key) Hash() uint64 { return Hash(k.low, k.high) }

// Hash returns a hash of two numbers: their folded product, as wyhash mixes them, and
// once more multiplied and folded, since keys of one length differ in one half only, and
// the first product alone would be linear in it. It differs from process to process.
func Hash(a, b uint64) uint64 {
	high, low := bits.Mul64(a^seeds[0], b^seeds[1])
	h := (high ^ low) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	return h ^ h>>32
}

// Exact reports whether no two strings have the key.
func (k Key) Exact() bool { return k.high < long }

// A Table numbers byte strings from zero. The zero Table is empty and ready to
// use. It may be read by many goroutines while none changes it.
type Table struct {
	slots []uint32 // a power of two of them, at most 3/4 used
	keys  []Key
	ends  []int // ends[i] is where string i ends in arena
	arena []byte
}

// A slot is zero, or the number of a string plus one, which takes as many bits as
// the index of a slot, and above it as much of the key's hash as there is room for,
// which spares most comparisons. Small slots keep the index in the caches.

// Len returns how many strings t holds.
func (t *Table) Len() int { return len(t.keys) }

// Bytes returns string i, which must not be modified.
func (t *Table) Bytes(i int) []byte {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.arena[start:t.ends[i]:t.ends[i]]
}

// Key returns the key of string i.
func (t *Table) Key(i int) Key { return t.keys[i] }

// Lookup returns the number of b, whose key is k, and whether it has one.
func (t *Table) Lookup(k Key, b []byte) (int, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	h, mask := k.Hash(), uint32(len(t.slots)-1)
	tag := uint32(h>>32) &^ mask
	for i := uint32(h); ; i++ {
		s := t.slots[i&mask]
		if s == 0 {
			return 0, false
		}
		if n := int(s&mask) - 1; s&^mask == tag && t.is(n, k, b) {
			return n, true
		}
	}
}

// is reports whether b, whose key is k, is string i.
func (t *Table) is(i int, k Key, b []byte) bool {
	return t.keys[i] == k && (k.Exact() || bytes.Equal(t.Bytes(i), b))
}

// Stage is how many keys may be guessed at a time.
const Stage = 64

// Guess sets guesses[j], for each of up to Stage keys, to the number that its string
// probably has, or to -1 if it is not known without searching. It reads memory in
// loops so short that the processor asks for all of it before the first answer comes,
// where in Lookup each search waits for its own answers.
func (t *Table) Guess(keys []Key, guesses []int32) {
	if len(t.keys) == 0 {
		for j := range guesses {
			guesses[j] = -1
		}
		return
	}
	mask := uint32(len(t.slots) - 1)
	var slots, tags [Stage]uint32
	for j, k := range keys {
		h := k.Hash()
		slots[j], tags[j] = uint32(h)&mask, uint32(h>>32)
	}
	for j := range guesses {
		slots[j] = t.slots[slots[j]]
	}
	for j := range guesses {
		n := int32(slots[j]&mask) - 1
		if (slots[j]^tags[j])&^mask != 0 {
			n = -1
		}
		guesses[j] = n
	}
	t.touchKeys(guesses)
}

// touchKeys reads keys that Confirm will need.
//
//go:noinline
func (t *Table) touchKeys(numbers []int32) (all uint64) {
	for _, n := range numbers {
		all |= t.keys[n&^(n>>31)].high // the first, if the number is -1
	}
	return all
}

// Confirm reports whether the number of b, whose key is k, was guessed right.
func (t *Table) Confirm(guess int32, k Key, b []byte) bool {
	return guess >= 0 && t.is(int(guess), k, b)
}

// Surely reports whether the number of the one string that has k was guessed right. If
// not, Confirm may still find that it was.
func (t *Table) Surely(guess int32, k Key) bool {
	return guess >= 0 && t.keys[guess] == k && k.Exact()
}

// Insert returns the number of b, whose key is k, and copies b into t if it
// is new.
func (t *Table) Insert(k Key, b []byte) int {
	if i, ok := t.Lookup(k, b); ok {
		return i
	}
	t.append(k, b)
	return len(t.keys) - 1
}

// InsertAll inserts the strings of o, and returns the numbers that they have in t.
func (t *Table) InsertAll(o *Table) []int32 {
	numbers := make([]int32, o.Len())
	for from := 0; from < len(numbers); from += Stage {
		n := min(Stage, len(numbers)-from)
		keys, guesses := o.keys[from:from+n], numbers[from:from+n]
		t.Guess(keys, guesses)
		for j, k := range keys {
			if b := o.Bytes(from + j); !t.Confirm(guesses[j], k, b) {
				guesses[j] = int32(t.Insert(k, b))
			}
		}
	}
	return numbers
}

// Append gives b, which must be new, the next number.
func (t *Table) Append(b []byte) { t.append(KeyOf(b), b) }

func (t *Table) append(k Key, b []byte) {
	if 4*(len(t.keys)+1) > 3*len(t.slots) {
		t.grow()
	}
	t.arena = append(t.arena, b...)
	t.ends = append(t.ends, len(t.arena))
	t.keys = append(t.keys, k)
	t.place(k, uint32(len(t.keys)))
}

// Reserve makes room for n more strings, of size bytes in all.
func (t *Table) Reserve(n, size int) {
	t.arena = slices.Grow(t.arena, size)
	t.ends, t.keys = slices.Grow(t.ends, n), slices.Grow(t.keys, n)
	if slots := t.slotsFor(len(t.keys) + n); slots > len(t.slots) {
		t.spread(slots)
	}
}

// slotsFor returns how many slots t needs for n strings, and no fewer than it has.
func (t *Table) slotsFor(n int) int {
	slots := max(64, len(t.slots))
	for 4*n > 3*slots {
		slots *= 2
	}
	return slots
}

// AppendAll appends n strings, which must be new, on all cores, and leaves room for some
// more. The i-th is of length(i) bytes, which is what next appends to b.
func (t *Table) AppendAll(n int, length func(i int) int, next func(b []byte, i int) []byte) {
	first := len(t.ends)
	t.ends, t.keys = slices.Grow(t.ends, n+n/8), slices.Grow(t.keys, n+n/8)[:first+n]
	end := len(t.arena)
	for i := range n {
		end += length(i)
		t.ends = append(t.ends, end)
	}
	size := end - len(t.arena)
	t.arena = slices.Grow(t.arena, size+size/8)[:end]
	const part = 1 << 12
	var wg sync.WaitGroup
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += part {
		cores <- struct{}{}
		wg.Go(func() {
			to := first + min(from+part, n) // KeyOf must not read what is written beyond
			for i := first + from; i < to; i++ {
				b := t.arena[t.ends[i]-len(t.Bytes(i)) : t.ends[i] : t.ends[to-1]]
				next(b[:0], i-first)
				t.keys[i] = KeyOf(b)
			}
			<-cores
		})
	}
	wg.Wait()
	t.spread(t.slotsFor(len(t.keys)))
}

// grow makes room for twice as many strings.
func (t *Table) grow() {
	slots := max(64, 2*len(t.slots))
	most := 3 * slots / 4
	t.ends, t.keys = slices.Grow(t.ends, most-len(t.ends)), slices.Grow(t.keys, most-len(t.keys))
	t.spread(slots)
}

// spread makes the index anew, of so many slots.
func (t *Table) spread(slots int) {
	t.slots = make([]uint32, slots)
	for i, k := range t.keys {
		t.place(k, uint32(i+1))
	}
}

func (t *Table) place(k Key, number uint32) {
	h, mask := k.Hash(), uint32(len(t.slots)-1)
	i := uint32(h) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = uint32(h>>32)&^mask | number
}

// Clone returns a copy of t.
func (t *Table) Clone() Table {
	return Table{
		slots: append([]uint32(nil), t.slots...),
		keys:  append([]Key(nil), t.keys...),
		ends:  append([]int(nil), t.ends...),
		arena: append([]byte(nil), t.arena...),
	}
}

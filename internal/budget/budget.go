// Package budget shares a limited quantity, such as bytes of memory, between holders, so
// that no holder can take it from the others.
//
// A [Budget] refuses at once what it cannot grant. A holder is granted n more if what it
// then holds is at most what is then still free:
//
//	held + n ≤ free - n
//
// So a single holder gets at most half, two holders a third each, and k holders together
// k/(k+1): the last 1/(k+1) is there for the next one, whoever that is. This is the dynamic
// threshold of Choudhury and Hahne (Dynamic queue length thresholds for shared-memory packet
// switches, 1998) with a factor of one. Each step takes constant time.
//
// A [Queue] lets work wait for its turn instead.
package budget

import "sync"

// A Budget is a quantity that holders share. Its methods may be called by many goroutines
// at once.
type Budget struct {
	size int64

	mu   sync.Mutex
	free int64
	held map[string]int64 // by holder; none is zero
}

// New returns a Budget of a size.
func New(size int64) *Budget { return &Budget{size: size, free: size, held: make(map[string]int64)} }

// Most returns the most that a holder can have: half of the size, rounded up.
func (b *Budget) Most() int64 { return (b.size + 1) / 2 }

// Held returns what a holder has.
func (b *Budget) Held(holder string) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held[holder]
}

// Take gives a holder n more, and reports whether it did.
func (b *Budget) Take(holder string, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.held[holder]
	if held+n > b.free-n+1 { // one more, so that half of an odd size is rounded up
		return false
	}
	b.held[holder] = held + n
	b.free -= n
	return true
}

// Give takes back n of what a holder was given.
func (b *Budget) Give(holder string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
	if b.held[holder] -= n; b.held[holder] == 0 {
		delete(b.held, holder)
	}
}

// Package mt19937 is the Mersenne Twister as NumPy's RandomState seeds and uses
// it, for splits that are to pick the very rows that scikit-learn picks
// (Matsumoto and Nishimura 1998; NumPy's legacy generator is frozen for good).
package mt19937

import "gonum.org/v1/gonum/mathext/prng"

// A Source yields the numbers of RandomState(seed).
type Source struct{ *prng.MT19937 }

// New returns the Source of a seed.
func New(seed uint32) *Source {
	s := &Source{prng.NewMT19937()}
	s.Seed(uint64(seed))
	return s
}

// interval returns a number in [0, most]: bits under the smallest mask that
// covers most, drawn again until they fit.
func (s *Source) interval(most uint32) uint32 {
	if most == 0 {
		return 0
	}
	mask := most
	for shift := 1; shift < 32; shift *= 2 {
		mask |= mask >> shift
	}
	for {
		if v := s.Uint32() & mask; v <= most {
			return v
		}
	}
}

// Shuffle permutes list as RandomState.shuffle does.
func (s *Source) Shuffle(list []int) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.interval(uint32(i))
		list[i], list[j] = list[j], list[i]
	}
}

// Permutation returns the numbers from 0 to n-1 as RandomState.permutation
// orders them.
func (s *Source) Permutation(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	s.Shuffle(list)
	return list
}

// Package mt19937 is the Mersenne Twister as NumPy's RandomState seeds and uses
// it, for splits that are to pick the very rows that scikit-learn picks
// (Matsumoto and Nishimura 1998; NumPy's legacy generator is frozen for good).
package mt19937

const (
	size   = 624
	period = 397
)

// A Source yields the numbers of RandomState(seed).
type Source struct {
	state [size]uint32
	next  int
}

// New returns the Source of a seed.
func New(seed uint32) *Source {
	s := &Source{next: size}
	for i := range s.state {
		s.state[i] = seed
		seed = 1812433253*(seed^seed>>30) + uint32(i) + 1
	}
	return s
}

// Uint32 returns the next 32 random bits.
func (s *Source) Uint32() uint32 {
	if s.next == size {
		s.twist()
	}
	y := s.state[s.next]
	s.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (s *Source) twist() {
	for i := range s.state {
		y := s.state[i]&0x80000000 | s.state[(i+1)%size]&0x7fffffff
		s.state[i] = s.state[(i+period)%size] ^ y>>1 ^ y&1*0x9908b0df
	}
	s.next = 0
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

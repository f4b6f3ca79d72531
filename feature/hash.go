package feature

import (
	"encoding/binary"
	"math/bits"
)

// Hash returns the MurmurHash3 of term: Austin Appleby's MurmurHash3_x86_32 with
// a seed, as a signed number, as scikit-learn's murmurhash3_32 returns it.
func Hash(term []byte, seed uint32) int32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*c1, 15) * c2 }
	h, n := seed, len(term)
	for ; len(term) >= 4; term = term[4:] {
		h = bits.RotateLeft32(h^mix(binary.LittleEndian.Uint32(term)), 13)*5 + 0xe6546b64
	}
	var tail uint32
	for i := len(term) - 1; i >= 0; i-- {
		tail = tail<<8 | uint32(term[i])
	}
	if len(term) > 0 {
		h ^= mix(tail)
	}
	h ^= uint32(n)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int32(h ^ h>>16)
}

// Column returns the column of term among the n of a hashed feature space, from
// 0 to n-1, and its sign, 1 or -1: as scikit-learn's FeatureHasher does, the
// absolute value of [Hash] with seed 0, modulo n. The sign lets terms that meet
// in a column cancel out on average, for linear models; counts have no use for it.
func Column(term []byte, n int) (column, sign int) {
	h := int64(Hash(term, 0))
	if h < 0 {
		return int(-h % int64(n)), -1
	}
	return int(h % int64(n)), 1
}

package text

// This file works on eight bytes in one word of 64 bits (SWAR). Comparing each byte
// with a bound is one addition: a byte without its high bit, plus 0x80-bound, has its
// high bit set exactly if the byte is at least the bound, and never carries into the
// next one. Processors with AVX2 work on 32 bytes instead: see avx2_amd64.s.

const (
	ones  = 0x0101010101010101 // 1 in each byte
	highs = 0x80 * ones        // the high bit of each byte
)

// lowerASCII lower-cases the ASCII letters among eight bytes and leaves all other
// bytes alone.
func lowerASCII(x uint64) uint64 {
	low := x &^ highs
	// The high bits of the bytes from 'A' on, less those behind 'Z'.
	upper := (low + (0x80-'A')*ones) ^ (low + (0x7f-'Z')*ones)
	// Bytes that are not ASCII drop out. 0x80>>2 is 'a'-'A'.
	return x | (upper &^ x & highs >> 2)
}

// caselessBytes returns how many of eight bytes, 6, 3 or 0, are characters of three
// bytes in blocks that have no case. It judges a block by the first byte alone.
func caselessBytes(x uint64) int {
	const form, shape = 0xc0c0f0_c0c0f0, 0x8080e0_8080e0                         // of two characters of three bytes
	const first = 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<9 | 1<<11 | 1<<12 // U+3000 to U+9FFF, U+B000 to U+CFFF
	// Both characters are compared with the pattern 1110xxxx 10xxxxxx 10xxxxxx at once.
	differs := x&form ^ shape
	if differs&0xffffff != 0 || first>>(x&0xf)&1 == 0 {
		return 0
	}
	if differs != 0 || first>>(x>>24&0xf)&1 == 0 {
		return 3
	}
	return 6
}

// wordBytes classifies eight bytes. Each result has the high bits of the bytes of its
// class: word of ASCII letters, digits and underscores, middle of what can stand in the
// middle of a word, and outside of what is not ASCII.
func wordBytes(x uint64) (word, middle, outside uint64) {
	low, outside := x&^highs, x&highs
	small := low | 0x20*ones // both cases become one
	letters := (small + (0x80-'a')*ones) &^ (small + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	// A byte is zero exactly if adding 0x7f leaves its high bit clear. An or with the bits
	// in which two characters differ compares with both of them.
	notUnderscore := low ^ '_'*ones + 0x7f*ones
	notDotComma := (low | (','^'.')*ones) ^ '.'*ones + 0x7f*ones
	notColons := (low | (':'^';')*ones) ^ ';'*ones + 0x7f*ones
	notQuote := low ^ '\''*ones + 0x7f*ones
	inside := highs &^ outside
	return (letters | digits | ^notUnderscore) & inside, inside &^ (notDotComma & notColons & notQuote), outside
}

// packHighBits moves the high bits of eight bytes to the lowest eight bits. The factor
// shifts each of them to a place of its own in the highest byte.
func packHighBits(x uint64) uint64 { return x >> 7 * 0x0102040810204080 >> 56 }

package text

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// lowerASCII lower-cases the ASCII letters among eight bytes and leaves all
// others: a byte is upper-case if adding 0x80-'A' to it sets its high bit and
// adding 0x7f-'Z' does not.
func lowerASCII(x uint64) uint64 {
	low := x &^ highs
	upper := (low + (0x80-'A')*ones) ^ (low + (0x7f-'Z')*ones)
	return x | (upper &^ x & highs >> 2)
}

// caselessBytes returns 6 or 3 if as many of eight bytes are characters of three
// bytes in blocks without case, by their first byte alone, else 0.
func caselessBytes(x uint64) int {
	const form, shape = 0xc0c0f0_c0c0f0, 0x8080e0_8080e0                         // of two characters of three bytes
	const first = 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<9 | 1<<11 | 1<<12 // U+3000 to U+9FFF, U+B000 to U+CFFF
	differs := x&form ^ shape
	if differs&0xffffff != 0 || first>>(x&0xf)&1 == 0 {
		return 0
	}
	if differs != 0 || first>>(x>>24&0xf)&1 == 0 {
		return 3
	}
	return 6
}

// wordBytes sets the high bit of those of eight bytes that are ASCII letters,
// digits or underscores, of those that can stand in the middle of a word, and of
// those that are not ASCII. Adding to seven bits sets the high bit of a byte from
// a bound on, and never carries.
func wordBytes(x uint64) (word, middle, outside uint64) {
	low, outside := x&^highs, x&highs
	small := low | 0x20*ones
	letters := (small + (0x80-'a')*ones) &^ (small + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	notUnderscore := low ^ '_'*ones + 0x7f*ones
	notDotComma := (low | (','^'.')*ones) ^ '.'*ones + 0x7f*ones
	notColons := (low | (':'^';')*ones) ^ ';'*ones + 0x7f*ones
	notQuote := low ^ '\''*ones + 0x7f*ones
	inside := highs &^ outside
	return (letters | digits | ^notUnderscore) & inside, inside &^ (notDotComma & notColons & notQuote), outside
}

// gather moves the high bits of eight bytes to the lowest eight bits.
func gather(highBits uint64) uint64 { return highBits >> 7 * 0x0102040810204080 >> 56 }

// Package rawjson walks through JSON that is known to be valid, and decodes no
// more of it than is asked for.
//
// It is for objects whose members are known only at run time, such as the columns of a
// file of JSON lines. The gain, as ratios of BenchmarkMembers, which reads two of six
// members, and includes the time to find out that the JSON is valid:
//
//	                                               speed   allocations
//	encoding/json, into a map of json.RawMessage   1       32
//	json.Valid and a Scanner                       1.8     6
package rawjson

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"unicode/utf16"
	"unicode/utf8"
)

// A Scanner cuts the members of an object, or the elements of an array, which
// must be valid JSON in UTF-8:
//
//	for s := rawjson.Open(object); s.Member(); {
//		fmt.Printf("%s: %s\n", s.Key, s.Value)
//	}
type Scanner struct {
	Key   []byte // of the present member, decoded; valid until the next
	Value []byte // of the present member or element, as it is written
	rest  []byte // what follows
}

// Open returns a Scanner of an object or array that begins with its first byte.
func Open(value []byte) Scanner { return Scanner{rest: value[1:]} }

// Member moves to the next member of an object, and reports whether there is
// one.
func (s *Scanner) Member() bool {
	if !s.more() {
		return false
	}
	s.Key = AppendString(s.Key[:0], s.value())
	s.next() // the colon
	s.rest = s.rest[1:]
	s.next()
	s.Value = s.value()
	return true
}

// Element moves to the next element of an array, and reports whether there is
// one.
func (s *Scanner) Element() bool {
	if !s.more() {
		return false
	}
	s.Value = s.value()
	return true
}

// more moves to where the next member or element begins.
func (s *Scanner) more() bool {
	switch s.next() {
	case '}', ']':
		return false
	case ',':
		s.rest = s.rest[1:]
		s.next()
	}
	return true
}

// next skips white space, and returns the byte after it.
func (s *Scanner) next() byte {
	s.rest = bytes.TrimLeft(s.rest, " \t\r\n")
	return s.rest[0]
}

// value cuts off the value that begins here, and returns it.
func (s *Scanner) value() []byte {
	n := 0
	switch s.rest[0] {
	case '"':
		n = stringEnd(s.rest)
	case '{', '[':
		n = nestedEnd(s.rest)
	default:
		n = bytes.IndexAny(s.rest, " \t\r\n,}]")
	}
	v := s.rest[:n]
	s.rest = s.rest[n:]
	return v
}

// stringEnd returns the length of the string at the start of b.
func stringEnd(b []byte) int {
	for i := 1; ; {
		// A quote ends the string unless it is escaped: after an odd number of backslashes.
		quote := i + bytes.IndexByte(b[i:], '"')
		escapes := quote
		for b[escapes-1] == '\\' {
			escapes--
		}
		if (quote-escapes)%2 == 0 {
			return quote + 1
		}
		i = quote + 1
	}
}

// nestedEnd returns the length of the object or array at the start of b.
func nestedEnd(b []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch b[i] {
		case '"':
			i += stringEnd(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// AppendString appends the decoded text of b, a JSON string with its quotes.
func AppendString(dst, b []byte) []byte {
	b = b[1 : len(b)-1]
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		dst, b = appendEscape(dst, b[i+1:])
	}
}

// appendEscape appends the character of the escape at the start of b, and
// returns what follows it. The backslash has been cut off.
func appendEscape(dst, b []byte) (_, rest []byte) {
	c := b[0]
	switch c {
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return appendCodeUnit(dst, b[1:])
	}
	return append(dst, c), b[1:]
}

// appendCodeUnit appends the character whose UTF-16 begins with the four
// digits at the start of b. Half a surrogate pair gives U+FFFD.
func appendCodeUnit(dst, b []byte) (_, rest []byte) {
	r := codeUnit(b)
	b = b[4:]
	// The other half of a pair is a further escape. Half a pair takes only itself.
	if utf16.IsSurrogate(r) {
		low := rune(utf8.RuneError)
		if bytes.HasPrefix(b, []byte(`\u`)) {
			low = codeUnit(b[2:])
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			b = b[6:]
		}
	}
	return utf8.AppendRune(dst, r), b
}

func codeUnit(b []byte) rune {
	var unit [2]byte
	hex.Decode(unit[:], b[:4]) // cannot fail: the JSON is valid
	return rune(binary.BigEndian.Uint16(unit[:]))
}

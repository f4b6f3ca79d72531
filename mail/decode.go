package mail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// decodeTransfer undoes a content-transfer-encoding, and leaves what it does not know as it is.
func decodeTransfer(b []byte, encoding string) []byte {
	switch encoding {
	case "base64":
		return decodeBase64(b)
	case "quoted-printable":
		return decodeQuoted(b, false)
	}
	return b
}

// decodeBase64 decodes b, passing over bytes that are not of the alphabet. Padding in the middle
// begins anew, as where two encoded texts were put together.
func decodeBase64(b []byte) []byte {
	clean := make([]byte, 0, len(b))
	out := make([]byte, 0, len(b)/4*3+3)
	flush := func() {
		if len(clean)%4 == 1 { // six bits are no byte
			clean = clean[:len(clean)-1]
		}
		n, _ := base64.RawStdEncoding.Decode(out[len(out):cap(out)], clean)
		out, clean = out[:len(out)+n], clean[:0]
	}
	for _, c := range b {
		switch {
		case 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/':
			clean = append(clean, c)
		case c == '=':
			flush()
		}
	}
	flush()
	return out
}

// decodeQuoted decodes quoted-printable; in a header _ is a space. What is no code stays as it is.
func decodeQuoted(b []byte, header bool) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '_' && header:
			out = append(out, ' ')
		case c != '=':
			out = append(out, c)
		case i+2 < len(b) && hex(b[i+1]) < 16 && hex(b[i+2]) < 16:
			out = append(out, hex(b[i+1])<<4|hex(b[i+2]))
			i += 2
		default:
			end := i + 1
			for end < len(b) && end < i+80 && (b[end] == ' ' || b[end] == '\t' || b[end] == '\r') {
				end++
			}
			if end == len(b) || b[end] == '\n' { // the line goes on
				i = end
				continue
			}
			out = append(out, c)
		}
	}
	return out
}

// hex returns the value of a digit, 16 if it is none.
func hex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}

// decodeCharset returns b as UTF-8. What no character set is named for, or none that is known, is
// UTF-8 if it can be, and else Windows-1252.
func decodeCharset(b []byte, charset string) string {
	charset = strings.ToLower(charset)
	if enc, err := htmlindex.Get(charset); err == nil && charset != "utf-8" && charset != "us-ascii" && charset != "ascii" {
		if name, _ := htmlindex.Name(enc); name != "replacement" && name != "utf-8" {
			if s, err := enc.NewDecoder().Bytes(b); err == nil {
				return string(s)
			}
		}
	}
	if utf8.Valid(b) {
		return string(b)
	}
	s := make([]byte, 0, len(b)+len(b)/8)
	for _, c := range b {
		s = utf8.AppendRune(s, charmap.Windows1252.DecodeByte(c))
	}
	return string(s)
}

// decodeHeader returns the value of a field: with its encoded words (RFC 2047) decoded, those that
// are next to each other as one, since a character may be cut by their border.
func decodeHeader(b []byte) string {
	if !bytes.Contains(b, []byte("=?")) {
		return decodeCharset(b, "")
	}
	var (
		s       strings.Builder
		pending []byte // of the words just before
		charset string
	)
	flush := func() {
		if len(pending) > 0 {
			s.WriteString(decodeCharset(pending, charset))
		}
		pending = nil
	}
	for len(b) > 0 {
		i := bytes.Index(b, []byte("=?"))
		if i < 0 {
			i = len(b)
		}
		word, set, size := encodedWord(b[i:])
		if size == 0 {
			i = min(i+2, len(b))
			flush()
			s.WriteString(decodeCharset(b[:i], ""))
			b = b[i:]
			continue
		}
		if len(bytes.TrimSpace(b[:i])) > 0 || len(pending) == 0 || !strings.EqualFold(set, charset) {
			flush()
			if len(bytes.TrimSpace(b[:i])) > 0 || s.Len() == 0 {
				s.WriteString(decodeCharset(b[:i], ""))
			}
		}
		pending, charset = append(pending, word...), set
		b = b[i+size:]
	}
	flush()
	return strings.Join(strings.FieldsFunc(s.String(), func(r rune) bool { return r == '\n' || r == '\r' || r == 0 }), " ")
}

// encodedWord decodes the encoded word that b begins with. If there is none, its size is 0.
func encodedWord(b []byte) (word []byte, charset string, size int) {
	const longest = 1000 // many writers go beyond the 75 that are allowed
	b = b[:min(len(b), longest)]
	if len(b) < 2 {
		return nil, "", 0
	}
	parts := bytes.SplitN(b[2:], []byte{'?'}, 3)
	if len(parts) < 3 || len(parts[0]) == 0 || len(parts[1]) != 1 {
		return nil, "", 0
	}
	end := bytes.Index(parts[2], []byte("?="))
	if end < 0 {
		return nil, "", 0
	}
	size = 2 + len(parts[0]) + 1 + 1 + 1 + end + 2
	set, _, _ := strings.Cut(string(parts[0]), "*") // a language may follow
	switch parts[1][0] {
	case 'b', 'B':
		return decodeBase64(parts[2][:end]), set, size
	case 'q', 'Q':
		return decodeQuoted(parts[2][:end], true), set, size
	}
	return nil, "", 0
}

package bogofilter

import (
	"bytes"
	"strings"

	"bayes/internal/lazyregexp"
)

// Lengths that a token may have, in bytes, with its mark.
const (
	shortestToken = 3
	longestToken  = 30
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// isFront reports whether a token can begin with c, isMiddle whether it can have c, and isBack whether it
// can end with c.
func isFront(c byte) bool { return isAlpha(c) || c >= 0x80 }
func isMiddle(c byte) bool {
	return c > ' ' && c != 0x7f && strings.IndexByte(`:$*<>;=()&%#@+|/\{}^"?,[]`, c) < 0
}
func isBack(c byte) bool { return isMiddle(c) && strings.IndexByte("._~'`-", c) < 0 }

// tokenEnd returns where the token ends that begins at i, and i if none does.
func tokenEnd(t []byte, i int) int {
	if i >= len(t) || !isFront(t[i]) {
		return i
	}
	end := i + 1
	for end < len(t) && isMiddle(t[end]) {
		end++
	}
	for end > i+1 && !isBack(t[end-1]) {
		end--
	}
	return end
}

// addressEnd returns where the address of four numbers ends that begins at i, and i if none does.
func addressEnd(t []byte, i int) int {
	end := i
	for n := range 4 {
		if n > 0 {
			if end >= len(t) || t[end] != '.' {
				return i
			}
			end++
		}
		start, v := end, 0
		for end < len(t) && end < start+3 && isDigit(t[end]) && 10*v+int(t[end]-'0') < 256 {
			v = 10*v + int(t[end]-'0')
			end++
		}
		if end == start {
			return i
		}
	}
	return end
}

// moneyEnd returns where the sum of dollars ends that begins at i, and i if none does.
func moneyEnd(t []byte, i int) int {
	digits := func(i int) int {
		for i < len(t) && isDigit(t[i]) {
			i++
		}
		return i
	}
	end := digits(i + 1)
	if end == i+1 {
		return i
	}
	if end < len(t) && t[end] == '.' {
		if cents := digits(end + 1); cents > end+1 {
			return cents
		}
	}
	return end
}

// plain cuts what is at i of any text, and returns where to go on.
func (m *message) plain(t []byte, i int) int {
	var end int
	switch c := t[i]; {
	case isFront(c):
		end = tokenEnd(t, i)
		m.add(t[i:end], shortestToken)
	case isDigit(c):
		if end = addressEnd(t, i); end > i {
			m.addAny(t[i:end])
		}
	case c == '$':
		if end = moneyEnd(t, i); end > i {
			m.add(t[i:end], 2)
		}
	}
	return max(i+1, end)
}

// add adds a token, of at least that length, unless it is of a body that is no text.
func (m *message) add(token []byte, least int) {
	if len(token) >= least && (m.prefix != "" || m.part().kind == "text" || m.part().kind == "html" || m.part().kind == "multipart") {
		m.addAny(token)
	}
}

// addAny adds a token, unless it is too long.
func (m *message) addAny(token []byte) {
	if n := len(m.prefix) + len(token); len(token) <= longestToken && n <= longestToken {
		m.token(m.prefix + string(token))
	}
}

var (
	tagged  = []string{"to:", "cc:", "from:", "return-path:", "subject:", "received:"}
	content = []string{"content-transfer-encoding:", "content-type:", "content-disposition:"}
	keyOnly = []string{"message-id:", "date:", "delivery-date:", "resent-message-id:", "in-reply-to:", "references:"}

	encodedWords = lazyregexp.New(`^(?:=\?[A-Za-z0-9-]+\?[bBqQ]\?[^?\n]*\?=[ \t\n]+)*=\?[A-Za-z0-9-]+\?[bBqQ]\?[^?\n]*\?=`)
	encodedWord  = lazyregexp.New(`=\?([A-Za-z0-9-]+)\?([bBqQ])\?([^?\n]*)\?=([ \t\n]*)`)
	verp         = lazyregexp.New(`^[A-Za-z\x80-\x{10ffff}][^\s:$*<>;=()&%#@+|/\\{}^"?,\[\]]*-[[:alnum:]#-]+[0-9]+[[:alnum:]#-]+-[A-Za-z\x80-\x{10ffff}][^\s:$*<>;=()&%#@+|/\\{}^"?,\[\]]*=[^\s:$*<>;=()&%#@+|/\\{}^"?,\[\]]+@[A-Za-z]`)
)

// startsWith returns which of the names t begins with, in any case; empty if none.
func startsWith(t []byte, names []string) string {
	for _, name := range names {
		if len(t) >= len(name) && strings.EqualFold(string(t[:len(name)]), name) {
			return name
		}
	}
	return ""
}

// cutField cuts a field of a header, with the lines that continue it, whose bytes it changes.
func (m *message) cutField(t []byte) {
	for i := 0; i < len(t); {
		if i == 0 || t[i-1] == '\n' {
			if next := m.fieldName(t, i); next > i {
				i = next
				continue
			}
		}
		if next, again := encodedAt(t, i); next >= 0 {
			if again != nil {
				t, next = before(t, next, again)
			}
			i = next
			continue
		}
		if next := m.parameter(t, i); next > i {
			i = next
			continue
		}
		i = m.plain(t, i)
	}
}

// before puts what was decoded in front of what is at next, behind a blank, where no field begins, and
// returns where it is. It takes the place of what was read, so that time is linear, unless that is too short.
func before(t []byte, next int, decoded []byte) (changed []byte, at int) {
	if at = next - len(decoded); at < 1 {
		return append(append([]byte{' '}, decoded...), t[next:]...), 1
	}
	t[at-1] = ' '
	copy(t[at:], decoded)
	return t, at
}

// fieldName cuts the name of a field, and returns where to go on, which is at i if it has no meaning.
func (m *message) fieldName(t []byte, i int) int {
	if name := startsWith(t[i:], tagged); name != "" {
		m.tag(name)
		return i + len(name)
	}
	if name := startsWith(t[i:], content); name != "" {
		end := i + len(name)
		for end < len(t) && isBlank(t[end]) {
			end++
		}
		for end < len(t) && (isAlnum(t[end]) || t[end] == '/' || t[end] == '-') {
			end++
		}
		m.setContent(name[9], string(t[i+len(name):end]))
		m.tag("h")
		m.add(t[i:i+len(name)-1], shortestToken)
		return i + len(name) - 1
	}
	if name := startsWith(t[i:], keyOnly); name != "" {
		m.tag("h")
		m.add(t[i:i+len(name)-1], shortestToken)
		if end := bytes.IndexByte(t[i:], '\n'); end >= 0 {
			return i + end
		}
		return len(t)
	}
	if isFront(t[i]) {
		m.tag("h")
	}
	return i
}

// parameter cuts what has a meaning within a field, and returns where to go on, which is at i if nothing
// has.
func (m *message) parameter(t []byte, i int) int {
	rest := t[i:]
	switch t[i] | 0x20 {
	case 'b':
		if name := startsWith(rest, []string{"boundary="}); name != "" {
			end := i + len(name)
			for end < len(t) && t[end] == ' ' {
				end++
			}
			if end < len(t) && t[end] == '"' {
				end++
			}
			end += boundaryEnd(t[end:])
			for end > i && t[end-1] == ' ' {
				end--
			}
			if end < len(t) && t[end] == '"' {
				end++
			}
			m.part().boundary = firstWord(string(t[i+len(name) : end]))
			return end
		}
	case 'c':
		if name := startsWith(rest, []string{"charset="}); name != "" {
			value := bytes.TrimPrefix(rest[len(name):], []byte{'"'})
			n := 0
			for n < len(value) && (isAlnum(value[n]) || value[n] == '-') {
				n++
			}
			if n > 0 {
				m.convert = decoder(string(value[:n]))
				m.tag("h")
				m.add(rest[:len(name)-1], shortestToken)
				return i + len(name) - 1
			}
		}
	case 'f', 'n':
		if name := startsWith(rest, []string{"filename=", "name="}); name != "" {
			return i + len(name)
		}
	case ' ', '\t' | 0x20:
		return queueEnd(t, i)
	}
	return m.returnPath(t, i)
}

// queueEnd returns where the number ends that a server gave a message, after a blank and id; i if there is
// none.
func queueEnd(t []byte, i int) int {
	if !isBlank(t[i]) || startsWith(t[i+1:], []string{"id"}) == "" {
		return i
	}
	start := i + 3
	end := start
	for end < len(t) && (isBlank(t[end]) || t[end] == '\n') {
		end++
	}
	if end == start {
		return i
	}
	if end < len(t) && t[end] == '<' {
		end++
	}
	start = end
	for end < len(t) && (isAlnum(t[end]) || t[end] == '-' || t[end] == '.') {
		end++
	}
	if end == start {
		return i
	}
	if end < len(t) && t[end] == '>' {
		end++
	}
	return end
}

// returnPath cuts an address that is another for each recipient, whose numbers become #.
func (m *message) returnPath(t []byte, i int) int {
	const longest = 256
	rest := t[i:min(len(t), i+longest)]
	at := bytes.IndexByte(rest, '=')
	if !isFront(t[i]) || at < 0 || bytes.ContainsAny(rest[:at], " \t\n") || !verp().Match(rest) {
		return i
	}
	token := rest[:at]
	if first, last := bytes.IndexByte(token, '-'), bytes.LastIndexByte(token, '-'); last-first > 3 {
		token = append(append(append([]byte{}, token[:first]...), "-#"...), token[last:]...)
	}
	m.addAny(token)
	return i + at
}

// encodedAt decodes the encoded words that begin at i, perhaps behind letters. It returns
// where they end, -1 if there are none, and what to cut in their place.
func encodedAt(t []byte, i int) (end int, decoded []byte) {
	start := i
	if isFront(t[i]) {
		for start < min(len(t), i+longestMerged) && isMiddle(t[start]) {
			start++
		}
	}
	if !bytes.HasPrefix(t[start:], []byte("=?")) {
		return -1, nil
	}
	found := encodedWords().Find(t[start:])
	if found == nil {
		return -1, nil
	}
	decoded = append(decoded, t[i:start]...)
	for _, w := range encodedWord().FindAllSubmatch(found, -1) {
		s := w[3]
		if w[2][0]|0x20 == 'b' {
			s = decodeBase64(s)
		} else if !bytes.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			s = decodeQuoted(s, false)
		}
		decoded = append(decoded, decodeWord(string(w[1]), s)...)
	}
	// What is decoded is not decoded again, so that it ends.
	return start + len(found), bytes.ReplaceAll(decoded, []byte("=?"), []byte("= "))
}

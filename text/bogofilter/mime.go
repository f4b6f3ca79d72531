package bogofilter

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
)

// A part is an entity that is being read: a message, or a part of one.
type part struct {
	kind     string // text, html, multipart, message, other
	encoding string // lower-cased
	boundary string
	raw      bool // whether its body is left as it is
}

func newPart() part { return part{kind: "text", encoding: "7bit"} }

// A message is the state of cutting one.
type message struct {
	rest    []byte // the lines to be read
	parts   []part // the innermost last
	prefix  string // of tokens; empty in bodies
	convert func([]byte) []byte
	token   func(string)
}

func (m *message) part() *part { return &m.parts[len(m.parts)-1] }

// read cuts the message: headers and bodies take turns.
func (m *message) read() {
	for m.tag("h"); len(m.rest) > 0; {
		if !m.readHeader() {
			continue // a boundary, and so another header
		}
		if m.part().kind == "message" {
			const deepest = 1000
			if m.tag("h"); len(m.parts) < deepest {
				m.parts = append(m.parts, newPart())
			}
			continue
		}
		m.prefix = ""
		m.readBody()
	}
}

// line takes the next line off the rest.
func (m *message) line() []byte {
	n := bytes.IndexByte(m.rest, '\n') + 1
	if n == 0 {
		n = len(m.rest)
	}
	line := m.rest[:n]
	m.rest = m.rest[n:]
	return line
}

// unixEnd returns a line with its end \r\n made \n.
func unixEnd(line []byte) []byte {
	if bytes.HasSuffix(line, []byte("\r\n")) {
		return append(line[:len(line)-2:len(line)-2], '\n')
	}
	return line
}

// readHeader cuts a header, and reports whether it ended at an empty line.
func (m *message) readHeader() bool {
	const longest = 64 << 10
	for len(m.rest) > 0 {
		line := m.line()
		if m.isBoundary(line) {
			m.enter(line)
			return false
		}
		if len(m.parts) == 1 && bytes.HasPrefix(line, []byte("X-Bogosity:")) {
			for len(m.rest) > 0 && (m.rest[0] == ' ' || m.rest[0] == '\t') {
				m.line()
			}
			continue
		}
		if line = unixEnd(line); len(line) == 1 && line[0] == '\n' {
			return true
		}
		field := bytes.Clone(m.convert(line))
		for len(m.rest) > 0 && (m.rest[0] == ' ' || m.rest[0] == '\t') && len(field) < longest {
			field = append(field, m.convert(unixEnd(m.line()))...)
		}
		m.cutField(field)
	}
	return false
}

// readBody cuts a body, to a boundary or the end.
func (m *message) readBody() {
	var body []byte
	for len(m.rest) > 0 {
		line := m.line()
		if m.isBoundary(line) {
			m.cutBody(body)
			m.enter(line)
			return
		}
		if m.part().raw {
			body = append(body, unixEnd(line)...)
			continue
		}
		body = append(body, unixEnd(m.convert(m.part().decode(line)))...)
	}
	m.cutBody(body)
}

// boundaryOf returns which part's boundary a line is, and whether it is the last; -1 if it is none.
func (m *message) boundaryOf(line []byte) (at int, last bool) {
	if len(line) < 3 || line[0] != '-' || line[1] != '-' {
		return -1, false
	}
	line = bytes.TrimRight(line, "\r\n")
	for at := len(m.parts) - 1; at >= 0; at-- {
		p := &m.parts[at]
		rest, ok := bytes.CutPrefix(line[min(2, len(line)):], []byte(p.boundary))
		if ok && p.boundary != "" && (p.kind == "multipart" || p.kind == "message") && (len(rest) == 0 || len(rest) == 2) {
			return at, string(rest) == "--"
		}
	}
	return -1, false
}

func (m *message) isBoundary(line []byte) bool {
	at, _ := m.boundaryOf(line)
	return at >= 0
}

// enter goes to the part that a boundary begins.
func (m *message) enter(line []byte) {
	at, last := m.boundaryOf(line)
	if m.parts = m.parts[:at+1]; !last {
		m.parts = append(m.parts, newPart())
	}
	m.tag("h")
	// Signs that boundaries seldom have make it a line of the header.
	line = bytes.TrimRight(line, "\r\n")
	if end := boundaryEnd(line); end < len(line) {
		m.cutField(append(bytes.Clone(line), '\n'))
	}
}

// boundaryEnd returns where the signs of a usual boundary end.
func boundaryEnd(b []byte) int {
	for i, c := range b {
		if !isAlnum(c) && strings.IndexByte("()+_,-./:=?#' ", c) < 0 {
			return i
		}
	}
	return len(b)
}

// tag sets what tokens are marked with: that of the field which begins with this letter, or h.
func (m *message) tag(field string) {
	n := len(m.parts)
	if n > 1 && m.parts[n-2].kind == "message" {
		m.prefix = ""
		return
	}
	switch strings.ToLower(field)[0] {
	case 'c', 't':
		m.prefix = "to:"
	case 'f':
		m.prefix = "from:"
	case 's':
		m.prefix = "subj:"
	case 'r':
		if m.prefix = "rcvd:"; len(field) > 2 && (field[2] == 't' || field[2] == 'T') {
			m.prefix = "rtrn:"
		}
	default:
		if m.prefix = "head:"; n > 1 {
			m.prefix = "mime:"
		}
	}
}

// setContent reads the value of a field Content-...: the letter is the tenth of its name.
func (m *message) setContent(letter byte, value string) {
	word, p := firstWord(value), m.part()
	if word == "" {
		return
	}
	switch letter {
	case 'r':
		p.encoding = strings.ToLower(word)
	case 'y':
		word = strings.ToLower(word)
		p.kind = "other"
		for _, kind := range []struct{ prefix, name string }{
			{"text/html", "html"}, {"text", "text"}, {"message/", "message"}, {"multipart/", "multipart"},
		} {
			if strings.HasPrefix(word, kind.prefix) {
				p.kind = kind.name
				return
			}
		}
		for _, prefix := range []string{"application/", "image/", "audio/", "video/"} {
			p.raw = p.raw || strings.HasPrefix(word, prefix)
		}
	}
}

// firstWord returns the first word of a value, quoted or not.
func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t")
	if quoted, ok := strings.CutPrefix(s, `"`); ok {
		s, _, _ = strings.Cut(quoted, `"`)
		return s
	}
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		s = s[:i]
	}
	return s
}

// decode undoes the encoding of a line. What decodes to nothing stays as it is.
func (p *part) decode(line []byte) []byte {
	var out []byte
	switch p.encoding {
	case "quoted-printable":
		out = decodeQuoted(line, true)
	case "base64":
		if len(line) > 4 {
			out = decodeBase64(line)
		}
	case "x-uuencode":
		out = decodeUU(line)
	}
	if len(out) == 0 {
		return line
	}
	return out
}

// decodeQuoted decodes quoted-printable; in a body, where a line that ends in = goes on, or in a header,
// where a low line is a blank.
func decodeQuoted(b []byte, body bool) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '=' && body && i+1 < len(b) && b[i+1] == '\n':
			i++
		case c == '=' && body && i+2 < len(b) && b[i+1] == '\r' && b[i+2] == '\n':
			i += 2
		case c == '=' && i+2 < len(b) && isHex(b[i+1]) && isHex(b[i+2]):
			out = append(out, hexValue(b[i+1])<<4|hexValue(b[i+2]))
			i += 2
		case c == '_' && !body:
			out = append(out, ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

// decodeBase64 decodes a line of base64, and returns one that is none as it is. Letters that are too few
// for a group are left out.
func decodeBase64(line []byte) []byte {
	b := bytes.Map(func(r rune) rune {
		if r == '\r' || r == '\n' {
			return -1
		}
		return r
	}, line)
	for _, c := range b {
		if !isAlnum(c) && c != '+' && c != '/' && c != '=' {
			return line
		}
	}
	var out []byte
	for len(b) >= 4 {
		var group [3]byte
		n, err := base64.StdEncoding.Decode(group[:], b[:4])
		if err != nil {
			n = 0
			if at := bytes.IndexByte(b[:4], '='); at >= 2 {
				n, _ = base64.RawStdEncoding.Decode(group[:], b[:at])
			}
		}
		out, b = append(out, group[:n]...), b[4:]
	}
	return out
}

// decodeUU decodes a line of uuencode.
func decodeUU(line []byte) []byte {
	lower := strings.ToLower(string(line[:min(6, len(line))]))
	if len(line) == 0 || line[0]&0x7f < ' ' || lower == "begin " || strings.HasPrefix(lower, "end") {
		return line
	}
	var out []byte
	b := line[1:]
	for len(b) > 4 {
		v := 0
		for _, c := range b[:4] {
			v = v<<6 | int(c-' ')&0x3f
		}
		out, b = append(out, byte(v>>16), byte(v>>8), byte(v)), b[4:]
	}
	return append(out, b...)
}

// defaultCharset is that of text which names none that is known.
const defaultCharset = "iso8859-1"

// decoder returns the function that makes text of a character set UTF-8. Bytes that are no characters of
// it stay as they are.
func decoder(name string) func([]byte) []byte {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	if rest, ok := strings.CutPrefix(name, "iso-"); ok {
		name = "iso" + rest
	}
	enc := encoding.Encoding(charmap.ISO8859_1)
	if rest, ok := strings.CutPrefix(name, "iso"); ok {
		name = "iso-" + rest
	}
	switch name {
	case "us-ascii", "ascii", "utf-8", "utf8":
		return func(b []byte) []byte { return b }
	case "iso-8859-1":
	default:
		// Sets that are switched by escapes are not among those that bogofilter knows, of a body.
		if found, err := htmlindex.Get(name); err == nil && found != nil && !strings.HasPrefix(name, "iso-2022") {
			enc = found
		}
	}
	simplified := strings.HasSuffix(name, "gb2312")
	return func(b []byte) []byte {
		if isASCII(b) {
			return b
		}
		d := enc.NewDecoder()
		var out []byte
		for len(b) > 0 {
			n, s := 1, b[:1]
			if b[0] >= 0x80 {
				n, s = decodeOne(d, b, simplified)
			}
			out, b = append(out, s...), b[n:]
		}
		return out
	}
}

// decodeWord makes the text of an encoded word UTF-8. Only there a set that is switched by escapes is known.
func decodeWord(charset string, b []byte) []byte {
	if strings.EqualFold(charset, "iso-2022-jp") {
		if s, err := japanese.ISO2022JP.NewDecoder().Bytes(b); err == nil {
			return s
		}
	}
	return decoder(charset)(b)
}

// decodeOne decodes the character that b begins with. A byte that begins none stays as it is. Simplified
// Chinese is what GB 2312 has of its later extensions.
func decodeOne(d *encoding.Decoder, b []byte, simplified bool) (n int, char []byte) {
	const longest = 4
	for n := 1; n <= min(longest, len(b)); n++ {
		if simplified && (n > 2 || n == 2 && (b[0] < 0xa1 || b[1] < 0xa1)) {
			break
		}
		if s, err := d.Bytes(b[:n]); err == nil && !bytes.ContainsRune(s, utf8.RuneError) && utf8.RuneCount(s) == 1 {
			return n, s
		}
	}
	return 1, b[:1]
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

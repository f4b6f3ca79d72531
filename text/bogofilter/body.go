package bogofilter

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// cutBody cuts the body of a part, whose bytes it changes.
func (m *message) cutBody(t []byte) {
	if m.part().kind == "html" {
		m.cutHTML(t)
		return
	}
	signature := 0 // 1 in the header of a signature, 2 in itself
	for i := 0; i < len(t); {
		if i == 0 || t[i-1] == '\n' {
			line, _, _ := bytes.Cut(t[i:], []byte{'\n'})
			switch {
			case string(line) == "-----BEGIN PGP SIGNATURE-----":
				signature = 1
			case string(line) == "-----END PGP SIGNATURE-----":
				signature = 0
			case signature == 1 && len(line) == 0:
				signature = 2
			}
		}
		if end := declarationEnd(t, i); end > i { // whatever type it is said to have
			m.cutHTML(t[i:])
			return
		}
		if end := tokenEnd(t, i); signature == 2 && end > i {
			i = end
			continue
		}
		i = m.plain(t, i)
	}
}

// html cuts HTML.
type html struct {
	*message
	t       []byte
	i       int
	within  int // text, a tag that is read, or what is passed over
	lastTag int // where the last tag ends
}

// What HTML is within.
const (
	ofText    = iota
	ofTag     // whose tokens count
	ofUnread  // a tag
	ofComment // strict, to -->
)

// longestMerged is how long a token within tags grows.
const longestMerged = 1000

func (m *message) cutHTML(t []byte) {
	h := html{message: m, t: t, lastTag: bytes.LastIndexByte(t, '>')}
	for h.i < len(h.t) {
		if end := declarationEnd(h.t, h.i); end > h.i {
			h.i, h.within = end, ofText
			continue
		}
		h.step()
	}
}

// step cuts what comes next, by what it is within.
func (h *html) step() {
	switch h.within {
	case ofText:
		h.text()
	case ofComment:
		h.comment()
	default:
		h.tag()
	}
}

// declarationEnd returns where the declaration of HTML ends that begins at i, and i if none does.
func declarationEnd(t []byte, i int) int {
	if t[i] != '<' || startsWith(t[i:], []string{"<!doctype html public "}) == "" {
		return i
	}
	line, _, _ := bytes.Cut(t[i:], []byte{'\n'})
	return i + bytes.LastIndexByte(line, '>') + 1
}

// comment passes over a strict comment.
func (h *html) comment() {
	if bytes.HasPrefix(h.t[h.i:], []byte("-->")) {
		h.within = ofText
		h.i += 3
		return
	}
	h.unread()
}

// unread passes over what is at hand; addresses and sums in it count all the same.
func (h *html) unread() {
	if end := tokenEnd(h.t, h.i); end > h.i {
		h.i = end
		return
	}
	h.i = h.plain(h.t, h.i)
}

func (h *html) tag() {
	switch c := h.t[h.i]; {
	case c == '>':
		h.within = ofText
		h.i++
	case h.within == ofUnread:
		h.unread()
	case c == '/' && h.unescape():
	default:
		h.i = h.plain(h.t, h.i)
	}
}

// unescape decodes the first bytes of a path that are written as %61, in place.
func (h *html) unescape() bool {
	t, end := h.t, h.i+1
	for end < len(t) && end < h.i+longestMerged && t[end] != '/' && t[end] != '%' && !isBlank(t[end]) && t[end] != '\n' {
		end++
	}
	var decoded []byte
	start := end
	for end+2 < len(t) && t[end] == '%' && isHex(t[end+1]) && isHex(t[end+2]) {
		decoded = append(decoded, hexValue(t[end+1])<<4|hexValue(t[end+2]))
		end += 3
	}
	if start == end {
		return false
	}
	h.putBack(end, append(bytes.Clone(t[h.i:start]), decoded...))
	return true
}

// putBack replaces what is between here and end by something that is no longer.
func (h *html) putBack(end int, s []byte) {
	h.i = end - len(s)
	copy(h.t[h.i:end], s)
}

func (h *html) text() {
	end := tokenEnd(h.t, h.i)
	if end-h.i < longestMerged && (h.character(end) || end > h.i && h.merge(end)) {
		return
	}
	rest := h.t[h.i:]
	switch {
	case rest[0] != '<':
		h.i = h.plain(h.t, h.i)
	case bytes.HasPrefix(rest, []byte("<!--")):
		h.within = ofComment
		h.i += 4
	case bytes.HasPrefix(rest, []byte("<!")):
		h.within = ofUnread
		h.i += 2
	default:
		h.within = ofUnread
		h.i++
		for _, name := range []string{"a", "img", "font"} {
			if n := 1 + len(name); len(rest) > n && strings.EqualFold(string(rest[1:n]), name) && (isBlank(rest[n]) || rest[n] == '\n') {
				h.within = ofTag
				h.i += n
			}
		}
	}
}

// character decodes the character &#101; at end, which is where a token ends, and joins the two.
func (h *html) character(end int) bool {
	rest := h.t[end:]
	if !bytes.HasPrefix(rest, []byte("&#")) {
		return false
	}
	n := 2
	if n < len(rest) && rest[n]|0x20 == 'x' {
		n++
	}
	start := n
	for n < len(rest) && isHex(rest[n]) {
		n++
	}
	if n == start || n >= len(rest) || rest[n] != ';' {
		return false
	}
	value := characterOf(string(rest[2:n]))
	if value < ' ' || value > '~' {
		if end > h.i {
			h.add(h.t[h.i:end], shortestToken)
		}
		h.i = end + n + 1
		return true
	}
	h.putBack(end+n+1, append(bytes.Clone(h.t[h.i:end]), byte(value)))
	return true
}

// characterOf returns the number of a character, of four digits where it is in hexadecimal.
func characterOf(s string) int64 {
	base, digits := 16, s[min(1, len(s)):]
	if isDigit(s[0]) {
		base, digits = 10, s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
	} else {
		digits = digits[:min(4, len(digits))]
	}
	v, err := strconv.ParseInt(digits, base, 32)
	if err != nil {
		return 0
	}
	return v
}

// merge joins the token up to end to what follows the tags behind it, unless one of them is a break or a
// blank follows. It puts the tags in front, and reports whether it did.
func (h *html) merge(end int) bool {
	at, broken := end, false
	for at < h.lastTag && h.t[at] == '<' {
		n := bytes.IndexByte(h.t[at:], '>') + 1
		if n == 0 { // tags have moved since
			h.lastTag = at
			return false
		}
		broken = broken || isBreak(h.t[at:at+n])
		if at += n; at >= len(h.t) {
			return false
		}
	}
	if at == end || broken || isBlank(h.t[at]) || h.t[at] == '\n' {
		return false
	}
	token := bytes.Clone(h.t[h.i:end])
	copy(h.t[h.i:], h.t[end:at])
	copy(h.t[at-len(token):], token)
	h.pass(at - len(token))
	return true
}

// pass cuts the tags up to end.
func (h *html) pass(end int) {
	for h.i < end {
		if h.within == ofText && h.t[h.i] != '<' {
			break
		}
		h.step()
	}
}

// breaks are the tags at which a line ends or a picture is, closing in some cases.
var (
	breaks      = strings.Fields("p br li h1 h2 h3 h4 h5 h6 hr title table center dd dt iframe img input select td textarea th")
	breakBlocks = strings.Fields("div blockquote pre dir dl fieldset legend form menu ol ul")
)

// isBreak reports whether a tag, with its brackets, is one of these.
func isBreak(tag []byte) bool {
	name := strings.ToLower(string(tag[1 : len(tag)-1]))
	if i := strings.IndexAny(name, " \t\n"); i >= 0 {
		name = name[:i]
	}
	return slices.Contains(breaks, name) || slices.Contains(breakBlocks, strings.TrimPrefix(name, "/"))
}

package mail

import (
	"bytes"
	"strings"
)

// A parser is the state of Parse.
type parser struct {
	m            *Message
	parts        int
	text, hidden strings.Builder
}

// entity reads a message or a part of one: its fields and the body behind them. What names no type
// is of the given one.
func (p *parser) entity(h []Field, body []byte, depth int, otherwise string) {
	t := parseMediaType(get(h, "Content-Type"))
	if !strings.Contains(t.name, "/") {
		t.name = otherwise
	}
	switch kind, _, _ := strings.Cut(t.name, "/"); {
	case depth >= maxDepth && (kind == "multipart" || kind == "message"):
		p.m.defect("too_deep")
		t.name = "text/plain"
		p.leaf(h, t, body, depth)
	case kind == "multipart":
		p.multipart(t, h, body, depth)
	case t.name == "message/rfc822" || t.name == "message/news":
		p.nested(body, depth)
	default:
		p.leaf(h, t, body, depth)
	}
}

// nested reads a message within the message: its subject and its text are text.
func (p *parser) nested(body []byte, depth int) {
	h, body := readHeader(skipMboxLine(body), p.m.defect)
	p.write(get(h, "Subject"))
	p.entity(h, body, depth+1, "text/plain")
}

// multipart reads the parts between lines that are the boundary. If there are none, the body is
// text.
func (p *parser) multipart(t mediaType, h []Field, body []byte, depth int) {
	boundary := t.params["boundary"]
	if boundary == "" {
		p.m.defect("no_boundary")
		boundary = guessBoundary(body)
	}
	otherwise := "text/plain"
	if t.name == "multipart/digest" {
		otherwise = "message/rfc822"
	}
	found := false
	for part := range eachPart(body, strings.TrimRight(boundary, " \t")) {
		found = true
		if p.parts >= maxParts {
			p.m.defect("too_many_parts")
			return
		}
		p.parts++
		fields, content := readHeader(part, p.m.defect)
		p.entity(fields, content, depth+1, otherwise)
	}
	if !found {
		p.m.defect("no_parts")
		t.name = "text/plain"
		p.leaf(h, t, body, depth)
	}
}

// guessBoundary returns what follows the two hyphens of the first line that begins with them.
func guessBoundary(body []byte) string {
	for len(body) > 0 {
		var line []byte
		if line, body = cutLine(body); bytes.HasPrefix(line, []byte("--")) && len(line) > 2 && len(line) < 200 {
			return string(bytes.TrimRight(line[2:], " \t"))
		}
	}
	return ""
}

// eachPart yields the parts of a body. The last one may lack its boundary.
func eachPart(body []byte, boundary string) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if boundary == "" {
			return
		}
		start := -1
		for at := 0; at < len(body); {
			line, rest := cutLine(body[at:])
			next := len(body) - len(rest)
			if delimiter, last := isDelimiter(line, boundary); delimiter {
				if start >= 0 && !yield(body[start:max(start, at)]) {
					return
				}
				if start = next; last {
					return
				}
			}
			at = next
		}
		if start >= 0 && start < len(body) {
			yield(body[start:])
		}
	}
}

// isDelimiter reports whether a line delimits parts, and whether it ends the last one.
func isDelimiter(line []byte, boundary string) (delimiter, last bool) {
	if len(line) < 2+len(boundary) || line[0] != '-' || line[1] != '-' || string(line[2:2+len(boundary)]) != boundary {
		return false, false
	}
	rest := bytes.TrimRight(line[2+len(boundary):], " \t")
	return len(rest) == 0 || string(rest) == "--", len(rest) > 0
}

// leaf reads what has no parts.
func (p *parser) leaf(h []Field, t mediaType, body []byte, depth int) {
	encoding := strings.ToLower(strings.TrimSpace(get(h, "Content-Transfer-Encoding")))
	disposition := parseMediaType(get(h, "Content-Disposition"))
	name := disposition.params["filename"]
	if name == "" {
		name = t.params["name"]
	}
	charset := t.params["charset"]
	p.m.Parts = append(p.m.Parts, Part{t.name, charset, encoding, disposition.name, name, len(body), depth})
	if !strings.HasPrefix(t.name, "text/") && !strings.HasPrefix(t.name, "message/") {
		return
	}
	body = p.within(body)
	s := decodeCharset(decodeTransfer(body, encoding), charset)
	if t.name == "text/html" || looksLikeHTML(s) {
		p.html(s)
		return
	}
	p.write(s)
}

// within returns what may be read of a text.
func (p *parser) within(body []byte) []byte {
	n := min(len(body), maxText-p.m.inText)
	if n < len(body) {
		p.m.defect("text_too_long")
	}
	p.m.inText += n
	return body[:n]
}

// write adds a text to what can be read.
func (p *parser) write(s string) {
	if s != "" {
		p.text.WriteString(s)
		p.text.WriteByte('\n')
	}
}

// looksLikeHTML reports whether a text that is said to be plain is HTML.
func looksLikeHTML(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s[:min(len(s), 200)]))
	return strings.HasPrefix(s, "<html") || strings.HasPrefix(s, "<!doctype html") || strings.HasPrefix(s, "<head") || strings.HasPrefix(s, "<body")
}

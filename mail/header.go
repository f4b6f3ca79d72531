package mail

import (
	"bytes"
	"strings"
)

// later are beginnings of the names of fields that filters, mail programs and archives add to a
// message that has arrived, lower-cased; a name that ends in a space is meant whole.
var later = []string{
	// Filters.
	"x-bayes-", "x-spam", "x-bogosity ", "x-rspamd-", "x-spamprobe ", "x-crm114-", "x-dspam-", "x-ifile-", "x-annoyance-filter-", "x-sa-",
	"x-ham-", "x-junk", "x-text-classification ", "x-popfile-", "x-mozilla-", "x-ms-exchange-organization-", "x-forefront-", "x-microsoft-antispam",
	// Mail programs, folders and archives.
	"status ", "x-status ", "x-keywords ", "x-uid ", "x-uidl ", "x-imap ", "x-imapbase ", "x-label ", "x-labels ", "x-folder ", "x-gmail-labels ", "x-gm-",
	"x-evolution", "x-kmail-", "x-offlineimap ", "x-tuid ", "x-mutt-", "x-gnus-", "x-sieve", "content-length ", "lines ", "replied ", "forwarded ",
	// Delivery: to whom, when.
	"delivered-to ", "x-delivered-to ", "x-original-to ", "envelope-to ", "x-envelope-to ", "x-rcpt-to ", "delivery-date ", "x-original-delivered-to ",
	"x-resolved-to ", "apparently-to ", "x-apparently-to ",
}

// addedLater reports whether a field says nothing of the message as it was sent.
func addedLater(name string) bool {
	name = strings.ToLower(name) + " "
	for _, prefix := range later {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// skipMboxLine returns b without a line "From who when" in front.
func skipMboxLine(b []byte) []byte {
	if bytes.HasPrefix(b, []byte("From ")) || bytes.HasPrefix(b, []byte(">From ")) {
		_, b = cutLine(b)
	}
	return b
}

// cutLine returns the first line of b without its end, and what follows it.
func cutLine(b []byte) (line, rest []byte) {
	line = b
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		line, rest = b[:i], b[i+1:]
	}
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// readHeader returns the fields that b begins with, and the body behind them. A line that can be no
// field ends the header, and belongs to the body. It calls defect for what is broken.
func readHeader(b []byte, defect func(string)) (fields []Field, body []byte) {
	size := 0
	for len(b) > 0 {
		line, rest := cutLine(b)
		if len(line) == 0 {
			return fields, rest
		}
		name, value, ok := cutField(line)
		if !ok {
			if len(fields) > 0 || line[0] != ' ' && line[0] != '\t' {
				defect("header_ends_early")
				return fields, b
			}
			b = rest // blank space before the first field
			continue
		}
		value, b = unfold(value, rest)
		switch {
		case len(fields) >= maxFields || size >= maxHeader:
			defect("header_too_long")
		default:
			size += len(name) + len(value)
			fields = append(fields, Field{string(name), decodeHeader(value)})
		}
	}
	return fields, nil
}

// cutField cuts a line into the name and the value of a field.
func cutField(line []byte) (name, value []byte, ok bool) {
	const longest = 100
	i := bytes.IndexByte(line[:min(len(line), longest)], ':')
	if i <= 0 {
		return nil, nil, false
	}
	name = bytes.TrimRight(line[:i], " \t")
	for _, c := range name {
		if c <= ' ' || c >= 0x7f {
			return nil, nil, false
		}
	}
	return name, line[i+1:], len(name) > 0
}

// unfold returns a value with the lines that continue it, and what follows them. What is beyond the
// longest value is left out.
func unfold(value, after []byte) (whole, rest []byte) {
	rest = after
	value = bytes.TrimSpace(value)
	whole = value[:min(len(value), maxValue):min(len(value), maxValue)] // so that append copies it
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		var line []byte
		line, rest = cutLine(rest)
		line = bytes.TrimSpace(line)
		if room := maxValue - len(whole); room > 1 {
			whole = append(append(whole, ' '), line[:min(len(line), room-1)]...)
		}
	}
	return whole, rest
}

// get returns the value of the first field of that name.
func get(fields []Field, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// A mediaType is the value of Content-Type or Content-Disposition.
type mediaType struct {
	name   string // lower-cased
	params map[string]string
}

// parseMediaType reads a value however it is quoted. Of a parameter that is given twice the first
// counts. Package mime refuses much of what spam has.
func parseMediaType(value string) mediaType {
	const most = 20
	name, rest, _ := strings.Cut(value, ";")
	t := mediaType{strings.ToLower(strings.TrimSpace(name)), make(map[string]string)}
	if i := strings.IndexAny(t.name, " \t,("); i >= 0 {
		t.name = t.name[:i]
	}
	for len(t.params) < most && rest != "" {
		var key, val string
		key, rest, _ = strings.Cut(rest, "=")
		if i := strings.LastIndexAny(key, "; \t"); i >= 0 && strings.TrimSpace(key[i:]) != "" {
			key = key[i+1:]
		}
		val, rest = cutParameter(strings.TrimLeft(rest, " \t"))
		key = strings.ToLower(strings.Trim(key, "; \t"))
		key = strings.TrimSuffix(strings.TrimSuffix(key, "*"), "*0") // RFC 2231
		if _, given := t.params[key]; !given {
			t.params[key] = val
		}
	}
	return t
}

// cutParameter returns the value that s begins with, quoted or not, and what follows it.
func cutParameter(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		return strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			_, rest, _ = strings.Cut(s[i+1:], ";")
			return b.String(), rest
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

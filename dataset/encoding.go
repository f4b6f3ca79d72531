package dataset

import (
	"errors"
	"fmt"
	"unicode/utf8"

	fastutf8 "github.com/segmentio/asm/utf8"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var errNotUTF8 = errors.New("not valid UTF-8 (hint: --encoding)")

// A charset says how bytes are text.
type charset struct {
	decoder encoding.Encoding // of the whole stream, or nil if it is UTF-8
	strict  bool              // what is not UTF-8 is an error
}

// lookupEncoding returns the charset of that name.
func lookupEncoding(name string) (charset, error) {
	if name == "" || name == "auto" {
		return charset{}, nil
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return charset{}, fmt.Errorf("unknown encoding %q", name)
	}
	switch canonical, _ := htmlindex.Name(enc); canonical {
	case "utf-8":
		return charset{strict: true}, nil
	case "replacement":
		return charset{}, fmt.Errorf("unknown encoding %q", name)
	}
	return charset{decoder: enc}, nil
}

// open returns a window on the stream behind w as UTF-8, as far as c decodes
// the stream at all, without its byte order mark.
func (c *charset) open(w *window) *window {
	if c.decoder == nil && !c.strict {
		c.decoder = marked(w)
	}
	if c.decoder != nil {
		w = newWindow(transform.NewReader(w, c.decoder.NewDecoder()))
	}
	skipMark(w)
	return w
}

// marked returns the UTF-16 that a byte order mark declares, if any.
func marked(w *window) encoding.Encoding {
	switch {
	case w.hasPrefix("\xff\xfe"):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case w.hasPrefix("\xfe\xff"):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// skipMark skips a byte order mark.
func skipMark(w *window) {
	if mark := "\ufeff"; w.hasPrefix(mark) {
		w.drop(len(mark))
	}
}

// isLatin1 reports whether a record is to be read as Windows-1252, because it
// is not UTF-8. The error says that it can be neither.
func (c *charset) isLatin1(record []byte) (bool, error) {
	switch {
	case c.decoder != nil || fastutf8.Valid(record):
		return false, nil
	case c.strict || !plausibleLatin1(record):
		return false, errNotUTF8
	}
	return true, nil
}

// plausibleLatin1 reports whether b looks like Windows-1252. The five bytes
// that stand for nothing there, and 0xFE and 0xFF, thorn and ÿ, which are rare
// in it and common in binary files and UTF-16, say that it is something else.
func plausibleLatin1(b []byte) bool {
	for _, c := range b {
		switch c {
		case 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xfe, 0xff:
			return false
		}
	}
	return true
}

// appendLatin1 appends b, which is Windows-1252, as UTF-8.
func appendLatin1(dst, b []byte) []byte {
	for _, c := range b {
		dst = utf8.AppendRune(dst, charmap.Windows1252.DecodeByte(c))
	}
	return dst
}

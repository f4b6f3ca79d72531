package dataset

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	fastutf8 "github.com/segmentio/asm/utf8"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var errNotUTF8 = errors.New("not valid UTF-8 (hint: --encoding)")

// A charset decodes bytes to text.
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

// cutsCharacters reports whether the bytes of line ends, quotes and commas may be parts of other
// characters in the encoding of that name.
func cutsCharacters(name string) bool {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return false
	}
	canonical, _ := htmlindex.Name(enc)
	return strings.HasPrefix(canonical, "utf-16") || canonical == "iso-2022-jp"
}

// open returns a window on the stream of w, without its byte order mark, and decoded to
// UTF-8 if c has a decoder for the whole stream, and whether there was a mark.
func (c *charset) open(w *window) (decoded *window, marked bool) {
	// Where no encoding is named, a byte order mark of UTF-16 names one.
	if c.decoder == nil && !c.strict {
		c.decoder = utf16ByMark(w)
	}
	if c.decoder != nil {
		w = newWindow(transform.NewReader(w, c.decoder.NewDecoder()))
	}
	return w, skipByteOrderMark(w)
}

// utf16ByMark returns the UTF-16 that a byte order mark declares, if any.
func utf16ByMark(w *window) encoding.Encoding {
	switch {
	case w.hasPrefix("\xff\xfe"):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case w.hasPrefix("\xfe\xff"):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

const byteOrderMark = "\ufeff"

// skipByteOrderMark skips a byte order mark, and reports whether there was one.
func skipByteOrderMark(w *window) bool {
	marked := w.hasPrefix(byteOrderMark)
	if marked {
		w.drop(len(byteOrderMark))
	}
	return marked
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

// plausibleLatin1 reports whether b may be Windows-1252. It is not if it has one of the
// five bytes that are no characters there, or 0xFE or 0xFF, thorn and ÿ, which are rare
// in text and common in binary files and UTF-16.
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

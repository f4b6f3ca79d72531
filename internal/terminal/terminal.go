// Package terminal shows text of users' data, such as labels, terms and file names,
// so that no part of it is taken for a command: a terminal obeys control
// characters, and a program that reads lines takes a line end for one.
package terminal

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const escape = "\x1b"

// Line returns s with its control characters spelled as in Go, such as \n and
// \x1b, so that it fits into one line.
func Line(s string) string { return (*Writer)(nil).Line(s) }

// A Writer writes to a terminal. Control characters other than line feeds and
// tabs are spelled as in Go, and so are bidirectional embeddings, overrides and
// isolates, which reorder what follows, and bytes that are not UTF-8. The exception
// are the codes of [Writer.Style].
type Writer struct {
	w io.Writer
	// key follows the escape character in codes of Style. Nobody else knows it, so
	// that codes in data are told from them.
	key  string
	rest []byte // the beginning of a character, whose other bytes are still to come
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	var key [8]byte
	rand.Read(key[:])
	return &Writer{w: w, key: hex.EncodeToString(key[:])}
}

// Style returns s between the code of a style, such as "1" for bold, and the one
// that ends it. What it
// returns is for w alone, in one Write.
func (w *Writer) Style(code, s string) string {
	return escape + w.key + code + "m" + s + escape + w.key + "0m"
}

// Line is as the function Line, and keeps the codes of [Writer.Style]. w may be nil.
func (w *Writer) Line(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	var b []byte
	for len(s) > 0 {
		if w != nil && strings.HasPrefix(s, escape+w.key) {
			b, s = append(b, escape+w.key...), s[len(escape+w.key):]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		if unicode.IsControl(r) {
			b = appendSpelled(b, s[:n])
		} else {
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return string(b)
}

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
	text, code := slices.Concat(w.rest, p), []byte(escape+w.key)
	w.rest = nil
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		if rest, ok := bytes.CutPrefix(text, code); ok {
			out, text = append(out, escape+"["...), rest
			continue
		}
		if !utf8.FullRune(text) {
			w.rest = text
			break
		}
		r, n := utf8.DecodeRune(text)
		if r == '\n' || r == '\t' || !obeyed(r) && !(r == utf8.RuneError && n == 1) {
			out = append(out, text[:n]...)
		} else {
			out = appendSpelled(out, string(text[:n]))
		}
		text = text[n:]
	}
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// obeyed reports whether a terminal does something at r, rather than show it.
func obeyed(r rune) bool {
	return unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// appendSpelled appends a character as Go spells it.
func appendSpelled(b []byte, character string) []byte {
	quoted := strconv.QuoteToASCII(character)
	return append(b, quoted[1:len(quoted)-1]...)
}

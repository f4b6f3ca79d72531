package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// attacks are what a terminal would obey, and how it is shown.
var attacks = []struct{ text, line, screen string }{
	{"ham", "ham", "ham"},
	{"스팸 spam é 👩‍👩‍👧", "스팸 spam é 👩‍👩‍👧", "스팸 spam é 👩‍👩‍👧"},
	{"a\tb\nc", `a\tb\nc`, "a\tb\nc"},
	{"\x1b[31mred", `\x1b[31mred`, `\x1b[31mred`},
	{"\x1b]0;title\a", `\x1b]0;title\a`, `\x1b]0;title\a`},
	{"spam\r\x1b[2Kham", `spam\r\x1b[2Kham`, `spam\r\x1b[2Kham`},
	{"\u009b2J\x7f\b", `\u009b2J\x7f\b`, `\u009b2J\x7f\b`},
	{"\x9b2J", "\x9b2J", `\x9b2J`},
	{"\u202egro.live", "\u202egro.live", `\u202egro.live`},
	{"\u2066x\u2069", "\u2066x\u2069", `\u2066x\u2069`},
}

func TestLine(t *testing.T) {
	for _, tc := range attacks {
		if got := Line(tc.text); got != tc.line {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.line)
		}
	}
}

// In whatever pieces text comes, the terminal sees the same.
func TestWriter(t *testing.T) {
	for _, tc := range attacks {
		for size := 1; size <= len(tc.text); size++ {
			var b bytes.Buffer
			w := NewWriter(&b)
			for rest := tc.text; rest != ""; {
				n := min(size, len(rest))
				if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
					t.Fatalf("%d of %d bytes written, %v", written, n, err)
				}
				rest = rest[n:]
			}
			if b.String() != tc.screen {
				t.Errorf("%q in pieces of %d: %q, want %q", tc.text, size, b.String(), tc.screen)
			}
		}
	}
}

// A style reaches the terminal; one that another Writer made does not, and neither does one in data.
func TestStyle(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	styled := w.Style("1;31", "sp\x1b[8mam\n")
	w.Write([]byte(w.Line(styled)))
	if want := "\x1b[1;31msp\\x1b[8mam\\n\x1b[0m"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	w.Write([]byte(NewWriter(&b).Style("31", "red")))
	if strings.Contains(b.String(), escape) {
		t.Errorf("%q", b.String())
	}
}

func FuzzWriter(f *testing.F) {
	for _, tc := range attacks {
		f.Add([]byte(tc.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var b bytes.Buffer
		NewWriter(&b).Write(text)
		if !utf8.Valid(b.Bytes()) || bytes.ContainsFunc(b.Bytes(), func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) {
			t.Errorf("%q becomes %q", text, b.Bytes())
		}
		if strings.ContainsFunc(Line(string(text)), unicode.IsControl) {
			t.Errorf("%q is the line %q", text, Line(string(text)))
		}
	})
}

func ExampleLine() {
	fmt.Println(Line("spam\x1b[2J"))
	// Output: spam\x1b[2J
}

package dataset

import (
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// What is longer than the limit is one bad record; reading goes on at the line
// after the limit, however the stream comes.
func TestRecordTooLong(t *testing.T) {
	const limit = 8
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"just fits", "a\n1234567\nb\n", []string{"1 a", "2 1234567", "3 b"}},
		{"unquoted", "a\n123456789\nb\n", []string{"1 a", "2 too long", "3 b"}},
		{"at the end", "a\n123456789", []string{"1 a", "2 too long"}},
		{"quoted", "a\n\"12\n45\n7890\nb\nc\"\nd\n", []string{"1 a", "2 too long", "5 b", "6 c\"", "7 d"}},
		{"unclosed", "a\n\"12345678\nb\nc\n", []string{"1 a", "2 too long", "3 b", "4 c"}},
		{"text after a quote", "a\n\"1\"2345678\nb\n", []string{"1 a", "2 too long", "3 b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, w := range []*window{
				newWindow(strings.NewReader(tt.in)),
				newWindow(iotest.OneByteReader(strings.NewReader(tt.in))),
			} {
				p := newRecordReader(w, "f", ',')
				p.limit = limit
				if got := summary(p); !reflect.DeepEqual(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}

func summary(p *recordReader) (list []string) {
	for p.next() {
		text := "too long"
		if p.bad == nil {
			text = string(p.value(0))
		} else if p.bad.(*SyntaxError).Err != errTooLong {
			text = p.bad.Error()
		}
		list = append(list, string(rune('0'+p.start))+" "+text)
	}
	if p.err != nil {
		list = append(list, p.err.Error())
	}
	return list
}

func TestLineTooLong(t *testing.T) {
	for _, in := range []string{"a\n123456789\nb", "a\n1234567890123456789012345\nb\n"} {
		for _, w := range []*window{
			newWindow(strings.NewReader(in)),
			newWindow(iotest.OneByteReader(strings.NewReader(in))),
		} {
			l := newLineReader(w)
			l.limit = 8
			var got []string
			for l.next() {
				text := string(l.text)
				if l.tooLong {
					text = "too long"
				}
				got = append(got, text)
			}
			if want := []string{"a", "too long", "b"}; !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %q, want %q", in, got, want)
			}
		}
	}
}

// A stuck reader ends a stream, and does not hang it.
func TestNoProgress(t *testing.T) {
	w := newWindow(stuck{})
	if w.more() || w.failure() == nil {
		t.Errorf("more goes on; failure %v", w.failure())
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

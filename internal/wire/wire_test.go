package wire

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(
			rapid.Float64(),
			rapid.Map(rapid.Int64(), func(n int64) float64 { return float64(n) }),
			rapid.SampledFrom([]float64{0, 1, -1, 0.5, 1 << 53, 1<<53 - 1, -1 << 60, math.MaxFloat64}),
		).Draw(t, "v")
		d := NewDecoder(AppendNumber(nil, v), 0)
		if got := d.Number(); got != v || d.Err() != nil || d.Len() != 0 {
			t.Fatalf("%v came back as %v, %v", v, got, d.Err())
		}
		n := rapid.Int64().Draw(t, "n")
		if got := Unzigzag(Zigzag(n)); got != n {
			t.Fatalf("%d came back as %d", n, got)
		}
	})
}

func TestNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := slices.Compact(slices.Sorted(slices.Values(rapid.SliceOf(rapid.String()).Draw(t, "names"))))
		var b, prev []byte
		for _, name := range names {
			b = AppendName(b, prev, []byte(name))
			prev = []byte(name)
		}
		d := NewDecoder(b, 0)
		var name []byte
		for i, want := range names {
			if name = d.Name(name, i == 0); string(name) != want {
				t.Fatalf("%q came back as %q (%v)", want, name, d.Err())
			}
		}
	})
}

func TestBadBytes(t *testing.T) {
	for what, read := range map[string]func(d *Decoder){
		"\x01\x00\x00":                             func(d *Decoder) { d.Number() },
		"\x01\x00\x00\x00\x00\x00\x00\xf0\x7f":     func(d *Decoder) { d.Number() }, // infinity
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff": func(d *Decoder) { d.Uvarint() },
		"\x03\x01a":     func(d *Decoder) { d.Name([]byte("ab"), false) }, // shares three of two bytes
		"\x01\x01a":     func(d *Decoder) { d.Name([]byte("ab"), false) }, // "aa" after "ab"
		"\x02\x00":      func(d *Decoder) { d.Name([]byte("ab"), false) }, // "ab" again
		"TERM\xff\xff":  func(d *Decoder) { d.ReadSection() },             // cut short
		"\x00\xff\xff1": func(d *Decoder) { d.Name(nil, true) },           // longer than the bytes there are
	} {
		d := NewDecoder([]byte(what), 100)
		read(d)
		if err := d.Err(); err == nil || err.Offset < 100 || err.Offset > 100+len(what) || d.Len() != 0 {
			t.Errorf("%q: %v", what, err)
		}
	}
}

func TestEssential(t *testing.T) {
	payload := func(b []byte) []byte { return append(b, "payload"...) }
	head := []byte("bayes model 1\nchecksum 0\n\n")
	want := AppendSection(AppendSection(bytes.Clone(head), "TERM", payload), "END.", payload)
	file := AppendSection(bytes.Clone(head), "anlz", payload)
	file = AppendSection(file, "TERM", payload)
	file = AppendSection(file, "zzzz", payload)
	file = AppendSection(file, "END.", payload)
	if got := Essential(file); !bytes.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, same := range [][]byte{want, head, nil, []byte("text"), file[:len(file)-1]} {
		if got := Essential(same); !bytes.Equal(got, same) {
			t.Errorf("%q becomes %q", same, got)
		}
	}
}

func TestSection(t *testing.T) {
	b := AppendSection([]byte("before"), "TERM", func(b []byte) []byte { return append(b, "payload"...) })
	tag, payload := NewDecoder(b[6:], 6).ReadSection()
	if got := payload.Bytes(7); tag != "TERM" || !bytes.Equal(got, []byte("payload")) || payload.Offset() != 25 {
		t.Errorf("%s %q, then byte %d", tag, got, payload.Offset())
	}
	for i := 6; i < len(b); i++ {
		damaged := bytes.Clone(b[6:])
		damaged[i-6] ^= 4
		d := NewDecoder(damaged, 6)
		if d.ReadSection(); d.Err() == nil {
			t.Errorf("byte %d is damaged and nobody noticed", i)
		}
	}
}

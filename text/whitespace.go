package text

import "unicode/utf8"

var _ Segmenter = Whitespace{}

// Whitespace cuts text at Unicode white space.
type Whitespace struct{}

func (Whitespace) String() string { return "whitespace" }

func (Whitespace) Segment(b *Buffer) {
	t := b.Text()
	start := -1
	for i := 0; i < len(t); {
		blank, size := t[i] == ' ' || '\t' <= t[i] && t[i] <= '\r', 1
		if t[i] >= utf8.RuneSelf {
			var c class
			c, size = decode(basic(), t[i:])
			blank = c == space
		}
		switch {
		case blank && start >= 0:
			b.Add(start, i)
			start = -1
		case !blank && start < 0:
			start = i
		}
		i += size
	}
	if start >= 0 {
		b.Add(start, len(t))
	}
}

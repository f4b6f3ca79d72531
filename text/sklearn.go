package text

import "unicode/utf8"

var _ Segmenter = SKLearn{}

// SKLearn cuts text as scikit-learn's CountVectorizer does by default: by the
// pattern (?u)\b\w\w+\b, words of at least two characters, where a character of
// a word is a letter, a number or an underscore.
type SKLearn struct{}

func (SKLearn) String() string { return "sklearn" }

// wordByte says which ASCII bytes match \w.
var wordByte = func() (t [256]bool) {
	for c := range t {
		t[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '_'
	}
	return t
}()

func (SKLearn) Segment(b *Buffer) {
	t := b.Text()
	for i := 0; i < len(t); {
		start, n := i, 0 // of the word, in characters
		for i < len(t) {
			if wordByte[t[i]] {
				i++
			} else if t[i] < utf8.RuneSelf {
				break
			} else if c, size := decode(basic(), t[i:]); c == letter || c == cjk {
				i += size
			} else {
				break
			}
			n++
		}
		if n >= 2 {
			b.Add(start, i)
		}
		for i < len(t) && t[i] < utf8.RuneSelf && !wordByte[t[i]] {
			i++
		}
		if i < len(t) && t[i] >= utf8.RuneSelf {
			if c, size := decode(basic(), t[i:]); c != letter && c != cjk {
				i += size
			}
		}
	}
}

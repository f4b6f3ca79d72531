package english

import (
	"bytes"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	punkt "github.com/neurosnap/sentences"
	"github.com/neurosnap/sentences/data"
)

// Punkt's parameters, read when the first text is cut. The decisions below are
// those of NLTK's PunktSentenceTokenizer on these parameters; the library's own
// take runs of marks for one, and differ in 17 of the 400 texts of the tests.
var parameters = sync.OnceValue(func() *punkt.Storage {
	file, err := data.Asset("data/english.json")
	if err != nil {
		panic("english: internal error: " + err.Error())
	}
	p, err := punkt.LoadTraining(file)
	if err != nil {
		panic("english: internal error: " + err.Error())
	}
	return p
})

// In which places and cases a word was seen in training.
const (
	middleUpper = 1 << 2
	beginLower  = 1 << 4
	anyUpper    = 1<<1 | 1<<2 | 1<<3
	anyLower    = 1<<4 | 1<<5 | 1<<6
)

// sentences iterates over the sentences of t, as positions.
func sentences(t []byte) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		shift := 0 // how much of the next sentence closed the one before
		previous := [2]int{-1, 0}
		give := func(s [2]int) bool { return s[0] >= s[1] || yield(s[0], s[1]) }
		for s := range unaligned(t) {
			if previous[0] >= 0 {
				closers, after := realigned(t[s[0]:max(s[0], s[1])])
				ok := true
				if closers > 0 {
					ok = yield(previous[0]+shift, s[0]+closers)
				} else {
					ok = give([2]int{previous[0] + shift, previous[1]})
				}
				if !ok {
					return
				}
				shift = after
			}
			previous = s
		}
		give([2]int{previous[0] + shift, previous[1]})
	}
}

// realigned returns how many quotes and brackets at the beginning of a sentence
// close the one before, and where the text goes on after them.
func realigned(s []byte) (closers, after int) {
	for i, c := range s {
		switch c {
		case '"', '\'', ')', ']', '}':
		default:
			return 0, 0
		}
		rest := s[i+1:]
		space := skipSpace(rest, 0)
		if space > 0 || len(rest) == 0 || bytes.HasPrefix(rest, []byte("--")) {
			return i + 1, i + 1 + space
		}
	}
	return 0, 0
}

// unaligned iterates over the sentences of t, which end with the mark itself.
func unaligned(t []byte) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		p := &judge{parameters: parameters()}
		last := 0
		for c := range contexts(t) {
			if !p.endsSentence(t[c.word:c.after]) {
				continue
			}
			if !yield([2]int{last, c.end}) {
				return
			}
			last = c.end
			if c.next > 0 {
				last = c.next
			}
		}
		yield([2]int{last, trimSpace(t)})
	}
}

// A context is a mark that may end a sentence, and what stands round it.
type context struct {
	word  int // where the word before it begins
	end   int // where the mark ends
	next  int // where the word after white space begins; 0 if a mark follows
	after int // where what follows ends
}

// contexts iterates over the last of each run of marks that may end a sentence.
func contexts(t []byte) iter.Seq[context] {
	return func(yield func(context) bool) {
		var previous context
		before := [2]int{} // the word before the previous mark
		for i := 0; i < len(t); i++ {
			if t[i] != '.' && t[i] != '?' && t[i] != '!' {
				continue
			}
			next, after := following(t, i+1)
			if after == 0 {
				continue
			}
			// Python's rule takes white space at the very beginning for none.
			word := before[0]
			if k := bytes.LastIndexAny(t[before[1]:i], " \t\n\r\v\f"); k > 0 {
				word = before[1] + k + 1
			}
			if previous.end > 0 && before[1] <= word && !yield(previous) {
				return
			}
			previous = context{word, i + 1, next, after}
			before = [2]int{word, i}
		}
		if previous.end > 0 {
			yield(previous)
		}
	}
}

// following returns where the word after white space begins, if that is what
// follows a mark, and where it or the other mark ends; 0 if neither follows.
func following(t []byte, i int) (next, after int) {
	if i >= len(t) {
		return 0, 0
	}
	if nonWord(t[i]) {
		return 0, i + 1
	}
	next = skipSpace(t, i)
	if next == i || next == len(t) {
		return 0, 0
	}
	return next, skipWord(t, next)
}

// nonWord reports whether c cannot stand within a word.
func nonWord(c byte) bool {
	switch c {
	case ')', '"', ';', '}', ']', '*', ':', '@', '\'', '(', '{', '[', '!', '?':
		return true
	}
	return false
}

// A judge decides which marks end sentences.
type judge struct {
	parameters *punkt.Storage
	tokens     []token
}

// A token is a word of Punkt: periods belong to the word before them.
type token struct {
	text             string
	kind             string // lower-cased, numbers as ##number##
	ends, abbr, dots bool   // the sentence; an abbreviation; an ellipsis
}

// endsSentence reports whether a sentence ends in a context before its last
// token.
func (p *judge) endsSentence(context []byte) bool {
	p.tokens = p.tokens[:0]
	for line := range bytes.SplitSeq(context, []byte("\n")) {
		p.cut(line)
	}
	for i := range p.tokens {
		p.first(&p.tokens[i])
	}
	for i := range len(p.tokens) - 1 {
		p.second(&p.tokens[i], &p.tokens[i+1])
		if p.tokens[i].ends {
			return true
		}
	}
	return false
}

// cut appends the tokens of a line.
func (p *judge) cut(t []byte) {
	for i := skipSpace(t, 0); i < len(t); i = skipSpace(t, i) {
		end := i + marks(t, i)
		if end == i {
			end = wordEnd(t, i)
		}
		s := string(t[i:end])
		p.tokens = append(p.tokens, token{text: s, kind: kindOf(s)})
		i = end
	}
}

// marks returns the length of the run of hyphens or dots at t[i:], two or more
// of them, or 0. Dots may have single spaces between them if there are three.
func marks(t []byte, i int) int {
	c := t[i]
	if c != '-' && c != '.' {
		return 0
	}
	n := 1
	for i+n < len(t) && t[i+n] == c {
		n++
	}
	if n > 1 {
		return n
	}
	if c == '-' {
		return 0
	}
	dots := 1
	for {
		space := spaceAt(t, i+n)
		if space == 0 || i+n+space >= len(t) || t[i+n+space] != '.' {
			break
		}
		n += space + 1
		dots++
	}
	if dots < 3 {
		return 0
	}
	return n
}

// wordEnd returns where the word that begins at i ends: a mark that begins no
// word is one by itself.
func wordEnd(t []byte, i int) int {
	_, size := utf8.DecodeRune(t[i:])
	if strings.IndexByte("(\"`{[:;&#*@)}]-,", t[i]) >= 0 {
		return i + size
	}
	for i += size; !endsWord(t, i) && (t[i] != ',' || !endsWord(t, i+1)); i += size {
		_, size = utf8.DecodeRune(t[i:])
	}
	return i
}

func endsWord(t []byte, i int) bool {
	return i >= len(t) || nonWord(t[i]) || spaceAt(t, i) > 0 || marks(t, i) > 0
}

// kindOf returns what a token is looked up as.
func kindOf(s string) string {
	if isNumeral(s) {
		return number
	}
	return strings.ToLower(s)
}

const number = "##number##"

// isNumeral reports whether s matches ^-?[.,]?\d[\d,.-]*\.?$.
func isNumeral(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s != "" && (s[0] == '.' || s[0] == ',') {
		s = s[1:]
	}
	for i, r := range s {
		if !isDigit(r) && (i == 0 || r != ',' && r != '.' && r != '-') {
			return false
		}
	}
	return s != ""
}

// first decides by the token alone.
func (p *judge) first(t *token) {
	word, period := strings.CutSuffix(t.text, ".")
	switch {
	case t.text == "." || t.text == "?" || t.text == "!":
		t.ends = true
	case len(t.text) > 1 && strings.Trim(t.text, ".") == "":
		t.dots = true
	case period && !strings.HasSuffix(word, "."):
		word = strings.ToLower(word)
		t.abbr = p.parameters.AbbrevTypes.Has(word) || p.parameters.AbbrevTypes.Has(word[strings.LastIndexByte(word, '-')+1:])
		t.ends = !t.abbr
	}
}

// second changes its mind for what stands next (Kiss and Strunk, section 4).
func (p *judge) second(t, next *token) {
	if !strings.HasSuffix(t.text, ".") {
		return
	}
	kind, nextKind := withoutPeriod(t.kind), next.kind
	if next.ends {
		nextKind = withoutPeriod(nextKind)
	}
	if p.parameters.Collocations.Has(kind + "," + nextKind) {
		t.ends, t.abbr = false, true
		return
	}
	seen := p.parameters.OrthoContext[nextKind]
	begins, does := beginsSentence(next.text, seen)
	initial := isInitial(t.text)
	if (t.abbr || t.dots) && !initial {
		if does && begins || isUpper(next.text) && p.parameters.SentStarters.Has(nextKind) {
			t.ends = true
			return
		}
	}
	if initial || kind == number {
		if does && !begins || !does && initial && isUpper(next.text) && seen&anyLower == 0 {
			t.ends, t.abbr = false, true
		}
	}
}

// withoutPeriod returns a kind without its last period.
func withoutPeriod(kind string) string {
	if len(kind) > 1 {
		return strings.TrimSuffix(kind, ".")
	}
	return kind
}

// beginsSentence returns what the case of a word says of whether it begins a
// sentence, given the places where it was seen in training. Not known is false,
// false.
func beginsSentence(word string, seen int) (begins, known bool) {
	switch {
	case len(word) == 1 && strings.Contains(";:,.!?", word):
		return false, true
	case isUpper(word) && seen&anyLower != 0 && seen&middleUpper == 0:
		return true, true
	case isLower(word) && (seen&anyUpper != 0 || seen&beginLower == 0):
		return false, true
	}
	return false, false
}

// isInitial reports whether s is a letter and a period.
func isInitial(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return s[size:] == "." && (isWord(r) && !isDigit(r))
}

func isUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func isLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

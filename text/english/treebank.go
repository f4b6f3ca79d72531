package english

import (
	"bytes"
	"unicode/utf8"

	"bayes/text"
)

// A line is a sentence that is being cut into words. The rules insert spaces, one rule
// after the other. At the end the words are what is between spaces.
type line struct {
	text []byte
	at   []int32 // the position of each byte in the original text; -1 for inserted spaces
	next []byte  // the text after the present rule
	nat  []int32 // at of next
	done int     // how many bytes of text have been copied to next
}

// reset makes the line t[start:end].
func (l *line) reset(t []byte, start, end int) {
	l.text, l.at = append(l.text[:0], t[start:end]...), l.at[:0]
	for i := start; i < end; i++ {
		l.at = append(l.at, int32(i))
	}
}

// begin begins a rule.
func (l *line) begin() { l.next, l.nat, l.done = l.next[:0], l.nat[:0], 0 }

// copyTo copies the text before i as it is.
func (l *line) copyTo(i int) {
	l.next = append(l.next, l.text[l.done:i]...)
	l.nat = append(l.nat, l.at[l.done:i]...)
	l.done = i
}

// space inserts a space.
func (l *line) space() {
	l.next = append(l.next, ' ')
	l.nat = append(l.nat, -1)
}

// pad copies the text before end, with a space on either side of text[start:end].
func (l *line) pad(start, end int) {
	l.copyTo(start)
	l.space()
	l.copyTo(end)
	l.space()
}

// put writes two marks in place of text[start:end].
func (l *line) put(start, end int, mark byte) {
	l.copyTo(start)
	l.next = append(l.next, mark, mark)
	l.nat = append(l.nat, l.at[start], l.at[end-1])
	l.done = end
}

// end ends a rule.
func (l *line) end() {
	if l.done == 0 { // it has changed nothing
		return
	}
	l.copyTo(len(l.text))
	l.text, l.next = l.next, l.text
	l.at, l.nat = l.nat, l.at
}

// emit adds the words.
func (l *line) emit(b *text.Buffer, t []byte) {
	for i := skipSpace(l.text, 0); i < len(l.text); i = skipSpace(l.text, i) {
		end := skipWord(l.text, i)
		from, to := int(l.at[i]), int(l.at[end-1])+1
		// A word that the rules have changed, such as a quote, is not a piece of the text.
		if word := l.text[i:end]; bytes.Equal(word, t[from:to]) {
			b.Add(from, to)
		} else {
			b.AddTerm(string(word), from, to)
		}
		i = end
	}
}

// A rule changes a line.
type rule func(l *line)

// rulesOf returns the rules of NLTK's NLTKWordTokenizer, in their order. Three of them
// were new in version 3.5 and are given: the letters that stay with a single quote before
// them, which dots are a word, and which stars are.
func rulesOf(letters string, dots func(t []byte) int, stars string) []rule {
	return []rule{
		each("\xc2\xe2`", openingQuote),
		firstQuote,
		each("`", literal("``")),
		openingQuotes,
		singleQuotes(letters),
		lastPeriod(" ]})>\"'»”’", true),
		commas,
		lastComma,
		each(".", dots),
		each(";@#$%&", one),
		lastPeriod("]})>\"'", false),
		each("?!", one),
		quoteBeforeSpace,
		each(stars, one),
		each("][(){}<>", one),
		each("-", literal("--")),
		margins,
		each("\xc2\xe2", closingQuote),
		each("'", literal("''")),
		doubleQuotes,
		clitics("'s", "'m", "'d", "'"),
		clitics("'ll", "'re", "'ve", "n't"),
		contractions,
	}
}

// each puts spaces around what match finds, which begins with one of the bytes of first.
func each(first string, match func(t []byte) (length int)) rule {
	var begins [256]bool
	for i := range len(first) {
		begins[first[i]] = true
	}
	return func(l *line) {
		l.begin()
		for i := 0; i < len(l.text); i++ {
			if !begins[l.text[i]] {
				continue
			}
			if n := match(l.text[i:]); n > 0 {
				l.pad(i, i+n)
				i += n - 1
			}
		}
		l.end()
	}
}

func one([]byte) int { return 1 }

// literal matches s.
func literal(s string) func(t []byte) int {
	return func(t []byte) int {
		if len(t) >= len(s) && string(t[:len(s)]) == s {
			return len(s)
		}
		return 0
	}
}

// anyOf returns the length of the one of all that t begins with, or 0.
func anyOf(t []byte, all ...string) int {
	for _, s := range all {
		if len(t) >= len(s) && string(t[:len(s)]) == s {
			return len(s)
		}
	}
	return 0
}

// run returns how many c's t begins with.
func run(t []byte, c byte) int {
	n := 0
	for n < len(t) && t[n] == c {
		n++
	}
	return n
}

func openingQuote(t []byte) int { return max(run(t, '`'), anyOf(t, "«", "“", "‘", "„")) }
func closingQuote(t []byte) int { return anyOf(t, "»", "”", "’") }

// dots matches two dots or more.
func dots(t []byte) int {
	if n := run(t, '.'); n > 1 {
		return n
	}
	return 0
}

// firstQuote makes a double quote at the beginning an opening one.
func firstQuote(l *line) {
	l.begin()
	if len(l.text) > 0 && l.text[0] == '"' {
		l.put(0, 1, '`')
	}
	l.end()
}

// openingQuotes makes double quotes after a space or an opening bracket opening
// ones.
func openingQuotes(l *line) {
	l.begin()
	for i := 0; i+1 < len(l.text); i++ {
		switch l.text[i] {
		case ' ', '(', '[', '{', '<':
			if n := anyOf(l.text[i+1:], `"`, "''"); n > 0 {
				l.copyTo(i + 1)
				l.space()
				l.put(i+1, i+1+n, '`')
				l.space()
				i += n
			}
		}
	}
	l.end()
}

// singleQuotes cuts a single quote from a lone letter after it that is no
// clitic.
func singleQuotes(clitics string) rule {
	return func(l *line) {
		l.begin()
		for i := 0; i+1 < len(l.text); i++ {
			if l.text[i] != '\'' || bytes.IndexByte([]byte(clitics), l.text[i+1]|0x20) >= 0 {
				continue
			}
			r, size := utf8.DecodeRune(l.text[i+1:])
			if isWord(r) && !wordAt(l.text, i+1+size) {
				l.copyTo(i + 1)
				l.space()
				l.copyTo(i + 1 + size)
				i += size
			}
		}
		l.end()
	}
}

// lastPeriod cuts the period that ends the line from the word before it, and
// what closes after the period from it if so asked.
func lastPeriod(closers string, cutClosers bool) rule {
	return func(l *line) {
		t := l.text[:trimSpace(l.text)]
		end := len(bytes.TrimRight(t, closers))
		if end < 2 || t[end-1] != '.' || t[end-2] == '.' {
			return
		}
		l.begin()
		l.copyTo(end - 1)
		l.space()
		l.copyTo(end)
		if cutClosers {
			l.space()
		}
		l.copyTo(len(l.text) - len(bytes.TrimLeft(l.text[end:], closers)))
		l.space()
		l.done = len(l.text)
		l.end()
	}
}

// commas cuts commas and colons that no digit follows.
func commas(l *line) {
	l.begin()
	for i := 0; i+1 < len(l.text); i++ {
		if c := l.text[i]; c != ',' && c != ':' {
			continue
		}
		if r, size := utf8.DecodeRune(l.text[i+1:]); !isDigit(r) {
			l.pad(i, i+1)
			l.copyTo(i + 1 + size)
			i += size
		}
	}
	l.end()
}

// lastComma cuts a comma or colon that ends the line.
func lastComma(l *line) {
	end := len(bytes.TrimSuffix(l.text, []byte("\n")))
	for _, end := range []int{end, len(l.text)} {
		if end > 0 && (l.text[end-1] == ',' || l.text[end-1] == ':') {
			l.begin()
			l.pad(end-1, end)
			l.end()
			return
		}
	}
}

// quoteBeforeSpace cuts a single quote that ends a word.
func quoteBeforeSpace(l *line) {
	l.begin()
	for i := 1; i+1 < len(l.text); i++ {
		if l.text[i] == '\'' && l.text[i+1] == ' ' && l.text[i-1] != '\'' && l.done < i {
			l.copyTo(i)
			l.space()
			l.copyTo(i + 2)
			i++
		}
	}
	l.end()
}

// margins puts a space at either end.
func margins(l *line) {
	l.begin()
	l.space()
	l.copyTo(len(l.text))
	l.space()
	l.end()
}

// doubleQuotes makes the double quotes that are left closing ones.
func doubleQuotes(l *line) {
	l.begin()
	for i, c := range l.text {
		if c == '"' {
			l.copyTo(i)
			l.space()
			l.put(i, i+1, '\'')
			l.space()
		}
	}
	l.end()
}

// clitics cuts the endings given from the words before them. Either all their
// letters are capital or none.
func clitics(endings ...string) rule {
	var all []string
	for _, e := range endings {
		all = append(all, e+" ", string(bytes.ToUpper([]byte(e)))+" ")
	}
	return func(l *line) {
		l.begin()
		for i := 1; i+1 < len(l.text); i++ {
			switch l.text[i] {
			case '\'', 'n', 'N':
			default:
				continue
			}
			n := anyOf(l.text[i:], all...)
			if n == 0 || l.text[i-1] == ' ' || l.text[i-1] == '\'' || l.done >= i {
				continue
			}
			l.copyTo(i)
			l.space()
			l.copyTo(i + n)
			i += n - 1
		}
		l.end()
	}
}

// The words that are two, from Robert MacIntyre's list.
var twoWords = []struct {
	first, second string
	before        func(l *line, i int) bool
	after         func(t []byte, i int) bool
}{
	{"can", "not", wordBegins, wordEnds},
	{"d", "'ye", wordBegins, wordEnds},
	{"gim", "me", wordBegins, wordEnds},
	{"gon", "na", wordBegins, wordEnds},
	{"got", "ta", wordBegins, wordEnds},
	{"lem", "me", wordBegins, wordEnds},
	{"more", "'n", wordBegins, wordEnds},
	{"wan", "na", wordBegins, func(t []byte, i int) bool { return spaceAt(t, i) > 0 }},
	{"'t", "is", afterBlank, wordEnds},
	{"'t", "was", afterBlank, wordEnds},
}

// contractions cuts them. No two begin at the same place, so that one pass does
// for all.
func contractions(l *line) {
	l.begin()
	for i := 0; i < len(l.text); i++ {
		switch l.text[i] | 0x20 {
		case 'c', 'd', 'g', 'l', 'm', 'w', '\'':
		default:
			continue
		}
		for _, w := range twoWords {
			middle := i + len(w.first)
			end := middle + len(w.second)
			if end > len(l.text) || !sameLetters(l.text[i:middle], w.first) || !sameLetters(l.text[middle:end], w.second) {
				continue
			}
			if w.before(l, i) && w.after(l.text, end) {
				l.pad(i, middle)
				l.pad(middle, end)
				i = end - 1
				break
			}
		}
	}
	l.end()
}

// sameLetters reports whether t is s, apart from capital letters.
func sameLetters(t []byte, s string) bool {
	for i := range len(s) {
		c := t[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

func wordBegins(l *line, i int) bool {
	r, size := utf8.DecodeLastRune(l.text[:i])
	return size == 0 || !isWord(r)
}

// afterBlank also knows the space that a word cut just before has put in.
func afterBlank(l *line, i int) bool {
	if l.done == i && i > 0 {
		return l.next[len(l.next)-1] == ' '
	}
	return i > 0 && l.text[i-1] == ' '
}

func wordEnds(t []byte, i int) bool { return !wordAt(t, i) }

func wordAt(t []byte, i int) bool {
	r, size := utf8.DecodeRune(t[i:])
	return size > 0 && isWord(r)
}

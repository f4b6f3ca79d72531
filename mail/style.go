package mail

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// style reads how a message is written, which its words do not say: capitals, marks, sums of money,
// quotations and signatures.
func (m *Message) style() string {
	var w words
	w.addSubjectStyle(m.Get("Subject"))
	w.addLines(m.Text)
	w.addCapitals("text", m.Text, 300)
	w.addMarks(m.Text)
	return w.String()
}

// addSubjectStyle adds how a subject is written, and what it begins and ends with.
func (w *words) addSubjectStyle(s string) {
	const longestShape, longestPrefix, mostWords = 30, 8, 15
	of := shape(s)
	w.add("subject", "shape", of[:min(len(of), longestShape)])
	if before, after, ok := strings.Cut(s, ":"); ok && len(before) < longestPrefix {
		w.add("subject", "prefix", before)
		s = strings.TrimSpace(after)
	}
	if strings.HasPrefix(s, "[") {
		w.add("subject", "list")
	}
	if r, size := utf8.DecodeLastRuneInString(s); size > 0 && !unicode.IsLetter(r) {
		w.add("subject", "last", strconv.Itoa(int(r)))
	}
	if strings.Contains(s, "   ") { // what is to make it differ is often far to the right
		w.add("subject", "gap")
	}
	n := 0
	for range strings.FieldsSeq(s) {
		n++
	}
	w.add("subject", "words", strconv.Itoa(min(n, mostWords)))
	w.add("subject", "capitals", capitals(s))
	w.addCapitals("subject", s, 20)
	w.addMarks(s)
}

// capitals returns how many of the letters of s are capitals, in eighths.
func capitals(s string) string {
	upper, all := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			all++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	if all == 0 {
		return "none"
	}
	return strconv.Itoa((8*upper + all - 1) / all)
}

// addCapitals adds the first words of three letters or more that are all capitals, and about how many
// there are.
func (w *words) addCapitals(mark, s string, most int) {
	const least = 3
	n := 0
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) < least || strings.IndexFunc(word, func(r rune) bool { return !unicode.IsUpper(r) }) >= 0 {
			continue
		}
		if n++; n <= most {
			w.add(mark, "caps", word)
		}
	}
	w.add(mark, "caps", "words", about(n))
}

// addMarks adds runs of marks, and sums of money by how many digits they have.
func (w *words) addMarks(s string) {
	const most, longest = 200, 8
	found := 0
	for i := 0; i < len(s) && found < most; {
		c, end := s[i], i+1
		for end < len(s) && s[end] == c {
			end++
		}
		switch run := end - i; {
		case c == '!' || c == '?' || run > 1 && strings.IndexByte("*#=-_~.", c) >= 0:
			w.add("run", strconv.Itoa(int(c)), strconv.Itoa(min(run, longest)))
			found++
		case c == '$':
			digits := 0
			for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == ',') {
				digits, end = digits+1, end+1
			}
			w.add("money", strconv.Itoa(min(digits, longest)))
			found++
		case c == '%':
			w.add("percent")
			found++
		}
		i = end
	}
}

// addLines adds what the lines of a text are: about how many, and how many of them are quoted, empty,
// long or of marks alone; and whether there is a signature.
func (w *words) addLines(s string) {
	const long, rule = 100, 4
	var lines, quoted, blank, longer, rules int
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		lines++
		switch t := strings.TrimSpace(line); {
		case t == "":
			blank++
		case t[0] == '>', t[0] == '|':
			quoted++
		case line == "-- ", line == "--":
			w.add("signature")
		case strings.HasSuffix(t, "wrote:"), strings.HasSuffix(t, "writes:"), strings.HasSuffix(t, "said:"):
			w.add("wrote")
		case len(t) >= rule && strings.Trim(t, "-_=*~#") == "":
			w.add("rule", strconv.Itoa(int(t[0])), about(len(t)))
			rules++
		}
		if len(line) > long {
			longer++
		}
	}
	w.add("lines", about(lines))
	w.add("quoted", about(quoted))
	w.add("blank", about(blank))
	w.add("long", about(longer))
	w.add("rules", about(rules))
	w.add("text", "capitals", capitals(s))
}

// about returns the number of binary digits of n.
func about(n int) string { return strconv.Itoa(bits.Len(uint(n))) }

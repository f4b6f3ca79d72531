package dataset

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"bayes"
)

// A WordList is what bogofilter has learned, as `bogoutil -d` prints it.
type WordList struct {
	Spam, Ham int     // mails
	X         float64 // robx, the estimate of a word that is not known; 0 if the list has none
	Words     int
	Reduced   int // words that are in more mails than there are, and count as in all

	name  string
	words []listedWord
}

type listedWord struct {
	name      string
	spam, ham int
}

// ReadWordList reads the list in the file called name.
func ReadWordList(r io.Reader, name string) (*WordList, error) {
	l := &WordList{name: name, Spam: -1}
	lines := bufio.NewReaderSize(r, 64<<10)
	for n := int64(1); ; n++ {
		line, err := lines.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			if bad := l.add(line); bad != nil {
				return nil, &SyntaxError{name, int(n), bad}
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, withoutPath(err))
		}
	}
	if l.Spam < 0 {
		return nil, fmt.Errorf("%s: no line .MSG_COUNT: want what bogoutil -d prints of a wordlist.db", name)
	}
	l.Words = len(l.words)
	for i := range l.words {
		if w := &l.words[i]; w.spam > l.Spam || w.ham > l.Ham {
			l.Reduced++
			w.spam, w.ham = min(w.spam, l.Spam), min(w.ham, l.Ham)
		}
	}
	return l, nil
}

var errNoListedWord = errors.New("want a word, in how many spam and ham mails it was, and a date")

// add reads a line: a word and two counts, or, as is usual, three.
func (l *WordList) add(line string) error {
	const most = 1 << 31
	var numbers []int
	word := line
	for len(numbers) < 3 {
		rest, last, ok := cutLastField(word)
		v, err := strconv.Atoi(last)
		if !ok || err != nil || v < 0 || v > most {
			break
		}
		numbers, word = append([]int{v}, numbers...), rest
	}
	if len(numbers) < 2 || word == "" {
		return errNoListedWord
	}
	switch {
	case word == ".MSG_COUNT":
		l.Spam, l.Ham = numbers[0], numbers[1]
	case word == ".ROBX":
		l.X = float64(numbers[0]) / 1e6
	case word == ".ENCODING" || word == ".WORDLIST_VERSION": // of the file
	case numbers[0]+numbers[1] > 0:
		l.words = append(l.words, listedWord{word, numbers[0], numbers[1]})
	}
	return nil
}

// cutLastField cuts s around its last blank.
func cutLastField(s string) (before, last string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// Examples yields as many examples of spam and of ham as there were mails. No list knows which words were
// in one mail: the first example of a class has all words, and the n-th those that n mails have, so that what
// is counted of them is what the list has.
func (l *WordList) Examples() iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, class := range []struct {
			label string
			mails int
			count func(w listedWord) int
		}{
			{"spam", l.Spam, func(w listedWord) int { return w.spam }},
			{"ham", l.Ham, func(w listedWord) int { return w.ham }},
		} {
			words := slices.Clone(l.words)
			slices.SortStableFunc(words, func(a, b listedWord) int { return cmp.Compare(class.count(b), class.count(a)) })
			attrs := make([]bayes.Attr, len(words))
			for i, w := range words {
				attrs[i] = bayes.Term(w.name, 1)
			}
			for n := range class.mails {
				for len(attrs) > 0 && class.count(words[len(attrs)-1]) <= n {
					attrs = attrs[:len(attrs)-1]
				}
				if !yield(bayes.Example{Label: class.label, Attrs: attrs}, nil) {
					return
				}
			}
		}
	}
}

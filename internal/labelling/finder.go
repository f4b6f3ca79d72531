package labelling

import (
	"strings"

	"bayes/label"
)

// A finder finds the text of an answer: that in the row which the answer names, or where rows have moved, one that reads the
// same. A spreadsheet may have changed how lines end.
type finder struct {
	texts  []Text
	byRow  map[string]int
	byText map[string][]int
	moved  map[movedRow]int // by answers whose rows have moved
}

// A movedRow is of an answer whose text is in another row now.
type movedRow struct{ who, row, text string }

// newFinder returns a finder that finds texts of answers. Of texts that read the same, each is that of one of a person's answers,
// as long as there are such.
func newFinder(texts []Text, answers []label.Answer) *finder {
	f := &finder{texts: texts, byRow: make(map[string]int), byText: make(map[string][]int), moved: make(map[movedRow]int)}
	for i := range texts {
		f.byRow[texts[i].Row] = i
		text := withoutReturns(texts[i].Text)
		f.byText[text] = append(f.byText[text], i)
	}
	type taken struct {
		who  string
		text int
	}
	all := make(map[taken]bool)
	for i := range answers {
		if j, ok := f.inPlace(&answers[i]); ok {
			all[taken{answers[i].Who, j}] = true
		}
	}
	left := make(map[movedRow][]int) // of a text, of whatever row: where a person's next one may be
	for i := range answers {
		a := &answers[i]
		from := movedRow{a.Who, a.Row, withoutReturns(a.Text)}
		_, here := f.inPlace(a)
		_, found := f.moved[from]
		if here || found || f.byText[from.text] == nil {
			continue
		}
		person := movedRow{who: a.Who, text: from.text}
		same, ok := left[person]
		if !ok {
			same = f.byText[from.text]
		}
		for len(same) > 1 && all[taken{a.Who, same[0]}] {
			same = same[1:]
		}
		all[taken{a.Who, same[0]}] = true
		left[person], f.moved[from] = same, same[0]
	}
	return f
}

// inPlace returns the text in the row that an answer names, if it is that.
func (f *finder) inPlace(a *label.Answer) (int, bool) {
	i, ok := f.byRow[a.Row]
	return i, ok && withoutReturns(f.texts[i].Text) == withoutReturns(a.Text)
}

// text returns the text that an answer is about.
func (f *finder) text(a *label.Answer) (int, bool) {
	if i, ok := f.inPlace(a); ok {
		return i, true
	}
	i, ok := f.moved[movedRow{a.Who, a.Row, withoutReturns(a.Text)}]
	return i, ok
}

// withoutReturns returns a text without \r, in which line ends may differ.
func withoutReturns(text string) string { return strings.ReplaceAll(text, "\r", "") }

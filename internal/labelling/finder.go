package labelling

import (
	"strings"

	"bayes/label"
)

// A finder finds the text of an answer. A spreadsheet may have changed how lines end.
type finder struct {
	texts  []Text
	byRow  map[string]int
	byText map[string]int // the first of the same
}

func newFinder(texts []Text) *finder {
	f := &finder{texts: texts, byRow: make(map[string]int), byText: make(map[string]int)}
	for i := range texts {
		f.byRow[texts[i].Row] = i
		text := withoutReturns(texts[i].Text)
		if _, ok := f.byText[text]; !ok {
			f.byText[text] = i
		}
	}
	return f
}

// text returns the text in the row that the answer names, or else the first one that reads the same.
func (f *finder) text(a *label.Answer) (int, bool) {
	text := withoutReturns(a.Text)
	if i, ok := f.byRow[a.Row]; ok && withoutReturns(f.texts[i].Text) == text {
		return i, true
	}
	i, ok := f.byText[text]
	return i, ok
}

// withoutReturns returns a text without \r, in which line ends may differ.
func withoutReturns(text string) string { return strings.ReplaceAll(text, "\r", "") }

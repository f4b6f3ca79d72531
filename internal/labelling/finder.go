package labelling

import (
	"bayes/label"
)

// A finder finds the text of an answer.
type finder struct {
	texts  []Text
	byRow  map[string]int
	byText map[string]int // the first of the same
}

func newFinder(texts []Text) *finder {
	f := &finder{texts: texts, byRow: make(map[string]int), byText: make(map[string]int)}
	for i := range texts {
		f.byRow[texts[i].Row] = i
		if _, ok := f.byText[texts[i].Text]; !ok {
			f.byText[texts[i].Text] = i
		}
	}
	return f
}

// text returns the text in the row that the answer names, or else the first one that reads the same.
func (f *finder) text(a *label.Answer) (int, bool) {
	if i, ok := f.byRow[a.Row]; ok && f.texts[i].Text == a.Text {
		return i, true
	}
	i, ok := f.byText[a.Text]
	return i, ok
}

package page_test

import (
	"strings"
	"testing"

	"bayes"

	"github.com/chromedp/chromedp/kb"
)

// visitSets opens the page at a model whose documents may have several labels.
func visitSets(t *testing.T) (user, *site) {
	t.Helper()
	u, s := visit(t, "mail")
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for _, ex := range []bayes.Example{
		{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: "grain", Text: "wheat corn"},
		{Label: ";", Text: "rain today"}, {Label: ";", Text: "sun today"},
	} {
		c.Learn(ex)
	}
	s.add("topics", c, bayes.Multinomial{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("topics")
	return u, s
}

// Where documents may have several labels, the answer is all of them or none, each is explained, and those that apply are
// learned together.
func TestLabelSets(t *testing.T) {
	u, s := visitSets(t)
	u.write("wheat crude")
	u.sees(".verdict", "grain, oil")
	u.sees(".why", "for the rest")
	u.Picture(t, "sets")
	eval[bool](u, `[...document.querySelectorAll('.bars .link')].find(b => b.innerText === 'oil').click(), true`)
	u.sees(".legend", "oil")
	u.write("rain today")
	u.sees(".verdict", "none of the labels")
	// Both labels that are known, and a new one.
	eval[bool](u, `document.querySelectorAll('.bars .small').forEach(b => b.click()), true`)
	u.wait("both are chosen", `document.querySelectorAll('.bars .small[aria-pressed=true]').length === 2`)
	eval[bool](u, `(e => { e.value = 'gold; oil'; e.dispatchEvent(new Event('input')); e.form.requestSubmit(); return true })(document.querySelector('#other-class'))`)
	u.sees("#count-documents", "6")
	u.sees("#count-classes", "3")
	u.sees(".corrections", "gold, grain, oil")
	u.wait("what was learned stays chosen", `document.querySelectorAll('.bars .small[aria-pressed=true]').length === 3`)
	eval[bool](u, `document.querySelector('.corrections button').click(), true`)
	u.sees("#count-classes", "2")
	u.Clean(t, s.address())
}

// A file whose rows have several labels is labelled and measured, and its least certain rows are corrected by keys.
func TestMeasureLabelSets(t *testing.T) {
	u, s := visitSets(t)
	u.see("file")
	u.upload("topics.csv", "text,label\nwheat crude,oil; grain\nrain,;\nopec,gold; oil\ncrude crude,grain\n")
	u.sees("#view-file .figures", "66.7%")
	u.sees("#view-file .figures", "All labels right")
	u.sees("#view-file .mistyped", "gold")
	u.sees("#view-file .first", "none of the labels")
	u.sees("#view-file .review .num", "4 to go")
	u.Picture(t, "sets-measured")
	u.wait("the labels of the answer are chosen", `document.querySelector('#view-file .choice[aria-pressed]') !== null`)
	before := u.count("#view-file .choice[aria-pressed=true]")
	u.press("1")
	u.wait("one more or less is chosen", `Math.abs(document.querySelectorAll('#view-file .choice[aria-pressed=true]').length - %d) === 1`, before)
	u.press("1")
	u.wait("as before", `document.querySelectorAll('#view-file .choice[aria-pressed=true]').length === %d`, before)
	u.press(kb.Enter)
	u.sees("#count-documents", "6")
	u.sees("#view-file .review .num", "3 to go")
	u.press("u")
	u.sees("#count-documents", "5")
	u.sees("#view-file .review .num", "4 to go")
	if got, want := u.labelled(), "text,label,label_,probability\r\nwheat crude,oil; grain,grain;oil,"; !strings.HasPrefix(got, want) || !strings.Contains(got, "rain,;,;,\r\n") {
		t.Errorf("the file that comes back: %s", got)
	}
	u.Clean(t, s.address())
}

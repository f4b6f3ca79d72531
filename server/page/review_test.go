package page_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// uncertain has predictions made that the model is not certain of.
func (s *site) uncertain() {
	s.post("v1/models/mail/predict", `{"documents":[{"text":"free lunch at noon"},{"text":"see you win money"},{"text":"the prize is a meeting"},{"text":"win a free prize"}]}`)
}

// What was predicted lately is corrected by keys, the least certain first; what was learned
// outlives the page, and is taken out again.
func TestCorrections(t *testing.T) {
	u, s := visit(t, "mail")
	s.uncertain()
	u.see("correct")
	u.sees("#view-correct .num", "4 to go")
	first := u.text("#view-correct .reading")
	u.tab("[data-choice=spam]")
	u.press(kb.Enter)
	u.sees("#count-documents", "5")
	u.wait("the focus stays", `document.activeElement.matches('[data-choice=spam]')`)
	u.sees("#view-correct .num", "3 to go")
	second := u.text("#view-correct .reading")
	u.press("s")
	u.sees("#view-correct .num", "2 to go")
	u.press("1")
	u.sees("#count-documents", "6")
	u.press("u")
	u.sees("#count-documents", "5")
	u.press("u") // what was skipped
	u.sees("#view-correct .reading", second)
	eval[bool](u, `(e => { e.value = 'offers'; e.form.requestSubmit(); return true })(document.querySelector('#view-correct .review-other'))`)
	u.sees("#count-classes", "3")
	u.sees(".history", "offers")

	u.Visit(t, s.address()+"#correct", 1280, "light") // a reload
	u.sees(".history li:first-child", second)
	u.sees(".history li:nth-child(2)", first)
	u.sees("#view-correct .num", "2 to go") // what was learned is not asked for again
	u.tab(".history button")
	u.press(kb.Enter)
	u.sees("#count-documents", "5")
	u.wait("the list is shorter", `document.querySelectorAll('.history li').length === 1`)
	eval[bool](u, `document.querySelector('.history button').click(), true`)
	u.sees("#count-documents", "4")
	u.sees("#view-correct", "Nothing has been learned here yet")
	u.Clean(t, s.address())
}

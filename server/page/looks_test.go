package page_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/internal/browser"
	"bayes/internal/long"
	"bayes/server"

	"github.com/chromedp/chromedp"
)

// The page is whole and readable on a screen and on a phone, light and dark.
func TestLooks(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	for i, w := range browser.Windows(t) {
		u.Visit(t, s.address(), w.Width, w.Scheme)
		for _, language := range languages(t, i) {
			u.speak(language)
			u.look(s, fmt.Sprintf("%d-%s-%s", w.Width, w.Scheme, language), w)
		}
	}
}

// languages are those that the i-th window is looked at in. Where long tests are not wanted it
// is one, and English is the first.
func languages(t *testing.T, i int) []string {
	t.Helper()
	all := []string{"ko", "ja", "en"}
	if long.Sample(t, "the looks in every language in every window") {
		i = (i + 2) % len(all)
		return all[i : i+1]
	}
	return all
}

// look has a look at every view.
func (u user) look(s *site, name string, w browser.Window) {
	u.t.Helper()
	check := func(what string) {
		u.t.Helper()
		u.do(chromedp.Sleep(250 * 1e6)) // until nothing moves
		for _, complaint := range append(u.Errors(), u.Measure(u.t).Complaints(w.Width, w.Scheme)...) {
			u.t.Errorf("%s, %s: %s", name, what, complaint)
		}
		u.Picture(u.t, name+"-"+what)
	}
	u.see("text")
	u.pick("mail")
	u.write("Free lunch at noon, and a word" + strings.Repeat("less", 40))
	u.sees(".verdict", "ham")
	u.unfold()
	u.wait("buttons", `document.querySelectorAll('.bars button:enabled').length === 2`)
	eval[bool](u, `document.querySelector('.bars button').click(), true`)
	u.sees(".corrections", "Free lunch")
	check("text")
	eval[bool](u, `document.querySelector('.corrections button').click(), true`)
	u.hidden(".corrections button")
	u.pick("strange")
	u.write("one two three " + hostile)
	u.sees(".coloured", "one two three")
	u.unfold()
	check("strange")
	u.pick("untaught")
	u.hidden(".coloured")
	check("untaught")
	u.pick("reviews")
	u.see("terms")
	u.sees("#view-terms", "부정")
	check("terms")
	u.see("file")
	u.upload("mails.csv", "text\nfree money for you, if you read on and on and on to the end of this line\nlunch\n")
	u.wait("it came back", `document.querySelector('a[download]') !== null`)
	check("file")
	u.pick("mail")
	s.uncertain()
	u.see("correct")
	u.wait("something to correct", `document.querySelector('#view-correct .choice:enabled') !== null`)
	eval[bool](u, `document.querySelector('#view-correct .choice').click(), true`)
	u.wait("it is learned", `document.querySelector('.history button') !== null && document.querySelector('#view-correct .choice:enabled') !== null`)
	check("correct")
	eval[bool](u, `document.querySelector('.history button').click(), true`)
	u.hidden(".history button")
	u.see("file")
	u.upload("held-out.csv", labelled)
	u.wait("it is measured", `document.querySelector('.confusion') !== null && document.querySelector('a[download]') !== null && document.querySelector('#view-file .choice:enabled') !== null`)
	check("measure")
	u.see("models")
	u.give("#table", "tickets.csv", "date,amount,label,text\n1,5,spam,free money for you if you read on and on to the end of this line\n2,7,ham,lunch\n")
	u.wait("the columns", `document.querySelector('#role-3') !== null && document.querySelectorAll('[data-model]').length > 3`)
	check("models")
}

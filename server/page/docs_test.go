package page_test

import (
	"fmt"
	"testing"

	"bayes/internal/browser"
	"bayes/server"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// try sends the request of an operation of the reference, and waits for its status.
func (u user) try(id, want string) {
	u.t.Helper()
	eval[bool](u, `(s => { s.querySelector('.try').open = true; s.querySelector('.try form').requestSubmit(); return true })(document.getElementById(%q))`, id)
	u.sees("#"+id+" .status", want)
}

// The reference sends what it shows, with the token that it is given and on the model that there
// is, and shows the answer.
func TestReferenceTries(t *testing.T) {
	u := user{browser.Open(t), t}
	reader, secret := server.NewToken("reader", server.Read)
	s := open(t, server.Options{Tokens: []server.Token{reader}})
	u.Visit(t, s.address()+"docs", 1280, "light")
	u.sees("#token", "Token")
	u.try("predict", "401")
	u.wait("the token has the focus", `document.activeElement.id === 'secret'`)
	u.press(secret + kb.Enter)
	u.sees("#allowed", "predict, read")
	u.wait("the model is one of the server's", `document.querySelector('#predict-model').value === 'mail'`)
	u.try("predict", "200")
	u.sees("#predict .answer", `"label": "spam"`)
	u.try("learn", "403")
	u.sees("#learn .answer", "needs a token of scope learn")
	eval[bool](u, `document.querySelector('#logout').click(), true`)
	u.wait("logged out", `!sessionStorage.getItem('bayes-token') && document.querySelector('#logout')?.hidden === true`)
}

// Without tokens none is asked for; the examples are of the model's columns, and a model in the
// list can be named. Files are not tried.
func TestReferenceColumns(t *testing.T) {
	u, s := visitPeople(t)
	eval[bool](u, `document.querySelector('footer a').click(), true`)
	u.wait("an example of the columns", `document.querySelector('#learn-body')?.value === %q`, `{"id":"17","label":"a small person","Age":1,"Height in cm":1,"Favourite sport":""}`)
	u.hidden("#token")
	u.try("columns", "200")
	u.sees("#columns .answer", `"name": "Age"`)
	u.try("term", "404")
	if n := u.count("#upload .try, #test .try, #snapshot .try, #delete .try"); n != 0 {
		t.Errorf("%d operations with files can be tried", n)
	}
	u.sees("#predict .example", fmt.Sprintf("%sv1/models/mail/predict", s.address()))
}

// The reference is whole and readable on a screen and on a phone, light and dark.
func TestReferenceLooks(t *testing.T) {
	u := user{browser.Open(t), t}
	reader, _ := server.NewToken("reader", server.Read)
	s := open(t, server.Options{})
	asking := open(t, server.Options{Tokens: []server.Token{reader}})
	for _, w := range browser.Windows(t) {
		for name, address := range map[string]string{"free": s.address(), "asking": asking.address()} {
			u.Visit(t, address+"docs", w.Width, w.Scheme)
			if name == "free" {
				u.wait("the model", `document.querySelector('#explain-model').value === 'mail'`)
				u.try("explain", "200")
			} else {
				u.sees("#token", "Token")
			}
			u.do(chromedp.Sleep(250 * 1e6))
			for _, complaint := range u.Measure(t).Complaints(w.Width, w.Scheme) {
				t.Errorf("%s, %d, %s: %s", name, w.Width, w.Scheme, complaint)
			}
			u.Picture(t, fmt.Sprintf("docs-%d-%s-%s", w.Width, w.Scheme, name))
		}
	}
}

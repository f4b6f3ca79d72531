package page_test

import (
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"

	"github.com/chromedp/chromedp/kb"
)

// A server without models is given its first from a table. What a token does not allow is not offered.
func TestFirstModel(t *testing.T) {
	u := user{browser.Open(t), t}
	reader, readSecret := server.NewToken("reader", server.Read)
	admin, adminSecret := server.NewToken("admin", server.Read, server.Admin)
	s := open(t, server.Options{Tokens: []server.Token{reader, admin}})
	for name := range examples {
		if _, err := s.catalog.Delete(name); err != nil {
			t.Fatal(err)
		}
	}
	u.Visit(t, s.address(), 390, "light")
	u.sees("#token", "wants a token")
	u.press(readSecret + kb.Enter)
	u.sees("#trouble", "no models yet")
	u.hidden("#view-models")
	u.hidden("#views")
	eval[bool](u, `document.querySelector('#logout').click(), true`)
	u.sees("#token", "wants a token")
	u.press(adminSecret + kb.Enter)
	u.sees("#trouble", "Train the first")
	u.give("#table", "first.csv", "label,text\nspam,win a free prize\nham,see you at lunch\n")
	u.wait("the columns are guessed", `document.querySelector('#role-1')?.value === 'text'`)
	eval[bool](u, `document.querySelector('#new-name').form.requestSubmit(), true`)
	u.sees(".made", "first has learned 2 examples of 2 classes")
	u.hidden("#trouble")
	u.hidden(`a[href="#correct"]`) // an admin who may not teach
	eval[bool](u, `document.querySelector('.made a').click(), true`)
	u.write("free")
	u.sees(".verdict", "spam")
	if m := s.catalog.Store("first"); m == nil || m.Model().Predict(bayes.Document{Text: "lunch"}).Best().Class != "ham" {
		t.Error("there is no such model")
	}
}

package page_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"
)

const labelled = "text,label\nfree money,spam\nlunch,ham\n\"see you, win money\",ham\nfree lunch at noon,ham\n"

// A file with labels is measured, and its least certain rows are corrected.
func TestMeasure(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	u.upload("held-out.csv", labelled)
	u.sees("#view-file .figures", "75.0%")
	u.sees(".confusion", "spam")
	u.sees("#view-file .review .num", "4 to go")
	u.sees("#view-file .review", "in the file")
	u.press("1")
	u.sees("#count-documents", "5")
	u.sees("#view-file .review .num", "3 to go")
	if page := u.download("[data-act=report]", "held-out-report.html"); !strings.HasPrefix(page, "<!DOCTYPE html>") || !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
		t.Errorf("the report: %.200s", page)
	}
	if got := u.labelled(); !strings.HasPrefix(got, "text,label,label_,probability\r\nfree money,spam,spam,0.") {
		t.Errorf("the file that comes back: %s", got)
	}
	// All of that was one request.
	if n := u.sent("/test"); n != 1 || u.sent("/predict") > 0 {
		t.Errorf("the file was sent %d times to be measured, and %d times to be labelled", n, u.sent("/predict"))
	}
	u.Clean(t, s.address())
}

// sent returns how many requests asked for a path that ends so.
func (u user) sent(path string) (n int) {
	for _, address := range u.Requests() {
		if address, _, _ = strings.Cut(address, "?"); strings.HasSuffix(address, path) {
			n++
		}
	}
	return n
}

// A file whose labels are in a column that was not found is measured by the one that is chosen.
func TestMeasureChosenColumn(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	u.upload("held-out.csv", "text,was,is\nfree money,eggs,spam\nlunch,eggs,eggs\n\"see you, win money\",eggs,eggs\n")
	u.sees("#label-column", "(none)")
	if n := u.sent("/test"); n > 0 {
		t.Errorf("measured %d times", n)
	}
	eval[bool](u, `(e => { e.value = '2'; return e.dispatchEvent(new Event('change')) })(document.querySelector('#label-column'))`)
	u.wait("it can be measured", `document.querySelector('.measured form button')?.disabled === false`)
	eval[bool](u, `document.querySelector('.measured form').requestSubmit(), true`)
	u.sees("#view-file .figures", "33.3%")
	u.sees("#view-file .mistyped", "eggs")
	u.Clean(t, s.address())
}

// What the server will not measure is labelled all the same, and the page says why.
func TestMeasureRefused(t *testing.T) {
	u, s := user{browser.Open(t), t}, open(t, server.Options{})
	real := s.server(server.Options{})
	s.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/test") {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			io.WriteString(w, `{"title":"no","status":413,"detail":"there are too many rows"}`)
			return
		}
		real.ServeHTTP(w, r)
	}))
	u.Visit(t, s.address(), 1280, "light")
	u.pick("mail")
	u.see("file")
	u.upload("held-out.csv", labelled)
	u.sees(".measured .mistyped", "there are too many rows")
	if got := u.labelled(); strings.Count(got, "\r\n") != 5 {
		t.Errorf("the file that comes back: %s", got)
	}
	// So is what ends too early.
	s.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/test") {
			io.WriteString(w, `{"label":"spam","probability":0.5,"probabilities":{"spam":0.5}}`+"\n")
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		real.ServeHTTP(w, r)
	}))
	u.upload("again.csv", labelled)
	u.sees(".progress", "Stopped after")
	u.hidden("#view-file .figures")
}

// A table trains a model, which is tried and deleted; it is asked before.
func TestModels(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("models")
	u.give("#table", "어휘.csv", "날짜,내용,분류\n1,정말 재미있는 영화,긍정\n2,지루한 시간 낭비,부정\n3,아주 재미있는 배우,긍정\n")
	u.wait("the columns are guessed", `['none', 'text', 'label'].every((r, i) => document.querySelector('#role-' + i)?.value === r)`)
	eval[bool](u, `(e => { e.value = 'mail'; return e.dispatchEvent(new Event('input')) })(document.querySelector('#new-name'))`)
	u.sees("#train-problem", "already")
	u.wait("the language is guessed", `document.querySelector('#new-language').value === 'ko'`) // this server has no dictionary of it
	eval[bool](u, `(e => { e.value = ''; return e.dispatchEvent(new Event('change')) })(document.querySelector('#new-language'))`)
	eval[bool](u, `(e => { e.value = 'films'; e.dispatchEvent(new Event('input')); e.form.requestSubmit(); return true })(document.querySelector('#new-name'))`)
	u.sees(".made", "films has learned 3 examples of 2 classes")
	u.wait("it is chosen", `document.querySelector('#model').value === 'films'`)
	u.sees("#count-documents", "3")
	u.see("text")
	u.write("재미있는 시간")
	u.sees(".verdict", "긍정")

	u.see("models")
	eval[bool](u, `document.querySelector('tr[data-model=films] button').click(), true`)
	u.sees("dialog", "Delete the model films?")
	u.Picture(t, "delete")
	u.press("\x1b")
	u.wait("it is not asked any more", `document.querySelector('dialog') === null`)
	eval[bool](u, `document.querySelector('tr[data-model=films] button').click(), true`)
	eval[bool](u, `document.querySelector('dialog [data-act=delete]').click(), true`)
	u.wait("it is gone", `!document.querySelector('tr[data-model=films]') && ![...document.querySelector('#model').options].some(o => o.value === 'films')`)
	u.hidden("dialog")
	if s.catalog.Store("films") != nil {
		t.Error("the model is still there")
	}
	u.Clean(t, s.address())
}

// Where an empty cell was a category in training, it is one in a file, too.
func TestMeasureEmptyCategory(t *testing.T) {
	u, s := user{browser.Open(t), t}, open(t, server.Options{})
	c := bayes.NewCounts(nil)
	c.SetColumns(bayes.Columns{Label: "size", Categorical: []string{"sport"}, EmptyCategory: true})
	for range 2 {
		c.Learn(bayes.Example{Label: "tall", Attrs: []bayes.Attr{bayes.Category("sport", "")}})
	}
	for range 3 {
		c.Learn(bayes.Example{Label: "small", Attrs: []bayes.Attr{bayes.Category("sport", "riding")}})
	}
	s.add("people", c, bayes.Mixed{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("people")
	u.see("file")
	u.upload("people.csv", "size,sport\ntall,\nsmall,riding\n")
	u.sees("#view-file .figures", "100.0%")
	u.sees("#view-file .figure:last-child .big", "2")
	u.Clean(t, s.address())
}

package labelling_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/internal/browser"

	"github.com/chromedp/chromedp/kb"
)

// pressed are the labels that are chosen on the page.
func (u user) pressed() string {
	u.t.Helper()
	return eval[string](u, `[...document.querySelectorAll('.choice[aria-pressed=true]')].map(b => b.dataset.class).sort().join(';')`)
}

// choose presses keys until just these labels are chosen.
func (u user) choose(labels ...string) {
	u.t.Helper()
	for _, class := range strings.Split(eval[string](u, `[...document.querySelectorAll('.choice')].map(b => b.dataset.class).join(';')`), ";") {
		want := strings.Contains(";"+strings.Join(labels, ";")+";", ";"+class+";")
		if strings.Contains(";"+u.pressed()+";", ";"+class+";") != want {
			u.press(eval[string](u, `document.querySelector('[data-class="%s"]').getAttribute('aria-keyshortcuts')`, class))
		}
	}
}

// confirm presses a key that answers, and waits for the next text.
func (u user) confirm(key string) (row string) {
	u.t.Helper()
	text := u.text()
	u.press(key)
	u.wait("the next text", `document.querySelector('#question').dataset.text !== '%d' && !document.querySelector('#question').hasAttribute('aria-busy')`, text)
	return fmt.Sprint(text + 1)
}

// Several labels, none, a new one, undo and a reload: the file has what was answered.
func TestSetsByKeys(t *testing.T) {
	h := newHeap(t, 200, "en")
	_, address := h.serve("--label-separator", ";")
	u := h.visit(address, "", screen)
	u.declare(begun["en"]...)
	given := make(map[string]string) // by row
	u.choose("billing", "access")
	u.sees("#confirm", "access, billing")
	given[u.confirm(kb.Enter)] = "access;billing"
	u.sees(".was", "Saved: access, billing.")
	given[u.confirm("n")] = ";"
	u.sees(".was", "Saved: none of these.")
	measured := false
	for range 10 {
		label := h.labels[u.text()]
		if eval[bool](u, `document.querySelector('.badge') !== null`) {
			measured = true
			if u.pressed() != "" {
				t.Errorf("%q are chosen of a text that measures", u.pressed())
			}
			if !eval[bool](u, `document.querySelector('#confirm').disabled`) {
				t.Error("no label is an answer of Enter")
			}
			u.press(kb.Enter) // nothing is chosen
		}
		u.choose(label)
		given[u.confirm(kb.Enter)] = label
	}
	if !measured {
		t.Error("no text of twelve measures")
	}
	last := u.text()
	// A new class is chosen with others, and undone.
	u.choose("access")
	eval[bool](u, `(e => { e.value = 'gold; billing'; e.form.requestSubmit(); return true })(document.querySelector('#other'))`)
	u.sees("#confirm", "access, billing, gold")
	u.confirm(kb.Enter)
	u.sees("#classes", "gold")
	u.press("u")
	u.wait("the text again", `document.querySelector('#question').dataset.text === '%d'`, last)
	u.Visit(t, address, screen.Width, screen.Scheme)
	u.wait("a question", `document.querySelector('#question').dataset.text === '%d'`, last)
	u.choose("gold", "billing")
	given[u.confirm(kb.Enter)] = "billing;gold"
	u.sees("#quality #sets", "Micro F1")
	for _, row := range h.rows() {
		if want, ok := given[row[2]]; ok && row[0] != want {
			t.Errorf("row %s is %q, and was answered %q", row[2], row[0], want)
		}
		delete(given, row[2])
	}
	if len(given) > 0 {
		t.Errorf("not in the file: %v", given)
	}
	if out, err := h.bayes("train", "labels.csv", "--label-separator", ";", "-o", "model.nb").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	u.Clean(t, address)
	u.Picture(t, "sets")
}

// The page of several labels is whole and readable.
func TestLooksOfSets(t *testing.T) {
	for i, w := range []browser.Window{{Width: 1280, Scheme: "light"}, {Width: 390, Scheme: "dark"}, {Width: 390, Scheme: "light"}} {
		language := []string{"en", "ko", "ja"}[i]
		h := newHeap(t, 120, language)
		_, address := h.serve("--label-separator", ";")
		u := h.visit(address, "", w)
		eval[bool](u, `(s => { s.value = %q; return s.dispatchEvent(new Event('change')) })(document.querySelector('#language'))`, language)
		u.declare(begun[language]...)
		for range 12 {
			u.choose(h.labels[u.text()])
			u.confirm(kb.Enter)
		}
		u.sees("#quality #sets", "F1")
		name := fmt.Sprintf("sets-%d-%s-%s", w.Width, w.Scheme, language)
		for _, complaint := range append(u.Errors(), u.Measure(t).Complaints(w.Width, w.Scheme)...) {
			t.Errorf("%s: %s", name, complaint)
		}
		u.Picture(t, name)
		u.Clean(t, address)
	}
}

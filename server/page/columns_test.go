package page_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"

	"github.com/chromedp/chromedp"
)

// addPeople adds a model of columns alone, and one of a text beside columns.
func (s *site) addPeople() {
	c, both := bayes.NewCounts(nil), bayes.NewCounts(nil)
	sports := map[string][]string{"a tall person": {"basketball", "volleyball", "rowing"}, "a small person": {"riding", "gymnastics"}}
	for label, list := range sports {
		mean := 188.5
		if label == "a small person" {
			mean = 163.25
		}
		for i := range 24 {
			attrs := []bayes.Attr{bayes.Number("Height in cm", mean+float64(i%7)), bayes.Number("Age", 30+mean/20+float64(i%5)), bayes.Category("Favourite sport", list[i%len(list)])}
			c.Learn(bayes.Example{Label: label, Attrs: attrs})
			both.Learn(bayes.Example{Label: label, Text: "the age of " + list[i%len(list)], Attrs: attrs})
		}
	}
	s.add("people", c, bayes.Mixed{})
	s.add("people-and-text", both, bayes.Mixed{})
}

// enter has a value in the field of a column.
func (u user) enter(column, value string) {
	u.t.Helper()
	u.wait("the field of "+column, `document.getElementById(%q) !== null`, "field-"+column)
	eval[bool](u, `(e => { e.value = %q; return e.dispatchEvent(new Event('input')) })(document.getElementById(%q))`, value, "field-"+column)
}

// find searches for a term.
func (u user) find(query string) {
	u.t.Helper()
	eval[bool](u, `(e => { e.value = %q; e.dispatchEvent(new Event('input')); e.form.requestSubmit(); return true })(document.querySelector('#term'))`, query)
}

// visitPeople opens the page at the model of columns alone.
func visitPeople(t *testing.T) (user, *site) {
	t.Helper()
	u, s := user{browser.Open(t), t}, open(t, server.Options{})
	s.addPeople()
	u.Visit(t, s.address(), 1280, "light")
	u.pick("people")
	return u, s
}

// A model of columns alone has no text box. A number reads as one, with its means; a category
// offers its values, and one that the model does not know is marked.
func TestColumnsAlone(t *testing.T) {
	u, s := visitPeople(t)
	u.enter("Age", "39")
	if n := u.count("#field-text, textarea"); n != 0 {
		t.Errorf("%d text boxes", n)
	}
	u.sees(".shares", "Age = 39")
	u.sees(".shares .spread", "a small person 40.08")
	u.enter("Favourite sport", "Riding")
	u.sees(".mistyped", "does not know this value")
	u.wait("the values are offered", `[...document.querySelectorAll('datalist[id^=values] option')].map(o => o.value).sort().join() === 'basketball,gymnastics,riding,rowing,volleyball'`)
	u.enter("Favourite sport", "riding")
	u.hidden(".mistyped")
	u.sees(".verdict", "a small person")
	u.sees(".shares", "Favourite sport=riding")
	u.unfold()
	u.sees(".factors", "Age = 39")
	u.sees(".derive", "The columns")
	u.sees("#views", "Record")
	u.Clean(t, s.address())
}

// The search finds numbers and categories by the names and values, whatever their case, and of a
// text what the analyzer makes of it; a number's name may be a term too.
func TestSearchColumns(t *testing.T) {
	u, s := visitPeople(t)
	u.see("terms")
	u.sees("#view-terms", "What tells most of")
	u.sees("#view-terms .spread", "±")
	u.find("age")
	u.sees(".found", "Age")
	u.sees(".found", "40.08")
	u.sees(".found", "Deviation")
	for query, want := range map[string]string{"Favourite sport": "Favourite sport=gymnastics", "RIDING": "Favourite sport=riding", "Favourite sport=rowing": "Favourite sport=rowing"} {
		u.find(query)
		u.wait(query+" finds "+want, `document.querySelector('#view-terms [aria-live]').innerText.includes(%q)`, want)
	}
	u.find("nothing such")
	u.sees("#view-terms", "does not know “nothing such”")
	u.pick("people-and-text")
	u.find("Age")
	u.wait("the number and the term", `[...document.querySelectorAll('.found h3')].map(h => h.textContent).join() === 'Age,age'`)
	u.Clean(t, s.address())
}

// The views of columns are whole and readable on a screen and on a phone, light and dark.
func TestColumnsLook(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	s.addPeople()
	for i, w := range browser.Windows(t) {
		u.Visit(t, s.address(), w.Width, w.Scheme)
		for _, language := range languages(t, i) {
			u.speak(language)
			name := fmt.Sprintf("columns-%d-%s-%s", w.Width, w.Scheme, language)
			check := func(what string) {
				u.do(chromedp.Sleep(250 * 1e6)) // until nothing moves
				for _, complaint := range append(u.Errors(), u.Measure(t).Complaints(w.Width, w.Scheme)...) {
					t.Errorf("%s, %s: %s", name, what, complaint)
				}
				u.Picture(t, name+"-"+what)
			}
			u.see("text")
			u.pick("people")
			u.enter("Age", "39")
			u.enter("Height in cm", "170")
			u.enter("Favourite sport", "Riding")
			u.sees(".shares", "Age = 39")
			u.wait("the mark", `!document.querySelector('.mistyped').hidden`)
			u.unfold()
			check("text")
			u.see("terms")
			u.find("Age")
			u.sees(".found", "Age")
			check("terms")
			if language != "en" {
				continue
			}
			u.pick("people-and-text")
			u.see("text")
			u.write("the age of riding")
			u.enter("Age", "39")
			u.sees(".shares", "Age = 39")
			check("both")
		}
	}
}

// The column of the texts is found by the name that it had when the model was trained.
func TestTrainedColumn(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	c := bayes.NewCounts(nil)
	for _, ex := range examples["mail"] {
		c.Learn(ex)
	}
	c.SetColumns(bayes.Columns{Label: "v1", Text: []string{"V2"}})
	s.add("sms", c, bayes.Multinomial{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("sms")
	u.see("file")
	u.upload("sms.csv", "body,v2\na long text about nothing that is longer than all the others there are,free money\nanother one of these long ones,lunch at noon\n")
	rows := strings.Split(strings.TrimSpace(u.labelled()), "\n")
	if len(rows) != 3 || !strings.Contains(rows[1], ",spam,") || !strings.Contains(rows[2], ",ham,") {
		t.Errorf("%q", rows)
	}
	u.Clean(t, s.address())
}

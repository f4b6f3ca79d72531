package page_test

import (
	"fmt"
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"
)

// A model of thousands of classes: the page shows the most probable and the largest, and any
// class by its name.
func TestManyClasses(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	const classes = 2000
	c := bayes.NewCounts(nil)
	for k := range classes {
		c.Learn(bayes.Example{Label: fmt.Sprintf("c%04d", k), Text: fmt.Sprintf("common w%d own%d", k%50, k)})
	}
	for range 3 {
		c.Learn(bayes.Example{Label: "c1500", Text: "common own1500"})
	}
	s.add("many", c, bayes.Multinomial{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("many")
	u.write("own1507 own1507 own1507 own1507")
	u.sees(".verdict", "c1507")
	u.sees(".bars", "and 1,990 less probable classes")
	eval[bool](u, `document.querySelector('.bars .more button').click(), true`)
	u.wait("ten classes", `document.querySelectorAll('.bars .name').length === 10`)
	u.unfold()
	if n := u.count("#against-class option"); n != 9 {
		t.Errorf("the derivation offers %d classes to compare with, want 9", n)
	}

	u.see("terms")
	u.wait("the largest class first", `document.querySelector('#view-terms tbody button[data-class="c1500"]') !== null`)
	if n := u.count("#view-terms tbody button"); n > 101 {
		t.Errorf("%d classes are in the table", n)
	}
	u.sees("#view-terms", "The 100 classes with the most examples, of 2,000.")
	find := func(label string) {
		eval[bool](u, `(e => { e.value = %q; e.form.requestSubmit(); return true })(document.querySelector('#class-name'))`, label)
	}
	find("nobody")
	u.wait("a name that is none", `document.querySelector('#class-name').getAttribute('aria-invalid') === 'true'`)
	find("c1999")
	u.sees("#title-telling", "c1999")
	u.sees("#view-terms", "own1999")
	u.Clean(t, s.address())
}

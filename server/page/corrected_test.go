package page_test

import (
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"
)

// What a correction adds stands beside what is naive Bayes', among the words and in the derivation.
func TestCorrected(t *testing.T) {
	u, s := user{browser.Open(t), t}, open(t, server.Options{})
	for name, trust := range map[string]float64{"trusted": .2, "untrusted": 0} {
		c, err := bayes.ReadCorpus(t.Context(), nil, func(yield func(bayes.Example, error) bool) {
			for range 5 {
				for _, ex := range []bayes.Example{{Label: "spam", Text: "win a free prize"}, {Label: "ham", Text: "see you at lunch"}, {Label: "ham", Text: "free at noon"}, {Label: "ham", Text: "free prize"}} {
					if !yield(ex, nil) {
						return
					}
				}
			}
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		em, err := c.Correct(t.Context(), bayes.Corrected{Trust: trust})
		if err != nil {
			t.Fatal(err)
		}
		s.add(name, c.Counts(), em)
	}
	u.Visit(t, s.address(), 1280, "light")
	u.pick("trusted")
	u.write("free free prize win")
	u.sees(".verdict", "spam")
	u.sees(".shares", "learned correction")
	u.sees(".shares", "naive Bayes")
	u.unfold()
	u.sees(".derive", "what is added to that was learned from the examples")
	u.sees(".factors", "(1 + ln 2)")
	u.pick("untrusted")
	u.write("free free prize win")
	u.sees(".verdict", "spam")
	u.unfold()
	u.sees(".derive", "Naive Bayes counts 0 times")
	u.Clean(t, s.address())
}

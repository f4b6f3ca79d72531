package bayes

import (
	"math"
	"strings"
	"testing"
)

// The score is Robinson's and Fisher's, worked out here by hand from the smallest tails.
func TestFisher(t *testing.T) {
	em, err := ParseEventModel("fisher robs=0.5 robx=0.4 min-dev=0.1")
	if err != nil || em.String() != "fisher robs=0.5 robx=0.4 min-dev=0.1" {
		t.Fatal(em, err)
	}
	c := NewCounts(&Space{Binary: true})
	for _, ex := range []Example{{Label: "ham", Text: "a b"}, {Label: "ham", Text: "a c"}, {Label: "spam", Text: "b d"}, {Label: "spam", Text: "d d c"}, {Label: "spam", Text: "d"}} {
		c.Learn(ex)
	}
	m, err := Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	// With two terms, the tail of chi-square is e^-x·(1+x).
	tail := func(product float64) float64 { return product * (1 - math.Log(product)) }
	a, d := 0.5*0.4/2.5, (0.5*0.4+3)/3.5 // of no spam in two mails, and of three in three
	want := (1 + tail(a*d) - tail((1-a)*(1-d))) / 2
	for _, text := range []string{"a d", "a d d", "d a c"} { // c has .4 ± .1 and says nothing
		doc := Document{Text: text}
		p := m.Predict(doc)
		spam := p.Classes[0].P
		if p.Classes[0].Class != "spam" {
			spam = p.Classes[1].P
		}
		if math.Abs(spam-want) > 1e-15 || math.Abs(p.Classes[0].P+p.Classes[1].P-1) > 1e-15 {
			t.Errorf("%s: %v, want %v", text, p, want)
		}
		checkPartsAddUp(t, m, doc)
	}
	if p := m.Predict(Document{}); math.Abs(p.Best().P-0.6) > 1e-15 || p.Best().Class != "ham" {
		t.Errorf("nothing is robx: %v", p)
	}
	// It goes on where probabilities have no digits left.
	long := m.Predict(Document{Text: "d"}).Classes[1].LogJoint
	if !(long > -20) || math.IsInf(long, 0) {
		t.Error(long)
	}
	if top := m.TopTerms("spam", 1); len(top) != 1 || top[0].Feature != "d" {
		t.Errorf("%v", top)
	}
	c.Learn(Example{Label: "work", Text: "x"})
	if _, err := Fit(c, em); err == nil || !strings.Contains(err.Error(), "two classes") {
		t.Error(err)
	}
	for _, bad := range []string{"fisher robs=-1", "fisher robx=1", "fisher min-dev=0.5", "fisher robs=NaN"} {
		em, err := ParseEventModel(bad)
		if err == nil {
			_, err = Fit(m2(), em)
		}
		if err == nil {
			t.Errorf("%s is fitted", bad)
		}
	}
}

// m2 returns counts of two classes.
func m2() *Counts {
	c := NewCounts(nil)
	c.Learn(Example{Label: "a", Text: "x"})
	c.Learn(Example{Label: "b", Text: "y"})
	return c
}

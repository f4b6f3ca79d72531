package bayes_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"bayes"
	"bayes/text"

	"pgregory.net/rapid"
)

// Highlights, one after the other, are the text, and none is NaN. Over words that
// do not overlap they add up to the parts of the terms.
func TestHighlights(t *testing.T) {
	for _, em := range []bayes.EventModel{bayes.Multinomial{}, bayes.Multinomial{Smoothing: bayes.Additive(0)}, bayes.Bernoulli{}} {
		for _, spec := range []string{"default", "sklearn ngrams=1-2", "chars=2-3"} {
			a, err := text.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			counts := bayes.NewCounts(&bayes.Space{Analyzer: a})
			for _, s := range []string{"free prize", "lunch at one", "free lunch"} {
				counts.Learn(bayes.Example{Label: s[:1] + s[len(s)-1:], Text: s})
			}
			m, err := bayes.Fit(counts, em)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				words := rapid.SliceOf(rapid.SampledFrom([]string{"free", "Prize", "lunch,", "at", "unheard", "é", "\xff", "日本"})).Draw(t, "words")
				s := strings.Join(words, " ")
				ex := m.Explain(bayes.Document{Text: s})
				var joined strings.Builder
				var sum, want float64
				for _, stretch := range ex.Highlights(s) {
					if stretch.Text == "" || math.IsNaN(stretch.LogOdds) {
						t.Fatalf("%q: stretch %+v", s, stretch)
					}
					joined.WriteString(stretch.Text)
					sum += stretch.LogOdds
				}
				for _, f := range ex.Features {
					want += f.LogOdds
				}
				if joined.String() != s {
					t.Fatalf("%q is cut into %q", s, joined.String())
				}
				if _, smooth := em.(bayes.Multinomial); spec == "default" && smooth && em.(bayes.Multinomial).Smoothing == nil && math.Abs(sum-want) > 1e-9 {
					t.Fatalf("%q: highlights of %v, terms of %v", s, sum, want)
				}
				ex.Highlights(s[:len(s)/2]) // of another text
			})
		}
	}
}

// Terms that overlap add up; infinite ones are taken out again.
func TestHighlightsOverlap(t *testing.T) {
	token := func(start, end int) []text.Token { return []text.Token{{Start: start, End: end}} }
	inf := math.Inf(1)
	ex := &bayes.Explanation{Features: []bayes.Contribution{
		{LogOdds: 1, Where: token(0, 3)}, {LogOdds: .5, Where: token(2, 5)}, {LogOdds: inf, Where: token(6, 8)},
		{LogOdds: -inf, Where: token(7, 9)}, {LogOdds: .25, Where: token(8, 10)}, {LogOdds: 9, Where: token(10, 99)}, {LogOdds: 9},
	}}
	got := fmt.Sprint(ex.Highlights("0123456789abc"))
	if want := "[{01 1} {2 1.5} {34 0.5} {5 0} {6 +Inf} {7 0} {8 -Inf} {9 0.25} {abc 0}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An explanation against another class than the second is that of the pair, and
// turned round it is its negative.
func TestExplainAgainst(t *testing.T) {
	counts := bayes.NewCounts(nil)
	for _, label := range []string{"a", "b", "c"} {
		counts.Learn(bayes.Example{Label: label, Text: "all " + strings.Repeat(label+" ", 3)})
	}
	m, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		t.Fatal(err)
	}
	d := bayes.Document{Text: "a a b all"}
	best, pair, turned := m.Explain(d), m.ExplainAgainst(d, "a", "c"), m.ExplainAgainst(d, "c", "a")
	if best.Class != "a" || best.Against != "b" || pair.Class != "a" || pair.Against != "c" {
		t.Fatalf("%s against %s, %s against %s", best.Class, best.Against, pair.Class, pair.Against)
	}
	odds := map[string]float64{}
	for _, c := range pair.Classes {
		odds[c.Class] = c.LogP
	}
	sum, back := pair.Prior+pair.Absent, turned.Prior+turned.Absent
	for i := range pair.Features {
		sum += pair.Features[i].LogOdds
		back += turned.Features[i].LogOdds
	}
	if math.Abs(sum-(odds["a"]-odds["c"])) > 1e-12 || math.Abs(sum+back) > 1e-12 {
		t.Errorf("parts add up to %v, and turned round to %v; want %v", sum, back, odds["a"]-odds["c"])
	}
	for _, pair := range [][2]string{{"a", "a"}, {"a", "d"}, {"", "a"}} {
		if m.ExplainAgainst(d, pair[0], pair[1]) != nil {
			t.Errorf("%q is explained", pair)
		}
	}
}

package label

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bayes"
)

// What a text is worth is what the formula of Informative says, counted anew from the texts: by a model of the answers, and by one that has learned the others too,
// also after more answers, and after so many that margins count more.
func TestInformativeFormula(t *testing.T) {
	texts, labels := drawn(200, 4)
	p := pile(t, texts, &Options{Measured: -1})
	words := make([][]string, len(texts))
	of := make(map[string]float64) // texts of each term
	for i, d := range texts {
		words[i] = strings.Fields(d.Text)
		slices.Sort(words[i])
		words[i] = slices.Compact(words[i])
		for _, w := range words[i] {
			of[w]++
		}
	}
	check := func(exponent, root float64) {
		t.Helper()
		p.scores.prepare()
		seen, answers, all := make(map[string]float64), make(map[string]float64), 0.0
		for i := range texts {
			if label := p.Label(i); label != "" {
				all++
				answers[label]++
				for _, w := range words[i] {
					seen[w]++
				}
			}
		}
		for i := range texts {
			k, news := float64(len(words[i])), 0.0
			for _, w := range words[i] {
				if of[w] > 1 {
					news += math.Pow(of[w], exponent) / (1 + seen[w])
				}
			}
			news /= math.Sqrt(k)
			margin, best := p.scores.margin(i)
			of := 0.0 // answers of the best class
			for label, c := range p.scores.classes {
				if c == best {
					of = answers[label]
				}
			}
			classes := float64(len(answers))
			temperature := math.Sqrt(k)
			if p.scores.sure != nil {
				temperature = min(temperature, 5*math.Sqrt(k*classes/all))
			}
			if p.scores.cover.own[i] > 0 {
				news = math.Pow(news, root)
			}
			want := (0.1 + coverGain(p, i)) * news / (1 + margin/temperature) / (1 + of)
			if got := Informative.worth(p.scores, i, math.Inf(-1)); math.Abs(got-want) > 1e-9*want {
				t.Fatalf("text %d is worth %v, want %v", i, got, want)
			}
		}
	}
	answer := func(from, to int) {
		for i := from; i < to; i++ {
			if err := p.Answer("", i, labels[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	answer(0, 19)
	check(1./2, 1./2)
	answer(19, 20)
	check(1./2, 1)
	if u := learnUnanswered(t, p); u.Weight == 0 || p.scores.sure == nil {
		t.Fatalf("texts without an answer are not used: %+v", u.Trials)
	}
	check(1./4, 1./2)
	answer(20, 40)
	check(1./4, 1./2)
	answer(40, 180)
	check(1./4, 1./2)
	p.scores.trust(nil)
	check(1./2, 1)
}

// Each question is the first text that no other is worth more than, also after answers that were taken back or changed.
func TestNextIsWorthMost(t *testing.T) {
	texts, of := topics(60, 40, 30)
	p, all := pile(t, texts, &Options{Seed: 5, Measured: -1}), pile(t, texts, &Options{Seed: 5, Measured: -1})
	answer := func(i int, label string) {
		t.Helper()
		for _, p := range []*Pile{p, all} {
			if err := p.Answer("", i, label); err != nil {
				t.Fatal(err)
			}
		}
	}
	var asked []int
	for n := range 80 {
		all.scores.prepare()
		want, most := -1, 0.0
		for _, i := range all.shuffled {
			if worth := Informative.worth(all.scores, i, math.Inf(-1)); all.Label(i) == "" && worth > most {
				want, most = i, worth
			}
		}
		q, _ := p.Next("")
		if q.Text != want {
			t.Fatalf("after %d answers text %d is asked, %d is worth most", n, q.Text, want)
		}
		answer(q.Text, fmt.Sprint(of[q.Text]))
		asked = append(asked, q.Text)
		if n%10 == 9 { // what was asked early stood for much
			answer(asked[n/10], []string{"", "0"}[n/10%2])
		}
	}
}

// coverGain returns what an answer to text i would add to what is covered, by how near texts are to each other, which TestNeighbours counts anew.
func coverGain(p *Pile, i int) (sum float64) {
	covered := make(map[int32]float64) // by text
	for j := range p.texts {
		if p.Label(j) == "" {
			continue
		}
		for _, x := range p.scores.cover.near(j) {
			covered[x.Text] = max(covered[x.Text], x.Near)
		}
	}
	for _, x := range p.scores.cover.near(i) {
		sum += max(0, x.Near-covered[x.Text])
	}
	return sum
}

// Texts of which nothing is near to another, since all their terms are frequent, are put by what else is known of them.
func TestInformativeWithoutCover(t *testing.T) {
	var texts []bayes.Document
	for i := range 300 {
		texts = append(texts, bayes.Document{Attrs: []bayes.Attr{bayes.Category("a", string("abc"[i%3])), bayes.Category("b", string("wxyz"[i%4]))}})
	}
	p := pile(t, texts, &Options{Measured: -1})
	asked := make(map[int]bool) // kinds
	for range 12 {
		q, _ := p.Next("")
		asked[q.Text%12] = true
		if err := p.Answer("", q.Text, string("abc"[q.Text%3])); err != nil {
			t.Fatal(err)
		}
	}
	if len(asked) < 10 { // of 12; a shuffled pile has 8 in the mean
		t.Errorf("%d of 12 kinds are asked about", len(asked))
	}
}

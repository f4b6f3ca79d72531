package report

import (
	"fmt"

	"bayes"
)

// mostTermClasses is of how many classes the terms are shown.
const mostTermClasses = 100

// classTerms are the terms that tell most of a class.
type classTerms struct {
	Label string
	Terms []tellingTerm
}

type tellingTerm struct {
	Term  string
	Class string
	Title string
}

// termsOf returns the most telling terms of each class that has some, and a note where
// that is not all.
func termsOf(m *bayes.Model, most int) ([]classTerms, string) {
	var all []classTerms
	if most == 0 {
		return nil, ""
	}
	classes := m.Classes()
	note := ""
	if len(classes) > mostTermClasses {
		note = fmt.Sprintf("Of %s classes the first %d are shown.", count(int64(len(classes))), mostTermClasses)
		classes = classes[:mostTermClasses]
	}
	telling := make([][]bayes.TermStats, len(classes))
	var strongest scale
	for i, label := range classes {
		telling[i] = m.TopTerms(label, most)
		for _, t := range telling[i] {
			strongest.cover(t.LogOdds)
		}
	}
	for i, label := range classes {
		var terms []tellingTerm
		for _, t := range telling[i] {
			terms = append(terms, newTellingTerm(t, strongest))
		}
		if terms != nil {
			all = append(all, classTerms{label, terms})
		}
	}
	return all, note
}

func newTellingTerm(t bayes.TermStats, s scale) tellingTerm {
	title := fmt.Sprintf("log-odds %s, %s times in %s", signed(t.LogOdds), number(t.Moments.Sum), plural(t.Moments.Examples, "document", "documents"))
	return tellingTerm{t.Feature, s.class(t.LogOdds), title}
}

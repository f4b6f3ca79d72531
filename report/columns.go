package report

import (
	"fmt"

	"bayes"
	"bayes/answer"
)

const (
	mostColumns = 50 // of each kind, that are shown
	mostValues  = 5  // telling values of a category in a class
)

// columns are the numbers and categories of a model, by class.
type columns struct {
	Numbers    []answer.Number
	Categories []categoryTable
	Note       string
}

// A categoryTable has the values of a category that tell most of each class.
type categoryTable struct {
	Name string
	Rows []classTerms
}

// columns returns what is shown of the numbers and categories, nil if there are none.
func (r *Report) columns() *columns {
	_, numbers, categories := r.model.Attributes()
	if len(numbers)+len(categories) == 0 {
		return nil
	}
	var c columns
	if max(len(numbers), len(categories)) > mostColumns {
		c.Note = fmt.Sprintf("Of the columns the first %d of each kind are shown.", mostColumns)
	}
	classes := r.model.Classes()
	if n := len(classes); n > mostTermClasses {
		c.Note += fmt.Sprintf(" Of %s classes the first %d are shown.", count(int64(n)), mostTermClasses)
		classes = classes[:mostTermClasses]
	}
	for _, n := range answer.Numbers(r.model, numbers[:min(len(numbers), mostColumns)]) {
		c.Numbers = append(c.Numbers, answer.Number{Name: n.Name, Classes: n.Classes[:len(classes)]})
	}
	if len(categories) > 0 {
		c.Categories = r.categories(categories[:min(len(categories), mostColumns)], classes)
	}
	return &c
}

// categories returns the most telling values of categories, by class.
func (r *Report) categories(names, classes []string) []categoryTable {
	tables := make([]categoryTable, len(names))
	telling := make([][][]bayes.TermStats, len(classes)) // by class, then by category
	var strongest scale
	for k, label := range classes {
		telling[k] = make([][]bayes.TermStats, len(names))
		for _, t := range r.model.TopTerms(label, r.model.Len()) {
			i, value, ok := answer.CutCategory(t.Feature, names)
			if !ok || t.LogOdds <= 0 || len(telling[k][i]) == mostValues {
				continue
			}
			t.Feature = value
			telling[k][i] = append(telling[k][i], t)
			strongest.cover(t.LogOdds)
		}
	}
	for i, name := range names {
		tables[i].Name = name
		for k, class := range classes {
			row := classTerms{Label: class}
			for _, t := range telling[k][i] {
				row.Terms = append(row.Terms, newTellingTerm(t, strongest))
			}
			tables[i].Rows = append(tables[i].Rows, row)
		}
	}
	return tables
}

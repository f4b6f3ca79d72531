package cli

import (
	"iter"
	"strconv"

	"bayes"
	"bayes/dataset"
)

// A vectorKind is what the values of svmlight files are to an event model.
type vectorKind int

const (
	counts vectorKind = iota // how often a term occurs
	numbers
	categories // the codes of values
)

// kindOf returns the first kind that em accepts.
func kindOf(em bayes.EventModel) vectorKind {
	accepts := func(a bayes.Attr) bool {
		return bayes.Accepts(em, bayes.Example{Attrs: []bayes.Attr{a}}) == nil
	}
	switch {
	case accepts(bayes.Term("1", 1)):
		return counts
	case accepts(bayes.Number("1", 1)):
		return numbers
	}
	return categories
}

// values returns which values a kind has.
func (k vectorKind) values() dataset.Vectors {
	return [...]dataset.Vectors{dataset.CountVectors, dataset.RealVectors, dataset.CodeVectors}[k]
}

// vectors say what the values of an svmlight file are. The zero value leaves them as
// they are read, the counts of terms.
type vectors struct {
	kind    vectorKind
	columns int // 1 to the largest index
}

// vectorsOf returns what the values are in the files of an event model that knows
// these attributes.
func vectorsOf(em bayes.EventModel, attributes ...string) vectors {
	v := vectors{kind: kindOf(em)}
	if v.kind == counts {
		return v
	}
	for _, name := range attributes {
		if n, err := strconv.Atoi(name); err == nil && n <= maxColumns {
			v.columns = max(v.columns, n)
		}
	}
	return v
}

// maxColumns is how many columns an svmlight file can have.
const maxColumns = 1 << 24

// convert makes numbers or categories of terms. An absent index is a zero.
func (v vectors) convert(examples iter.Seq2[bayes.Example, error]) iter.Seq2[bayes.Example, error] {
	if v.kind == counts {
		return examples
	}
	return func(yield func(bayes.Example, error) bool) {
		for ex, err := range examples {
			if err == nil {
				ex.Attrs = v.attrs(ex.Attrs)
			}
			if !yield(ex, err) {
				return
			}
		}
	}
}

// attrs returns the attributes of all columns, given the terms of one record.
func (v vectors) attrs(terms []bayes.Attr) []bayes.Attr {
	// The file is sparse: what it does not mention is zero.
	values := make([]float64, v.columns)
	for _, t := range terms {
		n, ok := t.Count()
		if !ok {
			return terms // a table's own columns
		}
		if i, err := strconv.Atoi(t.Name); err == nil && i >= 1 && i <= v.columns {
			values[i-1] = n
		}
	}
	// The event model, however, has a value for each column.
	attrs := make([]bayes.Attr, v.columns)
	for i, x := range values {
		name := strconv.Itoa(i + 1)
		if v.kind == numbers {
			attrs[i] = bayes.Number(name, x)
		} else {
			attrs[i] = bayes.Category(name, code(x))
		}
	}
	return attrs
}

// code returns a value of an svmlight file as the value of a category.
func code(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

package cli

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"bayes"
	"bayes/dataset"
)

// kindOf returns what the values of svmlight files are to an event model.
func kindOf(em bayes.EventModel) vectorKind {
	switch em.(type) {
	case bayes.Gaussian, bayes.Kernel, bayes.Discrete:
		return numbers
	case bayes.Categorical:
		return categories
	}
	return counts
}

// values returns which values a kind has.
func (k vectorKind) values() dataset.Vectors {
	return [...]dataset.Vectors{dataset.CountVectors, dataset.RealVectors, dataset.CodeVectors}[k]
}

// vectors say what the values of an svmlight file stand for. The zero value
// leaves them as they are, the counts of terms.
type vectors struct {
	kind    vectorKind
	columns int // 1 to the largest index
}

type vectorKind int

const (
	counts vectorKind = iota
	numbers
	categories
)

// vectorsOf returns what the values stand for in the files of an event model
// that knows these attributes.
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

func (v vectors) attrs(attrs []bayes.Attr) []bayes.Attr {
	values := make([]float64, v.columns)
	for _, a := range attrs {
		n, ok := a.Count()
		if !ok {
			return attrs // a table's own columns
		}
		if i, err := strconv.Atoi(a.Name); err == nil && i >= 1 && i <= v.columns {
			values[i-1] = n
		}
	}
	out := make([]bayes.Attr, v.columns)
	for i, x := range values {
		name := strconv.Itoa(i + 1)
		if v.kind == numbers {
			out[i] = bayes.Number(name, x)
		} else {
			out[i] = bayes.Category(name, strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	return out
}

// declare reads svmlight files once to learn their columns, all of which exist,
// and for categories all codes up to the largest.
func (a *app) declare(src *source, space *bayes.Space, em bayes.EventModel) error {
	formats, err := src.Formats()
	if err != nil {
		return err
	}
	if !slices.Contains(formats, "svmlight") {
		return nil
	}
	largest := make(map[string]float64)
	for ex, err := range src.examples() {
		if err != nil {
			return err
		}
		for _, attr := range ex.Attrs {
			n, _ := attr.Count()
			largest[attr.Name] = max(largest[attr.Name], n)
		}
	}
	columns := src.LargestIndex()
	if most := mostColumns(kindOf(em), src.BytesRead()); columns > most {
		return fmt.Errorf("index %d is more than the %d columns that %s can declare in files of %d bytes", columns, most, modelName(em), src.BytesRead())
	}
	src.vectors = vectorsOf(em, strconv.Itoa(columns))
	if src.vectors.kind == numbers {
		return nil
	}
	if src.vectors.kind == categories {
		space.Values = make(map[string][]string)
	} else if space.Vocabulary != nil {
		return nil
	}
	codes := 0.0
	for i := 1; i <= columns; i++ {
		name := strconv.Itoa(i)
		if src.vectors.kind == counts {
			space.Vocabulary = append(space.Vocabulary, name)
			continue
		}
		if largest[name] > maxCode {
			return fmt.Errorf("column %s: %v is too large for the code of a category", name, largest[name])
		}
		if codes += 1 + largest[name]; codes > fewColumns+float64(src.BytesRead()) {
			return fmt.Errorf("column %s: with it, the codes of categories up to the largest are more than can be declared in files of %d bytes", name, src.BytesRead())
		}
		for code := 0.0; code <= largest[name]; code++ {
			space.Values[name] = append(space.Values[name], strconv.FormatFloat(code, 'g', -1, 64))
		}
	}
	return nil
}

// maxColumns is how many columns an svmlight file can have.
const maxColumns = 1 << 24

// fewColumns can be declared by a file of any size. A number or category, which
// every example has, takes a kilobyte, and a term a tenth of that.
const (
	fewColumns = 1 << 20
	fewDense   = 1 << 16
)

// mostColumns returns how many columns files of so many bytes can declare: a few
// bytes say that there are millions, which need memory all the same.
func mostColumns(kind vectorKind, bytes int64) int {
	if kind == counts {
		return int(min(maxColumns, fewColumns+8*bytes))
	}
	return int(min(maxColumns, fewDense+bytes/8))
}

// modelName returns the first word of an event model's description.
func modelName(em bayes.EventModel) string {
	name, _, _ := strings.Cut(em.String(), " ")
	return name
}

// maxCode is the largest code of a category.
const maxCode = 1 << 16

package answer

import (
	"cmp"
	"slices"
	"strings"

	"bayes"
)

// ColumnFacts are what a model knows of its numbers and categories.
type ColumnFacts struct {
	Numeric     []Number   `json:"numeric"`
	Categorical []Category `json:"categorical"`
}

// A Number is what is known of one column of numbers.
type Number struct {
	Name    string        `json:"name"`
	Classes []ClassSpread `json:"classes"`
}

// A ClassSpread is how the values of a number lie in one class.
type ClassSpread struct {
	Label string `json:"label"`
	Spread
}

// A Category is what is known of one column of categories.
type Category struct {
	Name   string  `json:"name"`
	Known  int     `json:"known" doc:"How many values are known"`
	Values []Value `json:"values" doc:"Those that the most examples have"`
}

// A Value is one value of a category.
type Value struct {
	Value    string `json:"value"`
	Examples int64  `json:"examples" doc:"How many examples have it"`
}

// NewColumnFacts returns what m knows of its numbers and categories, of each category with the n
// values that the most examples have.
func NewColumnFacts(m *bayes.Model, n int) ColumnFacts {
	_, numbers, _ := m.Attributes()
	return ColumnFacts{Numbers(m, numbers), categoriesOf(m, n)}
}

// Numbers returns what m knows of some of its numbers.
func Numbers(m *bayes.Model, names []string) []Number {
	list := []Number{}
	for some := range slices.Chunk(names, named) {
		first := len(list)
		for _, name := range some {
			list = append(list, Number{name, []ClassSpread{}})
		}
		for _, label := range m.Classes() {
			moments := momentsOf(m, label, some)
			for i, name := range some {
				n := &list[first+i]
				n.Classes = append(n.Classes, ClassSpread{label, NewSpread(moments[name])})
			}
		}
	}
	return list
}

// categoriesOf returns what m knows of its categories, with n values of each.
func categoriesOf(m *bayes.Model, n int) []Category {
	list := []Category{}
	_, _, names := m.Attributes()
	for _, name := range names {
		known := m.Values(name)
		for _, value := range m.Space().Values[name] {
			known[value] += 0 // one that is declared is known, whether or not an example has it
		}
		values := []Value{}
		for value, examples := range known {
			values = append(values, Value{value, examples})
		}
		slices.SortFunc(values, func(a, b Value) int {
			return cmp.Or(cmp.Compare(b.Examples, a.Examples), cmp.Compare(a.Value, b.Value))
		})
		list = append(list, Category{name, len(values), values[:min(n, len(values))]})
	}
	return list
}

// CutCategory cuts a feature, NAME=value, if it is that of a category, and returns which of the
// names that is, and the value. Where two names fit, as a and a=b, it is the longer one.
func CutCategory(feature string, names []string) (i int, value string, ok bool) {
	for j, name := range names {
		if v, found := strings.CutPrefix(feature, name+"="); found && (!ok || len(name) > len(names[i])) {
			i, value, ok = j, v, true
		}
	}
	return i, value, ok
}

package dataset

import (
	"strconv"
	"strings"
)

// A role says what a column is used for.
type role uint8

const (
	labelRole role = iota
	textRole
	numberRole
	categoryRole
	weightRole
)

// flag returns the flag of the command that names columns of the role.
func (r role) flag() string {
	return [...]string{"label", "text", "numeric", "categorical", "weight-column"}[r]
}

// A column is a column that the options ask for.
type column struct {
	name string
	role role
}

// optional reports whether the column may be absent altogether.
func (c column) optional(o *Options) bool { return c.role == labelRole && o.Unlabelled }

// names returns what the column may be called, the first of them first.
func (c column) names(o *Options) []string {
	names := []string{c.name}
	if o.Remembered && c.role == labelRole {
		names = append(names, "label")
	}
	if o.Remembered && c.role == textRole && len(o.textNames()) == 1 {
		names = append(names, "text")
	}
	return names
}

// columns returns the columns that o asks for.
func (o *Options) columns() []column {
	list := []column{{o.labelName(), labelRole}}
	add := func(r role, names ...string) {
		for _, name := range names {
			list = append(list, column{name, r})
		}
	}
	if o.onlyLabel {
		return list
	}
	add(textRole, o.textNames()...)
	add(numberRole, o.Numeric...)
	add(categoryRole, o.Categorical...)
	if o.Weight != "" && !o.Unlabelled {
		add(weightRole, o.Weight)
	}
	return list
}

// columnNumber returns the number, from 1, of a column that is named by its number, and
// whether it is.
func columnNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "#")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0
}

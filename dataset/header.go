package dataset

import (
	"fmt"
	"slices"
	"strings"

	"bayes/internal/terminal"
)

// A header is the names of the columns of a table, among which those that are asked for are
// found: by name, by number, or by a name that differs in case and surrounding space alone.
type header struct {
	names  []string // nil if the table has none
	width  int      // how many columns there are
	asked  []column
	opts   *Options
	exact  map[string]occurrence
	folded map[string][]int // the columns by their folded names, without those that are asked for exactly
}

// An occurrence is the last index of a name in a header, and how often it is there.
type occurrence struct{ last, times int }

func newHeader(names []string, width int, asked []column, opts *Options) *header {
	h := &header{names: names, width: width, asked: asked, opts: opts, exact: make(map[string]occurrence, len(names))}
	for i, name := range names {
		h.exact[name] = occurrence{i, h.exact[name].times + 1}
	}
	return h
}

// fold returns a name as names are compared that need not be spelled alike.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// alike returns the columns whose names are name in any spelling, that in this one alone if
// there is one.
func (h *header) alike(name string) []int {
	if h.folded == nil {
		h.folded = make(map[string][]int)
		exactly := make(map[string]bool)
		for _, c := range h.asked {
			exactly[c.name] = true
		}
		for i, name := range h.names {
			if !exactly[name] {
				h.folded[fold(name)] = append(h.folded[fold(name)], i)
			}
		}
	}
	alike := h.folded[fold(name)]
	if i := slices.IndexFunc(alike, func(i int) bool { return h.names[i] == name }); i >= 0 {
		return alike[i : i+1]
	}
	return alike
}

// find returns the index of each column that is asked for, -1 of one that is absent and may be.
func (h *header) find() (index []int, err error) {
	user := make(map[int]string) // name of the column that was asked for, by index
	var missing []column
	for _, c := range h.asked {
		i, err := h.findOne(c)
		if err != nil {
			return nil, err
		}
		// A column can be asked for by its name or by its number, but only once.
		if other, ok := user[i]; ok && i >= 0 {
			return nil, fmt.Errorf("columns %q and %q are the same", other, c.name)
		}
		user[i] = c.name
		index = append(index, i)
		if i < 0 && !c.optional(h.opts) {
			missing = append(missing, c)
		}
	}
	if len(missing) > 0 {
		return nil, h.missing(missing, user)
	}
	return index, nil
}

// findOne returns the index of a column, or -1 if it is absent.
func (h *header) findOne(c column) (int, error) {
	o := h.exact[c.name]
	number, numbered := columnNumber(c.name)
	switch {
	case o.times > 1:
		return 0, fmt.Errorf("the header has column %q %d times (hint: name it by number, such as #%d)", c.name, o.times, o.last+1)
	case o.times == 1:
		return o.last, nil
	case numbered && number <= h.width:
		return number - 1, nil
	}
	for _, name := range c.names(h.opts) {
		switch alike := h.alike(name); {
		case len(alike) == 1:
			return alike[0], nil
		case len(alike) > 1 && !c.optional(h.opts):
			return 0, fmt.Errorf("no column %q, but %s (hint: --%s %s)", c.name, terminal.Names(h.at(alike)), c.role.flag(), h.word(alike[0]))
		}
	}
	return -1, nil
}

// at returns the names of columns.
func (h *header) at(index []int) (names []string) {
	for _, i := range index {
		names = append(names, h.names[i])
	}
	return names
}

// missing returns the error that columns are missing. user has the indices of those that are not.
func (h *header) missing(columns []column, user map[int]string) error {
	c := columns[0]
	number, numbered := columnNumber(c.name)
	switch {
	case numbered && number > h.width:
		return fmt.Errorf("no column %s: there are %d", c.name, h.width)
	case h.names == nil:
		return fmt.Errorf("no column %q: without a header, columns are named by number, such as #1", c.name)
	}
	var free []int
	for i := range h.names {
		if _, used := user[i]; !used {
			free = append(free, i)
		}
	}
	// A table of one column may have others in it, with something else between them.
	if name := h.names[0]; len(h.names) == 1 && strings.ContainsAny(name, ",;|\t") {
		by := name[strings.IndexAny(name, ",;|\t"):][:1]
		if by == "\t" {
			by = "tab"
		}
		return fmt.Errorf("no column %q (the table has %s; hint: --delimiter '%s')", c.name, terminal.Names(h.names), by)
	}
	only := ""
	if len(free) == 1 {
		only = h.word(free[0])
	}
	hint := flagsFor(columns, only)
	if slices.ContainsFunc(h.names, isSentence) {
		hint += ", or --no-header if the first row is an example"
	}
	return fmt.Errorf("no column %q (the table has %s; hint: %s)", c.name, terminal.Names(h.names), hint)
}

// isSentence reports whether name looks less like the name of a column than like a text: it has more than four words.
func isSentence(name string) bool { return len(strings.Fields(name)) > 4 }

// flagsFor returns the flags that say where columns are. Where one column is missing, and the
// file has only one that has no other use, that is named.
func flagsFor(missing []column, only string) string {
	var flags []string
	for _, c := range missing {
		flag := "--" + c.role.flag() + " COLUMN"
		if only != "" && len(missing) == 1 {
			flag = "--" + c.role.flag() + " " + only
		}
		if !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return strings.Join(flags, " ")
}

// word returns a column as a word of a command line: by its number, if its name would have to
// be quoted.
func (h *header) word(i int) string {
	name := h.names[i]
	if o := h.exact[name]; o.times == 1 && isWord(name) {
		return name
	}
	return fmt.Sprintf("'#%d'", i+1)
}

// isWord reports whether a shell and a list of columns take name as it is.
func isWord(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

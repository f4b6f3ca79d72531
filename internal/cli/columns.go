package cli

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/dataset"
	"bayes/internal/terminal"
	"bayes/mail"
)

// attributed is what knows the columns that it was made of: a fitted model, or counts.
type attributed interface {
	answer.Known
	Columns() bayes.Columns
	Space() *bayes.Space
}

// For chooses the columns that a model knows, unless flags name others, and
// returns the options to read with.
func (in *Input) For(m *bayes.Model) dataset.Options {
	in.chooseColumns(m)
	return in.Options
}

// gives reports whether one of the flags was given.
func (in *Input) gives(names ...string) bool {
	return in.flags != nil && slices.ContainsFunc(names, in.flags.Changed)
}

// chooseColumns makes the columns those that were learned, unless flags name some. The weight is
// for what learns alone: see [Input.chooseWeight].
func (in *Input) chooseColumns(known attributed) {
	was := known.Columns()
	if !in.gives("label") {
		in.Label = cmp.Or(was.Label, "label")
	}
	if !in.gives("text", "numeric", "categorical") {
		found := foundColumns(known)
		in.Numeric, in.Categorical = union(was.Numeric, found.Numeric), union(was.Categorical, found.Categorical)
		if in.Text = was.Text; len(in.Text) == 0 {
			in.Text = found.Text
		}
	}
	in.LabelSeparator = known.Space().LabelSeparator
	in.RawMail = mail.ReadsRaw(known.Space())
	in.Mail = in.RawMail || isMail(known)
	if !in.gives("empty-category") {
		in.EmptyCategory = was.EmptyCategory
	}
	if !in.gives("no-header") {
		in.NoHeader = was.NoHeader && !in.givesNames()
	}
	in.Remembered = !in.gives("label", "text", "numeric", "categorical", "weight-column", "no-header")
}

// isMail reports whether what was learned is mail: it has the texts that mail is read as.
func isMail(known attributed) bool {
	texts, numbers, categories := known.Attributes()
	return mail.ReadsTexts(texts) && len(numbers)+len(categories) == 0
}

// chooseWeight makes the weight that of the column that was learned, unless a flag names one.
func (in *Input) chooseWeight(known attributed) {
	if !in.gives("weight-column") {
		in.Weight = known.Columns().Weight
	}
}

// givesNames reports whether flags call columns by names, which only a header can have.
func (in *Input) givesNames() bool {
	named := func(flag string, names ...string) bool {
		return in.gives(flag) && slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, "#") })
	}
	return named("label", in.Label) || named("text", in.Text...) || named("numeric", in.Numeric...) || named("categorical", in.Categorical...)
}

// foundColumns returns the columns that what was counted speaks of. The main text is in the
// column that it is in by default.
func foundColumns(known attributed) (found bayes.Columns) {
	found.Text, found.Numeric, found.Categorical = known.Attributes()
	if known.ReadsText() && len(found.Numeric)+len(found.Categorical) > 0 {
		found.Text = append(found.Text, "text")
	}
	return found
}

// union returns the names of a, then those of b that a lacks.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(a, name) {
			all = append(all, name)
		}
	}
	return all
}

// Remember has c remember the columns that the flags name. Where they would be found without
// that, it remembers nothing, so that files of such columns have the bytes that they have had
// since before there was anything to remember.
func (in *Input) Remember(c *bayes.Counts) {
	if !in.gives("label", "text", "numeric", "categorical", "weight-column", "empty-category", "no-header") {
		return
	}
	named, found := in.columns(), foundColumns(c)
	named.Numeric, named.Categorical = spelledOut(named.Numeric, found.Numeric), spelledOut(named.Categorical, found.Categorical)
	if !sameColumns(named, found) {
		c.SetColumns(named)
	}
}

// spelledOut returns names with those that were found in the place of "*", which stands for all
// others: another file may have others.
func spelledOut(names, found []string) []string {
	if !slices.Contains(names, "*") {
		return names
	}
	return union(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "*" }), found)
}

// columns returns the columns that are read.
func (in *Input) columns() bayes.Columns {
	return bayes.Columns{
		Label: in.Label, Text: in.Text, Numeric: in.Numeric, Categorical: in.Categorical,
		EmptyCategory: in.EmptyCategory, Weight: in.Weight, NoHeader: in.NoHeader,
	}
}

// sameColumns reports whether a and b are the same columns in any order.
func sameColumns(a, b bayes.Columns) bool {
	return reflect.DeepEqual(sortedColumns(a), sortedColumns(b))
}

// noteColumns notes it if files are read for counts, in the file called name, by other columns
// than those that they remember.
func (a *App) noteColumns(name string, in *Input, c *bayes.Counts) {
	if was := c.Columns(); !reflect.DeepEqual(was, bayes.Columns{}) && !sameColumns(was, in.columns()) {
		a.Note("note: read by %s; %s still remembers %s", columnWords(in.columns()), name, columnWords(was))
	}
}

// sortedColumns returns columns as they are compared, with the defaults that dataset has.
func sortedColumns(c bayes.Columns) bayes.Columns {
	c.Label = cmp.Or(c.Label, "label")
	if len(c.Text)+len(c.Numeric)+len(c.Categorical) == 0 {
		c.Text = []string{"text"}
	}
	for _, list := range []*[]string{&c.Text, &c.Numeric, &c.Categorical} {
		*list = append([]string{}, *list...)
		slices.Sort(*list)
	}
	return c
}

// columnWords returns columns as flags of the command.
func columnWords(c bayes.Columns) string {
	var words []string
	add := func(flag string, names ...string) {
		if list := strings.Join(names, ","); list != "" {
			words = append(words, "--"+flag, terminal.Line(shellQuoted(list)))
		}
	}
	add("label", c.Label)
	add("text", c.Text...)
	add("numeric", c.Numeric...)
	add("categorical", c.Categorical...)
	add("weight-column", c.Weight)
	if c.EmptyCategory {
		words = append(words, "--empty-category")
	}
	if c.NoHeader {
		words = append(words, "--no-header")
	}
	return cmp.Or(strings.Join(words, " "), "(the default ones)")
}

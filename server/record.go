package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"bayes"
	"bayes/dataset"
	"bayes/internal/labelset"
	"bayes/internal/rawjson"
	"bayes/internal/terminal"
)

// A role is what a member of a document's JSON object is for.
type role uint8

const (
	idRole role = iota
	labelRole
	mainRole // the main text
	textRole
	numberRole
	categoryRole
	noTextRole // the main text, of a model that reads none
)

// Columns say which members of a JSON object a model reads: those that it was
// trained on, by name. A model of one text calls it text.
type columns struct {
	names  []string
	roles  []role
	byName map[string]int
	alike  map[string]int // by their folded names, -1 where several have the same
	pool   sync.Pool      // of *objectReader

	trained bayes.Columns // what the model remembers
	space   *bayes.Space
}

// attributed is Counts or a Model.
type attributed interface {
	Space() *bayes.Space
	Attributes() (texts, numbers, categories []string)
	ReadsText() bool
}

func newColumns(known attributed, em bayes.EventModel) *columns {
	c := &columns{byName: make(map[string]int), space: known.Space()}
	add := func(r role, names ...string) {
		for _, name := range names {
			c.byName[name] = len(c.names)
			c.names, c.roles = append(c.names, name), append(c.roles, r)
		}
	}
	add(idRole, "id")
	add(labelRole, "label")
	texts, numbers, categories := known.Attributes()
	tabular := len(numbers)+len(categories) > 0
	if len(texts) == 0 && (known.ReadsText() || !tabular) && bayes.Accepts(em, bayes.Example{Text: "a"}) == nil {
		add(mainRole, "text")
	}
	add(textRole, texts...)
	add(numberRole, numbers...)
	add(categoryRole, categories...)
	// What is sent as the text is meant to count. A model of columns alone says that it would not.
	if _, ok := c.byName["text"]; !ok && len(texts) == 0 && tabular {
		add(noTextRole, "text")
	}
	c.pool.New = func() any {
		return &objectReader{columns: c, values: make([][]byte, len(c.names)), others: make([][]byte, len(c.names))}
	}
	c.compare()
	return c
}

// fold returns a name as names are compared that need not be spelled alike.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// compare lets the members for the label and the columns of a table be spelled in any case and
// with any surrounding space, where only one is called so: without one, the others would be
// answered all the same. An ID is called id, and the text of a model of one text alone text.
func (c *columns) compare() {
	c.alike = make(map[string]int, len(c.byName))
	for name, i := range c.byName {
		if r := c.roles[i]; r == idRole || r == mainRole || r == noTextRole {
			continue
		}
		if other, taken := c.alike[fold(name)]; taken && other != i {
			i = -1
		}
		c.alike[fold(name)] = i
	}
}

// several stands for the values of members that could each be the column.
var several = []byte("!") // no JSON

// of returns the names of the columns that have one of the roles.
func (c *columns) of(roles ...role) []string {
	list := []string{}
	for i, name := range c.names {
		if slices.Contains(roles, c.roles[i]) {
			list = append(list, name)
		}
	}
	return list
}

// get returns a reader, to be given back by put.
func (c *columns) get() *objectReader  { return c.pool.Get().(*objectReader) }
func (c *columns) put(r *objectReader) { c.pool.Put(r) }

// A record is what a JSON object says of a document.
type record struct {
	ID      string
	Example bayes.Example
	size    int      // bytes of its texts
	empty   bool     // it has none of the columns that hold content
	label   *problem // what is wrong with the label, which matters to learning alone
}

// An objectReader reads JSON objects as records.
type objectReader struct {
	columns *columns
	values  [][]byte // of the columns, as they stand in the object; nil if absent
	others  [][]byte // of members that are spelled otherwise than their columns
	key     []byte
	buf     []byte
}

// checkJSON returns a problem if b is not JSON in UTF-8.
func checkJSON(b []byte) *problem {
	if !utf8.Valid(b) {
		return fail(http.StatusBadRequest, "not UTF-8")
	}
	if !json.Valid(b) {
		var v json.RawMessage
		if err := json.Unmarshal(b, &v); err != nil {
			return fail(http.StatusBadRequest, "not JSON: %v", err)
		}
	}
	return nil
}

// read reads an object, which must be valid JSON and begin with its first byte.
// Of members of the same name the last counts, and one that is spelled as its column goes before
// others; null is as good as absent, and members that are no columns are passed by. A text has at
// most limit bytes.
func (o *objectReader) read(object []byte, limit int) (rec record, p *problem) {
	if object[0] != '{' {
		return rec, fail(http.StatusUnprocessableEntity, "want an object, not %s", kind(object))
	}
	// The object's members are noted first, so that of several with a name the last counts.
	clear(o.values)
	clear(o.others)
	s := rawjson.Open(object)
	s.Key = o.key
	for s.Member() {
		if i, ok := o.columns.byName[string(s.Key)]; ok {
			o.values[i] = s.Value
		} else if i, ok := o.columns.alike[fold(string(s.Key))]; ok && i >= 0 {
			if o.others[i] != nil {
				o.others[i] = several
			} else {
				o.others[i] = s.Value
			}
		}
	}
	o.key = s.Key
	// Then they are read in the order of the columns: a null, which begins with n, is absent.
	rec.empty = true
	for i, value := range o.values {
		if value == nil {
			value = o.others[i]
		}
		if len(value) == 1 && value[0] == several[0] {
			return rec, fail(http.StatusUnprocessableEntity, "%s: several members are called so in other spellings, and none in this one", o.columns.names[i])
		}
		if value == nil || value[0] == 'n' {
			continue
		}
		if p := o.set(&rec, i, value, limit); p != nil {
			p.Detail = o.columns.names[i] + ": " + p.Detail
			return rec, p
		}
	}
	return rec, nil
}

// set sets what column i is for.
func (o *objectReader) set(rec *record, i int, value []byte, limit int) (p *problem) {
	name := o.columns.names[i]
	switch o.columns.roles[i] {
	case idRole:
		rec.ID, p = o.word(value)
		if p == nil && rec.ID == "" {
			p = fail(http.StatusUnprocessableEntity, "an empty id")
		}
		return p
	case labelRole:
		rec.Example.Label, rec.label = o.label(value)
		return nil
	case noTextRole:
		return fail(http.StatusUnprocessableEntity, "the model reads no text, but %s", terminal.Names(o.columns.content()))
	case mainRole:
		rec.Example.Text, p = o.text(value, limit)
		rec.size += len(rec.Example.Text)
	case textRole:
		var s string
		s, p = o.text(value, limit)
		rec.size += len(s)
		rec.Example.Attrs = append(rec.Example.Attrs, bayes.Text(name, s))
	case numberRole:
		var v float64
		v, p = o.number(value)
		rec.Example.Attrs = append(rec.Example.Attrs, bayes.Number(name, v))
	case categoryRole:
		var s string
		s, p = o.category(value)
		rec.Example.Attrs = append(rec.Example.Attrs, bayes.Category(name, s))
	}
	rec.empty = false
	return p
}

const maxWord = 1 << 10 // bytes of an ID or a label

// word returns a string that is not long.
func (o *objectReader) word(value []byte) (string, *problem) {
	s, p := o.text(value, maxWord)
	if p != nil && p.Status == http.StatusRequestEntityTooLarge {
		p.Status, p.Title = http.StatusUnprocessableEntity, http.StatusText(http.StatusUnprocessableEntity)
	}
	return s, p
}

func (o *objectReader) label(value []byte) (string, *problem) {
	if o.columns.space.LabelSeparator != "" {
		return o.labelSet(value)
	}
	s, p := o.word(value)
	switch {
	case p != nil:
		p.Detail = "label: " + p.Detail
		return "", p
	case s == "":
		return "", fail(http.StatusUnprocessableEntity, "the label is empty")
	}
	return checkedLabel(s)
}

// labelSet returns a set of labels, which is an array of strings, or a string with the separator of the model between
// them; empty, there are none.
func (o *objectReader) labelSet(value []byte) (string, *problem) {
	separator := o.columns.space.LabelSeparator
	if value[0] != '[' {
		s, p := o.word(value)
		if p != nil {
			p.Detail = "label: " + p.Detail
			return "", p
		}
		return checkedLabel(labelset.Canonical(s+separator, separator))
	}
	var labels []string
	for s := rawjson.Open(value); s.Element(); {
		label, p := o.word(s.Value)
		if p == nil && strings.Contains(label, separator) {
			p = fail(http.StatusUnprocessableEntity, "%q has in it the separator of labels, %q", label, separator)
		}
		if p != nil {
			p.Detail = "label: " + p.Detail
			return "", p
		}
		labels = append(labels, label)
	}
	return checkedLabel(labelset.Canonical(strings.Join(labels, separator)+separator, separator))
}

// checkedLabel returns a label, and what is wrong with it.
func checkedLabel(s string) (string, *problem) {
	switch {
	case strings.ContainsAny(s, "\t\r\n"):
		return "", fail(http.StatusUnprocessableEntity, "a label must not have a tab or a line end in it")
	case len(s) > maxWord || !utf8.ValidString(s):
		return "", fail(http.StatusUnprocessableEntity, "a label must be UTF-8 of at most %d bytes", maxWord)
	}
	return s, nil
}

func (o *objectReader) text(value []byte, limit int) (string, *problem) {
	if value[0] != '"' {
		return "", fail(http.StatusUnprocessableEntity, "want a string, not %s", kind(value))
	}
	o.buf = rawjson.AppendString(o.buf[:0], value)
	if len(o.buf) > limit {
		return "", fail(http.StatusRequestEntityTooLarge, "%d bytes, of at most %d", len(o.buf), limit)
	}
	return string(o.buf), nil
}

// number returns a number, which may stand in a string.
func (o *objectReader) number(value []byte) (float64, *problem) {
	if c := value[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
		return 0, fail(http.StatusUnprocessableEntity, "want a number, not %s", kind(value))
	}
	spelled := string(value)
	if value[0] == '"' {
		o.buf = rawjson.AppendString(o.buf[:0], value)
		spelled = strings.TrimSpace(string(o.buf))
	}
	v, err := dataset.ParseNumber(spelled)
	if err != nil {
		return 0, fail(http.StatusUnprocessableEntity, "%v", err)
	}
	return v, nil
}

// category returns a string, a number or a boolean as it is spelled.
func (o *objectReader) category(value []byte) (string, *problem) {
	switch value[0] {
	case '"':
		return o.word(value)
	case '{', '[':
		return "", fail(http.StatusUnprocessableEntity, "want a string, not %s", kind(value))
	}
	return string(value), nil
}

// kind says what a JSON value is.
func kind(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// missing is the problem of a document without content.
func (c *columns) missing() *problem {
	list := c.content()
	if len(list) == 1 {
		return fail(http.StatusUnprocessableEntity, "no %q", list[0])
	}
	return fail(http.StatusUnprocessableEntity, "the document has none of the model's columns, which are %s", terminal.Names(list))
}

// content returns the names of the columns that hold content.
func (c *columns) content() []string { return c.of(mainRole, textRole, numberRole, categoryRole) }

package bayes

import (
	"fmt"
	"strings"
)

// A blockID names a group of features that is counted apart from the others: the terms of a
// text, a number, or the values of a category. The zero blockID is the main text.
type blockID struct {
	kind attrKind
	name string
}

func (id blockID) compare(o blockID) int {
	if id.kind != o.kind {
		return int(id.kind) - int(o.kind)
	}
	return strings.Compare(id.name, o.name)
}

// feature returns the public name of a feature of the block: of the main text the term, of
// another text NAME:term, of a category NAME=value, of a number NAME.
func (id blockID) feature(name string) string {
	switch {
	case id == blockID{}:
		return name
	case id.kind == textAttr:
		return id.name + ":" + name
	case id.kind == categoryAttr:
		return id.name + "=" + name
	}
	return id.name
}

// attributes are names by kind.
type attributes [termAttr][]string

func (l *attributes) add(id blockID) {
	if id != (blockID{}) {
		l[id.kind] = append(l[id.kind], id.name)
	}
}

// String describes the block for a person.
func (id blockID) String() string {
	switch id.kind {
	case numberAttr:
		return fmt.Sprintf("the number %q", id.name)
	case categoryAttr:
		return fmt.Sprintf("the category %q", id.name)
	}
	if id.name == "" {
		return "the text"
	}
	return fmt.Sprintf("the text %q", id.name)
}

// blockKinds are the bytes that stand for the kinds of blocks in a file.
var blockKinds = map[attrKind]byte{textAttr: 't', numberAttr: 'n', categoryAttr: 'c', histogramBlock: 'h'}

// kindOf returns the kind of block that a byte stands for.
func kindOf(letter []byte) (attrKind, bool) {
	for kind, l := range blockKinds {
		if len(letter) == 1 && letter[0] == l {
			return kind, true
		}
	}
	return 0, false
}

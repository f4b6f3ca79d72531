// Command generate writes the dictionaries of text/japanese and text/korean, from those of
// kagome: what analyzers read of them, in the encoding of internal/morph.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"unicode/utf8"

	ko "github.com/ikawaha/kagome-dict-ko"
	"github.com/ikawaha/kagome-dict/dict"
	"github.com/ikawaha/kagome-dict/ipa"

	"bayes/internal/morph"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want the language, ja or ko, and a file")
	}
	d, err := languages[args[0]].convert()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		return err
	}
	return os.WriteFile(args[1], b.Bytes(), 0o666)
}

// A language is a dictionary of kagome, and what is read of a word's columns.
type language struct {
	file  string // that the program has
	load  func() *dict.Dict
	class func(columns columns) string
	form  func(columns columns) string // or "": as it is spelled
}

var languages = map[string]language{
	"ja": {"../../../text/japanese/ipadic.zst", ipa.Dict,
		func(c columns) string { return c.at(0) + "," + c.at(1) },
		func(c columns) string {
			if base := c.at(ipa.BaseForm); base != "*" && base != c.spelled {
				return base
			}
			return ""
		}},
	"ko": {"../../../text/korean/mecab-ko-dic.zst", ko.Dict,
		func(c columns) string { return c.at(0) },
		func(c columns) string {
			if c.at(int(ko.Type)) == "Inflect" {
				return c.at(int(ko.Expression))
			}
			return ""
		}},
}

// columns are what a dictionary says of a word.
type columns struct {
	spelled string
	list    []string
}

// at returns a column, or "*" where there is none.
func (c columns) at(i int) string {
	if i < len(c.list) {
		return c.list[i]
	}
	return "*"
}

// known returns the columns of a word: names of parts of speech, and others.
func known(d *dict.Dict, spelled string, id int) columns {
	c := columns{spelled: spelled}
	for _, name := range d.POSTable.POSs[id] {
		c.list = append(c.list, d.POSTable.NameList[name])
	}
	c.list = append(c.list, d.Contents[id]...)
	return c
}

// A spelling is one of a dictionary, and its words: n of consecutive IDs.
type spelling struct {
	text  string
	chars []uint16
	id, n int
}

// spellings returns what a node of kagome's trie leads to, in order.
func spellings(d *dict.Dict, at int, prefix []byte) (list []spelling) {
	trie := d.Index.Da
	child := func(c int) (int, bool) {
		next := int(trie[at].Base) + c
		return next, next < len(trie) && int(trie[next].Check) == at
	}
	if leaf, ok := child(0); ok && trie[leaf].Base <= 0 {
		id := -trie[leaf].Base
		s := spelling{text: string(prefix), id: int(id), n: int(d.Index.Dup[id]) + 1}
		for _, r := range s.text {
			s.chars = append(s.chars, uint16(r))
		}
		list = append(list, s)
	}
	for c := 1; c < 256; c++ {
		if next, ok := child(c); ok {
			list = append(list, spellings(d, next, append(prefix, byte(c)))...)
		}
	}
	return list
}

// convert returns a language's dictionary.
func (l language) convert() (*morph.Dictionary, error) {
	if l.load == nil {
		return nil, fmt.Errorf("unknown language: want ja or ko")
	}
	c := &converter{language: l, from: l.load(), to: new(morph.Dictionary)}
	list := spellings(c.from, 0, nil)
	for _, s := range list {
		if !utf8.ValidString(s.text) || slices.ContainsFunc([]rune(s.text), func(r rune) bool { return r > 0xffff }) || s.n > 255 {
			return nil, fmt.Errorf("%q, %d words: the encoding has room for characters of 16 bits and 255 words", s.text, s.n)
		}
	}
	c.connections()
	c.trie(list)
	c.characters()
	if len(c.kinds) > 1<<16 || len(c.to.FormNames) >= 1<<16 || len(c.rows) > 1<<16 || len(c.columns) > 1<<16 {
		return nil, fmt.Errorf("%d kinds, %d forms, %d and %d contexts: the encoding has room for 65535", len(c.kinds), len(c.to.FormNames), len(c.rows), len(c.columns))
	}
	return c.to, nil
}

// A converter makes a dictionary from one of kagome.
type converter struct {
	language
	from *dict.Dict
	to   *morph.Dictionary

	rows, columns  map[string]uint16 // the contexts, by what they cost
	lefts, rights  []uint16          // their numbers, by kagome's
	kinds          map[kind]uint16
	classes, forms map[string]uint16
}

type kind struct{ left, right, class uint16 }

// number returns the number of a key, a new one if need be.
func number[K comparable](numbers map[K]uint16, key K) (n uint16, isNew bool) {
	n, ok := numbers[key]
	if !ok {
		n = uint16(len(numbers))
		numbers[key] = n
	}
	return n, !ok
}

// connections keeps one of the contexts that cost the same beside every other.
func (c *converter) connections() {
	table := c.from.Connection // table.Vec[table.Row*left+right]
	c.rows, c.columns = make(map[string]uint16), make(map[string]uint16)
	costs := func(n int64, cost func(i int64) int16) string {
		var b []byte
		for i := range n {
			b = binary.LittleEndian.AppendUint16(b, uint16(cost(i)))
		}
		return string(b)
	}
	var kept []int64 // of the right contexts
	for right := range table.Row {
		n, isNew := number(c.columns, costs(table.Col, func(left int64) int16 { return table.Vec[table.Row*left+right] }))
		if isNew {
			kept = append(kept, right)
		}
		c.rights = append(c.rights, n)
	}
	for left := range table.Col {
		n, isNew := number(c.rows, costs(table.Row, func(right int64) int16 { return table.Vec[table.Row*left+right] }))
		if isNew {
			for _, right := range kept {
				c.to.Connections = append(c.to.Connections, table.Vec[table.Row*left+right])
			}
		}
		c.lefts = append(c.lefts, n)
	}
}

// trie numbers the words by the nodes that they end at.
func (c *converter) trie(list []spelling) {
	c.kinds, c.classes, c.forms = make(map[kind]uint16), make(map[string]uint16), make(map[string]uint16)
	type part struct {
		list  []spelling // that go through a node
		depth int
		char  uint16
	}
	for queue := []part{{list: list}}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		words, children := 0, len(queue)
		if len(p.list[0].chars) == p.depth {
			s := p.list[0]
			for words = range s.n {
				c.word(c.from.Morphs[s.id+words], known(c.from, s.text, s.id+words))
			}
			words++
			p.list = p.list[1:]
		}
		for len(p.list) > 0 {
			char := p.list[0].chars[p.depth]
			end := slices.IndexFunc(p.list, func(s spelling) bool { return s.chars[p.depth] != char })
			if end < 0 {
				end = len(p.list)
			}
			queue = append(queue, part{p.list[:end], p.depth + 1, char})
			p.list = p.list[end:]
		}
		c.to.Chars = append(c.to.Chars, p.char)
		c.to.Children = append(c.to.Children, uint16(len(queue)-children))
		c.to.Words = append(c.to.Words, uint8(words))
	}
}

// word adds a word.
func (c *converter) word(m dict.Morph, columns columns) {
	class, isNew := number(c.classes, c.class(columns))
	if isNew {
		c.to.ClassNames = append(c.to.ClassNames, c.class(columns))
	}
	k := kind{c.lefts[m.LeftID], c.rights[m.RightID], class}
	n, isNew := number(c.kinds, k)
	if isNew {
		c.to.Lefts, c.to.Rights, c.to.Classes = append(c.to.Lefts, k.left), append(c.to.Rights, k.right), append(c.to.Classes, k.class)
	}
	form := uint16(0)
	if name := c.form(columns); name != "" {
		form, isNew = number(c.forms, name)
		if isNew {
			c.to.FormNames = append(c.to.FormNames, name)
		}
		form++
	}
	c.to.Kinds, c.to.Costs, c.to.Forms = append(c.to.Kinds, n), append(c.to.Costs, m.Weight), append(c.to.Forms, form)
}

// characters adds the categories of characters, and the words for unknown ones.
func (c *converter) characters() {
	c.to.Categories = slices.Clone(c.from.CharCategory)
	for category, name := range c.from.CharClass {
		traits := uint8(0)
		if c.from.InvokeList[category] {
			traits |= morph.Invoke
		}
		if c.from.GroupList[category] {
			traits |= morph.Group
		}
		if name == "HIRAGANA" || name == "KATAKANA" || name == "HANGUL" {
			traits |= morph.Shorter
		}
		unknown, key := c.from.UnkDict, int32(category)
		first, n := unknown.Index[key], unknown.IndexDup[key]+1
		for id := first; id < first+n; id++ {
			c.word(unknown.Morphs[id], columns{list: unknown.Contents[id]})
		}
		c.to.Traits, c.to.Unknown = append(c.to.Traits, traits), append(c.to.Unknown, uint16(n))
	}
}

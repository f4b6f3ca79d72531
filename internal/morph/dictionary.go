package morph

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A Dictionary is what a Tokenizer reads, in columns. Its words are numbered by where they
// are in the trie, and the words for unknown characters follow them.
type Dictionary struct {
	// The trie of the words, by node, breadth first: the children of a node stand together, in
	// order of their characters. The first node is the root. Characters are of 16 bits, and
	// no word has others.
	Chars    []uint16 // the character that leads to the node
	Children []uint16 // how many children it has
	Words    []uint8  // how many words end there

	// By word.
	Kinds []uint16
	Costs []int16
	Forms []uint16 // its form in FormNames, from 1, or 0 for a word that is counted as it is spelled

	// Each kind is a part of speech, with the contexts that it gives to its neighbours.
	Lefts, Rights []uint16
	Classes       []uint16 // in ClassNames

	// The cost of a pair of words: a row for each left context of the second one, with a
	// column for each right context of the first one. The file has the difference to
	// the row above, which takes less room.
	Connections []int16

	// What is between words and at the ends of a text is in context 0.

	// The category of each character of 16 bits. Others are as the character 0.
	Categories []uint8

	// By category.
	Traits  []uint8  // as Known, Group and Shorter say
	Unknown []uint16 // how many of the words for unknown characters are for this category

	ClassNames, FormNames []string // without line feeds
}

// What is true of a category of characters.
const (
	Invoke  = 1 << iota // its characters may be unknown words, even where a known word begins
	Group               // a run of them is one unknown word, rather than each
	Shorter             // and so may be the run without its last character, such as a particle
)

// columns returns where the columns are, in the order of the file.
func (d *Dictionary) columns() []any {
	return []any{
		&d.Chars, &d.Children, &d.Words, &d.Kinds, &d.Costs, &d.Forms, &d.Lefts, &d.Rights, &d.Classes,
		&d.Connections, &d.Categories, &d.Traits, &d.Unknown, &d.ClassNames, &d.FormNames,
	}
}

// Write writes d as a file for Read.
func (d *Dictionary) Write(w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	file := *d
	file.Connections = slices.Clone(d.Connections)
	for i, width := len(d.Connections)-1, d.width(); i >= width; i-- {
		file.Connections[i] -= file.Connections[i-width]
	}
	for _, column := range file.columns() {
		if err := writeColumn(z, column); err != nil {
			return err
		}
	}
	return z.Close()
}

// Read returns the dictionary of a file that Write wrote.
func Read(file string) (*Dictionary, error) {
	z, err := zstd.NewReader(strings.NewReader(file), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	d := new(Dictionary)
	for _, column := range d.columns() {
		if err := readColumn(z, column); err != nil {
			return nil, fmt.Errorf("dictionary: %w", err)
		}
	}
	for i, width := d.width(), d.width(); i < len(d.Connections); i++ {
		d.Connections[i] += d.Connections[i-width]
	}
	return d, nil
}

// width returns the length of a row of connections.
func (d *Dictionary) width() int { return int(slices.Max(d.Rights)) + 1 }

// writeColumn writes the number of values of a column, or of the bytes of its lines, and
// then those.
func writeColumn(w io.Writer, column any) error {
	write := func(n int, values any) error {
		if err := binary.Write(w, binary.LittleEndian, uint32(n)); err != nil {
			return err
		}
		return binary.Write(w, binary.LittleEndian, values)
	}
	switch c := column.(type) {
	case *[]uint8:
		return write(len(*c), *c)
	case *[]uint16:
		return write(len(*c), *c)
	case *[]int16:
		return write(len(*c), *c)
	case *[]string:
		lines := []byte(strings.Join(*c, "\n"))
		return write(len(lines), lines)
	}
	return fmt.Errorf("a column of %T", column)
}

// readColumn reads what writeColumn wrote.
func readColumn(r io.Reader, column any) error {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return err
	}
	read := func(values any) error { return binary.Read(r, binary.LittleEndian, values) }
	switch c := column.(type) {
	case *[]uint8:
		*c = make([]uint8, n)
		return read(*c)
	case *[]uint16:
		*c = make([]uint16, n)
		return read(*c)
	case *[]int16:
		*c = make([]int16, n)
		return read(*c)
	case *[]string:
		lines := make([]byte, n)
		err := read(lines)
		*c = strings.Split(string(lines), "\n")
		return err
	}
	return fmt.Errorf("a column of %T", column)
}

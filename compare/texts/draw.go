package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Four words in five are common to all classes, and the fifth is of the class's own. Of
// both kinds the word of rank r, from 0, is drawn in proportion to (2.7 + r)^-1.05, the law
// of Zipf as Mandelbrot mends it for the most frequent words.
const (
	commonWords = 50_000
	ownWords    = 20 // of each class
	ownShare    = 0.2
	exponent    = 1.05
	offset      = 2.7
)

// A shape says what texts there are.
type shape struct {
	classes, words int
	seed           uint64
}

// A document is a text by the numbers of its words.
type document struct {
	class int
	words []int
}

// draws draws the texts of a stream, which differ from those of other streams.
type draws struct {
	shape
	random      *rand.Rand
	common, own *rand.Zipf
	n           int
}

func (s shape) draws(stream uint64) *draws {
	r := rand.New(rand.NewPCG(s.seed, stream))
	return &draws{s, r, rand.NewZipf(r, exponent, offset, commonWords-1), rand.NewZipf(r, exponent, offset, ownWords-1), 0}
}

// next draws a text. The classes take turns, so that all have the same number of texts,
// within one.
func (d *draws) next(words []int) document {
	doc := document{d.n % d.classes, words[:0]}
	d.n++
	for range d.words {
		w := 0
		if d.random.Float64() < ownShare {
			w = commonWords + doc.class*ownWords + int(d.own.Uint64())
		} else {
			w = int(d.common.Uint64())
		}
		doc.words = append(doc.words, w)
	}
	return doc
}

const consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiou"

// appendWord appends word n, a syllable or several: the smaller n, the shorter it is, and
// no two are the same.
func appendWord(b []byte, n int) []byte {
	syllables := len(consonants) * len(vowels)
	if n >= syllables {
		b = appendWord(b, n/syllables-1)
	}
	n %= syllables
	return append(b, consonants[n/len(vowels)], vowels[n%len(vowels)])
}

// writeTexts writes n texts to NAME.csv and to NAME.txt, and calls each with every one of
// them. A document is valid until the next.
func writeTexts(dir, name string, d *draws, n int, each func(document)) error {
	table, err := os.Create(filepath.Join(dir, name+".csv"))
	if err != nil {
		return err
	}
	defer table.Close()
	lines, err := os.Create(filepath.Join(dir, name+".txt"))
	if err != nil {
		return err
	}
	defer lines.Close()
	csv, fastText := bufio.NewWriterSize(table, 1<<20), bufio.NewWriterSize(lines, 1<<20)
	csv.WriteString("label,text\n")
	var words []int
	var text []byte
	for range n {
		doc := d.next(words)
		words, text = doc.words, text[:0]
		for _, w := range words {
			text = appendWord(append(text, ' '), w)
		}
		fmt.Fprintf(csv, "c%06d,%s\n", doc.class, text[1:])
		fmt.Fprintf(fastText, "__label__c%06d%s\n", doc.class, text)
		each(doc)
	}
	for _, f := range []struct {
		w *bufio.Writer
		f *os.File
	}{{csv, table}, {fastText, lines}} {
		if err := f.w.Flush(); err != nil { // it remembers the first error of writing
			return err
		}
		if err := f.f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// cells are the pairs of a word and a class that has it, each as often as it was added.
type cells []uint64

func (c *cells) add(d document) {
	for _, w := range d.words {
		*c = append(*c, uint64(w)<<32|uint64(d.class))
	}
}

// rows returns how many classes have each word.
func (c cells) rows() map[int]int {
	slices.Sort(c)
	rows := make(map[int]int)
	for _, cell := range slices.Compact(c) {
		rows[int(cell>>32)]++
	}
	return rows
}

// visits returns how many cells the words of a document have together.
func (d document) visits(rows map[int]int) (n int) {
	slices.Sort(d.words)
	for _, w := range slices.Compact(d.words) {
		n += rows[w]
	}
	return n
}

// Command terms writes labelled texts that have a number of distinct terms together, as CSV to
// standard output, to measure what a large vocabulary costs:
//
//	go run ./compare/terms --terms 10000000 --classes 4 > terms.csv
//
// Half of the words of a text are drawn by Zipf's law from all terms, a quarter of these from terms of
// the text's class. The others are terms that have not been written yet, as a misspelling or a number is in real
// text. The same flags give the same bytes.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
)

func main() {
	terms := flag.Int("terms", 10_000_000, "`N` distinct terms")
	classes := flag.Int("classes", 4, "`N` classes")
	words := flag.Int("words", 100, "`N` words in each text")
	flag.Parse()
	if *terms < 2 || *classes < 1 || *words < 2 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "terms: want at least 2 terms, 1 class and 2 words, and no arguments")
		os.Exit(2)
	}
	if err := write(os.Stdout, *terms, *classes, *words); err != nil {
		fmt.Fprintln(os.Stderr, "terms:", err)
		os.Exit(1)
	}
}

// write writes texts until each of the terms is in one.
func write(to io.Writer, terms, classes, words int) error {
	w := bufio.NewWriterSize(to, 1<<20)
	w.WriteString("label,text\n")
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 10, uint64(terms-1))
	var line []byte
	for next := 0; next < terms; {
		class := rng.IntN(classes)
		line = append(line[:0], 'c')
		line = append(strconv.AppendInt(line, int64(class), 10), ',')
		for i := range words {
			term := next
			switch {
			case i%2 == 1 && next < terms:
				next++
			case i%8 == 0:
				term = int((zipf.Uint64()*uint64(classes) + uint64(class)) % uint64(terms))
			default:
				term = int(zipf.Uint64())
			}
			line = append(appendWord(line, term), ' ')
		}
		line[len(line)-1] = '\n'
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}

// appendWord appends the word of a term: two letters or more, the fewer the more frequent it is.
func appendWord(b []byte, term int) []byte {
	b = append(b, 'a'+byte(term%20))
	for term /= 20; ; term /= 26 {
		b = append(b, 'a'+byte(term%26))
		if term < 26 {
			return b
		}
	}
}

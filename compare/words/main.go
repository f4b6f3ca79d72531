// Command words cuts the texts of a table as bayes does, so that other programs may be given the same words:
//
//	go run ./compare/words train.csv ja
//
// It writes a line for each text, with its terms in order, each with a space after it.
package main

import (
	"bufio"
	"log"
	"os"

	"bayes/dataset"
	"bayes/internal/cli"
	"bayes/text"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("words: ")
	if len(os.Args) != 3 {
		log.Fatal("want TABLE ANALYZER")
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func write(table, analyzer string) error {
	a, err := text.Parse(analyzer, cli.Languages()...)
	if err != nil {
		return err
	}
	source, err := dataset.Open([]string{table}, nil, nil)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(os.Stdout)
	var terms text.Buffer
	for ex, err := range source.Examples() {
		if err != nil {
			return err
		}
		a.Analyze(&terms, ex.Text)
		for i := range terms.Len() {
			w.Write(terms.Term(i))
			w.WriteByte(' ')
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

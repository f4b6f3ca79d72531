// Command texts writes short texts of many classes, drawn at random from a seed: the same
// flags give the same bytes.
//
//	go run ./compare/texts --classes 1000 --documents 1000000 --held-out 2000 DIR
//
// DIR gets train.csv and test.csv with the columns label and text, the same texts as
// train.txt and test.txt as fastText reads them, first.csv with the first of the held-out
// texts alone, and about.json with how many terms and cells the texts for training have.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("texts: ")
	var s shape
	flag.IntVar(&s.classes, "classes", 1000, "how many classes")
	flag.IntVar(&s.words, "words", 12, "words in a text")
	flag.Uint64Var(&s.seed, "seed", 1, "of the draws")
	documents := flag.Int("documents", 1_000_000, "texts to train with")
	heldOut := flag.Int("held-out", 2000, "texts to test with")
	flag.Parse()
	if flag.NArg() != 1 || s.classes < 1 || s.words < 1 || *documents < 1 || *heldOut < 1 {
		log.Fatal("want the folder to write to, and numbers from 1")
	}
	if err := write(flag.Arg(0), s, *documents, *heldOut); err != nil {
		log.Fatal(err)
	}
}

// write writes all files to a folder.
func write(dir string, s shape, documents, heldOut int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var seen cells
	if err := writeTexts(dir, "train", s.draws(1), documents, seen.add); err != nil {
		return err
	}
	rows := seen.rows()
	about := about{Classes: s.classes, Documents: documents, HeldOut: heldOut, Words: s.words, Seed: s.seed, Terms: len(rows)}
	for _, n := range rows {
		about.Cells += n
	}
	visited := 0
	if err := writeTexts(dir, "test", s.draws(2), heldOut, func(d document) { visited += d.visits(rows) }); err != nil {
		return err
	}
	about.Visited = float64(visited) / float64(heldOut)
	if err := writeTexts(dir, "first", s.draws(2), 1, func(document) {}); err != nil {
		return err
	}
	b, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "about.json"), append(b, '\n'), 0o666)
}

// about is what about.json says.
type about struct {
	Classes   int     `json:"classes"`
	Documents int     `json:"documents"`
	HeldOut   int     `json:"held_out"`
	Words     int     `json:"words"` // in each text
	Seed      uint64  `json:"seed"`
	Terms     int     `json:"terms"`   // different words in the texts for training
	Cells     int     `json:"cells"`   // pairs of a term and a class that has it
	Visited   float64 `json:"visited"` // cells of the terms of a held-out text, on average
}

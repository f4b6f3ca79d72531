// Command language says of each line that it reads in which language it is. It learns pairs and
// triples of characters from sentences.txt, which is part of the program.
//
//	echo "Wo ist der Bahnhof?" | go run ./examples/language
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"bayes"
	"bayes/text"
)

//go:embed sentences.txt
var sentences string

func main() {
	if err := detect(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func detect(in io.Reader, out io.Writer) error {
	analyzer, err := text.Parse("char-words=1-3") // characters, pairs and triples within words
	if err != nil {
		return err
	}
	counts := bayes.NewCounts(&bayes.Space{Analyzer: analyzer})
	for line := range strings.Lines(sentences) {
		language, sentence, _ := strings.Cut(strings.TrimSpace(line), " ")
		counts.Learn(bayes.Example{Label: language, Text: sentence})
	}
	// All languages are as probable before a line is read, whatever the number of sentences.
	model, err := bayes.Fit(counts, bayes.Multinomial{Prior: bayes.UniformPrior{}, Smoothing: bayes.Additive(.1)})
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		best := model.Predict(bayes.Document{Text: lines.Text()}).Best()
		if _, err := fmt.Fprintf(out, "%s\t%.2f\t%s\n", best.Class, best.P, lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Command spam reads messages, one a line, and writes before each whether it is spam. It learns
// from messages.tsv, which is part of the program. A message in doubt is left to the reader: to
// lose a message is a hundred times as bad as to see an advertisement.
//
//	echo "win a free prize" | go run ./examples/spam
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
)

//go:embed messages.tsv
var messages string

// costs are what a mistake costs, by the true label and the answer.
var costs = bayes.Costs{Of: map[[2]string]float64{{"ham", "spam"}: 100, {"spam", "ham"}: 1}}

func main() {
	if err := filter(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func filter(in io.Reader, out io.Writer) error {
	counts := bayes.NewCounts(nil)
	for line := range strings.Lines(messages) {
		label, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		counts.Learn(bayes.Example{Label: label, Text: text})
	}
	model, err := bayes.Fit(counts, bayes.Multinomial{Smoothing: bayes.Additive(.5)})
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		p := model.Predict(bayes.Document{Text: lines.Text()})
		verdict, ok := p.Decide(costs)
		if !ok || p.Known == 0 {
			verdict = "?"
		}
		if _, err := fmt.Fprintf(out, "%s\t%s\n", verdict, lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

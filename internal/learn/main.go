// Command learn draws the pictures of docs/learn and of README.md. What they show is computed by the library from
// the data of the chapters.
//
//	go run ./internal/learn
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bayes"
	"bayes/dataset"
	"bayes/text"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("learn: ")
	if err := write("."); err != nil {
		log.Fatal(err)
	}
}

// pictures are the folder that the pictures are in, from the root of the repository.
const pictures = "docs/learn/pictures"

// write draws all pictures of the repository in a folder.
func write(root string) error {
	drawn, err := draw(root)
	if err != nil {
		return err
	}
	for name, svg := range drawn {
		if err := os.WriteFile(filepath.Join(root, pictures, name), []byte(svg), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// draw returns the pictures by the names of their files.
func draw(root string) (map[string]string, error) {
	all := make(map[string]string)
	for name, picture := range map[string]func(data source) (string, error){
		"prior.svg":     drawPrior,
		"smoothing.svg": drawSmoothing,
		"counts.svg":    drawCounts,
		"events.svg":    drawEvents,
		"normal.svg":    drawNormal,
		"variance.svg":  drawVariance,
		"dirichlet.svg": drawDirichlet,
		"evidence.svg":  drawEvidence,
		"negation.svg":  drawNegation,
		"explain.svg":   drawExplain,
	} {
		svg, err := picture(source(root))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = svg
	}
	return all, nil
}

// A source is the root of the repository, whose data the pictures show.
type source string

func (s source) file(name string) string {
	return filepath.Join(string(s), "docs", "learn", "data", name)
}

// examples returns the examples of a file of docs/learn/data.
func (s source) examples(name string, opts *dataset.Options) ([]bayes.Example, error) {
	src, err := dataset.Open([]string{s.file(name)}, nil, opts)
	if err != nil {
		return nil, err
	}
	var list []bayes.Example
	for ex, err := range src.Examples() {
		if err != nil {
			return nil, err
		}
		list = append(list, ex)
	}
	return list, nil
}

// counts counts a file of docs/learn/data with an analyzer; an empty one cuts words.
func (s source) counts(name, analyzer string, opts *dataset.Options) (*bayes.Counts, error) {
	space := &bayes.Space{}
	if analyzer != "" {
		a, err := text.Parse(analyzer)
		if err != nil {
			return nil, err
		}
		space.Analyzer = a
	}
	src, err := dataset.Open([]string{s.file(name)}, nil, opts)
	if err != nil {
		return nil, err
	}
	return bayes.Count(context.Background(), space, src.Examples(), nil)
}

// fit counts the texts of a file of docs/learn/data, and fits an event model.
func (s source) fit(name, analyzer string, em bayes.EventModel) (*bayes.Model, error) {
	counts, err := s.counts(name, analyzer, nil)
	if err != nil {
		return nil, err
	}
	return bayes.Fit(counts, em)
}

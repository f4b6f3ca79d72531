package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"bayes"
	"bayes/internal/cli"
	"bayes/internal/modelfile"
)

// sums are what MultinomialNB of scikit-learn keeps of what it has learned.
type sums struct {
	space, event string // as ParseSpace and ParseEventModel read them
	labels       []string
	weights      []float64 // of the classes' examples
	terms        []string
	matrix       []float64 // by class, then by term
}

// importSums returns a classifier that has learned examples with these sums. Which examples have which terms
// is made up, and the version of the analyzer says so: each term is in as many examples of a class as it can be,
// once, and in the first the rest of its times.
func importSums(s sums) (*classifier, error) {
	space, err := bayes.ParseSpace(s.space, cli.Languages()...)
	if err != nil {
		return nil, err
	}
	em, err := bayes.ParseEventModel(s.event)
	if err != nil {
		return nil, err
	}
	space.Vocabulary, space.Labels = s.terms, s.labels
	c := bayes.NewCounts(space)
	for i, label := range s.labels {
		learnMadeUp(c, label, s.weights[i], s.terms, s.matrix[i*len(s.terms):][:len(s.terms)])
	}
	var file bytes.Buffer
	if err := bayes.Save(&file, c, em); err != nil {
		return nil, err
	}
	b, err := markMadeUp(file.Bytes(), c.AnalyzerVersion())
	if err != nil {
		return nil, err
	}
	k, err := loadClassifier(b, nil)
	if err != nil {
		return nil, err
	}
	return k.fitted()
}

// markMadeUp returns a model file that says, in the version of the analyzer, that its examples are made up.
func markMadeUp(file []byte, version string) ([]byte, error) {
	h, err := modelfile.ParseHeader(file)
	if err != nil {
		return nil, err
	}
	plain := modelfile.AppendOrigin(nil, version, "")
	marked := modelfile.AppendOrigin(nil, strings.TrimSpace(version+" "+cli.MadeUp+"scikit-learn"), "")
	return slices.Concat(file[:h.Size], marked, bytes.TrimPrefix(file[h.Size:], plain)), nil
}

// mostMadeUp is the largest number of examples of a class that are made up one by one.
const mostMadeUp = 10_000_000

// learnMadeUp has c learn examples of one class that weigh as much and have each term as often as is said.
func learnMadeUp(c *bayes.Counts, label string, weight float64, terms []string, times []float64) {
	if weight <= 0 {
		return
	}
	whole := max(1, int(min(weight, mostMadeUp)))
	first := min(weight, 1)
	// Terms in the order of how many examples they are in.
	type count struct {
		term     int
		examples int
	}
	var in []count
	for t, n := range times {
		if n > 0 {
			in = append(in, count{t, max(1, int(min(n, float64(whole))))})
		}
	}
	slices.SortStableFunc(in, func(a, b count) int { return b.examples - a.examples })
	for i := range whole {
		for len(in) > 0 && in[len(in)-1].examples <= i {
			in = in[:len(in)-1]
		}
		ex := bayes.Example{Label: label, Weight: 1}
		if i == 0 {
			ex.Weight = first
		}
		for _, n := range in {
			v := 1.0
			if i == 0 {
				v = (times[n.term] - float64(n.examples-1)) / first
			}
			ex.Attrs = append(ex.Attrs, bayes.Term(terms[n.term], v))
		}
		c.Learn(ex)
	}
	if rest := weight - float64(whole); rest > 0 {
		c.Learn(bayes.Example{Label: label, Weight: rest})
	}
}

// export returns what scikit-learn's naive Bayes keeps: the numbers of classes and terms, ln P(c) and the weight
// of each class, the weights and the sums of terms by class, as eight bytes each, and the terms.
func (k *classifier) export() ([]byte, error) {
	m, err := k.fit()
	if err != nil {
		return nil, err
	}
	if k.counts == nil {
		return nil, bayes.ErrFrozen
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	p := m.Parameters()
	var b []byte
	number := func(v float64) { b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v)) }
	b = binary.LittleEndian.AppendUint64(b, uint64(len(p.Labels)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(p.Terms)))
	for _, v := range p.ClassLogPrior {
		number(v)
	}
	for _, label := range p.Labels {
		_, weight := m.Class(label)
		number(weight)
	}
	for _, row := range p.TermLogProb {
		for _, v := range row {
			number(v)
		}
	}
	for _, label := range p.Labels {
		for _, term := range p.Terms {
			number(k.counts.At(label, term).Sum)
		}
	}
	return appendTexts(b, p.Terms), nil
}

// appendTexts appends how many texts there are, where each ends, and the texts.
func appendTexts(b []byte, list []string) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(list)))
	end := uint64(0)
	for _, s := range list {
		end += uint64(len(s))
		b = binary.LittleEndian.AppendUint64(b, end)
	}
	for _, s := range list {
		b = append(b, s...)
	}
	return b
}

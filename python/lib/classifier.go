package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bayes"
	"bayes/answer"
	"bayes/internal/cli"
	"bayes/text"
)

// A classifier is what a Classifier of Python holds here. It may be used by many threads at once.
type classifier struct {
	mu      sync.RWMutex
	counts  *bayes.Counts // nil of a frozen model
	em      bayes.EventModel
	model   *bayes.Model // nil until it is fitted to the counts
	columns []string     // the names of the columns of a matrix
}

// newClassifier returns a classifier that has learned examples by flags of the command train, all
// that they say of held out examples included; or, of nil examples, one that has learned nothing.
func newClassifier(flags, vocabulary, labels, columns []string, examples iter.Seq2[bayes.Example, error]) (*classifier, error) {
	t, err := newTraining(flags)
	if err != nil {
		return nil, err
	}
	defer t.release()
	space, err := t.Space(t.cmd)
	if err != nil {
		return nil, err
	}
	if vocabulary != nil {
		space.Vocabulary = vocabulary
	}
	if columns != nil {
		space.Vocabulary = columns
	}
	space.Labels = labels
	if examples != nil {
		c, em, err := cli.NewApp(io.Discard, io.Discard).TrainOn(t.cmd, &t.Trainer, space, examples)
		if err != nil {
			return nil, err
		}
		return (&classifier{counts: c, em: em, columns: columns}).fitted()
	}
	if t.Corrects() || t.Calibrates() || t.LeavesOneOut() || t.NeedsIDF() {
		return nil, errors.New("correct, calibrate, idf and an alpha of loo look at all examples: use fit, after which partial_fit goes on")
	}
	em, err := t.EventModel(t.cmd)
	return &classifier{counts: bayes.NewCounts(space), em: em, columns: columns}, err
}

// fitted returns k once it is fitted.
func (k *classifier) fitted() (*classifier, error) {
	_, err := k.fit()
	return k, err
}

// loadClassifier returns the classifier of a model file.
func loadClassifier(file []byte, columns []string) (*classifier, error) {
	c, em, err := bayes.Load(bytes.NewReader(file), cli.Languages()...)
	if errors.Is(err, bayes.ErrFrozen) {
		m, err := bayes.LoadModel(bytes.NewReader(file), cli.Languages()...)
		return &classifier{model: m, columns: columns}, err
	}
	return &classifier{counts: c, em: em, columns: columns}, err
}

// save returns the model file.
func (k *classifier) save() ([]byte, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.counts == nil {
		return nil, bayes.ErrFrozen
	}
	var b bytes.Buffer
	err := bayes.Save(&b, k.counts, k.em)
	return b.Bytes(), err
}

// fit returns the model of what was learned.
func (k *classifier) fit() (*bayes.Model, error) {
	k.mu.RLock()
	m := k.model
	k.mu.RUnlock()
	if m != nil {
		return m, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.refit()
}

// refit is fit for who holds the lock.
func (k *classifier) refit() (m *bayes.Model, err error) {
	if k.model == nil {
		k.model, err = bayes.Fit(k.counts, k.em)
	}
	return k.model, err
}

// many is from how many examples on several cores learn them.
const many = 1000

// learn learns n examples.
func (k *classifier) learn(examples iter.Seq2[bayes.Example, error], n int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.counts == nil {
		return bayes.ErrFrozen
	}
	if n < many {
		k.model = nil
		for ex := range examples {
			k.counts.Learn(ex)
		}
		return nil
	}
	c, err := bayes.Count(context.Background(), k.counts.Space(), examples, nil)
	if err != nil {
		return err
	}
	k.model = nil
	return k.counts.Add(c)
}

// unlearn takes examples out again, all of them or none.
func (k *classifier) unlearn(examples iter.Seq2[bayes.Example, error]) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.counts == nil {
		return bayes.ErrFrozen
	}
	was, is := k.counts.AnalyzerVersion(), k.counts.Space().AnalyzerVersion()
	switch {
	case strings.Contains(was, cli.MadeUp):
		return errors.New("cannot unlearn: made of a model of scikit-learn, which keeps no examples")
	case was != "" && was != is:
		return fmt.Errorf("cannot unlearn: the texts were cut by version %q of the analyzer, and %q would take out other terms than were put in", was, is)
	}
	for ex := range examples {
		k.counts.Unlearn(ex)
	}
	k.model = nil
	_, err := k.refit()
	if err == nil || errors.Is(err, bayes.ErrEmpty) {
		return nil
	}
	for ex := range examples {
		k.counts.Learn(ex)
	}
	return fmt.Errorf("not all of these examples were learned: %w", err)
}

// classes returns the classes in the order of predictions.
func (k *classifier) classes() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.counts == nil {
		return k.model.Classes()
	}
	return k.counts.Classes()
}

// A description is what Python asks of a classifier that it has read from a file.
type description struct {
	Classes  []string `json:"classes"`
	Event    string   `json:"event"`
	Space    string   `json:"space"`
	Analyzer string   `json:"analyzer"`
	Frozen   bool     `json:"frozen"`
	Examples int64    `json:"examples"`
	Features int      `json:"features"`
	Columns  int      `json:"columns"` // of a matrix, if the vocabulary is 1, 2 and so on
	Text     bool     `json:"text"`    // whether it has learned texts
	MadeUp   bool     `json:"made_up"` // whether which examples have which terms is made up
}

func (k *classifier) describe() (description, error) {
	m, err := k.fit()
	if err != nil {
		return description{}, err
	}
	space := m.Space()
	return description{
		Classes: k.classes(), Event: m.EventModel().String(), Space: space.String(), Analyzer: m.AnalyzerVersion(),
		Frozen: k.counts == nil, Examples: m.Examples(), Features: m.Len(), Columns: numbered(space.Vocabulary),
		Text: m.ReadsText(), MadeUp: strings.Contains(m.AnalyzerVersion(), cli.MadeUp),
	}, nil
}

// numbered returns n if the terms are 1 to n in any order, and otherwise 0.
func numbered(terms []string) int {
	seen := make(map[int]bool, len(terms))
	for _, term := range terms {
		i, err := strconv.Atoi(term)
		if err != nil || i < 1 || i > len(terms) || strconv.Itoa(i) != term {
			return 0
		}
		seen[i] = true
	}
	if len(seen) != len(terms) {
		return 0
	}
	return len(terms)
}

// predictText returns the index of the most probable class of a text.
func (k *classifier) predictText(s string) (int, error) {
	m, err := k.fit()
	if err != nil {
		return 0, err
	}
	p := predictions.Get().(*bayes.Prediction)
	defer predictions.Put(p)
	m.PredictTop(p, bayes.Document{Text: s}, 1)
	i, _ := slices.BinarySearch(m.Classes(), p.Answer().Class)
	return i, nil
}

// predictions are used again, so that a prediction allocates nothing.
var predictions = sync.Pool{New: func() any { return new(bayes.Prediction) }}

// predict makes out the indices of the most probable classes.
func (k *classifier) predict(d documents, out []int32) error {
	m, err := k.fit()
	if err != nil {
		return err
	}
	classes := m.Classes()
	each(d, func(p *bayes.Prediction, i int, doc bayes.Document) {
		m.PredictTop(p, doc, 1)
		class, _ := slices.BinarySearch(classes, p.Answer().Class)
		out[i] = int32(class)
	})
	return nil
}

// scores makes out a row for each document, which has a number for each class: of kind 0 its probability, 1
// the logarithm, and 2 that of the joint probability.
func (k *classifier) scores(d documents, kind int, out []float64) error {
	m, err := k.fit()
	if err != nil {
		return err
	}
	classes := m.Classes()
	if len(out) != d.len()*len(classes) {
		return errors.New("another thread has taught the classifier a new class")
	}
	each(d, func(p *bayes.Prediction, i int, doc bayes.Document) {
		m.PredictInto(p, doc)
		row := out[i*len(classes):][:len(classes)]
		for _, c := range p.Classes {
			class, _ := slices.BinarySearch(classes, c.Class)
			row[class] = [...]float64{c.P, c.LogP, c.LogJoint}[kind]
		}
	})
	return nil
}

// explain returns why a document is predicted as it is, in the JSON of the command explain.
func (k *classifier) explain(d bayes.Document) ([]byte, error) {
	m, err := k.fit()
	if err != nil {
		return nil, err
	}
	ex := m.Explain(d)
	e := answer.NewExplanation(ex, 0)
	if d.Text != "" {
		e.Cut(ex, d.Text)
	}
	return json.Marshal(e)
}

// analyze returns the terms of a text.
func (k *classifier) analyze(s string) ([]string, error) {
	m, err := k.fit()
	if err != nil {
		return nil, err
	}
	a := m.Space().Analyzer
	if a == nil {
		a = new(text.Analyzer)
	}
	var terms []string
	for token := range a.Tokens(s) {
		terms = append(terms, strings.Clone(token.Term))
	}
	return terms, nil
}

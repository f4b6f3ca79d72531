// Package label chooses which of many texts a person should label next, learns each answer at once, and says how
// good the classifier is by now.
//
// A [Pile] is the texts. It puts one text after the other:
//
//	p, err := label.New(ctx, space, bayes.Multinomial{}, texts, nil)
//	for q, ok := p.Next("ann"); ok; q, ok = p.Next("ann") {
//		p.Answer("ann", q.Text, ask(texts[q.Text]))
//	}
//
// An [Order] says which text comes next. The one that is used by default needs fewer answers than texts drawn at random, most of all
// where [Pile.LearnUnanswered] learns from the texts without an answer now and then, and [Pile.Propagate] after each of the first answers: docs/labels.md has how many. But texts that were chosen for being hard say nothing of how often the model is right, so
// a fifth of the texts is kept apart at random, one question in five is one of these, once the first have been asked for, and only they measure: see
// [Pile.Measure].
//
// Where the Space of a pile has a LabelSeparator, a text may have several labels, or none. An answer is still one string, the
// set of labels with the separator between them, and the separator alone for none. What is guessed, right and learned is such a set; what an
// order reads, [Pile.Labels] and seeds are single labels.
//
// Equal calls, one after the other, with an equal seed put equal questions. A Pile may be used by many goroutines at once, and by several
// people: see [Pile.Next].
package label

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"bayes"
	"bayes/eval"
	"bayes/internal/labelset"
	"bayes/internal/mt19937"
)

// Options are options for [New]. A nil *Options is the zero value.
type Options struct {
	Order Order  // empty means [Informative]
	Seed  uint32 // of the shuffling

	// Measured is how many questions there are for each one that is drawn at random, to measure by. Zero means 5, and
	// a negative number means that none is. The first questions, three a class, and at most fifty or half of the texts that are not kept apart, are asked for, unless the order is Random; of those that follow, four times as many are drawn for each that is asked for, until that is made up for.
	Measured int
}

// A Pile is texts that are being labelled.
type Pile struct {
	space    *bayes.Space
	event    bayes.EventModel
	texts    []bayes.Document
	order    Order
	measured int
	shuffled []int   // the texts in the order in which measured ones are drawn
	reserve  []int   // those which measure: the first of them, unless Resume says otherwise
	kept     []bool  // by text, whether it is in the reserve
	alike    [][]int // by text, those that are about the same, itself too; nil if none is

	mu      sync.Mutex
	people  map[string]*person
	answers []answer        // by text
	seeds   map[string]seed // by label
	counts  *bayes.Counts   // of answers and seeds
	model   *bayes.Model    // nil if counts have changed since it was fitted
	scores  *scores

	sum      *bayes.Counts    // of counts, and of what texts without an answer add; nil if that is nothing
	sumEvent bayes.EventModel // with which it is fitted
	shared   []string         // classes in which texts without an answer have shares

	version int  // of answers and words
	readAt  int  // the version by which the order reads how sure a model is
	settled bool // whether that is one of LearnUnanswered, by answers enough
}

// A person labels texts.
type person struct {
	answers  map[int]string
	skipped  map[int]bool
	asked    int  // the text put last, -1 for none
	measured bool // whether that measures
	drawn    int  // up to where of reserve this person has answered or skipped each
}

// An answer is what is learned of a text: the label that most people gave it.
type answer struct {
	label string // empty if there is none
	given []given
}

// given is a label that a person gave. Later ones come later.
type given struct{ who, label string }

// A Question is a text that is to be labelled.
type Question struct {
	Text     int  // which
	Measured bool // whether it was drawn at random, to measure by
}

// New returns a Pile of texts without labels, which are read in space. em is the event model of [Pile.Predict]; nil is
// Multinomial{}. A correction of em is left out, as it cannot be learned from each answer at once.
//
// It takes the time and the memory of analyzing each text once, and by [Informative] about two seconds more, and 400 bytes for each term that two of 5,000 texts have, until it returns. The error is ctx's, that em is not for several labels a
// text, which the space has, or that there is no such order.
func New(ctx context.Context, space *bayes.Space, em bayes.EventModel, texts []bayes.Document, opts *Options) (*Pile, error) {
	if opts == nil {
		opts = new(Options)
	}
	if em == nil {
		em = bayes.Multinomial{}
	}
	order, err := ParseOrder(string(opts.Order))
	if err != nil {
		return nil, err
	}
	p := &Pile{
		space: space, event: bayes.WithoutCorrection(em), texts: texts, order: order, measured: opts.Measured,
		shuffled: mt19937.New(opts.Seed).Permutation(len(texts)),
		people:   make(map[string]*person), answers: make([]answer, len(texts)), seeds: make(map[string]seed),
		counts: bayes.NewCounts(space),
	}
	if err := checkSets(space, p.event, texts); err != nil {
		return nil, err
	}
	if p.measured == 0 {
		p.measured = 5
	}
	if p.measured > 0 {
		p.reserve = p.shuffled[:(len(texts)+p.measured-1)/p.measured]
	}
	p.kept = make([]bool, len(texts))
	for _, i := range p.reserve {
		p.kept[i] = true
	}
	if p.alike, err = findAlike(ctx, space, texts); err != nil {
		return nil, err
	}
	if p.scores, err = newScores(ctx, space, texts); err != nil {
		return nil, err
	}
	if order == Informative {
		if p.scores.cover, err = newCover(ctx, p.scores.index, p.shuffled[max(0, len(texts)-coverTexts):]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Resume says what was asked in an earlier session, before the first answer: drawn are the texts that were drawn at random to measure by, in that order,
// and chosen are others that were answered, which the order had chosen. The former measure again, before any others, and the latter do not, whatever texts there were then. The error is that there
// is no such text, or that there are answers already.
func (p *Pile) Resume(drawn, chosen []int) error {
	for _, i := range slices.Concat(drawn, chosen) {
		if err := p.check(i); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.ContainsFunc(p.answers, func(a answer) bool { return a.given != nil }) {
		return errors.New("label: there are answers already")
	}
	if p.measured <= 0 {
		return nil
	}
	most := len(p.reserve)
	p.reserve, p.kept = nil, make([]bool, len(p.texts))
	wasChosen := make(map[int]bool)
	for _, i := range chosen {
		wasChosen[i] = true
	}
	keep := func(list []int, most int) {
		for _, i := range list {
			if len(p.reserve) < most && !p.kept[i] && !wasChosen[i] {
				p.kept[i], p.reserve = true, append(p.reserve, i)
			}
		}
	}
	keep(drawn, len(p.texts))
	keep(p.shuffled, max(most, len(p.reserve)))
	return nil
}

// findAlike returns the group of each text that is like others.
func findAlike(ctx context.Context, space *bayes.Space, texts []bayes.Document) ([][]int, error) {
	examples := make([]bayes.Example, len(texts))
	for i, d := range texts {
		examples[i].Text, examples[i].Attrs = d.Text, d.Attrs
	}
	groups, err := eval.FindAlike(ctx, space, examples)
	if err != nil {
		return nil, err
	}
	alike := make([][]int, len(texts))
	for _, g := range groups {
		for _, i := range g.Examples {
			alike[i] = g.Examples
		}
	}
	return alike, nil
}

// Space returns the space in which texts are read. It must not be changed.
func (p *Pile) Space() *bayes.Space { return p.space }

// Len returns how many texts there are.
func (p *Pile) Len() int { return len(p.texts) }

// Text returns a text, from 0 to Len()-1.
func (p *Pile) Text(i int) bayes.Document { return p.texts[i] }

var errNoText = errors.New("no such text")

func (p *Pile) check(i int) error {
	if i < 0 || i >= len(p.texts) {
		return fmt.Errorf("label: text %d of %d: %w", i, len(p.texts), errNoText)
	}
	return nil
}

// person returns who, who may be new.
func (p *Pile) person(who string) *person {
	one := p.people[who]
	if one == nil {
		one = &person{answers: make(map[int]string), skipped: make(map[int]bool), asked: -1}
		p.people[who] = one
	}
	return one
}

// Answer says that a person gives a text a label. It replaces the person's earlier label of the text, and an empty label
// takes that back. The text need not have been asked for.
//
// What is learned of a text is the label that most people gave it, of equally many the one given last. An answer that is
// replaced is unlearned exactly. Where a text may have several labels, sets of the same labels are the same, in whatever order and
// with white space between them or not.
func (p *Pile) Answer(who string, i int, label string) error {
	if err := p.check(i); err != nil {
		return err
	}
	if sep := p.space.LabelSeparator; sep != "" {
		label = labelset.Canonical(label, sep)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	one, a := p.person(who), &p.answers[i]
	a.given = slices.DeleteFunc(a.given, func(g given) bool { return g.who == who })
	delete(one.answers, i)
	one.drawn = 0 // what is taken back is asked again
	if label != "" {
		a.given = append(a.given, given{who, label})
		one.answers[i] = label
		delete(one.skipped, i)
	}
	p.learn(i, a.common())
	return nil
}

// common returns the label that most people gave, of equally many the one given last, or none.
func (a *answer) common() string {
	labels := make([]string, len(a.given))
	for i, g := range a.given {
		labels[i] = g.label
	}
	return labelset.Majority(labels)
}

// learn makes label what is learned of a text. One that measures does not tell which text comes next: what would be
// chosen knowing it would leave a hole where it is left out, and the model would seem worse than it is.
func (p *Pile) learn(i int, label string) {
	was := p.answers[i].label
	if was == label {
		return
	}
	if was != "" {
		p.count(p.example(i), (*bayes.Counts).Unlearn)
		if !p.kept[i] {
			p.scores.add(i, p.labelsIn(was), -1)
		}
	}
	p.answers[i].label = label
	if label != "" {
		p.count(p.example(i), (*bayes.Counts).Learn)
		if !p.kept[i] {
			p.scores.add(i, p.labelsIn(label), 1)
		}
	}
}

// count learns or unlearns an example.
func (p *Pile) count(ex bayes.Example, learn func(*bayes.Counts, bayes.Example)) {
	p.version++
	learn(p.counts, ex)
	if p.sum != nil {
		learn(p.sum, ex)
	}
	p.model = nil
	if n, _ := p.counts.Class(ex.Label); n == 0 && slices.Contains(p.shared, ex.Label) {
		p.forgetUnanswered()
	}
}

// example returns an answered text.
func (p *Pile) example(i int) bayes.Example {
	d := p.texts[i]
	return bayes.Example{Label: p.answers[i].label, Text: d.Text, Attrs: d.Attrs}
}

// Skip says that a person will not label a text. Next does not put it to the same person again.
func (p *Pile) Skip(who string, i int) error {
	if err := p.check(i); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if one := p.person(who); one.answers[i] == "" {
		one.skipped[i] = true
	}
	return nil
}

// Unskip takes a Skip back.
func (p *Pile) Unskip(who string, i int) error {
	if err := p.check(i); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.person(who)
	delete(one.skipped, i)
	one.drawn = 0
	return nil
}

// Label returns what is learned of a text, empty if that is nothing.
func (p *Pile) Label(i int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers[i].label
}

// Given returns the label that a person gave a text, empty if there is none.
func (p *Pile) Given(who string, i int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if one := p.people[who]; one != nil {
		return one.answers[i]
	}
	return ""
}

// Labels returns the labels that were given or that have seeds, sorted, and how many texts each was learned of. Of a set
// these are the labels in it.
func (p *Pile) Labels() (labels []string, texts map[string]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	texts = make(map[string]int)
	for label := range p.seeds {
		texts[label] = 0
	}
	for _, a := range p.answers {
		if a.label != "" {
			for _, label := range p.labelsIn(a.label) {
				texts[label]++
			}
		}
	}
	return slices.Sorted(maps.Keys(texts)), texts
}

// Answered returns how many texts have a label.
func (p *Pile) Answered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, a := range p.answers {
		if a.label != "" {
			n++
		}
	}
	return n
}

// Alike returns the texts that have the same terms as a text or about the same, see [eval.FindAlike], and no label.
// The text itself is not among them. Most often one answer does for all of them. One that measures is like no other: it has
// an answer of its own.
func (p *Pile) Alike(i int) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []int
	for _, j := range p.alike[i] {
		if j != i && p.answers[j].label == "" && !p.kept[i] && !p.kept[j] {
			list = append(list, j)
		}
	}
	return list
}

// Model returns a model of all answers and seeds, and of what [Pile.LearnUnanswered] has added. The error is [bayes.ErrEmpty] if there is neither, or no label in the
// sets that were answered.
func (p *Pile) Model() (*bayes.Model, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fit()
}

func (p *Pile) fit() (*bayes.Model, error) {
	if p.model == nil {
		counts, em := p.counts, p.event
		if p.sum != nil {
			counts, em = p.sum, p.sumEvent
		}
		m, err := fit(counts, em)
		if err != nil {
			return nil, err
		}
		p.model = m
	}
	return p.model, nil
}

// Predict returns the guess at a text's label. The error is that of [Pile.Model].
func (p *Pile) Predict(i int) (bayes.Prediction, error) {
	m, err := p.Model()
	if err != nil {
		return bayes.Prediction{}, err
	}
	return m.Predict(p.texts[i]), nil
}

// Explain returns the guess and the words that it rests on. The error is that of [Pile.Model].
func (p *Pile) Explain(i int) (*bayes.Explanation, error) {
	m, err := p.Model()
	if err != nil {
		return nil, err
	}
	return m.Explain(p.texts[i]), nil
}

// Package labelling is people at a pile of texts: what they answer goes to a file before it is acknowledged, and to the pile,
// which learns it. A [Session] is what a page and a terminal have in common; [Handler] is the page.
package labelling

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"bayes"
	"bayes/label"
)

// None is the label of a text that belongs to none of the classes. It is a class like others: what is like such texts
// gets it.
const None = "none of these"

// Words, in the place of a row's number, say that a row has words of a class and no text.
const Words = "words"

// A Text is a text of the pile.
type Text struct {
	Text  string
	Row   string // where it was read
	Label string // that it had there; empty if none
}

// A Session is people at a pile of texts. Its methods may be called by many goroutines at once.
type Session struct {
	pile    *label.Pile
	answers *label.Answers
	texts   []Text
	find    *finder
	lost    int // answers about texts that are not in the pile
	now     func() time.Time

	mu       sync.Mutex
	agreed   []Agreement // of the version agreedAt
	agreedAt int
	classes  []string          // in the order in which they came up
	words    map[string]string // of a class
	people   map[string]*person
	order    []int // texts as they were answered
	version  int   // of all this
	changed  chan struct{}
	quality  Quality
}

// A person answers.
type person struct {
	done    []action
	asked   label.Question
	asking  bool
	guess   Outcome          // of what is asked
	latest  time.Time        // the latest answer
	again   []label.Question // texts to be put again, the next one last
	answers int
}

// An action is what a person did at once, and can take back.
type action struct {
	texts   []int
	before  []label.Answer // those that it replaced
	skipped bool
	asked   label.Question
}

// New returns a session with what the file of answers has, after labels that texts had already, which are written there.
func New(pile *label.Pile, answers *label.Answers, texts []Text) (*Session, error) {
	s := &Session{
		pile: pile, answers: answers, texts: texts, find: newFinder(texts), now: time.Now,
		words: make(map[string]string), people: make(map[string]*person), changed: make(chan struct{}, 1),
	}
	if err := s.resume(); err != nil {
		return nil, err
	}
	if err := s.takeLabels(); err != nil {
		return nil, err
	}
	s.change()
	return s, nil
}

// resume takes the answers of the file into the pile.
func (s *Session) resume() error {
	for _, a := range s.answers.All() {
		if a.Row == Words {
			s.addClass(a.Label)
			s.words[a.Label] = a.Text
			if err := s.pile.Seed(a.Label, a.Text); err != nil {
				return err
			}
			continue
		}
		i, ok := s.find.text(&a)
		if !ok {
			s.lost++
			continue
		}
		if err := s.learn(a.Who, i, a.Label); err != nil {
			return err
		}
		// Texts that were answered at once are taken back at once.
		p := s.person(a.Who)
		when := p.latest
		p.latest = a.When
		if n := len(p.done); n > 0 && !a.When.IsZero() && a.When.Equal(when) {
			p.done[n-1].texts = append(p.done[n-1].texts, i)
			continue
		}
		p.done = append(p.done, action{texts: []int{i}, asked: label.Question{Text: i, Measured: a.Random}})
	}
	return nil
}

// learn has the pile learn an answer that is in the file.
func (s *Session) learn(who string, i int, name string) error {
	if s.pile.Given(who, i) == "" {
		s.person(who).answers++
	}
	s.addClass(name)
	s.order = append(s.order, i)
	return s.pile.Answer(who, i, name)
}

// takeLabels writes labels that texts had already, as answers of nobody.
func (s *Session) takeLabels() error {
	var list []label.Answer
	for i := range s.texts {
		if t := &s.texts[i]; t.Label != "" && s.pile.Given("", i) == "" {
			list = append(list, label.Answer{Label: t.Label, Text: t.Text, Row: t.Row})
			if err := s.learn("", i, t.Label); err != nil {
				return err
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return s.answers.Add(list...)
}

// A finder finds the text of an answer.
type finder struct {
	texts  []Text
	byRow  map[string]int
	byText map[string]int // the first of the same
}

func newFinder(texts []Text) *finder {
	f := &finder{texts: texts, byRow: make(map[string]int), byText: make(map[string]int)}
	for i := range texts {
		f.byRow[texts[i].Row] = i
		if _, ok := f.byText[texts[i].Text]; !ok {
			f.byText[texts[i].Text] = i
		}
	}
	return f
}

// text returns the text in the row that the answer names, or else the first one that reads the same.
func (f *finder) text(a *label.Answer) (int, bool) {
	if i, ok := f.byRow[a.Row]; ok && f.texts[i].Text == a.Text {
		return i, true
	}
	i, ok := f.byText[a.Text]
	return i, ok
}

// Lost returns how many answers of the file are about texts that the pile does not have. They stay in the file.
func (s *Session) Lost() int { return s.lost }

// Len returns how many texts there are.
func (s *Session) Len() int { return len(s.texts) }

// File returns the name of the file of answers.
func (s *Session) File() string { return s.answers.Name() }

func (s *Session) person(who string) *person {
	p := s.people[who]
	if p == nil {
		p = new(person)
		s.people[who] = p
	}
	return p
}

func (s *Session) addClass(name string) {
	if !slices.Contains(s.classes, name) {
		s.classes = append(s.classes, name)
	}
}

// change notes that something has changed: what is measured is measured anew.
func (s *Session) change() {
	s.version++
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// An Invalid is the error of what a person asked for that cannot be done.
type Invalid struct{ Reason string }

func (e *Invalid) Error() string { return e.Reason }

func invalid(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

// CheckName returns an error if a person or a class cannot be called name.
func CheckName(name string) error {
	const longest = 200
	switch {
	case strings.TrimSpace(name) == "":
		return invalid("a name is wanted")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return invalid("a name is of one line of text")
	case utf8.RuneCountInString(name) > longest:
		return invalid("a name has at most %d characters", longest)
	case strings.TrimSpace(name) != name:
		return invalid("a name begins and ends with no space")
	}
	return nil
}

// ParseClass reads the description of a class: its name, and after a colon words of it if there are any.
func ParseClass(s string) (name, words string) {
	name, words, _ = strings.Cut(s, ":")
	return strings.TrimSpace(name), strings.TrimSpace(words)
}

// AddClass adds a class, or gives one other words. Words are learned as a text of the class; without any the name is
// that, so that texts which name the class are known.
func (s *Session) AddClass(who, name, words string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if words == "" {
		words = name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words[name] == words {
		return nil
	}
	row := label.Answer{Label: name, Text: words, Row: Words, Who: who, When: s.now()}
	err := s.answers.Replace(func(a label.Answer) bool { return a.Row == Words && a.Label == name }, row)
	if err != nil {
		return err
	}
	s.addClass(name)
	s.words[name] = words
	s.change()
	return s.pile.Seed(name, words)
}

// RemoveClass takes back a class without an answer.
func (s *Session) RemoveClass(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, texts := s.pile.Labels(); texts[name] > 0 {
		return invalid("%s has answers", name)
	}
	if err := s.answers.Replace(func(a label.Answer) bool { return a.Row == Words && a.Label == name }); err != nil {
		return err
	}
	delete(s.words, name)
	s.classes = slices.DeleteFunc(s.classes, func(c string) bool { return c == name })
	s.change()
	return s.pile.Seed(name, "")
}

// Asked is what a person is asked.
type Asked struct {
	label.Question
	Guess *bayes.Explanation // nil if nothing is known yet
	Given string             // what the person has answered before
	Alike []int              // texts without a label that are about the same
}

// Ask returns what a person is asked next, false if nothing is left.
func (s *Session) Ask(who string) (Asked, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.person(who)
	q, ok := s.next(who, p)
	p.asked, p.asking, p.guess = q, ok, Outcome{}
	if !ok {
		return Asked{}, false
	}
	return s.ask(who, p, q), true
}

// AskAgain puts a text that a person has answered once more.
func (s *Session) AskAgain(who string, i int) (Asked, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i < 0 || i >= len(s.texts) {
		return Asked{}, invalid("there is no text %d", i)
	}
	return s.ask(who, s.person(who), label.Question{Text: i}), nil
}

func (s *Session) ask(who string, p *person, q label.Question) Asked {
	a := Asked{Question: q, Given: s.pile.Given(who, q.Text), Alike: s.pile.Alike(q.Text)}
	ex, err := s.pile.Explain(q.Text)
	if err != nil || len(ex.Classes) < 2 {
		return a
	}
	a.Guess = ex
	if s.pile.Label(q.Text) == "" { // or else the model has learned it
		p.guess = Outcome{Text: q.Text, Guess: ex.Class, P: ex.Best().P, Measured: q.Measured}
	}
	return a
}

// An Outcome is what the model had guessed of a text that was answered.
type Outcome struct {
	Text     int
	Guess    string // empty if there was no guess
	P        float64
	Measured bool
}

func (s *Session) next(who string, p *person) (label.Question, bool) {
	for n := len(p.again); n > 0; n = len(p.again) {
		if q := p.again[n-1]; s.pile.Given(who, q.Text) == "" {
			return q, true
		}
		p.again = p.again[:n-1]
	}
	return s.pile.Next(who)
}

// Answer says that texts have a label: the first one was asked for, or was answered before, and the others are alike. The answers are
// on disk when it returns.
func (s *Session) Answer(who string, texts []int, name string) (Outcome, error) {
	if err := CheckName(name); err != nil {
		return Outcome{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(texts) == 0 {
		return Outcome{}, invalid("no text is answered")
	}
	p := s.person(who)
	var outcome Outcome
	if p.guess.Text == texts[0] {
		outcome = p.guess
	}
	done := action{asked: label.Question{Text: texts[0], Measured: p.asking && p.asked.Text == texts[0] && p.asked.Measured}}
	for _, i := range texts {
		if i < 0 || i >= len(s.texts) {
			return Outcome{}, invalid("there is no text %d", i)
		}
		if !slices.Contains(done.texts, i) {
			done.texts = append(done.texts, i)
		}
	}
	s.findBefore(who, &done)
	rows := s.rows(who, p, name, &done)
	if err := s.write(who, &done, rows); err != nil {
		return Outcome{}, err
	}
	for _, i := range done.texts {
		if err := s.learn(who, i, name); err != nil {
			return Outcome{}, err
		}
	}
	p.done = append(p.done, done)
	s.change()
	return outcome, nil
}

// findBefore sets what an answer replaces. Whether a text was drawn at random stays what it was.
func (s *Session) findBefore(who string, done *action) {
	if !slices.ContainsFunc(done.texts, func(i int) bool { return s.pile.Given(who, i) != "" }) {
		return
	}
	for _, a := range s.answers.All() {
		if s.concerns(a, who, done.texts) {
			done.before = append(done.before, a)
			if s.concerns(a, who, done.texts[:1]) {
				done.asked.Measured = a.Random
			}
		}
	}
}

// rows returns the rows of an answer. Those of one answer have the same time, and those of the next a later one.
func (s *Session) rows(who string, p *person, name string, done *action) (rows []label.Answer) {
	now := s.now().Truncate(time.Millisecond)
	if !now.After(p.latest) {
		now = p.latest.Add(time.Millisecond)
	}
	p.latest = now
	for n, i := range done.texts {
		rows = append(rows, label.Answer{
			Label: name, Text: s.texts[i].Text, Row: s.texts[i].Row, Who: who, When: now, Random: n == 0 && done.asked.Measured,
		})
	}
	return rows
}

// write puts rows into the file, in the place of those that they replace.
func (s *Session) write(who string, done *action, rows []label.Answer) error {
	if done.before == nil {
		return s.answers.Add(rows...)
	}
	return s.answers.Replace(func(a label.Answer) bool { return s.concerns(a, who, done.texts) }, rows...)
}

// concerns reports whether a is a person's answer about one of texts.
func (s *Session) concerns(a label.Answer, who string, texts []int) bool {
	if a.Who != who || a.Row == Words {
		return false
	}
	i, ok := s.find.text(&a)
	return ok && slices.Contains(texts, i)
}

// Skip puts off a text that was asked for. It may come again once the session is over.
func (s *Session) Skip(who string, i int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.person(who)
	if !p.asking || p.asked.Text != i {
		return invalid("text %d is not what is asked", i)
	}
	if err := s.pile.Skip(who, i); err != nil {
		return err
	}
	p.again = slices.DeleteFunc(p.again, func(q label.Question) bool { return q.Text == i })
	p.done = append(p.done, action{texts: []int{i}, skipped: true, asked: p.asked})
	s.change()
	return nil
}

// ErrNothing is the error of Undo where there is nothing to take back.
var ErrNothing = &Invalid{"there is nothing to undo"}

// Undo takes back what a person did last, an answer of an earlier session too. The text is asked again.
func (s *Session) Undo(who string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.person(who)
	if len(p.done) == 0 {
		return ErrNothing
	}
	done := p.done[len(p.done)-1]
	if done.skipped {
		if err := s.pile.Unskip(who, done.asked.Text); err != nil {
			return err
		}
	} else if err := s.takeBack(who, p, done); err != nil {
		return err
	}
	p.done = p.done[:len(p.done)-1]
	if len(done.before) == 0 {
		p.again = append(p.again, done.asked)
	}
	s.change()
	return nil
}

// takeBack restores what was before an answer.
func (s *Session) takeBack(who string, p *person, done action) error {
	err := s.answers.Replace(func(a label.Answer) bool { return s.concerns(a, who, done.texts) }, done.before...)
	if err != nil {
		return err
	}
	for _, i := range done.texts {
		was := ""
		for _, a := range done.before {
			if s.concerns(a, who, []int{i}) {
				was = a.Label
			}
		}
		if was == "" {
			p.answers--
		}
		if err := s.pile.Answer(who, i, was); err != nil {
			return err
		}
		if k := lastIndex(s.order, i); k >= 0 {
			s.order = slices.Delete(s.order, k, k+1)
		}
	}
	return nil
}

func lastIndex(list []int, v int) int {
	for k := len(list) - 1; k >= 0; k-- {
		if list[k] == v {
			return k
		}
	}
	return -1
}

// Watch measures whenever something has changed, until ctx is done.
func (s *Session) Watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
		}
		start := time.Now()
		if err := s.Measure(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, bayes.ErrEmpty) {
			s.mu.Lock()
			s.quality.Err = err
			s.mu.Unlock()
		}
		// Answers come first: at most a third of one core measures.
		select {
		case <-ctx.Done():
			return
		case <-time.After(2 * time.Since(start)):
		}
	}
}

// A Class is what can be answered.
type Class struct {
	Name  string
	Words string // that were given for it
	Texts int    // that have it
}

// A Person is somebody who answers.
type Person struct {
	Name    string // empty: labels that texts had already
	Answers int
}

// Progress is how far a session has come.
type Progress struct {
	Answered   int // texts that have a label
	Classes    []Class
	People     []Person
	Agreements []Agreement
	Quality    Quality
	Measuring  bool // whether Quality is of fewer answers than there are
	Version    int  // another one whenever something has changed
}

// Progress returns how far the session has come.
func (s *Session) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, texts := s.pile.Labels()
	p := Progress{Quality: s.quality, Measuring: s.quality.version != s.version, Version: s.version}
	for _, name := range s.classes {
		c := Class{Name: name, Texts: texts[name]}
		if words := s.words[name]; words != name {
			c.Words = words
		}
		p.Classes = append(p.Classes, c)
		p.Answered += c.Texts
	}
	for name, one := range s.people {
		if one.answers > 0 {
			p.People = append(p.People, Person{name, one.answers})
		}
	}
	slices.SortFunc(p.People, func(a, b Person) int { return strings.Compare(a.Name, b.Name) })
	if len(p.People) > 1 {
		p.Agreements = s.agreements()
	}
	return p
}

// agreements returns those of what is answered now.
func (s *Session) agreements() []Agreement {
	if s.agreedAt != s.version {
		s.agreed, s.agreedAt = agreements(s.answers.All()), s.version
	}
	return s.agreed
}

// Recent returns the texts that a person has answered last, the latest first.
func (s *Session) Recent(who string, most int) (list []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := s.person(who).done
	for k := len(done) - 1; k >= 0 && len(list) < most; k-- {
		if i := done[k].asked.Text; !done[k].skipped && s.pile.Given(who, i) != "" && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// Given returns the label that a person gave a text.
func (s *Session) Given(who string, i int) string { return s.pile.Given(who, i) }

// Text returns a text.
func (s *Session) Text(i int) Text { return s.texts[i] }

// Close closes the file of answers.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answers.Close()
}

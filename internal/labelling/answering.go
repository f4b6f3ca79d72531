package labelling

import (
	"slices"
	"time"

	"bayes"
	"bayes/label"
)

// Asked is what a person is asked.
type Asked struct {
	label.Question
	Guess  *bayes.Explanation // nil if nothing is known yet
	Answer bayes.Prob         // that is guessed
	Given  string             // what the person has answered before
	Alike  []int              // texts without a label that are about the same
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

// AskAgain puts a text that a person has answered once more. It measures if it did.
func (s *Session) AskAgain(who string, i int) (Asked, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i < 0 || i >= len(s.texts) {
		return Asked{}, invalid("there is no text %d", i)
	}
	q := label.Question{Text: i}
	for _, a := range s.answers.All() {
		if s.concerns(a, who, []int{i}) {
			q.Measured = a.Random
		}
	}
	return s.ask(who, s.person(who), q), nil
}

func (s *Session) ask(who string, p *person, q label.Question) Asked {
	a := Asked{Question: q, Given: s.pile.Given(who, q.Text), Alike: s.pile.Alike(q.Text)}
	ex, err := s.pile.Explain(q.Text)
	if err != nil || len(ex.Classes) < 2 && s.separator == "" {
		return a
	}
	a.Guess, a.Answer = ex, s.pile.AnswerOf(ex.Prediction)
	if s.pile.Label(q.Text) == "" { // or else the model has learned it
		p.guess = Outcome{Text: q.Text, Guess: a.Answer.Class, P: a.Answer.P, Measured: q.Measured}
	}
	return a
}

// An Outcome is what the model had guessed of a text that was answered.
type Outcome struct {
	Text     int
	Label    string // that was answered
	Guess    string // empty if there was no guess
	P        float64
	Measured bool
	Also     int // how many other texts were answered together with it
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

// Answer says that texts have a label, or where they may have several, the labels of a set: the first one was asked for, or was
// answered before, and the others are alike; of these it leaves those alone that somebody else has answered meanwhile. The answers are on disk when it returns.
func (s *Session) Answer(who string, texts []int, name string) (Outcome, error) {
	name, err := s.checkAnswer(name)
	if err != nil {
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
	outcome.Label = name
	taken := make(map[int]bool)
	done := action{asked: label.Question{Text: texts[0], Measured: p.asking && p.asked.Text == texts[0] && p.asked.Measured}}
	for n, i := range texts {
		if i < 0 || i >= len(s.texts) {
			return Outcome{}, invalid("there is no text %d", i)
		}
		meanwhile := n > 0 && s.pile.Label(i) != "" && s.pile.Given(who, i) == ""
		if !taken[i] && !meanwhile {
			taken[i], done.texts = true, append(done.texts, i)
		}
	}
	outcome.Also = len(done.texts) - 1
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
	now := s.after(&p.latest)
	for n, i := range done.texts {
		rows = append(rows, label.Answer{
			Label: name, Text: s.texts[i].Text, Row: s.texts[i].Row, Who: who, When: now, Random: n == 0 && done.asked.Measured,
		})
	}
	return rows
}

// after returns the time, as the file has it, but a later one than latest, which it becomes: by times rows are in order.
func (s *Session) after(latest *time.Time) time.Time {
	now := s.now().Truncate(time.Millisecond)
	if !now.After(*latest) {
		now = latest.Add(time.Millisecond)
	}
	*latest = now
	return now
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
	s.skips++
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
		s.skips++
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

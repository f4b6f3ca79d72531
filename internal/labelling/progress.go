package labelling

import (
	"slices"
	"strings"
)

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
	Unanswered Unanswered
	Measuring  bool // whether Quality is of fewer answers than there are
	Learning   bool // whether Unanswered is about to be learned again
	Reading    bool // whether the order is about to read how far answers reach
	Version    int  // another one whenever answers or classes have changed
}

// Progress returns how far the session has come.
func (s *Session) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, texts := s.pile.Labels()
	p := Progress{Answered: s.pile.Answered(), Quality: s.quality, Unanswered: s.unanswered, Measuring: s.quality.version != s.version, Learning: s.due(), Reading: s.reachesFurther(), Version: s.version}
	for _, name := range s.classes {
		c := Class{Name: name, Texts: texts[name]}
		if words := s.words[name]; words != name {
			c.Words = words
		}
		p.Classes = append(p.Classes, c)
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
		s.agreed, s.agreedAt = agreements(s.answers.All(), s.find, s.canonical), s.version
	}
	return s.agreed
}

// Recent returns the texts that a person has answered last, the latest first.
func (s *Session) Recent(who string, most int) (list []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var done []action
	if p := s.people[who]; p != nil {
		done = p.done
	}
	for k := len(done) - 1; k >= 0 && len(list) < most; k-- {
		if i := done[k].asked.Text; !done[k].skipped && s.pile.Given(who, i) != "" && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

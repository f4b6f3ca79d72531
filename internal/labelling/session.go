// Package labelling is people at a pile of texts: what they answer goes to a file before it is acknowledged, and to the pile,
// which learns it. A [Session] is what a page and a terminal have in common; [Handler] is the page.
package labelling

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"bayes/label"
)

// None is the label of a text that belongs to none of the classes. It is a class like others: what is like such texts
// gets it. Where texts may have several labels, the set of none is that.
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
	lost    int   // answers about texts that are not in the pile
	differ  []int // texts whose label is not what the file of answers says of nobody
	now     func() time.Time

	separator string // between the labels of a text, where it may have several; else empty

	mu       sync.Mutex
	agreed   []Agreement // of the version agreedAt
	agreedAt int
	classes  []string          // in the order in which they came up
	words    map[string]string // of a class
	latest   time.Time         // when words were given last
	people   map[string]*person
	order    []int // texts as they were answered
	version  int   // of all this
	worded   int   // how often words of classes have changed
	skips    int   // how many versions were of a text that was skipped or is no longer: nothing else is known by these
	quality  Quality

	changed, grown, spread chan struct{} // what Watch and WatchUnanswered wait for
	learning               sync.Mutex    // held while texts without an answer are learned
	unanswered             Unanswered
	propagated             int // the version up to which the order has read how far answers reach
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
		pile: pile, answers: answers, texts: texts, find: newFinder(texts, answers.All()), now: time.Now, separator: pile.Space().LabelSeparator,
		words: make(map[string]string), people: make(map[string]*person), changed: make(chan struct{}, 1), grown: make(chan struct{}, 1), spread: make(chan struct{}, 1),
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

// resume takes the answers of the file into the pile. What measured measures again, and what the order had chosen does not, whatever texts have come or gone.
func (s *Session) resume() error {
	all := byTime(s.answers.All())
	var drawn, chosen []int
	for _, a := range all {
		if i, ok := s.find.text(&a); ok && a.Row != Words && a.Random {
			drawn = append(drawn, i)
		} else if ok && a.Row != Words && a.Who != "" {
			chosen = append(chosen, i)
		}
	}
	if err := s.pile.Resume(drawn, chosen); err != nil {
		return err
	}
	for _, a := range all {
		if a.Row == Words {
			s.addClass(a.Label)
			s.words[a.Label], s.latest = a.Text, a.When
			if err := s.pile.Seed(a.Label, a.Text); err != nil {
				return fmt.Errorf("%s: %w", s.answers.Name(), err)
			}
			continue
		}
		i, ok := s.find.text(&a)
		if !ok {
			s.lost++
			continue
		}
		again := s.pile.Given(a.Who, i) != "" // by an earlier row, which is taken back together with this one
		if err := s.learn(a.Who, i, a.Label); err != nil {
			return err
		}
		if again {
			s.order = s.order[:len(s.order)-1]
			continue
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

// byTime returns answers in the order in which they were given, which a spreadsheet may have changed. One without a time comes after the one before it in the file.
func byTime(all []label.Answer) []label.Answer {
	times, order := make([]time.Time, len(all)), make([]int, len(all))
	for i, a := range all {
		order[i], times[i] = i, a.When
		if a.When.IsZero() && i > 0 {
			times[i] = times[i-1]
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return times[i].Compare(times[j]) })
	sorted := make([]label.Answer, len(all))
	for n, i := range order {
		sorted[n] = all[i]
	}
	return sorted
}

// learn has the pile learn an answer that is in the file.
func (s *Session) learn(who string, i int, name string) error {
	if s.pile.Given(who, i) == "" {
		s.person(who).answers++
	}
	for _, label := range s.labels(name) {
		s.addClass(label)
	}
	s.order = append(s.order, i)
	return s.pile.Answer(who, i, name)
}

// takeLabels writes labels that texts had already, as answers of nobody. Where there is such an answer it stays: it may have been corrected there.
func (s *Session) takeLabels() error {
	var list []label.Answer
	for i := range s.texts {
		t, given := &s.texts[i], s.pile.Given("", i)
		if t.Label != "" && given != "" && given != s.canonical(t.Label) {
			s.differ = append(s.differ, i)
		}
		if t.Label != "" && given == "" {
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

// Lost returns how many answers of the file are about texts that the pile does not have. They stay in the file.
func (s *Session) Lost() int { return s.lost }

// Differ returns the texts whose label is not what the file of answers says of them in nobody's name, which counts.
func (s *Session) Differ() []int { return s.differ }

// Len returns how many texts there are.
func (s *Session) Len() int { return len(s.texts) }

// LabelSeparator returns what stands between the labels of a text, empty if it has one.
func (s *Session) LabelSeparator() string { return s.separator }

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

// change notes that something has changed: what Watch does is done anew.
func (s *Session) change() {
	s.version++
	for _, waits := range []chan struct{}{s.changed, s.grown, s.spread} {
		select {
		case waits <- struct{}{}:
		default:
		}
	}
}

// An Invalid is the error of what a person asked for that cannot be done.
type Invalid struct{ Reason string }

func (e *Invalid) Error() string { return e.Reason }

func invalid(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

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

package labelling

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bayes/internal/labelset"
	"bayes/label"
)

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

// CheckClass returns an error if a class cannot be called name. A label has no separator in it, where texts may have several.
func CheckClass(name, separator string) error {
	if separator != "" && strings.Contains(name, separator) {
		return invalid("%s has the separator %q in it: one class at a time", name, separator)
	}
	return CheckName(name)
}

// CheckAnswer returns an error if name can be no answer: a label, or where texts may have several, a set of them.
func CheckAnswer(name, separator string) error {
	if separator == "" || name == "" {
		return CheckName(name)
	}
	for _, label := range labelset.Split(name, separator) {
		if err := CheckName(label); err != nil {
			return err
		}
	}
	return nil
}

// checkAnswer returns an answer as it is written.
func (s *Session) checkAnswer(name string) (string, error) {
	if err := CheckAnswer(name, s.separator); err != nil {
		return "", err
	}
	return s.canonical(name), nil
}

func (s *Session) canonical(name string) string { return canonical(name, s.separator) }

// canonical returns a set of labels in its one spelling.
func canonical(name, separator string) string {
	if separator == "" {
		return name
	}
	return labelset.Canonical(name, separator)
}

// labels returns those of an answer.
func (s *Session) labels(name string) []string {
	if s.separator == "" {
		return []string{name}
	}
	return labelset.Split(name, s.separator)
}

// ParseClass reads the description of a class: its name, and after a colon words of it if there are any.
func ParseClass(s string) (name, words string) {
	name = s
	if i := strings.IndexAny(s, ":："); i >= 0 { // the wide one is that of Chinese and Japanese
		_, size := utf8.DecodeRuneInString(s[i:])
		name, words = s[:i], s[i+size:]
	}
	return strings.TrimSpace(name), strings.TrimSpace(words)
}

// AddClass adds a class, or gives one other words. Words are learned as a text of the class; one that has none yet has its name
// for that, so that texts which name the class are known.
func (s *Session) AddClass(who, name, words string) error {
	if err := CheckClass(name, s.separator); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if words == "" {
		words = cmp.Or(s.words[name], name)
	}
	if s.words[name] == words {
		return nil
	}
	row := label.Answer{Label: name, Text: words, Row: Words, Who: who, When: s.after(&s.latest)}
	for _, a := range s.answers.All() {
		if a.Row == Words && a.Label == name { // the class keeps its place, and its key
			row.When = a.When
		}
	}
	err := s.answers.Replace(func(a label.Answer) bool { return a.Row == Words && a.Label == name }, row)
	if err != nil {
		return err
	}
	s.addClass(name)
	s.words[name] = words
	s.worded++
	s.change()
	return s.pile.Seed(name, words)
}

// RemoveClass takes back a class without an answer.
func (s *Session) RemoveClass(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.classes, name) {
		return invalid("there is no class %s", name)
	}
	for _, a := range s.answers.All() { // also those that more people contradict
		if a.Row != Words && slices.Contains(s.labels(a.Label), name) {
			return invalid("%s has answers", name)
		}
	}
	if err := s.answers.Replace(func(a label.Answer) bool { return a.Row == Words && a.Label == name }); err != nil {
		return err
	}
	delete(s.words, name)
	s.classes = slices.DeleteFunc(s.classes, func(c string) bool { return c == name })
	s.worded++
	s.change()
	return s.pile.Seed(name, "")
}

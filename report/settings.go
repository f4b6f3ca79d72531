package report

import (
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/excerpt"
)

// A Setting is what a model is made of, for people.
type Setting struct{ Name, Value string }

// Settings returns how a model estimates and counts, and its size.
func Settings(m *bayes.Model) []Setting {
	return []Setting{
		{"event model", abridged(answer.EventModel(m.EventModel(), m))},
		{"space", abridged(m.Space().String())},
		{"classes", count(int64(len(m.Classes())))},
		{"features", count(int64(m.Len()))},
	}
}

// abridged cuts the words of a description that no reader reads to their end, such as the
// points of a curve.
func abridged(description string) string {
	const most = 40
	words := strings.Split(description, " ")
	for i, w := range words {
		words[i] = excerpt.Shorten(w, most)
	}
	return strings.Join(words, " ")
}

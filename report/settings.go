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
	var words []string
	for w := range strings.SplitSeq(description, " ") {
		key, _, _ := strings.Cut(w, "=")
		if n := len(words); n > 0 && key == "typical" && strings.HasPrefix(words[n-1], key+"=") {
			continue // there is one for each class
		}
		words = append(words, excerpt.Shorten(w, most))
	}
	return strings.Join(words, " ")
}

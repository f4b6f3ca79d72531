package labelling

import (
	"maps"
	"slices"
	"testing"

	"bayes/label"
)

func TestOutvoted(t *testing.T) {
	answer := func(row, who, name string) label.Answer {
		return label.Answer{Row: row, Text: "text " + row, Who: who, Label: name}
	}
	for _, c := range []struct {
		what, separator string
		answers         []label.Answer
		left            []int
		texts           int
	}{
		{"one person", "", []label.Answer{answer("1", "ann", "x"), answer("2", "ann", "y")}, nil, 0},
		{"most", "", []label.Answer{answer("1", "ann", "x"), answer("1", "bo", "y"), answer("2", "bo", "y"), answer("1", "cy", "x")}, []int{0, 1}, 1},
		{"the last of as many", "", []label.Answer{answer("1", "ann", "x"), answer("1", "bo", "y"), answer("1", "", "x"), answer("1", "cy", "y")}, []int{0, 1, 2}, 1},
		{"a person's last", "", []label.Answer{answer("1", "ann", "x"), answer("1", "ann", "y")}, []int{0}, 0},
		{"an earlier one counts no vote", "", []label.Answer{answer("1", "ann", "x"), answer("1", "bo", "x"), answer("1", "ann", "y"), answer("1", "bo", "y"), answer("1", "cy", "x")}, []int{0, 1, 2, 4}, 1},
		{"words", "", []label.Answer{{Row: Words, Text: "w", Label: "x", Who: "ann"}, {Row: Words, Text: "w", Label: "y", Who: "bo"}}, nil, 0},
		{"the same text in two rows", "", []label.Answer{{Row: "1", Text: "t", Label: "x", Who: "ann"}, {Row: "2", Text: "t", Label: "y", Who: "bo"}}, nil, 0},
		{"sets", ";", []label.Answer{answer("1", "ann", "y;x"), answer("1", "bo", "z"), answer("1", "cy", "x; y"), answer("1", "di", "z"), answer("1", "ed", "x;y")}, []int{0, 1, 2, 3}, 1},
	} {
		left, texts := Outvoted(c.answers, c.separator)
		if got := slices.Sorted(maps.Keys(left)); !slices.Equal(got, c.left) || texts != c.texts {
			t.Errorf("%s: %v are left out, of %d texts; want %v of %d", c.what, got, texts, c.left, c.texts)
		}
	}
}

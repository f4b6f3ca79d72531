package cli

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	"bayes"
)

// A place is where an example was read.
type place struct {
	File string `json:"file"`
	Row  int    `json:"row,omitempty"` // of the file, from 1; 0 where the example is the file
}

func (p place) String() string {
	if p.Row == 0 {
		return p.File
	}
	return fmt.Sprintf("%s, row %d", p.File, p.Row)
}

// severalFiles reports whether places are in several files.
func severalFiles(places []place) bool {
	return slices.ContainsFunc(places, func(p place) bool { return p.File != places[0].File })
}

// A trail says where the examples of a source were read. Rows that follow each other are
// kept as one stretch, so that it needs no memory for each.
type trail struct {
	examples  int64
	stretches []stretch
}

// A stretch is examples in rows that follow each other.
type stretch struct {
	first int64 // how many examples came before it
	at    place // of the first of them
}

// follow returns the examples of src, and notes where they are. What is noted may be read
// when ranging over them is done.
func (t *trail) follow(src *source) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		var next place // of an example that continues the stretch
		for ex, err := range src.examples() {
			file, row := src.Place()
			if at := (place{file, row}); err == nil && at != next {
				t.stretches = append(t.stretches, stretch{t.examples, at})
			}
			next = place{file, row + 1}
			if err == nil {
				t.examples++
			}
			if !yield(ex, err) {
				return
			}
		}
	}
}

// at returns the place of the example after i others.
func (t *trail) at(i int64) place {
	n := sort.Search(len(t.stretches), func(n int) bool { return t.stretches[n].first > i })
	s := t.stretches[n-1]
	p := s.at
	p.Row += int(i - s.first)
	return p
}

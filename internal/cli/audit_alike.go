package cli

import (
	"fmt"
	"slices"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// A twinOfRow is another row that has about the same features.
type twinOfRow struct {
	File  string `json:"file"`
	Row   int    `json:"row"`
	Label string `json:"label"`
	Exact bool   `json:"exact"` // both have the very same features
	test  bool
	nth   int // of its label, or of the test files
	same  int // the first example with the very same features
}

// findAlike finds rows of files that are alike and have different labels, or are in the test files.
func (x *auditing) findAlike(cmd *cobra.Command, f *auditFlags, files []string) error {
	all, places := x.examples, x.places
	if len(f.against) > 0 {
		src, err := x.app.open(&f.Input, f.against)
		if err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		tests, tested, err := x.app.readPlaced(cmd, src)
		if err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		all, places = append(all[:len(all):len(all)], tests...), append(places[:len(places):len(places)], tested...)
	}
	plain := *x.space // weights make no difference
	plain.IDF, plain.Norm = nil, ""
	find := func() ([]eval.Alike, error) { return eval.FindAlike(cmd.Context(), &plain, all) }
	if s := x.space; len(f.against) == 0 && s.IDF == nil && s.Norm == "" && s.Vocabulary == nil && s.Values == nil {
		find = func() ([]eval.Alike, error) { return eval.FindAlikeIn(cmd.Context(), x.corpus) }
	}
	groups, err := find()
	if err != nil {
		return inFiles(files, err)
	}
	byExample := make([]*auditedRow, len(x.examples))
	for _, r := range x.rows {
		byExample[r.example] = r
	}
	for _, g := range groups {
		x.addTwins(byExample, g, all, places)
	}
	return nil
}

// addTwins adds what a group of examples says of the rows, which are the first of them.
func (x *auditing) addTwins(rows []*auditedRow, g eval.Alike, all []bayes.Example, places []place) {
	var twins []twinOfRow // the first few of each label, and of the test files
	times := make(map[string]int)
	const test = "\x00" // no label
	for n, i := range g.Examples {
		key, inTest := all[i].Label, i >= len(rows)
		if inTest {
			key = test
		}
		if times[key]++; times[key] <= mostTwins {
			twins = append(twins, twinOfRow{File: places[i].File, Row: places[i].Row, Label: all[i].Label, test: inTest, nth: times[key], same: g.Same[n]})
		}
	}
	if len(twins) > mostTwins { // one of each label before others, so that none is left out
		slices.SortStableFunc(twins, func(a, b twinOfRow) int { return a.nth - b.nth })
	}
	for n, i := range g.Examples {
		if i >= len(rows) {
			break
		}
		r, lines := rows[i], make(map[string]int) // by label, or test: the line that is shown
		for _, t := range twins {
			if !t.test && t.Label == r.Label {
				continue
			}
			t.Exact = t.same == g.Same[n]
			if len(r.Twins) < mostTwins {
				r.Twins = append(r.Twins, t)
			}
			list, key := &x.differ, t.Label
			if t.test {
				list, key = &x.tested, test
			} else if n > 0 {
				continue
			}
			if at, shown := lines[key]; !shown {
				lines[key] = len(*list)
				*list = append(*list, twinLine{r, t})
			} else if t.Exact && !(*list)[at].twin.Exact {
				(*list)[at].twin = t
			}
		}
	}
}

// mostTwins is how many rows that are alike are named of a row.
const mostTwins = 20

// A twinLine is a row, and one that is like it.
type twinLine struct {
	row  *auditedRow
	twin twinOfRow
}

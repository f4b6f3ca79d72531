package report

import (
	"fmt"
	"math"
	"slices"

	"bayes/eval"
)

// mostClasses is how many classes a heat map shows. Of more, those that are confused
// most are shown, and the rest are taken together.
const mostClasses = 40

// A heatMap is a confusion matrix: rows are true classes, columns predicted ones.
type heatMap struct {
	Labels []string
	Rows   []heatRow
	Merged int // classes that the last row and column stand for; zero if none
	Pairs  []confusedPair
}

type heatRow struct {
	Label string
	Cells []heatCell
	Total int64
}

// A heatCell is coloured by its share of the row.
type heatCell struct {
	N     int64
	Right bool   // true class and prediction are the same
	Heat  string // in percent of the full colour
	Title string
}

// A confusedPair is a mistake that is made often.
type confusedPair struct {
	Truth, Predicted string
	N                int64
	Share            float64 // of the documents of the true class
}

func newHeatMap(t *eval.Tally) *heatMap {
	h := &heatMap{Pairs: confusedPairs(t)}
	var confusion [][]int64
	if h.Labels = t.Labels(); len(h.Labels) > mostClasses {
		h.Merged = len(h.Labels) - mostClasses + 1
		h.Labels, confusion = merge(t, mostClasses-1)
	} else {
		confusion = t.Confusion()
	}
	for i, cells := range confusion {
		row := heatRow{Label: h.Labels[i]}
		for _, n := range cells {
			row.Total += n
		}
		for j, n := range cells {
			row.Cells = append(row.Cells, h.cell(i, j, n, row.Total))
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

func (h *heatMap) cell(i, j int, n, total int64) heatCell {
	c := heatCell{N: n, Right: i == j, Heat: "0"}
	if n == 0 {
		return c
	}
	if h.Merged > 0 && i == j && i == len(h.Labels)-1 {
		return heatCell{N: n, Heat: "0", Title: "among the others, right or wrong"}
	}
	share := float64(n) / float64(total)
	c.Title = fmt.Sprintf("%s predicted as %s: %s, %s %% of %s", label(h.Labels[i]), label(h.Labels[j]), count(n), percent(share), count(total))
	if !c.Right {
		share = math.Sqrt(share) // a mistake in a hundred is to be seen
	}
	c.Heat = fmt.Sprintf("%.0f", math.Max(4, 100*share))
	return c
}

// merge keeps the n classes in which most mistakes are made, true or predicted, and
// adds up the others.
func merge(t *eval.Tally, n int) ([]string, [][]int64) {
	var names []string
	for _, c := range t.Worst(n) {
		names = append(names, c.Label)
	}
	slices.Sort(names)
	n = len(names)
	// place returns where a class stands in the smaller matrix.
	place := func(label string) int {
		if p, ok := slices.BinarySearch(names, label); ok {
			return p
		}
		return n
	}
	small := make([][]int64, n+1)
	for p := range small {
		small[p] = make([]int64, n+1)
	}
	right := make(map[string]int64)
	for _, c := range t.Classes() {
		right[c.Label] = c.Support
	}
	for _, c := range t.Confused() {
		small[place(c.Label)][place(c.Predicted)] += c.Documents
		right[c.Label] -= c.Documents
	}
	for label, documents := range right {
		small[place(label)][place(label)] += documents
	}
	return append(names[:n:n], fmt.Sprintf("%s others", count(int64(len(right)-n)))), small
}

// confusedPairs returns the ten pairs that are confused most.
func confusedPairs(t *eval.Tally) (pairs []confusedPair) {
	documents := make(map[string]int64)
	for _, c := range t.Classes() {
		documents[c.Label] = c.Support
	}
	confused := t.Confused()
	for _, c := range confused[:min(len(confused), 10)] {
		pairs = append(pairs, confusedPair{c.Label, c.Predicted, c.Documents, float64(c.Documents) / float64(documents[c.Label])})
	}
	return pairs
}

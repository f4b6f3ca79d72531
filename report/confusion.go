package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

func newHeatMap(labels []string, confusion [][]int64) *heatMap {
	h := &heatMap{Pairs: confusedPairs(labels, confusion)}
	if len(labels) > mostClasses {
		h.Merged = len(labels) - mostClasses + 1
		labels, confusion = merge(labels, confusion, mostClasses-1)
	}
	h.Labels = labels
	for i, cells := range confusion {
		row := heatRow{Label: labels[i]}
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
func merge(labels []string, confusion [][]int64, n int) ([]string, [][]int64) {
	mistakes, order := make([]int64, len(labels)), make([]int, len(labels))
	for i, row := range confusion {
		order[i] = i
		for j, n := range row {
			if i != j {
				mistakes[i] += n
				mistakes[j] += n
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mistakes[b], mistakes[a]) })
	kept := slices.Sorted(slices.Values(order[:n]))
	place := slices.Repeat([]int{n}, len(labels)) // in the smaller matrix
	var names []string
	for p, i := range kept {
		place[i] = p
		names = append(names, labels[i])
	}
	names = append(names, fmt.Sprintf("%d others", len(labels)-n))
	small := make([][]int64, n+1)
	for p := range small {
		small[p] = make([]int64, n+1)
	}
	for i, row := range confusion {
		for j, n := range row {
			small[place[i]][place[j]] += n
		}
	}
	return names, small
}

// confusedPairs returns the ten pairs that are confused most.
func confusedPairs(labels []string, confusion [][]int64) []confusedPair {
	var pairs []confusedPair
	for i, row := range confusion {
		var total int64
		for _, n := range row {
			total += n
		}
		for j, n := range row {
			if i != j && n > 0 {
				pairs = append(pairs, confusedPair{labels[i], labels[j], n, float64(n) / float64(total)})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b confusedPair) int { return cmp.Compare(b.N, a.N) })
	return pairs[:min(len(pairs), 10)]
}

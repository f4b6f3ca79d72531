package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bayes"
)

// declare reads svmlight files once to learn their columns. All columns up to the
// largest index exist, whether or not an example has them: so src is told of numbers and
// categories, and space of terms and of the codes of categories.
func (a *App) declare(src *source, space *bayes.Space, em bayes.EventModel) error {
	formats, err := src.Formats()
	if err != nil || !slices.Contains(formats, "svmlight") {
		return err
	}
	largest, err := largestValues(src)
	if err != nil {
		return err
	}
	columns := src.LargestIndex()
	// A short file can name a huge index. What it may declare depends on its size.
	if most := mostColumns(kindOf(em), src.BytesRead()); columns > most {
		return fmt.Errorf("index %d is more than the %d columns that %s can declare in files of %d bytes", columns, most, modelName(em), src.BytesRead())
	}
	src.vectors = vectorsOf(em, strconv.Itoa(columns))
	switch src.vectors.kind {
	case counts:
		if space.Vocabulary == nil {
			space.Vocabulary = columnNames(columns)
		}
	case categories:
		space.Values, err = codesUpTo(largest, columns, src.BytesRead())
	}
	return err
}

// largestValues returns the largest value of each column.
func largestValues(src *source) (map[string]float64, error) {
	largest := make(map[string]float64)
	for ex, err := range src.examples() {
		if err != nil {
			return nil, err
		}
		for _, attr := range ex.Attrs {
			n, _ := attr.Count()
			largest[attr.Name] = max(largest[attr.Name], n)
		}
	}
	return largest, nil
}

// columnNames returns the names of columns 1 to n, nil if there are none.
func columnNames(n int) []string {
	var names []string
	for i := 1; i <= n; i++ {
		names = append(names, strconv.Itoa(i))
	}
	return names
}

// codesUpTo returns, for each column, all codes of a category up to the largest.
func codesUpTo(largest map[string]float64, columns int, bytes int64) (map[string][]string, error) {
	codes := make(map[string][]string)
	declared := 0.0
	for _, name := range columnNames(columns) {
		if largest[name] > maxCode {
			return nil, fmt.Errorf("column %s: %v is too large for the code of a category", name, largest[name])
		}
		// One large code declares all below it: the file's size bounds them together.
		if declared += 1 + largest[name]; declared > fewColumns+float64(bytes) {
			return nil, fmt.Errorf("column %s: with it, the codes of categories up to the largest are more than can be declared in files of %d bytes", name, bytes)
		}
		for c := 0.0; c <= largest[name]; c++ {
			codes[name] = append(codes[name], code(c))
		}
	}
	return codes, nil
}

// maxCode is the largest code of a category.
const maxCode = 1 << 16

// fewColumns can be declared by a file of any size. A number or category, which
// every example has, takes a kilobyte, and a term a tenth of that.
const (
	fewColumns = 1 << 20
	fewDense   = 1 << 16
)

// mostColumns returns how many columns files of this size can declare: a few
// bytes say that there are millions, which need memory all the same.
func mostColumns(kind vectorKind, bytes int64) int {
	if kind == counts {
		return int(min(maxColumns, fewColumns+8*bytes))
	}
	return int(min(maxColumns, fewDense+bytes/8))
}

// modelName returns the first word of an event model's description.
func modelName(em bayes.EventModel) string {
	name, _, _ := strings.Cut(em.String(), " ")
	return name
}

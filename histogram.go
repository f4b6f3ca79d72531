package bayes

import (
	"bayes/internal/bags"
	"bayes/internal/intern"
	"bayes/internal/sparse"
)

// The rows of a histogram block: a term, a zero byte and how often it stands in
// a document; or how long a document is.
const (
	termKey   = 't'
	lengthKey = 'n'
)

// countHistogram adds sign times a document to the histograms of a text.
func (b *block) countHistogram(x *bag, k int, w, sign float64, known func(*bags.Term) bool) {
	m := sparse.Moments{Examples: 1, Present: w, Sum: w}
	add := func(key []byte) { b.table.Add(b.table.Index.Insert(intern.KeyOf(key), key), k, m, sign) }
	var length float64
	var key []byte
	for i := range x.Terms {
		f := &x.Terms[i]
		if known != nil && !known(f) {
			continue
		}
		length += f.Value
		key = append(append(append(key[:0], termKey), f.Name...), 0)
		add(append(key, formatFloat(f.Value)...))
	}
	add(append(append(key[:0], lengthKey), formatFloat(length)...))
}

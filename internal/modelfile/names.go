package modelfile

import (
	"encoding/binary"
	"slices"

	"bayes/feature"
	"bayes/internal/wire"
)

// AppendNames appends distinct names, sorted, as [Reader.Names] reads them.
func AppendNames(b []byte, names []string) []byte {
	var prev []byte
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		b = wire.AppendName(b, prev, []byte(name))
		prev = []byte(name)
	}
	return b
}

// Lengths returns how long names are together.
func Lengths(names []string) (n int) {
	for _, name := range names {
		n += len(name)
	}
	return n
}

// AppendIDF appends each term and its weight.
func AppendIDF(b []byte, idf *feature.IDF) []byte {
	var prev []byte
	for _, term := range idf.Terms() {
		b = wire.AppendName(b, prev, []byte(term))
		prev = []byte(term)
		b = wire.AppendNumber(b, idf.Weight(prev))
	}
	return b
}

// JoinValues returns the declared values of categories, each behind the length
// and the name of its category.
func JoinValues(values map[string][]string) []string {
	var list []string
	for name, vs := range values {
		for _, v := range vs {
			list = append(list, string(wire.AppendUvarint(nil, uint64(len(name))))+name+v)
		}
	}
	return list
}

// SplitValue is the inverse of JoinValues for one value.
func SplitValue(b []byte) (name, value string, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return "", "", false
	}
	return string(b[size:][:n]), string(b[size:][n:]), true
}

// Weights reads what AppendIDF appended.
func (r *Reader) Weights() *feature.IDF {
	weights := make(map[string]float64)
	var name []byte
	for first := true; r.Payload.Len() > 0; first = false {
		name = r.Payload.Name(name, first)
		w := r.Payload.Number()
		if r.Payload.Err() != nil {
			break
		}
		weights[string(name)] = w
	}
	return feature.WeightsIDF(weights)
}

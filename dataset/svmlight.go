package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

	"bayes"
)

// maxIndex is the largest index that libsvm can read too.
const maxIndex = math.MaxInt32

var (
	errNoSVMLabel = errors.New("no label before the first index")
	errZeroIndex  = errors.New("index 0; indices begin at 1")
)

// SVMLight reads sparse vectorParser: lines "label index:value ... # comment". Each
// value becomes a [bayes.Term] named by its index, in the order of the line,
// also a value of zero. An index that is absent means the value zero. Labels
// are kept as they are spelled: +1 and 1 are two. A qid is ignored; lines with
// nothing but a comment are skipped. Of options, only those of encoding and
// Unlabelled matter.
//
// An index that is not between 1 and 2147483647, or comes twice in a line, and
// a value that is not a finite number are a [*SyntaxError].
func SVMLight(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readSVMLight, r, name, opts)
}

func readSVMLight(in *input, yield func(bayes.Example, error) bool) {
	v := &vectorParser{in: in}
	eachLine(in, yield, v.parse)
}

// A vectorParser parses lines of svmlight.
type vectorParser struct {
	in      *input
	indices []int
	names   []string // of the indices below maxInterned that have been seen
}

// parse returns the example of a line.
func (v *vectorParser) parse(line []byte) (ex bayes.Example, err error) {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	line = bytes.Trim(line, space)
	if len(line) == 0 {
		return ex, errSkip
	}
	// If the first word is a pair, there is no label.
	label, rest := cutSpace(line)
	if bytes.IndexByte(label, ':') >= 0 {
		label, rest = line[:0], line
	}
	v.in.spelled = label
	if ex.Label, err = v.label(label); err != nil {
		return ex, err
	}
	ex.Attrs, err = v.terms(rest)
	return ex, err
}

// label reads the label of a line, which is empty if the line begins with a pair.
func (v *vectorParser) label(b []byte) (string, error) {
	switch {
	case v.in.opts.LabelSeparator != "":
		cell, err := v.in.joinLabels(bytes.Split(b, []byte(",")))
		if err != nil && !v.in.opts.Unlabelled {
			return "", err
		}
		return v.in.label(cell)
	case len(b) == 0 && !v.in.opts.Unlabelled:
		return "", errNoSVMLabel
	case bytes.IndexByte(b, ',') >= 0 && !v.in.opts.Unlabelled:
		return "", errMultiLabel
	}
	return v.in.label(b)
}

// terms reads the pairs of a line.
func (v *vectorParser) terms(b []byte) ([]bayes.Attr, error) {
	attrs := make([]bayes.Attr, 0, bytes.Count(b, []byte{':'}))
	v.indices = v.indices[:0]
	for len(b) > 0 {
		var pair []byte
		pair, b = cutSpace(b)
		if bytes.HasPrefix(pair, []byte("qid:")) {
			continue
		}
		index, value, err := parsePair(pair)
		if err == nil {
			err = v.in.opts.Vectors.check(index, value)
		}
		if err != nil {
			return nil, err
		}
		v.indices = append(v.indices, index)
		attrs = append(attrs, bayes.Term(v.name(index), value))
	}
	return attrs, v.checkIndices()
}

// name returns the name of a term. It keeps the names of small indices.
func (v *vectorParser) name(index int) string {
	if index >= maxInterned {
		return strconv.Itoa(index)
	}
	if index >= len(v.names) {
		v.names = append(v.names, make([]string, index+1-len(v.names))...)
	}
	if v.names[index] == "" {
		v.names[index] = strconv.Itoa(index)
	}
	return v.names[index]
}

// checkIndices returns an error if an index comes twice, and records the largest.
func (v *vectorParser) checkIndices() error {
	if len(v.indices) == 0 {
		return nil
	}
	// Sorted, equal indices are neighbours. Most files have them sorted.
	if !slices.IsSorted(v.indices) {
		slices.Sort(v.indices)
	}
	for i, next := range v.indices[1:] {
		if v.indices[i] == next {
			return fmt.Errorf("index %d comes twice", next)
		}
	}
	largest := int64(v.indices[len(v.indices)-1])
	if largest > v.in.stats.largest.Load() {
		v.in.stats.largest.Store(largest)
	}
	return nil
}

// parsePair reads index:value.
func parsePair(pair []byte) (index int, value float64, err error) {
	i, x, ok := bytes.Cut(pair, []byte{':'})
	if !ok {
		return 0, 0, fmt.Errorf("%s is not index:value", quote(pair))
	}
	n, err := strconv.ParseUint(string(i), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, 0, fmt.Errorf("%s is not index:value", quote(pair))
	case err != nil || n > maxIndex:
		return 0, 0, fmt.Errorf("index %s is larger than %d", quote(i), maxIndex)
	case n == 0:
		return 0, 0, errZeroIndex
	}
	value, err = parseFinite(x)
	return int(n), value, err
}

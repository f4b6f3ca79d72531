package dataset

import (
	"bytes"
	"errors"
	"fmt"

	"bayes/internal/labelset"
	"bayes/internal/rawjson"
)

// Where records may have several labels, see [Options].LabelSeparator, the label of an example is the set of
// them as package bayes has it: sorted, with the separator between, and of none the separator alone.

// labelSet returns a cell as a set of labels.
func (in *input) labelSet(b []byte) (string, error) {
	if len(b) > 0 {
		if err := checkLabel(b); err != nil {
			return "", err
		}
	}
	sep := in.opts.LabelSeparator
	return in.strings.intern([]byte(labelset.Canonical(string(in.utf8(b))+sep, sep))), nil
}

// joinLabels returns labels as one cell, none with the separator in it.
func (in *input) joinLabels(labels [][]byte) ([]byte, error) {
	sep := []byte(in.opts.LabelSeparator)
	for _, label := range labels {
		if bytes.Contains(label, sep) {
			return nil, fmt.Errorf("label %s has the separator %q in it (hint: another --label-separator)", quote(label), sep)
		}
	}
	return bytes.Join(labels, sep), nil
}

var errNotLabels = errors.New("want an array of strings")

// labelArray returns the labels in an array of JSON as one cell.
func (in *input) labelArray(value []byte) ([]byte, error) {
	var labels [][]byte
	for s := rawjson.Open(value); s.Element(); {
		if s.Value[0] != '"' {
			return nil, errNotLabels
		}
		labels = append(labels, rawjson.AppendString(nil, s.Value))
	}
	return in.joinLabels(labels)
}

// parseLabels returns the example's labels and the rest of a line of fastText: the labels are the words at its
// start that begin as labels do.
func (in *input) parseLabels(line []byte) (set string, rest []byte, err error) {
	var labels [][]byte
	rest = line
	for {
		after, ok := bytes.CutPrefix(rest, []byte(labelPrefix))
		if !ok {
			break
		}
		label, text := cutSpace(after)
		labels, rest = append(labels, label), bytes.TrimLeft(text, space)
	}
	if hasLabel(rest) {
		return "", nil, errLateLabel
	}
	cell, err := in.joinLabels(labels)
	if err != nil && !in.opts.Unlabelled {
		return "", nil, err
	}
	in.spelled = line[:len(line)-len(rest)]
	set, err = in.label(cell)
	return set, rest, err
}

var errLateLabel = errors.New("a " + labelPrefix + " behind the text: want all of them at the start of the line")

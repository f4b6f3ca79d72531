package cli

import (
	"slices"
	"strconv"
	"strings"

	"bayes/internal/labelset"
	"bayes/internal/terminal"
)

const askingSets = `  1 3          the classes of these numbers
  names        the classes of these names, with the separator between; +NAME: WORDS makes one
  nothing      the classes that are guessed
  -            none of these
` + commandHelp

// several reports whether a text may have several labels.
func (k *asker) several() bool { return k.session.LabelSeparator() != "" }

// says returns an answer for people to read.
func (k *asker) says(answer string) string {
	if !k.several() {
		return terminal.Line(answer)
	}
	labels := labelset.Split(answer, k.session.LabelSeparator())
	if len(labels) == 0 {
		return "none of these"
	}
	return terminal.Line(strings.Join(labels, ", "))
}

// readSet returns the set of the classes that a line names: by their numbers, with white space or the separator
// between, or by their names.
func (k *asker) readSet(line string) (string, error) {
	sep := k.session.LabelSeparator()
	if line == "-" {
		return labelset.Join(nil, sep), nil
	}
	names := k.classes()
	var labels []string
	for _, part := range labelset.Split(line, sep) {
		numbered, ok := byNumbers(part, names)
		switch {
		case slices.Contains(names, part):
			labels = append(labels, part)
		case ok:
			labels = append(labels, numbered...)
		default:
			return "", noClass(part)
		}
	}
	if len(labels) == 0 {
		return "", noClass(line)
	}
	return labelset.Join(labels, sep), nil
}

// byNumbers returns the names with the numbers that a line has, false if it has something else.
func byNumbers(line string, names []string) (list []string, ok bool) {
	for _, field := range strings.Fields(line) {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || n > len(names) {
			return nil, false
		}
		list = append(list, names[n-1])
	}
	return list, true
}

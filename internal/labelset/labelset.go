// Package labelset spells sets of labels, so that one string says which labels an example has: the
// labels, sorted, with a separator between them. The separator alone is the empty set.
package labelset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Split returns the labels of a set, sorted. White space around a label is no part of it.
func Split(set, separator string) []string {
	labels := strings.Split(set, separator)
	for i, label := range labels {
		labels[i] = strings.TrimSpace(label)
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	if len(labels) > 0 && labels[0] == "" {
		labels = labels[1:]
	}
	return labels
}

// Join returns the set of labels. None has the separator in it.
func Join(labels []string, separator string) string {
	if len(labels) == 0 {
		return separator
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(labels))), separator)
}

// Canonical returns a set as [Join] spells it. The empty string, for labels that are not known,
// stays.
func Canonical(set, separator string) string {
	if set == "" || !strings.Contains(set, separator) && strings.TrimSpace(set) == set {
		return set
	}
	return Join(Split(set, separator), separator)
}

// Majority returns the label or set that is most often in a list, of equally many the one that is there last, and the empty string if the list is empty.
func Majority(list []string) (most string) {
	times := make(map[string]int)
	for _, label := range list {
		times[label]++
	}
	for _, label := range list {
		if times[label] >= times[most] {
			most = label
		}
	}
	return most
}

// Quote returns a separator as one word.
func Quote(separator string) string {
	return strings.ReplaceAll(strconv.QuoteToASCII(separator), " ", `\x20`)
}

// Unquote returns what Quote was given, and an error if it can be no separator.
func Unquote(word string) (string, error) {
	separator, err := strconv.Unquote(word)
	if err != nil {
		return "", fmt.Errorf("%.40s is not quoted", word)
	}
	return separator, Check(separator)
}

// Check returns an error if labels cannot be separated by separator.
func Check(separator string) error {
	if separator == "" || strings.ContainsAny(separator, "\t\r\n") || !utf8.ValidString(separator) {
		return fmt.Errorf("separator %q: want UTF-8 without a tab or a line end", separator)
	}
	return nil
}

// Members returns the labels in sets, sorted, and for each set, by its index in the list, the indexes of its labels.
func Members(sets []string, separator string) (labels []string, members [][]int) {
	split := make([][]string, len(sets))
	for i, set := range sets {
		split[i] = Split(set, separator)
		labels = append(labels, split[i]...)
	}
	slices.Sort(labels)
	labels, members = slices.Compact(labels), make([][]int, len(sets))
	for i, list := range split {
		for _, label := range list {
			k, _ := slices.BinarySearch(labels, label)
			members[i] = append(members[i], k)
		}
	}
	return labels, members
}

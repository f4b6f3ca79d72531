package outfile

import (
	"bytes"
	"strconv"
	"strings"

	"bayes/internal/answertable"
)

// A Kind is what a file holds. What an existing file holds is told by its first
// [HeadSize] bytes. An empty file holds nothing that could be lost.
type Kind struct {
	name string
	has  func(head []byte) bool // nil if no file of this kind is ever replaced
}

// HeadSize is how much of a file is looked at, in bytes.
const HeadSize = 4096

// The kinds of files that the commands write.
var (
	// Model is a file of counts, with or without an event model.
	Model = &Kind{"a model of counts", begins("bayes model ", "bayes counts ")}
	// Frozen is a file of weights alone.
	Frozen = &Kind{"a frozen model", begins("bayes frozen ")}
	// Page is a page of package report.
	Page = &Kind{"a page of bayes", func(head []byte) bool {
		return bytes.HasPrefix(head, []byte("<!DOCTYPE html>")) && bytes.Contains(head, []byte(`<meta name="generator" content="bayes">`))
	}}
	// Predictions are lines as bayes predict prints them.
	Predictions = &Kind{"predictions", arePredictions}
	// Answers is a table of labels that people gave.
	Answers = &Kind{"a file of answers", answertable.Are}
	// New is whatever must not be there yet.
	New = &Kind{"", nil}
)

func begins(prefixes ...string) func(head []byte) bool {
	return func(head []byte) bool {
		for _, prefix := range prefixes {
			if bytes.HasPrefix(head, []byte(prefix)) {
				return true
			}
		}
		return false
	}
}

// Permit returns a [Refusal] if an existing file called name, which begins with
// head, must not be replaced by one of kind k.
func (k *Kind) Permit(name string, head []byte) error {
	switch {
	case k.has == nil:
		return &Refusal{name, "it exists"}
	case len(head) > 0 && !k.has(head):
		return &Refusal{name, "it is not " + k.name}
	}
	return nil
}

// arePredictions reports whether all whole lines of head are predictions: a label
// and its probability, with a tab between, or JSON.
func arePredictions(head []byte) bool {
	lines := strings.SplitAfter(string(head), "\n")
	for i, line := range lines {
		if whole := strings.HasSuffix(line, "\n"); !whole && i > 0 {
			break
		}
		if strings.HasPrefix(line, `{"label":`) {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 2 {
			return false
		}
		if p, err := strconv.ParseFloat(fields[1], 64); err != nil || !(p >= 0 && p <= 1) {
			return false
		}
	}
	return true
}

package main

import (
	"bytes"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
)

// The texts have all terms, and no others, and all classes.
func TestWrite(t *testing.T) {
	const terms, classes = 30_000, 3
	var b bytes.Buffer
	if err := write(&b, terms, classes, 50); err != nil {
		t.Fatal(err)
	}
	c, err := bayes.Count(t.Context(), nil, dataset.CSV(bytes.NewReader(b.Bytes()), "", nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Len() != terms || len(c.Classes()) != classes {
		t.Errorf("%d terms and %d classes, want %d and %d", c.Len(), len(c.Classes()), terms, classes)
	}
	if n := strings.Count(b.String(), "\n") - 1; int64(n) != c.Examples() {
		t.Errorf("%d lines, %d examples", n, c.Examples())
	}
}

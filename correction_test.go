package bayes_test

import (
	"bytes"

	"bayes"

	"pgregory.net/rapid"
)

func load(t rapid.TB, file []byte) (*bayes.Counts, bayes.EventModel) {
	t.Helper()
	c, em, err := bayes.Load(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c, em
}

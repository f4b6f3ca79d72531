package dataset_test

import (
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
)

// drain returns the examples of a stream and its errors. It fails if an error
// that is not of one record is not the last thing yielded.
func drain(t testing.TB, examples iter.Seq2[bayes.Example, error]) (list []bayes.Example, errs []string) {
	t.Helper()
	fatal := false
	for ex, err := range examples {
		if fatal {
			t.Fatalf("something follows %q", errs[len(errs)-1])
		}
		if err == nil {
			list = append(list, ex)
			continue
		}
		var bad *dataset.SyntaxError
		fatal = !errors.As(err, &bad)
		text := err.Error()
		if fatal {
			text = "fatal: " + text
		}
		errs = append(errs, text)
	}
	return list, errs
}

// A readCase is an input and what is to come out of it.
type readCase struct {
	name string
	in   string
	opts *dataset.Options
	want []bayes.Example
	errs []string
}

func (c readCase) run(t *testing.T, read streamReader) {
	t.Run(c.name, func(t *testing.T) {
		got, errs := drain(t, read(strings.NewReader(c.in), "f", c.opts))
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("examples\n got %+v\nwant %+v", got, c.want)
		}
		if !reflect.DeepEqual(errs, c.errs) {
			t.Errorf("errors\n got %q\nwant %q", errs, c.errs)
		}
		stopEarly(t, read(strings.NewReader(c.in), "f", c.opts))
	})
}

// stopEarly fails if a stream goes on after the caller has left it; the runtime
// panics if it does.
func stopEarly(t testing.TB, examples iter.Seq2[bayes.Example, error]) {
	t.Helper()
	for range examples {
		break
	}
}

// texts returns examples of one class.
func texts(label string, list ...string) (examples []bayes.Example) {
	for _, s := range list {
		examples = append(examples, bayes.Example{Label: label, Text: s})
	}
	return examples
}

// equal fails if got is not want.
func equal[T any](t testing.TB, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

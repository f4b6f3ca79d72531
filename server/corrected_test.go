package server_test

import (
	"bytes"
	"testing"

	"bayes"
	"bayes/answer"
	"bayes/server"

	"github.com/google/go-cmp/cmp"
)

// A model says what its correction was learned from, and how many examples were learned since. Its
// download has the correction, and an upload keeps it.
func TestCorrected(t *testing.T) {
	c, err := bayes.ReadCorpus(t.Context(), nil, func(yield func(bayes.Example, error) bool) {
		for _, ex := range mail {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	em, err := c.Correct(t.Context(), bayes.Corrected{Trust: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, c.Counts(), em, server.Options{})
	type info struct{ Correction *answer.Correction }
	correction := func(model string) *answer.Correction {
		t.Helper()
		return decode[info](t, s.want(200, s.get("/v1/models/"+model)).Body).Correction
	}
	learned := bayes.CorrectionOf(em)
	want := &answer.Correction{Examples: 4, Trust: answer.Real(learned.Trust()), Features: learned.Len()}
	if diff := cmp.Diff(want, correction("mail")); diff != "" {
		t.Error(diff)
	}
	s.want(200, s.post(learnPath, `{"id":"1","label":"spam","text":"free lunch"}`))
	want.Since = 1
	if diff := cmp.Diff(want, correction("mail")); diff != "" {
		t.Error(diff)
	}
	s.want(201, s.do("PUT", "/v1/models/copy", asBytes, bytes.NewReader(s.snapshot())))
	if diff := cmp.Diff(want, correction("copy")); diff != "" {
		t.Error(diff)
	}
	plain := newSite(t, counts(mail...), nil, server.Options{})
	if got := decode[info](t, plain.want(200, plain.get("/v1/models/mail")).Body).Correction; got != nil {
		t.Errorf("a model without a correction has %+v", got)
	}
}

package server_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// A server answers as the command does: unsure below a cutoff of the model, which what it learns leaves as
// it is, and so does an upload of the snapshot.
func TestCutoff(t *testing.T) {
	em := bayes.Calibrated{Cutoffs: map[string]float64{"spam": 1e9}}
	s := newSite(t, counts(mail...), em, server.Options{})
	const want = `{"label":"unsure","reason":"cutoff","probability":`
	asks := func(when, path string) {
		t.Helper()
		if got := s.want(200, s.post(path, `{"text":"win a free prize"}`)).Body; !strings.Contains(got, want) {
			t.Errorf("%s: %s", when, got)
		}
	}
	asks("at first", predictPath)
	s.want(200, s.post(learnPath, `{"id":"1","label":"spam","text":"a free prize"}`))
	asks("after learning", predictPath)
	s.want(201, s.do("PUT", "/v1/models/copy", asBytes, strings.NewReader(string(s.snapshot()))))
	asks("uploaded", "/v1/models/copy/predict")
	if got := s.want(200, s.post(explainPath, `{"text":"win a free prize"}`)).Body; !strings.Contains(got, `"cutoff":{"log_odds":`) || !strings.Contains(got, `"needs":1000000000}`) {
		t.Error(got)
	}
	if got := s.want(200, s.post(predictPath, `{"text":"see you at lunch"}`)).Body; !strings.Contains(got, `"label":"ham"`) {
		t.Error(got)
	}
}

// A label that must not be missed is the answer over HTTP too, and what costs least.
func TestChosen(t *testing.T) {
	for want, em := range map[string]bayes.Calibrated{
		`{"label":"spam","reason":"recall","probability":0.`:  {Overrides: map[string]float64{"spam": -1e9}},
		`{"label":"spam","reason":"costs","probability":0.`:   {Costs: map[[2]string]float64{{"spam", "ham"}: 1e9}},
		`{"label":"unsure","reason":"costs","probability":0.`: {Reject: map[string]float64{"spam": 0, "ham": 0}},
	} {
		s := newSite(t, counts(mail...), em, server.Options{})
		if got := s.want(200, s.post(predictPath, `{"text":"see you at lunch"}`)).Body; !strings.HasPrefix(got, want) {
			t.Errorf("%v: %s", em, got)
		}
	}
}

package server_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
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

// What is foreign is so whatever cutoffs and costs say, over HTTP too.
func TestForeignIsChosenFirst(t *testing.T) {
	var texts []bayes.Example
	for i := range 30 {
		texts = append(texts,
			bayes.Example{Label: "spam", Text: []string{"win", "free", "offer"}[i%3] + " prize " + []string{"now", "today"}[i%2]},
			bayes.Example{Label: "ham", Text: []string{"lunch", "dinner", "tea"}[i%3] + " at " + []string{"one", "five"}[i%2]})
	}
	c, err := bayes.ReadCorpus(t.Context(), nil, func(yield func(bayes.Example, error) bool) {
		for _, ex := range texts {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := eval.StratifiedFolds(eval.Labels(c), 5, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := eval.CrossValidateKnown(t.Context(), c, fold, bayes.Multinomial{})
	if err != nil {
		t.Fatal(err)
	}
	em, err := scores.Known(bayes.Calibrated{Overrides: map[string]float64{"spam": -1e9}}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, c.Counts(), em, server.Options{})
	for text, want := range map[string]string{
		"tea at one":                  `{"label":"spam","reason":"recall","typicality":`,
		"quantum orbit nebula pulsar": `{"label":"?","reason":"foreign","typicality":0.0`,
	} {
		if got := s.want(200, s.post(predictPath, `{"text":"`+text+`"}`)).Body; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

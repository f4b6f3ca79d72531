package server_test

import (
	"bytes"
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// Where documents may have several labels, they are sent as an array or as one string, in any order, and answered as a list.
func TestLabelSets(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for _, ex := range []bayes.Example{{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: ";", Text: "rain today"}} {
		c.Learn(ex)
	}
	s := newSite(t, c, nil, server.Options{})
	before := s.snapshot()
	for _, body := range []string{
		`{"id":"1","label":["oil","grain"],"text":"wheat opec"}`,
		`{"id":"1","label":"oil; grain","text":"wheat opec"}`,
		`{"id":"2","label":[],"text":"rain"}`,
		`{"id":"3","label":"","text":"rain"}`,
	} {
		s.change(learnPath, body)
	}
	learned, _, err := bayes.Load(bytes.NewReader(s.snapshot()))
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]int64{"grain;oil": 2, "oil": 1, ";": 3} {
		if n, _ := learned.Class(set); n != want {
			t.Errorf("%d documents have %q, want %d", n, set, want)
		}
	}
	got := s.want(200, s.post(strings.Replace(learnPath, "learn", "predict", 1), `{"text":"wheat crude opec"}`))
	if !strings.Contains(got.Body, `"labels":["grain","oil"]`) {
		t.Errorf("predicted: %s", got.Body)
	}
	for _, bad := range []string{`{"label":["gold"],"text":"a"}`, `{"label":["a;b"],"text":"a"}`, `{"label":[1],"text":"a"}`} {
		s.want(422, s.post(learnPath, bad))
	}
	s.change(unlearnPath, `{"documents":[{"id":"1"},{"id":"2"},{"id":"3"}]}`)
	if string(s.snapshot()) != string(before) {
		t.Error("unlearning documents of several labels leaves something")
	}
}

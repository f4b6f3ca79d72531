package server_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// A server answers the deepest label that is certain, as the command does, and says so where labels are no tree.
func TestCertain(t *testing.T) {
	c := counts(
		bayes.Example{Label: "sport/football", Text: "goal referee goal crowd"}, bayes.Example{Label: "sport/golf", Text: "hole club crowd"},
		bayes.Example{Label: "science/space", Text: "rocket orbit"},
	)
	s := newSite(t, c, bayes.Multinomial{Tree: "/"}, server.Options{})
	for _, tc := range []struct{ query, text, want string }{
		{"?certain=0.7&top=1", "crowd", `{"label":"sport","level":1,"probability":0.7`},
		{"?certain=0.7&top=1", "goal goal referee goal", `{"label":"sport/football","level":2,"probability":0.`},
		{"?certain=0.99&top=1", "crowd", `{"label":"?","reason":"certain","level":0,"probability":0.`},
		{"?top=1", "crowd", `{"label":"sport/`},
	} {
		got := s.want(200, s.post(predictPath+tc.query, `{"id":"7","text":"`+tc.text+`"}`)).Body
		if !strings.HasPrefix(got, `{"id":"7",`+tc.want[1:]) || !strings.Contains(got, `"left_out":2,`) {
			t.Errorf("%s %s: %s, want %s", tc.query, tc.text, got, tc.want)
		}
	}
	got := s.want(200, s.post(predictPath+"?certain=0.7", `{"documents":[{"text":"crowd"},{"text":"rocket orbit"}]}`)).Body
	if strings.Count(got, `"level":`) != 2 {
		t.Error(got)
	}
	if got := s.want(422, s.post(predictPath+"?certain=0.7&threshold=0.5", `{"text":"crowd"}`)).Body; !strings.Contains(got, "certain goes without threshold") {
		t.Error(got)
	}
	flat := newSite(t, counts(mail...), nil, server.Options{})
	if got := flat.want(422, flat.post(predictPath+"?certain=0.7", `{"text":"free"}`)).Body; !strings.Contains(got, "no tree: train it with --label-tree") {
		t.Error(got)
	}
}

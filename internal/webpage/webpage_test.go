package webpage

import "testing"

func TestAnswersTo(t *testing.T) {
	for _, of := range []struct {
		names []string
		host  string
		want  bool
	}{
		{nil, "any.example:80", true},
		{nil, "", true},
		{[]string{"localhost", "::1"}, "LocalHost:8090", true},
		{[]string{"Labels.example"}, "labels.example", true},
		{[]string{"localhost", "::1"}, "[::1]:8090", true},
		{[]string{"localhost", "::1"}, "[::1]", true},
		{[]string{"localhost"}, "localhost.evil.example:80", false},
		{[]string{"localhost"}, "", false},
	} {
		if AnswersTo(of.names, of.host) != of.want {
			t.Errorf("%q answers to %q: want %v", of.names, of.host, of.want)
		}
	}
}

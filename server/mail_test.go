package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"bayes"
	parts "bayes/mail"
	"bayes/server"
)

// A mail is predicted, learned and unlearned as it stands, by an ID that is a hash of it.
func TestMail(t *testing.T) {
	const (
		asMail = "message/rfc822"
		path   = "/v1/models/mail/"
		pills  = "Message-ID: <1@a.example>\nFrom: x@pills.example\nSubject: cheap\n\npills \xff now\n"
		lunch  = "Message-ID: <2@a.example>\nFrom: ann@a.example\nSubject: lunch\n\nsee you\n"
	)
	example := func(label, raw string) bayes.Example {
		d := parts.Parse([]byte(raw)).Document()
		return bayes.Example{Label: label, Text: d.Text, Attrs: d.Attrs}
	}
	s := newSite(t, counts(example("spam", pills), example("ham", lunch)), nil, server.Options{})
	send := func(action, body string) (int, map[string]any) {
		t.Helper()
		w := s.do("POST", path+action, asMail, strings.NewReader(body))
		var v map[string]any
		if err := json.Unmarshal([]byte(w.Body), &v); err != nil {
			t.Fatalf("%s: %d %s", action, w.Status, w.Body)
		}
		return w.Status, v
	}
	status, before := send("predict", pills)
	if status != http.StatusOK || before["label"] != "spam" || before["id"] != parts.ID([]byte(pills)) {
		t.Errorf("%d %v", status, before)
	}
	if status, v := send("predict?top=1&threshold=0.999999", lunch); status != http.StatusOK || len(v["probabilities"].(map[string]any)) != 1 {
		t.Errorf("%d %v", status, v)
	}
	snapshot := func() string { return s.do("GET", path+"snapshot", "", nil).Body }
	was := snapshot()
	// Learning it twice is learning it once; what was delivered in another form takes its place, and another
	// label moves it.
	for _, c := range []struct {
		action, body string
		applied      float64
	}{
		{"learn?label=ham", pills, 1}, {"learn?label=ham", pills, 0},
		{"learn?label=ham", "X-Bayes-Status: ham\r\n" + strings.ReplaceAll(pills, "\n", "\r\n"), 1},
		{"learn?label=spam", pills, 1}, {"unlearn", pills, 1},
	} {
		if status, v := send(c.action, c.body); status != http.StatusOK || v["applied"] != c.applied {
			t.Errorf("%s: %d %v, want %v applied", c.action, status, v, c.applied)
		}
	}
	if was != snapshot() {
		t.Error("learning and unlearning leave other bytes")
	}
	for action, want := range map[string]int{
		"learn": http.StatusUnprocessableEntity, "learn?label=work": http.StatusUnprocessableEntity, "learn?label=a%09b": http.StatusUnprocessableEntity,
		"unlearn": http.StatusNotFound, "explain": http.StatusUnsupportedMediaType,
	} {
		if status, v := send(action, pills); status != want {
			t.Errorf("%s: %d %v, want %d", action, status, v, want)
		}
	}
	if status, _ := send("predict", ""); status != http.StatusBadRequest {
		t.Errorf("an empty mail: %d", status)
	}
}

// A model of columns reads no mail.
func TestNoMail(t *testing.T) {
	s := newSite(t, counts(bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", 1)}}, bayes.Example{Label: "b", Attrs: []bayes.Attr{bayes.Number("x", 2)}}), bayes.Gaussian{}, server.Options{})
	w := s.do("POST", "/v1/models/mail/predict", "message/rfc822", strings.NewReader("Subject: a\n\nb"))
	if w.Status != http.StatusUnprocessableEntity || !strings.Contains(w.Body, "reads no mail, but") {
		t.Errorf("%d %s", w.Status, w.Body)
	}
}

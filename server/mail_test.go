package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"bayes"
	parts "bayes/mail"
	"bayes/server"
	"bayes/text/bogofilter"
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
	// Learning it twice is learning it once, in whatever form it was delivered, and another label moves it.
	for _, c := range []struct {
		action, body string
		applied      float64
	}{
		{"learn?label=ham", pills, 1}, {"learn?label=ham", pills, 0},
		{"learn?label=ham", "X-Bayes-Status: ham\r\n" + strings.ReplaceAll(pills, "\n", "\r\n"), 0},
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

// Whatever is learned, moved, unlearned and learned anew by ID, the bytes are those of learning once what is
// left: for the texts of mail, for one text, and for bogofilter's tokens.
func TestMailHistory(t *testing.T) {
	mails := func(i int) string {
		return fmt.Sprintf("Message-ID: <%d@a.example>\nFrom: x@pills.example\nSubject: cheap %d\n\npills %d \xff now\n", i/2, i, i%3) // two of each ID
	}
	bogofilters, err := bayes.ParseSpace("bogofilter binary", bogofilter.Language())
	if err != nil {
		t.Fatal(err)
	}
	for name, base := range map[string]struct {
		space *bayes.Space
		texts []string
	}{"texts of mail": {nil, parts.Texts()}, "one text": {nil, nil}, "bogofilter's tokens": {bogofilters, nil}} {
		t.Run(name, func(t *testing.T) {
			kept := bayes.NewCounts(base.space)
			learn := func(label, raw string, sign int) {
				d := parts.DocumentFor(base.space, base.texts, []byte(raw))
				ex := bayes.Example{Label: label, Text: d.Text, Attrs: d.Attrs}
				if sign < 0 {
					kept.Unlearn(ex)
				} else {
					kept.Learn(ex)
				}
			}
			learn("spam", "Subject: cheap\nFrom: a@b.example\n\npills\n", 1)
			learn("ham", "Subject: lunch\nFrom: a@b.example\n\nsee you\n", 1)
			s := newSite(t, kept.Clone(), nil, server.Options{})
			labels := make(map[int]string)
			random := rand.New(rand.NewPCG(1, 2))
			for step := range 120 {
				i, to := random.IntN(8), []string{"spam", "ham", ""}[random.IntN(3)]
				action, applied := "learn?label="+to, 1
				if to == "" {
					action = "unlearn"
				}
				if was := labels[i]; was != "" {
					learn(was, mails(i), -1)
				}
				if to != "" {
					learn(to, mails(i), 1)
				}
				if labels[i] == to {
					applied = 0
				}
				labels[i] = to
				w := s.do("POST", "/v1/models/mail/"+action, "message/rfc822", strings.NewReader(mails(i)))
				if status := w.Status; status != http.StatusOK && !(status == http.StatusNotFound && to == "" && applied == 0) ||
					status == http.StatusOK && !strings.Contains(w.Body, fmt.Sprintf(`"applied":%d`, applied)) {
					t.Fatalf("step %d: %s: %d %s, want %d applied", step, action, status, w.Body, applied)
				}
				if step%10 > 0 {
					continue
				}
				var want bytes.Buffer
				if err := bayes.Save(&want, kept, bayes.Multinomial{}); err != nil {
					t.Fatal(err)
				}
				if s.do("GET", "/v1/models/mail/snapshot", "", nil).Body != want.String() {
					t.Fatalf("step %d: the bytes are not those of learning what is left", step)
				}
			}
		})
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

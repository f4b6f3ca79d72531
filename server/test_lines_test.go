package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/server"
)

// A measuredLines is the answer to a test by lines: those of the documents, and the last one.
type measuredLines struct {
	answers     []string
	measurement map[string]any
	report      string
	problem     string
}

func (s *site) testLines(query string, lines ...string) (got measuredLines) {
	s.t.Helper()
	reply := s.want(200, s.do("POST", testPath+query, asLines, strings.NewReader(strings.Join(lines, "\n"))))
	if reply.Header.Get("Content-Type") != asLines {
		s.t.Errorf("the answer is %s", reply.Header)
	}
	all := strings.Split(strings.TrimSuffix(reply.Body, "\n"), "\n")
	got.answers = all[:len(all)-1]
	last := decode[struct {
		Measurement    map[string]any
		Report, Detail string
	}](s.t, all[len(all)-1])
	got.measurement, got.report, got.problem = last.Measurement, last.Report, last.Detail
	return got
}

// Lines are answered as predict answers them, and measured as a table of the same records is.
func TestMeasureLines(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	lines := []string{
		`{"label":"spam","text":"free; money"}`, `{"label":"ham","text":"lunch"}`, `{"label":"ham","text":"win money","id":"7"}`,
		`{"label":"eggs","text":"noon"}`, ``, `{"label":"ham","text":"free lunch at noon"}`,
	}
	got := s.testLines("?uncertain=9", lines...)
	answers := s.want(200, s.do("POST", predictPath, asLines, strings.NewReader(strings.Join(lines, "\n")))).Body
	if strings.Join(got.answers, "\n")+"\n" != answers {
		t.Errorf("answers:\n%s\nand predict has\n%s", strings.Join(got.answers, "\n"), answers)
	}
	table := "label;text\nspam;\"free; money\"\nham;lunch\nham;win money\neggs;noon\nham;free lunch at noon\n"
	want := decode[map[string]any](t, s.want(200, s.table("POST", testPath+"?uncertain=9", table)).Body)
	// A document keeps the id that it came with, and a line its number, though a blank one stands before it.
	ids := make(map[any]any)
	for _, d := range got.measurement["uncertain"].([]any) {
		ids[d.(map[string]any)["row"]] = d.(map[string]any)["id"]
	}
	if len(ids) != 5 || ids[3.] != "7" || ids[6.] == nil || !strings.HasPrefix(ids[1.].(string), "content-") {
		t.Errorf("ids by line: %v", ids)
	}
	delete(got.measurement, "uncertain")
	delete(want, "uncertain")
	if !reflect.DeepEqual(got.measurement, want) || want["accuracy"] != 3./5 || got.report != "" {
		t.Errorf("%v, and of a table %v", got.measurement, want)
	}
	page := s.want(200, s.table("POST", testPath+"?report=true", table)).Body
	if got := s.testLines("?report=true", lines...).report; got != page || page == "" {
		t.Errorf("the report has %d bytes, and that of a table %d", len(got), len(page))
	}
	if n := decode[struct{ Remembered int }](t, s.want(200, s.get(uncertainPath)).Body).Remembered; n > 5 {
		t.Errorf("%d documents are remembered", n)
	}
}

// Each line has an answer, whatever is wrong with it, and is measured if it has a label.
func TestMeasureLinesLeftOut(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	got := s.testLines("", `{"label":"spam","text":"free"}`, `{"text":"free"}`, `{"label":"","text":"lunch"}`, `{"label":"ham"}`, `[`, `{"label":"ham","text":"lunch"}`)
	want := []string{`"label":"spam"`, `"label":"spam"`, `"label":"ham"`, `line 4: no \"text\"`, `line 5: `, `"label":"ham"`}
	if len(got.answers) != len(want) {
		t.Fatalf("%q", got.answers)
	}
	for i, want := range want {
		if !strings.Contains(got.answers[i], want) {
			t.Errorf("line %d: %s, want %s", i+1, got.answers[i], want)
		}
	}
	if got.measurement["documents"] != 2. || got.measurement["skipped"] != 4. || got.measurement["skipped_why"] != "line 2: no label" || got.measurement["accuracy"] != 1. {
		t.Errorf("%v", got.measurement)
	}
	// What cannot be measured is answered all the same.
	got = s.testLines("", `{"text":"free"}`, `{"label":"","text":"lunch"}`)
	if len(got.answers) != 2 || got.measurement != nil || !strings.Contains(got.problem, "no labelled records") {
		t.Errorf("%+v", got)
	}
	var many []string
	for i := range 1100 {
		many = append(many, fmt.Sprintf(`{"label":"l%d","text":"free"}`, i))
	}
	got = s.testLines("", many...)
	if len(got.answers) != 1100 || got.measurement != nil || !strings.Contains(got.problem, "more than 1000 labels") {
		t.Errorf("%d answers, %s", len(got.answers), got.problem)
	}
}

// Where documents may have several labels, no label is one answer among others.
func TestMeasureLinesOfSeveralLabels(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for _, ex := range []bayes.Example{{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: ";", Text: "rain today"}} {
		c.Learn(ex)
	}
	s := newSite(t, c, nil, server.Options{})
	got := s.testLines("", `{"label":"oil; grain","text":"wheat crude"}`, `{"label":"","text":"rain"}`, `{"label":["oil"],"text":"opec"}`, `{"text":"opec"}`)
	if len(got.answers) != 4 || !strings.Contains(got.answers[0], `"labels":["grain","oil"]`) {
		t.Errorf("%q", got.answers)
	}
	want := decode[map[string]any](t, s.want(200, s.table("POST", testPath, "label,text\noil; grain,wheat crude\n;,rain\noil,opec\n")).Body)
	if got.measurement["documents"] != 3. || got.measurement["skipped"] != 1. || fmt.Sprint(got.measurement["micro_f1"], got.measurement["confused"]) != fmt.Sprint(want["micro_f1"], want["confused"]) {
		t.Errorf("%v, want %v", got.measurement, want)
	}
}

// Nothing is answered to what cannot be received, and of lines that are too long those before them are.
func TestMeasureLinesRefused(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Body: 1 << 16, Model: 1 << 20}})
	post := func(body string) reply { return s.do("POST", testPath, asLines, strings.NewReader(body)) }
	checkProblem(t, post(""), 422)
	checkProblem(t, post(strings.Repeat("\n", 1<<20+1)), 413)
	long := `{"label":"ham","text":"` + strings.Repeat("lunch ", 1<<14) + `"}`
	checkProblem(t, post(long), 413)
	if got := s.testLines("", `{"label":"ham","text":"lunch"}`, long); len(got.answers) != 1 || !strings.Contains(got.problem, "a line is longer") {
		t.Errorf("%+v", got)
	}
	checkProblem(t, s.do("POST", testPath+"?uncertain=0", asLines, strings.NewReader(`{"label":"ham","text":"lunch"}`)), 422)
	checkProblem(t, s.do("POST", "/v1/models/none/test", asLines, strings.NewReader(`{}`)), 404)
	token, secret := server.NewToken("t", server.Predict)
	s = newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{token}})
	s.token = secret
	checkProblem(t, s.do("POST", testPath, asLines, strings.NewReader(`{"label":"ham","text":"lunch"}`)), 403)
}

// deadlines records until when each part of an answer may be written.
type deadlines struct {
	recorderOf
	list []time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.list = append(d.list, t)
	return nil
}

// A client that reads slowly has the time of a write for each part, and that of a transfer for all.
func TestMeasureLinesEnd(t *testing.T) {
	for _, times := range []server.Timeouts{{Write: time.Minute, Transfer: time.Hour}, {Write: time.Hour, Transfer: time.Minute}} {
		s := newSite(t, counts(mail...), nil, server.Options{Timeouts: times})
		lines := strings.Repeat(`{"label":"ham","text":"lunch"}`+"\n", 5000)
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost"+testPath, strings.NewReader(lines))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", asLines)
		w := &deadlines{recorderOf: recorderOf{header: make(http.Header)}}
		s.server.ServeHTTP(w, r)
		if w.status != 200 || len(w.list) < 4 {
			t.Fatalf("status %d, %d parts", w.status, len(w.list))
		}
		for _, deadline := range w.list[1:] { // the first is that of an answer to what was received
			if left := time.Until(deadline); left > time.Minute || left < 0 {
				t.Errorf("%+v: a part may take %v", times, left)
			}
		}
	}
}

// With little memory fewer records are measured than are answered, and all of it is given back.
func TestMeasureLinesShareMemory(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Memory: 80 << 20, Body: 1 << 16}})
	line, err := json.Marshal(map[string]string{"label": "ham", "text": "lunch at noon"})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Repeat(string(line)+"\n", 100_000)
	tiny := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Memory: 48 << 20, Body: 1 << 16}})
	if got := tiny.testLines("", string(line)); len(got.answers) != 1 || got.measurement != nil || !strings.Contains(got.problem, "memory") {
		t.Errorf("%+v", got)
	}
	for range 3 {
		got := s.testLines("", lines)
		if len(got.answers) != 100_000 || got.measurement != nil || !strings.Contains(got.problem, "memory") {
			t.Fatalf("%d answers, %v %s", len(got.answers), got.measurement, got.problem)
		}
	}
}

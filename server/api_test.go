package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bayes"
	"bayes/answer"
	"bayes/server"

	"github.com/google/go-cmp/cmp"
)

// encode returns v as encoding/json has it without escapes for HTML.
func encode(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func fit(t testing.TB, c *bayes.Counts, em bayes.EventModel) *bayes.Model {
	t.Helper()
	m, err := bayes.Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the server predicts is what the model does, to the byte: one document,
// a list, a stream.
func TestPredict(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	m := fit(t, counts(mail...), nil)
	want := func(id, text string) string {
		p := answer.NewPrediction(m.Predict(bayes.Document{Text: text}), 0, 0)
		p.ID = id
		return encode(t, p)
	}
	got := s.want(200, s.post("/v1/models/mail/predict", `{"text":"free lunch"}`))
	if got.Body != want("", "free lunch") || got.Header.Get("Content-Type") != asJSON {
		t.Errorf("one document: %v %s", got.Header, got.Body)
	}
	if got := s.post("/v1/models/mail/predict?threshold=0.99", `{"text":"free lunch"}`); !strings.HasPrefix(got.Body, `{"label":"?"`) {
		t.Errorf("below the threshold: %s", got.Body)
	}
	texts := []string{"free \"lunch\"\n", "", "점심 <b>", "noon \U0001F600", "unheard of"}
	var list, lines, all []string
	for i, text := range texts {
		d := encode(t, map[string]string{"id": fmt.Sprint(i), "text": text, "other": "x"})
		list = append(list, strings.TrimSpace(d))
		lines = append(lines, want(fmt.Sprint(i), text))
		all = append(all, strings.TrimSpace(lines[i]))
	}
	got = s.want(200, s.post("/v1/models/mail/predict", `{"documents":[`+strings.Join(list, ",")+`]}`))
	if diff := cmp.Diff(`{"predictions":[`+strings.Join(all, ",")+"]}\n", got.Body); diff != "" {
		t.Errorf("a list: -want +got:\n%s", diff)
	}
	if got := s.want(200, s.post("/v1/models/mail/predict", `{"documents":[]}`)); got.Body != `{"predictions":[]}`+"\n" {
		t.Errorf("an empty list: %s", got.Body)
	}
	got = s.want(200, s.do("POST", "/v1/models/mail/predict", asLines, strings.NewReader(strings.Join(list, "\r\n\n"))))
	if diff := cmp.Diff(strings.Join(lines, ""), got.Body); diff != "" {
		t.Errorf("a stream: -want +got:\n%s", diff)
	}
}

// Columns besides a single text go by their names.
func TestColumns(t *testing.T) {
	c := counts(
		bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Text("title", "up"), bayes.Text("body", "one"), bayes.Number("size", 1), bayes.Category("color", "red")}},
		bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Text("title", "up"), bayes.Number("size", 2), bayes.Category("color", "red")}},
		bayes.Example{Label: "b", Attrs: []bayes.Attr{bayes.Text("title", "down"), bayes.Text("body", "two"), bayes.Number("size", 9), bayes.Category("color", "true")}},
		bayes.Example{Label: "b", Attrs: []bayes.Attr{bayes.Text("title", "down"), bayes.Number("size", 8), bayes.Category("color", "blue")}},
	)
	em := bayes.Mixed{}
	s := newSite(t, c, em, server.Options{})
	m := fit(t, c, em)
	for body, d := range map[string]bayes.Document{
		`{"title":"up","body":"two","size":1.5,"color":"red"}`: {Attrs: []bayes.Attr{bayes.Text("title", "up"), bayes.Text("body", "two"), bayes.Number("size", 1.5), bayes.Category("color", "red")}},
		`{"size":" 3e0 ","color":true,"text":"ignored"}`:       {Attrs: []bayes.Attr{bayes.Number("size", 3), bayes.Category("color", "true")}},
		`{"title":null,"size":-2}`:                             {Attrs: []bayes.Attr{bayes.Number("size", -2)}},
		`{"size":1,"size":2}`:                                  {Attrs: []bayes.Attr{bayes.Number("size", 2)}},
	} {
		if got, want := s.post("/v1/models/mail/predict", body).Body, encode(t, answer.NewPrediction(m.Predict(d), 0, 0)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", body, got, want)
		}
	}
	s.want(422, s.post("/v1/models/mail/predict", `{"text":"no column of the model"}`))
	s.want(200, s.post("/v1/models/mail/learn", `{"id":"1","label":"a","size":3,"color":"green"}`))
	s.want(200, s.post("/v1/models/mail/unlearn", `{"id":"1"}`))

	info := decode[struct {
		Columns struct{ Text, Numeric, Categorical []string }
	}](t, s.get("/v1/models/mail").Body)
	if diff := cmp.Diff([][]string{{"body", "title"}, {"size"}, {"color"}}, [][]string{info.Columns.Text, info.Columns.Numeric, info.Columns.Categorical}); diff != "" {
		t.Error(diff)
	}
}

func TestExplain(t *testing.T) {
	s := newSite(t, counts(mail...), bayes.Bernoulli{}, server.Options{})
	m := fit(t, counts(mail...), bayes.Bernoulli{})
	d := bayes.Document{Text: "Free lunch?"}
	got := decode[struct {
		answer.Explanation
		Work *answer.Derivation
	}](t, s.want(200, s.post("/v1/models/mail/explain?work=true", `{"id":"7","text":"Free lunch?"}`)).Body)
	want := answer.NewExplanation(m.Explain(d), 0)
	want.Cut(m.Explain(d), d.Text)
	want.ID = "7"
	if diff := cmp.Diff(want, got.Explanation); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if work := answer.NewDerivation(m.Derive(d), 0); got.Work == nil || cmp.Diff(work, *got.Work) != "" {
		t.Errorf("work: %+v, want %+v", got.Work, work)
	}
	if got := s.post("/v1/models/mail/explain", `{"text":"x"}`); strings.Contains(got.Body, `"work"`) {
		t.Errorf("work that nobody asked for: %s", got.Body)
	}
}

func TestInspect(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	m := fit(t, counts(mail...), nil)
	terms := decode[map[string][]answer.TopTerm](t, s.want(200, s.get("/v1/models/mail/terms?n=3")).Body)
	if diff := cmp.Diff(map[string][]answer.TopTerm{"ham": answer.NewTopTerms(m, "ham", 3), "spam": answer.NewTopTerms(m, "spam", 3)}, terms); diff != "" {
		t.Error(diff)
	}
	if got := decode[map[string][]answer.TopTerm](t, s.get("/v1/models/mail/terms?class=spam").Body); len(got) != 1 {
		t.Errorf("terms of spam: %v", got)
	}
	term := decode[answer.Term](t, s.want(200, s.get("/v1/models/mail/term?name=free")).Body)
	if want, _ := answer.NewTerm(m, "free"); cmp.Diff(want, term) != "" {
		t.Errorf("free: %+v", term)
	}
	list := decode[struct{ Models []map[string]any }](t, s.want(200, s.get("/v1/models")).Body).Models
	one := decode[map[string]any](t, s.want(200, s.get("/v1/models/mail")).Body)
	if len(list) != 1 || cmp.Diff(list[0], one) != "" || one["documents"] != 4.0 || one["terms"] != float64(m.Len()) || one["learning"] != "ok" {
		t.Errorf("models %v, mail %v", list, one)
	}
}

// An empty model learns its first classes.
func TestEmptyModel(t *testing.T) {
	s := newSite(t, nil, nil, server.Options{})
	s.want(409, s.post("/v1/models/mail/predict", `{"text":"x"}`))
	s.want(409, s.post("/v1/models/mail/explain", `{"text":"x"}`))
	s.want(409, s.get("/v1/models/mail/terms"))
	s.want(409, s.do("POST", "/v1/models/mail/predict", asLines, strings.NewReader(`{"text":"x"}`)))
	s.want(200, s.get("/v1/models/mail"))
	s.want(200, s.get("/metrics"))
	s.want(200, s.post("/v1/models/mail/learn", `{"label":"a","text":"x"}`))
	s.visible()
	s.want(200, s.post("/v1/models/mail/predict", `{"text":"x"}`))
}

// visible waits until all that was learned is in the model that predicts.
func (s *site) visible() {
	s.t.Helper()
	st := s.catalog.Store("mail")
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if status := st.Status(); status.Visible == status.Applied {
			return
		} else if time.Now().After(deadline) {
			s.t.Fatalf("not visible: %+v", status)
		}
	}
}

func TestHealthAndMetrics(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	s.want(200, s.get("/healthz"))
	if got := decode[struct {
		Status   string
		Learning map[string]string
	}](t, s.want(200, s.get("/readyz")).Body); got.Status != "ready" || got.Learning["mail"] != "ok" {
		t.Errorf("readyz: %+v", got)
	}
	s.post("/v1/models/mail/predict", `{"text":"free"}`)
	s.post("/v1/models/mail/predict", `{"text":`)
	s.post("/v1/models/mail/learn", `{"id":"1","label":"spam","text":"x"}`)
	s.post("/v1/models/mail/learn", `{"id":"1","label":"spam","text":"x"}`)
	s.visible()
	got := s.want(200, s.get("/metrics")).Body
	for _, line := range []string{
		`bayes_predictions_total{class="spam",model="mail"} 1`,
		`bayes_requests_total{route="POST /v1/models/{model}/predict",status="200"} 1`,
		`bayes_requests_total{route="POST /v1/models/{model}/predict",status="400"} 1`,
		`bayes_request_seconds_count{route="POST /v1/models/{model}/predict"} 2`,
		`bayes_events_total{changed="true",model="mail",operation="learn"} 1`,
		`bayes_events_total{changed="false",model="mail",operation="learn"} 1`,
		`bayes_model_documents{class="spam",model="mail"} 3`,
		`bayes_model_terms{model="mail"} 15`,
		`bayes_model_log_lag{model="mail"} 0`,
		`bayes_model_erased_sequence{model="mail"} 3`,
		`bayes_model_log_up{model="mail"} 1`,
		`bayes_panics_total 0`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no %s in the metrics", line)
		}
	}
	if waits := regexp.MustCompile(`bayes_model_visible_seconds_bucket\{model="mail",le="\+Inf"\} [1-9]`); !waits.MatchString(got) {
		t.Error("the metrics do not say how soon events are visible")
	}
}

// The OpenAPI document names all routes, and the reference shows it.
func TestReference(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	doc := decode[struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ Responses map[string]any }
	}](t, s.want(200, s.get("/openapi.json")).Body)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %s", doc.OpenAPI)
	}
	page := s.want(200, s.get("/docs")).Body
	n := 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			n++
			if op.Responses["200"] == nil && op.Responses["204"] == nil {
				t.Errorf("%s %s has no answers", method, path)
			}
			if !strings.Contains(page, strings.ToUpper(method)+" "+path+"<") {
				t.Errorf("%s %s is not in the reference", method, path)
			}
		}
	}
	if n != 18 {
		t.Errorf("%d operations", n)
	}
	for _, outside := range []string{"http://", "https://", "<script>", " style=", " onclick="} {
		if strings.Contains(page, outside) {
			t.Errorf("the reference has %q in it", outside)
		}
	}
	s.want(200, s.get("/docs/style.css"))
	s.want(200, s.get("/docs/try.js"))
	for _, example := range []string{
		`curl -H &#39;Content-Type: application/json&#39; -d &#39;{&quot;text&quot;:&quot;free lunch&quot;}&#39; localhost:8080/v1/models/mail/predict`, `curl -o mail.nb localhost:8080/v1/models/mail/snapshot`,
		`curl &#39;localhost:8080/v1/models/mail/term?name=free&#39;`, `curl -X DELETE localhost:8080/v1/models/mail`, `{&quot;sequence&quot;:2,&quot;applied&quot;:1}`,
	} {
		if !strings.Contains(page, example) {
			t.Errorf("the reference has no example %s", example)
		}
	}
}

// The OpenAPI document says where the server is, what each route asks for, and that
// no id and no label is empty.
func TestOpenAPI(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	body := s.want(200, s.get("/openapi.json")).Body
	type schema struct {
		OneOf      []schema
		Items      *schema
		MinLength  int
		Properties map[string]schema
	}
	doc := decode[struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			Security    []map[string][]string
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
	}](t, body)
	if len(doc.Servers) != 1 || doc.Servers[0].URL != "." { // relative to the document, so behind a prefix too
		t.Errorf("servers: %v", doc.Servers)
	}
	open := 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			switch {
			case op.Security == nil:
				t.Errorf("%s %s does not say what it asks for", method, path)
			case len(op.Security) == 0:
				open++
			case !slices.ContainsFunc([][]string{{"predict"}, {"read"}, {"learn"}, {"admin"}, {"read", "learn"}}, func(known []string) bool { return slices.Equal(known, op.Security[0]["token"]) }):
				t.Errorf("%s %s asks for %v", method, path, op.Security)
			}
			for _, content := range op.RequestBody.Content {
				documents := append(content.Schema.OneOf, content.Schema)
				for _, d := range documents {
					if list := d.Properties["documents"].Items; list != nil {
						d = *list
					}
					for _, name := range []string{"id", "label"} {
						if p, ok := d.Properties[name]; ok && p.MinLength != 1 {
							t.Errorf("%s %s allows an empty %s", method, path, name)
						}
					}
				}
			}
		}
	}
	if open != 2 {
		t.Errorf("%d routes ask for no token, not the two of health", open)
	}

	redocly, err := exec.LookPath("redocly")
	if err != nil {
		t.Skip("redocly is not installed (npm install -g @redocly/cli): the document is not linted")
	}
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	lint := exec.CommandContext(t.Context(), redocly, "lint", "--format=json", file)
	lint.Dir = t.TempDir() // where no configuration weakens it
	out, err := lint.Output()
	found := decode[struct {
		Totals struct{ Errors, Warnings int }
	}](t, string(out))
	if err != nil || found.Totals.Errors+found.Totals.Warnings > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A page's files are served by their names, with a policy of their own.
func TestPage(t *testing.T) {
	page := fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html>hello")},
		"page.js":    {Data: []byte("export {}")},
		"img/a.svg":  {Data: []byte("<svg/>")},
	}
	s := newSite(t, counts(mail...), nil, server.Options{Page: page})
	got := s.want(200, s.get("/"))
	if got.Body != "<!doctype html>hello" || !strings.Contains(got.Header.Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	for target, contentType := range map[string]string{"/page.js": "text/javascript; charset=utf-8", "/img/a.svg": "image/svg+xml"} {
		if got := s.want(200, s.get(target)); got.Header.Get("Content-Type") != contentType {
			t.Errorf("%s is %s", target, got.Header.Get("Content-Type"))
		}
	}
	for _, target := range []string{"/index.html", "/img", "/img/", "/b.js"} {
		s.want(404, s.get(target))
	}
	s.want(200, newSite(t, counts(mail...), nil, server.Options{}).get("/"))
}

// An answer has the classes that were asked for, in all three ways to ask.
func TestTop(t *testing.T) {
	s := newSite(t, counts(mail...), bayes.Multinomial{}, server.Options{})
	for path, body := range map[string]string{
		"predict?top=1": `{"text":"free lunch"}`, "explain?top=1&work=true": `{"text":"free lunch"}`,
	} {
		got := decode[struct {
			Probabilities map[string]float64
			LeftOut       int `json:"left_out"`
			Work          *answer.Derivation
		}](t, s.want(200, s.post("/v1/models/mail/"+path, body)).Body)
		if len(got.Probabilities) != 1 || got.LeftOut != 1 || got.Work != nil && (len(got.Work.Classes) != 1 || got.Work.LeftOut != 1) {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := s.want(200, s.post("/v1/models/mail/predict?top=1", `{"documents":[{"text":"free"},{"text":"lunch"}]}`)).Body; strings.Count(got, `"left_out":1`) != 2 {
		t.Errorf("a batch: %s", got)
	}
	for _, q := range []string{"0", "-1", "x", "1.5"} {
		s.want(422, s.post("/v1/models/mail/predict?top="+q, `{"text":"free"}`))
		s.want(422, s.post("/v1/models/mail/explain?top="+q, `{"text":"free"}`))
	}
}

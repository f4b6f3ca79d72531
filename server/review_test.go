package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

const asTable = "text/csv"

// recentSite is a site that remembers predictions.
func recentSite(t testing.TB, most int, opts server.Options) *site {
	t.Helper()
	return recentSiteOf(t, counts(mail...), nil, most, opts)
}

func recentSiteOf(t testing.TB, c *bayes.Counts, em bayes.EventModel, most int, opts server.Options) *site {
	t.Helper()
	opts.Log = quiet
	catalog := server.NewCatalog(&server.CatalogOptions{Dir: t.TempDir(), Recent: most})
	if _, err := catalog.Add(t.Context(), "mail", "", c, em); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { catalog.Close() })
	srv, err := server.New(catalog, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return &site{t: t, catalog: catalog, server: srv}
}

type doubt struct {
	ID       string
	Row      int
	Given    string
	Document map[string]any
	Classes  []struct {
		Label       string
		Probability float64
	}
	Margin float64
}

type doubts struct {
	Remembered, Most int
	Documents        []doubt
}

const uncertainPath = "/v1/models/mail/uncertain"

func (s *site) doubts(query string) doubts {
	s.t.Helper()
	return decode[doubts](s.t, s.want(200, s.get(uncertainPath+query)).Body)
}

// The least certain of what was predicted comes first, whichever way it came; what is learned is
// no longer there, and what has been learned does not come back.
func TestUncertain(t *testing.T) {
	s := recentSite(t, 3, server.Options{})
	if got := s.doubts(""); got.Most != 3 || len(got.Documents) != 0 {
		t.Errorf("at first: %+v", got)
	}
	s.want(200, s.post(predictPath, `{"text":"free money win win"}`))
	s.want(200, s.post(predictPath+"?top=1", `{"id":"7","text":"free lunch","label":"ham"}`))
	s.want(200, s.post(predictPath, `{"documents":[{"text":"win a free prize now"},{"text":"lunch"}]}`))
	s.want(200, s.do("POST", predictPath, asLines, strings.NewReader("{\"text\":\"free lunch at noon\"}\n{\"text\":\"free lunch at noon\"}\n")))
	got := s.doubts("")
	var texts []string
	for i, d := range got.Documents {
		texts = append(texts, fmt.Sprint(d.Document["text"]))
		if i > 0 && d.Margin < got.Documents[i-1].Margin {
			t.Errorf("margins %v, %v", got.Documents[i-1].Margin, d.Margin)
		}
		if len(d.Classes) != 2 || d.Classes[0].Probability < d.Classes[1].Probability {
			t.Errorf("classes %+v", d.Classes)
		}
	}
	if len(texts) != 3 || texts[0] != "free lunch at noon" && texts[0] != "free lunch" || strings.Contains(strings.Join(texts, "|"), "win") {
		t.Errorf("uncertain: %q", texts)
	}
	if got := s.doubts("?n=1"); len(got.Documents) != 1 || got.Remembered != 3 {
		t.Errorf("one of them: %+v", got)
	}

	for _, d := range got.Documents {
		body := encode(t, map[string]any{"id": d.ID, "label": "ham", "text": d.Document["text"]})
		s.want(200, s.post(learnPath, body))
	}
	if got := s.doubts(""); got.Remembered != 0 {
		t.Errorf("when all were learned: %+v", got)
	}
	s.want(200, s.post(predictPath, `{"text":"free lunch at noon"}`))
	s.want(200, s.post(predictPath, `{"id":"7","text":"free lunch"}`))
	if got := s.doubts(""); got.Remembered != 2 || len(got.Documents) != 0 {
		t.Errorf("predicted once more: %+v", got)
	}
	for _, q := range []string{"?n=0", "?n=101", "?n=x"} {
		checkProblem(t, s.get(uncertainPath+q), 422)
	}
}

// What an id was predicted with before is not asked for any more, however certain the model is of the new text.
func TestUncertainIsNew(t *testing.T) {
	s := recentSite(t, 2, server.Options{})
	for _, text := range []string{"free lunch", "lunch", "free money", "win free money win win free prize"} {
		s.want(200, s.post(predictPath, encode(t, map[string]any{"id": "7", "text": text})))
		s.want(200, s.post(predictPath, `{"id":"8","text":"free lunch at noon"}`))
		s.want(200, s.post(predictPath, `{"id":"9","text":"free lunch at noon"}`))
		for _, d := range s.doubts("").Documents {
			if d.ID == "7" && d.Document["text"] != text {
				t.Errorf("%q: %v", text, d.Document)
			}
		}
	}
}

// What has nothing in it can be corrected, and what has its id in a column cannot.
func TestUncertainContent(t *testing.T) {
	s := recentSite(t, 3, server.Options{})
	s.want(200, s.post(predictPath, `{"text":""}`))
	if got := s.doubts("").Documents; len(got) != 1 || got[0].Document["text"] != "" {
		t.Fatalf("%+v", got)
	} else {
		s.want(200, s.post(learnPath, encode(t, map[string]any{"id": got[0].ID, "label": "ham", "text": got[0].Document["text"]})))
	}
	if got := s.doubts("").Documents; len(got) != 0 {
		t.Errorf("%+v", got)
	}
	s = recentSiteOf(t, counts(
		bayes.Example{Label: "ham", Attrs: []bayes.Attr{bayes.Category("id", "x"), bayes.Category("plan", "free")}},
		bayes.Example{Label: "spam", Attrs: []bayes.Attr{bayes.Category("id", "y"), bayes.Category("plan", "free")}}), bayes.Categorical{}, 3, server.Options{})
	s.want(200, s.post(predictPath, `{"id":"x","plan":"free"}`))
	s.want(200, s.post(predictPath, `{"plan":"free"}`))
	if got := s.doubts("").Documents; len(got) != 1 || len(got[0].Document) != 1 {
		t.Errorf("%+v", got)
	}
}

// Unless it is asked to, a server remembers nothing.
func TestRemembersNothing(t *testing.T) {
	s := recentSite(t, 0, server.Options{})
	s.want(200, s.post(predictPath, `{"text":"free lunch"}`))
	if got := s.doubts(""); got.Most != 0 || got.Remembered != 0 {
		t.Errorf("%+v", got)
	}
}

// What others had predicted or taught is for those who may both look and teach.
func TestReviewScopes(t *testing.T) {
	for _, c := range []struct {
		scopes []server.Scope
		want   int
	}{
		{[]server.Scope{server.Read}, 403}, {[]server.Scope{server.Learn}, 403}, {[]server.Scope{server.Predict, server.Learn, server.Admin}, 403},
		{[]server.Scope{server.Read, server.Learn}, 200},
	} {
		token, secret := server.NewToken("t", c.scopes...)
		s := recentSite(t, 10, server.Options{Tokens: []server.Token{token}})
		s.token = secret
		for _, path := range []string{uncertainPath, historyPath} {
			if got := s.get(path); got.Status != c.want {
				t.Errorf("%v may %s: %d", c.scopes, path, got.Status)
			}
		}
	}
	token, secret := server.NewToken("t", server.Read, server.Learn)
	s := recentSite(t, 10, server.Options{Tokens: []server.Token{token}})
	s.token = secret
	s.want(403, s.table("PUT", "/v1/models/new", "label,text\na,b\n"))
	s.want(403, s.do("DELETE", "/v1/models/mail", "", nil))
}

// However many predictions there are, of whatever size, what is remembered has a bound. The model
// that follows another remembers nothing of it.
func TestRecentIsBounded(t *testing.T) {
	s := recentSite(t, 50, server.Options{})
	for i := range 300 {
		s.want(200, s.post(predictPath, fmt.Sprintf(`{"text":"free lunch %d %s"}`, i, strings.Repeat("x", i*100))))
	}
	s.want(200, s.post(predictPath, fmt.Sprintf(`{"text":"free lunch %s"}`, strings.Repeat("y", 900_000))))
	got := s.doubts("?n=100")
	if got.Remembered == 0 || got.Remembered > 50 {
		t.Errorf("%d are remembered", got.Remembered)
	}
	total := 0
	for _, d := range got.Documents {
		total += len(d.Document["text"].(string))
	}
	if total > 1<<20 {
		t.Errorf("%d bytes are remembered", total)
	}
	s.want(200, s.do("PUT", "/v1/models/mail", asBytes, strings.NewReader(string(s.snapshot()))))
	if got := s.doubts(""); got.Remembered != 0 || got.Most != 50 {
		t.Errorf("of the model before: %+v", got)
	}
}

const historyPath = "/v1/models/mail/documents"

type learned struct {
	Documents []struct {
		ID, Label, Excerpt string
		Sequence           uint64
	}
	Next uint64
}

// What was learned is listed in parts, the latest first, and each can be taken out exactly.
func TestHistory(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	s.want(200, s.post(learnPath, `{"label":"ham","text":"without an id"}`))
	before := s.snapshot()
	for i := range 5 {
		s.want(200, s.post(learnPath, fmt.Sprintf(`{"id":"%d","label":"ham","text":"점심 %s %d"}`, i, strings.Repeat("정오", 100), i)))
	}
	s.want(200, s.post(learnPath, `{"id":"2","label":"spam"}`))
	var ids []string
	query := "?n=2"
	for {
		got := decode[learned](t, s.want(200, s.get(historyPath+query)).Body)
		for _, d := range got.Documents {
			ids = append(ids, d.ID+" "+d.Label)
			if !strings.HasPrefix(d.Excerpt, "점심 정오") || !strings.HasSuffix(d.Excerpt, "…") || len(d.Excerpt) > 310 {
				t.Errorf("excerpt %q", d.Excerpt)
			}
		}
		if got.Next == 0 {
			break
		}
		query = fmt.Sprintf("?n=2&before=%d", got.Next)
	}
	if got := strings.Join(ids, ", "); got != "2 spam, 4 ham, 3 ham, 1 ham, 0 ham" {
		t.Errorf("learned: %s", got)
	}
	for i := range 5 {
		s.want(200, s.post(unlearnPath, fmt.Sprintf(`{"id":"%d"}`, i)))
	}
	if got := decode[learned](t, s.want(200, s.get(historyPath)).Body); len(got.Documents) != 0 {
		t.Errorf("left: %+v", got)
	}
	if string(s.snapshot()) != string(before) {
		t.Error("what was learned and unlearned has left something")
	}
	for _, q := range []string{"?n=0", "?n=201", "?before=x", "?before=-1"} {
		checkProblem(t, s.get(historyPath+q), 422)
	}
	if got := decode[learned](t, s.want(200, s.get(historyPath+"?before=18446744073709551615")).Body); len(got.Documents) != 0 {
		t.Errorf("before the last number: %+v", got)
	}
}

func (s *site) table(method, target, body string) reply {
	s.t.Helper()
	return s.do(method, target, asTable, strings.NewReader(body))
}

const testPath = "/v1/models/mail/test"

type measured struct {
	Documents int
	Accuracy  float64
	Labels    []string
	Confusion [][]int
	Unknown   []string `json:"unknown_labels"`
	Skipped   int
	Why       string `json:"skipped_why"`
	Uncertain []doubt
	Majority  struct {
		Label    string
		Accuracy float64
	}
}

// A table with labels is measured, as it would be by hand.
func TestMeasure(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	table := "id;label;text\r\n1;spam;\"free; money\"\r\n2;ham;lunch\r\n3;ham;win money\r\n4;eggs;noon\r\n5;ham;free lunch at noon\r\n"
	got := decode[measured](t, s.want(200, s.table("POST", testPath, table)).Body)
	if got.Documents != 5 || got.Accuracy != 3./5 || fmt.Sprint(got.Labels, got.Unknown) != "[eggs ham spam] [eggs]" ||
		fmt.Sprint(got.Confusion) != "[[0 1 0] [0 2 1] [0 0 1]]" || got.Majority.Label != "ham" || got.Majority.Accuracy != 3./5 {
		t.Errorf("%+v", got)
	}
	if len(got.Uncertain) != 5 || got.Uncertain[2].Document["text"] != "free lunch at noon" || got.Uncertain[2].Row != 5 || got.Uncertain[2].Given != "ham" || got.Uncertain[4].Margin < got.Uncertain[0].Margin {
		t.Errorf("the least certain: %+v", got.Uncertain)
	}
	// What of it is learned is not asked for again, and measuring teaches nothing.
	d := got.Uncertain[0]
	s.want(200, s.post(learnPath, encode(t, map[string]any{"id": d.ID, "label": "spam", "text": d.Document["text"]})))
	got = decode[measured](t, s.want(200, s.table("POST", testPath+"?uncertain=2", table)).Body)
	if len(got.Uncertain) != 2 || got.Uncertain[0].ID == d.ID || got.Uncertain[1].ID == d.ID {
		t.Errorf("afterwards: %+v", got.Uncertain)
	}
	page := s.want(200, s.table("POST", testPath+"?report=true", table))
	if !strings.HasPrefix(page.Body, "<!DOCTYPE html>") || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") || !strings.Contains(page.Body, "eggs") {
		t.Errorf("the report: %v %.100s", page.Header, page.Body)
	}
	got = decode[measured](t, s.want(200, s.table("POST", testPath+"?label=klasse&text=%232", "klasse,worte\nham,lunch\nspam,\xb1\xe6\n")).Body)
	if got.Documents != 2 {
		t.Errorf("other columns: %+v", got)
	}
	got = decode[measured](t, s.want(200, s.table("POST", testPath+"?skip_bad=true", "label,text\nham,lunch\n,free\nspam,free\n")).Body)
	if got.Documents != 2 || got.Skipped != 1 || got.Why == "" {
		t.Errorf("a bad record: %+v", got)
	}
}

// A table trains the model that bayes train makes of it.
func TestTrain(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	var b strings.Builder
	b.WriteString("label,text\n")
	for _, ex := range mail {
		fmt.Fprintf(&b, "%s,%s\n", ex.Label, ex.Text)
	}
	s.want(201, s.table("PUT", "/v1/models/new", b.String()))
	want := s.snapshot()
	if got := s.want(200, s.get("/v1/models/new/snapshot")).Body; got != string(want) {
		t.Error("the model of a table differs from that of its examples")
	}
	s.want(200, s.table("PUT", "/v1/models/new?event=complement+norm&space=default+ngrams%3D1-2", b.String()))
	info := decode[struct {
		Event, Space string
		Documents    int
	}](t, s.want(200, s.get("/v1/models/new")).Body)
	if info.Event != "complement smoothing=1 prior=empirical norm" && !strings.Contains(info.Event, "norm") || info.Space != "default ngrams=1-2" || info.Documents != 4 {
		t.Errorf("%+v", info)
	}
	got := s.want(201, s.table("PUT", "/v1/models/people?label=size&numeric=height&categorical=sport&skip_bad=true",
		"height,sport,size\n190,basketball,tall\n188,basketball,tall\n165,riding,small\n160,riding,small\nx,riding,small\n"))
	people := decode[struct {
		Skipped int
		Why     string `json:"skipped_why"`
		Columns struct{ Numeric, Categorical []string }
	}](t, got.Body)
	if people.Skipped != 1 || !strings.Contains(people.Why, "row:6") || fmt.Sprint(people.Columns) != "{[height] [sport]}" {
		t.Errorf("%+v", people)
	}
	if got := s.post("/v1/models/people/predict", `{"height":187,"sport":"basketball"}`); !strings.HasPrefix(got.Body, `{"label":"tall"`) {
		t.Errorf("%s", got.Body)
	}
	m := decode[measured](t, s.want(200, s.table("POST", "/v1/models/people/test", "sport,size,height\nriding,small,161\n")).Body)
	if m.Documents != 1 || m.Accuracy != 1 || m.Uncertain[0].Document["height"] != 161. || m.Uncertain[0].Document["sport"] != "riding" {
		t.Errorf("%+v", m)
	}
}

// Tables that are none, or too large, are refused in one line, and nothing changes.
func TestBadTables(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Body: 1 << 20, Text: 1000, Model: 4 << 20}})
	var many strings.Builder
	many.WriteString("label,text\n")
	for i := range 1100 {
		fmt.Fprintf(&many, "l%d,a\n", i)
	}
	for name, c := range map[string]struct {
		query, body string
		want        int
	}{
		"nothing":         {"", "", 422},
		"a header alone":  {"", "label,text\n", 422},
		"no such column":  {"?text=body", "label,text\na,b\n", 422},
		"one column":      {"?text=label", "label,text\na,b\n", 422},
		"a bad record":    {"", "label,text\nham,lunch\n\"ham\n", 422},
		"no label":        {"", "label,text\n,b\n", 422},
		"all are bad":     {"?skip_bad=true", "label,text\n,b\n", 422},
		"an encoding":     {"?encoding=klingon", "label,text\na,b\n", 422},
		"a long text":     {"", "label,text\na," + strings.Repeat("b ", 1500) + "\n", 422},
		"an open quote":   {"?skip_bad=true", "label,text\na,\"" + strings.Repeat("b\n", 1<<20) + "\n", 413},
		"too many bytes":  {"", "label,text\n" + strings.Repeat("a,b\n", 1<<20+1), 413},
		"a label of tabs": {"", "label,text\n\"a\tb\",c\n", 422},
	} {
		for method, path := range map[string]string{"POST": testPath, "PUT": "/v1/models/new"} {
			got := s.table(method, path+c.query, c.body)
			if got.Status != c.want {
				t.Errorf("%s, %s: status %d, want %d: %s", name, method, got.Status, c.want, got.Body)
				continue
			}
			checkProblem(t, got, c.want)
		}
	}
	checkProblem(t, s.table("POST", testPath, many.String()), 422)
	for _, q := range []string{"?event=nonsense", "?space=nonsense", "?event=corrected"} {
		checkProblem(t, s.table("PUT", "/v1/models/new"+q, "label,text\na,b\n"), 422)
	}
	checkProblem(t, s.table("PUT", "/v1/models/a%5Cb", "label,text\na,b\n"), 422)
	checkProblem(t, s.table("POST", "/v1/models/none/test", "label,text\na,b\n"), 404)
	checkProblem(t, s.do("POST", testPath, asJSON, strings.NewReader(`{}`)), 415)
	checkProblem(t, s.table("POST", testPath+"?uncertain=0", "label,text\na,b\n"), 422)
	for _, q := range []string{"?report=maybe", "?header=perhaps", "?skip_bad=x"} {
		checkProblem(t, s.table("POST", testPath+q, "label,text\na,b\n"), 422)
	}
	if got := s.get("/v1/models/new"); got.Status != http.StatusNotFound {
		t.Errorf("a table that was refused made a model: %s", got.Body)
	}
}

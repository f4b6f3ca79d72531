package server_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// Each route needs its scope, and those of health and the page none.
func TestScopes(t *testing.T) {
	reader, readSecret := server.NewToken("reader", server.Read)
	learner, learnSecret := server.NewToken("learner", server.Learn)
	predictor, predictSecret := server.NewToken("predictor", server.Predict)
	admin, adminSecret := server.NewToken("admin", server.Admin)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{reader, learner, predictor, admin}})
	file := batch(t, bayes.Multinomial{}, mail...)
	for _, c := range []struct {
		method, path, contentType, body string
		scope                           server.Scope
	}{
		{"GET", "/healthz", "", "", ""},
		{"GET", "/readyz", "", "", ""},
		{"GET", "/openapi.json", "", "", ""},
		{"GET", "/docs", "", "", ""},
		{"GET", "/", "", "", ""},
		{"GET", "/metrics", "", "", server.Read},
		{"GET", "/v1/models", "", "", server.Read},
		{"GET", "/v1/models/mail", "", "", server.Read},
		{"GET", "/v1/models/mail/terms", "", "", server.Read},
		{"GET", "/v1/models/mail/term?name=free", "", "", server.Read},
		{"GET", "/v1/models/mail/columns", "", "", server.Read},
		{"GET", "/v1/token", "", "", server.Read},
		{"GET", "/v1/models/mail/snapshot", "", "", server.Admin},
		{"POST", predictPath, asJSON, `{"text":"a"}`, server.Predict},
		{"POST", predictPath, asLines, `{"text":"a"}`, server.Predict},
		{"POST", explainPath, asJSON, `{"text":"a"}`, server.Predict},
		{"POST", learnPath, asJSON, `{"id":"1","label":"spam","text":"a"}`, server.Learn},
		{"POST", unlearnPath, asJSON, `{"id":"1"}`, server.Learn},
		{"PUT", "/v1/models/mail", asBytes, string(file), server.Admin},
		{"DELETE", "/v1/models/none", "", "", server.Admin},
	} {
		for secret, scopes := range map[string][]server.Scope{
			readSecret: {"", server.Read, server.Predict}, learnSecret: {"", server.Learn}, predictSecret: {"", server.Predict}, adminSecret: {"", server.Admin}, "": {""},
		} {
			status := 200
			switch {
			case !slices.Contains(scopes, c.scope) && secret == "":
				status = 401
			case !slices.Contains(scopes, c.scope):
				status = 403
			case c.method == "DELETE":
				status = 404
			}
			s.token = secret
			got := s.do(c.method, c.path, c.contentType, strings.NewReader(c.body))
			if got.Status != status {
				t.Errorf("%s %s: status %d, want %d: %.200s", c.method, c.path, got.Status, status, got.Body)
			}
			if status == 403 && (!strings.Contains(got.Body, "needs a token of scope "+string(c.scope)) || !strings.Contains(got.Header.Get("WWW-Authenticate"), `scope="`+string(c.scope)+`"`)) {
				t.Errorf("%s %s: the refusal does not say what is needed: %.200s", c.method, c.path, got.Body)
			}
		}
	}
}

// A query that cannot be read is refused, not read without what cannot be.
func TestQueryUnread(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	for _, query := range []string{"top=1;certain=0.9", `space=default+label-separator=";"`, "name=%zz", "top=%"} {
		got := s.do("POST", predictPath+"?"+query, asJSON, strings.NewReader(`{"text":"a"}`))
		if got.Status != 422 || !strings.Contains(got.Body, "the query of the URL: ") {
			t.Errorf("?%s: status %d, %.200s", query, got.Status, got.Body)
		}
	}
	if got := s.do("POST", predictPath+"?top=1", asJSON, strings.NewReader(`{"text":"a"}`)); got.Status != 200 {
		t.Errorf("status %d: %.200s", got.Status, got.Body)
	}
}

// The log says which token learned, unlearned, took, replaced and deleted what, and
// what one was refused; it holds neither texts nor secrets.
func TestAudit(t *testing.T) {
	var log bytes.Buffer
	writer, writeSecret := server.NewToken("writer", server.Learn)
	owner, ownSecret := server.NewToken("owner", server.Admin)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{writer, owner}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	file := batch(t, bayes.Multinomial{}, mail...)
	for _, c := range []struct {
		secret, method, path, contentType, body string
		want                                    string
	}{
		{writeSecret, "POST", learnPath, asJSON, `{"documents":[{"id":"id-1","label":"spam","text":"hush"},{"label":"ham","text":"hush"}]}`, `action=learn token=writer model=mail remote=192.0.2.7:99 documents=2 ids=1 applied=2 sequence=3`},
		{writeSecret, "POST", unlearnPath, asJSON, `{"id":"id-1"}`, `action=unlearn token=writer model=mail remote=192.0.2.7:99 documents=1 ids=1 applied=1 sequence=4`},
		{writeSecret, "POST", learnPath, asJSON, `{"label":"eggs","text":"hush"}`, ""},
		{writeSecret, "PUT", "/v1/models/mail", asBytes, string(file), `action=refused token=writer needs=admin method=PUT path=/v1/models/mail remote=192.0.2.7:99`},
		{ownSecret, "GET", "/v1/models/mail/snapshot", "", "", `action=download token=owner model=mail remote=192.0.2.7:99 sequence=4 bytes=`},
		{ownSecret, "PUT", "/v1/models/mail", asBytes, string(file), `action=replace token=owner model=mail remote=192.0.2.7:99 documents=4`},
		{ownSecret, "PUT", "/v1/models/new", asBytes, string(file), `action=create token=owner model=new remote=192.0.2.7:99 documents=4`},
		{ownSecret, "DELETE", "/v1/models/new", "", "", `action=delete token=owner model=new remote=192.0.2.7:99`},
		{ownSecret, "DELETE", "/v1/models/new", "", "", ""},
	} {
		log.Reset()
		r, err := http.NewRequestWithContext(t.Context(), c.method, "http://localhost"+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", c.contentType)
		r.Header.Set("Authorization", "Bearer "+c.secret)
		r.RemoteAddr = "192.0.2.7:99"
		got := s.send(r)
		switch line := log.String(); {
		case c.want == "" && line != "":
			t.Errorf("%s %s: %d, and %s", c.method, c.path, got.Status, line)
		case c.want != "" && (strings.Count(line, "\n") != 1 || !strings.Contains(line, "level=INFO msg=audit "+c.want)):
			t.Errorf("%s %s: %d, and %q, want %s", c.method, c.path, got.Status, line, c.want)
		case strings.Contains(line, "hush") || strings.Contains(line, c.secret):
			t.Errorf("it is in the log: %s", line)
		}
	}
}

// Tokens that are replaced while the server runs are known at once, and those that
// are gone no longer.
func TestSetTokens(t *testing.T) {
	old, oldSecret := server.NewToken("old", server.Read)
	kept, keptSecret := server.NewToken("kept", server.Read)
	added, addedSecret := server.NewToken("new", server.Read)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{old, kept}, Rate: 1e-6})
	status := func(secret string) int { s.token = secret; return s.get("/v1/models").Status }
	if got := []int{status(oldSecret), status(keptSecret), status(addedSecret)}; !slices.Equal(got, []int{200, 200, 401}) {
		t.Errorf("before: %v", got)
	}
	s.server.SetTokens([]server.Token{kept, added})
	if got := []int{status(oldSecret), status(keptSecret), status(addedSecret)}; !slices.Equal(got, []int{401, 429, 200}) { // its second request, at one in eleven days
		t.Errorf("after: %v", got)
	}
}

func TestRate(t *testing.T) {
	a, aSecret := server.NewToken("a", server.Read)
	b, bSecret := server.NewToken("b", server.Read)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{a, b}, Rate: 5})
	s.token = aSecret
	refused := 0
	for range 100 {
		if got := s.get("/v1/models"); got.Status == 429 {
			refused++
			if got.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d of 100 requests were refused", refused)
	}
	s.token = bSecret
	s.want(200, s.get("/v1/models")) // has a limit of its own
	s.want(200, s.get("/healthz"))
	open := newSite(t, counts(mail...), nil, server.Options{Rate: 1})
	open.want(200, open.get("/v1/models"))
	open.want(429, open.get("/v1/models"))
}

// A page of this site may do everything; so may a program.
func TestSameOrigin(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{Hosts: []string{"localhost"}})
	for _, header := range []http.Header{
		{}, {"Sec-Fetch-Site": {"same-origin"}}, {"Sec-Fetch-Site": {"none"}}, {"Origin": {"http://localhost"}},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost"+predictPath, strings.NewReader(`{"text":"a"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header.Clone()
		r.Header.Set("Content-Type", "application/json; charset=UTF-8")
		s.want(200, s.send(r))
	}
}

func TestParseTokens(t *testing.T) {
	token, _ := server.NewToken("laptop", server.Read, server.Learn)
	list, err := server.ParseTokens(strings.NewReader("# tokens\n\n " + token.String() + " \n"))
	if err != nil || len(list) != 1 || list[0].Name != "laptop" || list[0].Hash != token.Hash || !list[0].Allows(server.Learn) {
		t.Errorf("%+v, %v", list, err)
	}
	hash := strings.Repeat("0", 64)
	for text, want := range map[string]string{
		"a read":                              "line 1: 2 fields",
		"\na read " + hash[1:]:                "line 2: the hash",
		"a read " + hash[1:] + "x":            "line 1: the hash",
		"a write " + hash:                     `line 1: scope "write"`,
		"a  " + hash + " read":                "line 1: scope",
		"a read " + hash + "\na read " + hash: "line 2: two tokens",
		strings.Repeat("x", 100_000):          "",
	} {
		if _, err := server.ParseTokens(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v", text, err)
		}
	}
}

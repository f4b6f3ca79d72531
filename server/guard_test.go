package server_test

import (
	"net/http"
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// Each route needs its scope, and those of health and the page none.
func TestScopes(t *testing.T) {
	reader, readSecret := server.NewToken("reader", server.Read)
	learner, learnSecret := server.NewToken("learner", server.Learn)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{reader, learner}})
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
		{"GET", "/v1/models/mail/snapshot", "", "", server.Read},
		{"POST", predictPath, asJSON, `{"text":"a"}`, server.Read},
		{"POST", predictPath, asLines, `{"text":"a"}`, server.Read},
		{"POST", explainPath, asJSON, `{"text":"a"}`, server.Read},
		{"POST", learnPath, asJSON, `{"id":"1","label":"spam","text":"a"}`, server.Learn},
		{"POST", unlearnPath, asJSON, `{"id":"1"}`, server.Learn},
		{"PUT", "/v1/models/mail", asBytes, string(file), server.Learn},
	} {
		for secret, status := range map[string]int{
			readSecret:  map[bool]int{true: 200, false: 403}[c.scope != server.Learn],
			learnSecret: map[bool]int{true: 200, false: 403}[c.scope != server.Read],
			"":          map[bool]int{true: 200, false: 401}[c.scope == ""],
		} {
			s.token = secret
			if got := s.do(c.method, c.path, c.contentType, strings.NewReader(c.body)); got.Status != status {
				t.Errorf("%s %s: status %d, want %d: %.200s", c.method, c.path, got.Status, status, got.Body)
			}
		}
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

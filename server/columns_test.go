package server_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// people are examples of columns alone.
var people = []bayes.Example{
	{Label: "tall", Attrs: []bayes.Attr{bayes.Number("height", 190), bayes.Category("sport", "basketball")}},
	{Label: "tall", Attrs: []bayes.Attr{bayes.Number("height", 186), bayes.Category("sport", "rowing")}},
	{Label: "small", Attrs: []bayes.Attr{bayes.Number("height", 160), bayes.Category("sport", "riding")}},
	{Label: "small", Attrs: []bayes.Attr{bayes.Number("height", 164), bayes.Category("sport", "riding")}},
}

// A model of columns alone claims no text, and refuses one with the columns that it reads.
func TestColumnsAlone(t *testing.T) {
	s := newSite(t, counts(people...), bayes.Mixed{}, server.Options{})
	info := decode[struct {
		Columns struct{ Text, Numeric, Categorical []string }
	}](t, s.want(200, s.get("/v1/models/mail")).Body)
	if c := info.Columns; c.Text == nil || len(c.Text) != 0 || len(c.Numeric) != 1 || len(c.Categorical) != 1 {
		t.Errorf("the columns are %+v", c)
	}
	const want = `text: the model reads no text, but \"height\" and \"sport\"`
	for path, body := range map[string]string{
		predictPath: `{"text":"hello"}`,
		explainPath: `{"height":180,"text":"hello"}`,
		learnPath:   `{"label":"tall","text":"hello"}`,
	} {
		if got := s.want(422, s.post(path, body)); !strings.Contains(got.Body, want) {
			t.Errorf("%s %s: %s", path, body, got.Body)
		}
	}
	if got := s.do("POST", predictPath, asLines, strings.NewReader(`{"text":"hello"}`+"\n"+`{"height":190,"text":null}`+"\n")); !strings.Contains(got.Body, want) || !strings.Contains(got.Body, `"label":"tall"`) {
		t.Errorf("a stream: %s", got.Body)
	}
	if got := s.change(learnPath, `{"label":"tall","height":188,"sport":"rowing"}`); got.Applied != 1 {
		t.Errorf("learning columns: %+v", got)
	}
}

// A model of a text beside columns reads both, and so does one whose column of numbers is
// called text.
func TestColumnsWithText(t *testing.T) {
	both := newSite(t, counts(bayes.Example{Label: "a", Text: "hello", Attrs: []bayes.Attr{bayes.Number("n", 1)}}, bayes.Example{Label: "b", Text: "bye", Attrs: []bayes.Attr{bayes.Number("n", 2)}}), bayes.Mixed{}, server.Options{})
	both.want(200, both.post(predictPath, `{"text":"hello","n":1}`))
	number := newSite(t, counts(bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("text", 1)}}, bayes.Example{Label: "b", Attrs: []bayes.Attr{bayes.Number("text", 2)}}), bayes.Mixed{}, server.Options{})
	number.want(200, number.post(predictPath, `{"text":1}`))
	fresh := newSite(t, bayes.NewCounts(nil), bayes.Mixed{}, server.Options{})
	fresh.want(200, fresh.post(learnPath, `{"label":"a","text":"hello"}`))
}

// What is known of the columns is mean and deviation of numbers, and the values of categories.
func TestKnownColumns(t *testing.T) {
	s := newSite(t, counts(people...), bayes.Mixed{}, server.Options{})
	const want = `{"numeric":[{"name":"height","classes":[{"label":"small","examples":2,"mean":162,"deviation":2},{"label":"tall","examples":2,"mean":188,"deviation":2}]}],` +
		`"categorical":[{"name":"sport","known":3,"values":[{"value":"riding","examples":2}]}]}`
	if got := s.want(200, s.get("/v1/models/mail/columns?n=1")).Body; strings.TrimSpace(got) != want {
		t.Errorf("%s", got)
	}
	text := newSite(t, counts(mail...), nil, server.Options{})
	if got := text.want(200, text.get("/v1/models/mail/columns")).Body; strings.TrimSpace(got) != `{"numeric":[],"categorical":[]}` {
		t.Errorf("%s", got)
	}
	for _, target := range []string{"/v1/models/none/columns", "/v1/models/mail/columns?n=0"} {
		if got := text.get(target); got.Status != 404 && got.Status != 422 {
			t.Errorf("%s: %d", target, got.Status)
		}
	}
}

// A token is told what it allows, and who needs none, everything.
func TestToken(t *testing.T) {
	reader, secret := server.NewToken("reader", server.Read)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{reader}})
	s.token = secret
	if got := s.want(200, s.get("/v1/token")).Body; strings.TrimSpace(got) != `{"name":"reader","scopes":["predict","read"]}` {
		t.Errorf("%s", got)
	}
	open := newSite(t, counts(mail...), nil, server.Options{})
	if got := open.want(200, open.get("/v1/token")).Body; strings.TrimSpace(got) != `{"name":"","scopes":["predict","read","learn","admin"]}` {
		t.Errorf("%s", got)
	}
}

package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"bayes"
	"bayes/server"
)

// A badRequest is one that must be refused, with a status and a message.
type badRequest struct {
	name         string
	method, path string
	contentType  string
	body         io.Reader
	header       []string // names and values, alternating
	status       int
}

const (
	predictPath = "/v1/models/mail/predict"
	explainPath = "/v1/models/mail/explain"
	learnPath   = "/v1/models/mail/learn"
	unlearnPath = "/v1/models/mail/unlearn"
)

// notDocuments are bodies that hold no document at all, whatever is asked.
var notDocuments = map[string]int{
	"":                                400, // empty
	" \r\n\t ":                        400,
	"x":                               400, // not JSON
	"{":                               400,
	"}":                               400,
	`{"text"}`:                        400,
	`{"text":}`:                       400,
	`{"text":"a",}`:                   400,
	`{"text":"a"`:                     400,
	`{"text":"a"}}`:                   400,
	`{"text":"a"}{"text":"b"}`:        400,
	`{"text":"a"} x`:                  400,
	`{'text':'a'}`:                    400,
	`{text:"a"}`:                      400,
	`{"text":"a" "id":"b"}`:           400,
	`{"text":"\x41"}`:                 400,
	`{"text":"\u12"}`:                 400,
	`{"text":"\uZZZZ"}`:               400,
	"{\"text\":\"a\nb\"}":             400, // a raw control character
	"{\"text\":\"a\x00b\"}":           400,
	`{"text":01}`:                     400,
	`{"text":+1}`:                     400,
	`{"text":.5}`:                     400,
	`{"text":1.}`:                     400,
	`{"text":1e}`:                     400,
	`{"text":0x10}`:                   400,
	`{"text":NaN}`:                    400,
	`{"text":Infinity}`:               400,
	`{"text":undefined}`:              400,
	`{"text":True}`:                   400,
	`{"text":"a"/* comment */}`:       400,
	"\ufeff" + `{"text":"a"}`:         400, // a byte order mark
	"{\"text\":\"\xff\"}":             400, // not UTF-8
	"{\"text\":\"\xc3\"}":             400,
	"{\"text\":\"\xc0\xaf\"}":         400,
	"{\"text\":\"\xed\xa0\x80\"}":     400,
	"{\"text\":\"\xf5\x80\x80\x80\"}": 400,
	"{\"\xfe\":\"a\"}":                400,
	"{\x00\"\x00t\x00":                400, // UTF-16
	`text=a&label=spam`:               400,
	`<text>a</text>`:                  400,
	"text\na":                         400,
	strings.Repeat("[", 100_000):      400, // deep
	strings.Repeat(`{"text":`, 50_000) + `1` + strings.Repeat("}", 50_000):                   400,
	`{"text":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`:             400,
	`{"text":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`:               422,
	`{"documents":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`:          422,
	`{"documents":[` + strings.Repeat(`{"documents":[`, 3_000) + strings.Repeat(`]}`, 3_001): 422,
	`[]`:                                     422, // JSON, but no object
	`[{"text":"a","label":"spam"}]`:          422,
	`"text"`:                                 422,
	`1`:                                      422,
	`-1e400`:                                 422,
	`true`:                                   422,
	`false`:                                  422,
	`null`:                                   422,
	`{"documents":{}}`:                       422,
	`{"documents":"a"}`:                      422,
	`{"documents":1}`:                        422,
	`{"documents":true}`:                     422,
	`{"documents":null}`:                     422,
	`{"documents":[1]}`:                      422,
	`{"documents":["a"]}`:                    422,
	`{"documents":[null]}`:                   422,
	`{"documents":[[]]}`:                     422,
	`{"documents":[{}]}`:                     422,
	`{}`:                                     422,
	`{"Text":"a"}`:                           422, // another name
	`{"txt":"a"}`:                            422,
	`{"text ":"a"}`:                          422,
	`{"":""}`:                                422,
	`{"id":1,"label":"spam","text":"a"}`:     422, // wrong types
	`{"id":1.5,"label":"spam","text":"a"}`:   422,
	`{"id":true,"label":"spam","text":"a"}`:  422,
	`{"id":[],"label":"spam","text":"a"}`:    422,
	`{"id":["1"],"label":"spam","text":"a"}`: 422,
	`{"id":{},"label":"spam","text":"a"}`:    422,
	`{"id":"","label":"spam","text":"a"}`:    422,
	`{"id":"` + strings.Repeat("x", 1025) + `","label":"spam","text":"a"}`: 422,
}

// notTexts are values of text that are none.
var notTexts = []string{`1`, `-0.5`, `true`, `false`, `[]`, `["a"]`, `{}`, `{"a":"b"}`, `[["a"]]`, `{"text":"a"}`}

// badLabels are values of label that are none.
var badLabels = []string{`1`, `true`, `[]`, `["spam"]`, `{}`, `""`, `null`, `"sp\tam"`, `"sp\nam"`, `"spam\r"`, `"Spam"`, `"spam "`, `"eggs"`, `"스팸"`, `"?"`, `"` + strings.Repeat("x", 2000) + `"`}

// badPaths are paths that lead nowhere.
var badPaths = []string{
	"/v1", "/v1/", "/v1/models/", "/v2/models", "/v1/model", "/V1/models", "/v1/models/mail/", "/v1/models/mail/snapshots",
	"/v1/models/none", "/v1/models/Mail", "/v1/models/mail.nb", "/v1/models/..", "/v1/models/.", "/v1/models/../mail", "/v1/models/mail/..",
	"/v1/models/../../etc/passwd", "/v1/models/..%2f..%2fetc%2fpasswd", "/v1/models/%2e%2e/%2e%2e/etc/passwd", "/v1/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
	"/v1/models/..%5c..%5cetc", "/v1/models/%252e%252e%252f", "/v1/models/%00", "/v1/models/mail%00.nb", "/v1/models/%ff%fe", "/v1/models/%0d%0aX:y",
	"/v1/models//mail", "//v1/models", "/v1//models/mail", "/./v1/models", "/v1/models/./mail", "/v1/models/mail/./snapshot", "/v1/models/etc%2fpasswd",
	"/etc/passwd", "/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/index.html", "/docs/", "/docs/../docs", "/docs/x", "/docs%2fstyle.css", "/openapi", "/openapi.yaml",
	"/.git/config", "/server.go", "/model.json", "/state.db", "/debug/pprof/", "/metrics/x", "/healthz/", "/v1/models/" + strings.Repeat("x", 5000),
	"/v1/models/mail/term", "/v1/models/mail/term?name=", "/v1/models/mail/term?name=unheard", "/v1/models/none/term?name=free",
	"/v1/models/mail/terms?n=0", "/v1/models/mail/terms?n=-1", "/v1/models/mail/terms?n=x", "/v1/models/mail/terms?n=1e9", "/v1/models/mail/terms?n=99999999999999999999",
	"/v1/models/mail/terms?class=eggs", "/v1/models/none/terms", "/v1/models/none/snapshot",
}

// badRequests returns requests that must all be refused.
func badRequests() (list []badRequest) {
	add := func(r badRequest) { list = append(list, r) }
	text := func(s string) io.Reader { return strings.NewReader(s) }
	for body, status := range notDocuments {
		for _, path := range []string{predictPath, explainPath, learnPath, unlearnPath} {
			add(badRequest{"body " + body, "POST", path, asJSON, text(body), nil, status})
		}
	}
	for _, v := range notTexts {
		add(badRequest{"text " + v, "POST", predictPath, asJSON, text(`{"text":` + v + `}`), nil, 422})
		add(badRequest{"text among others " + v, "POST", predictPath, asJSON, text(`{"documents":[{"text":"a"},{"text":` + v + `}]}`), nil, 422})
		add(badRequest{"text " + v, "POST", learnPath, asJSON, text(`{"label":"spam","text":` + v + `}`), nil, 422})
		add(badRequest{"text " + v, "POST", explainPath, asJSON, text(`{"text":` + v + `}`), nil, 422})
	}
	for _, v := range badLabels {
		add(badRequest{"label " + v, "POST", learnPath, asJSON, text(`{"id":"1","text":"a","label":` + v + `}`), nil, 422})
		add(badRequest{"label among others " + v, "POST", learnPath, asJSON, text(`{"documents":[{"label":"ham","text":"a"},{"text":"a","label":` + v + `}]}`), nil, 422})
	}
	for _, path := range badPaths {
		status := 404
		if strings.Contains(path, "term?name=") && !strings.Contains(path, "unheard") && !strings.Contains(path, "none") || strings.Contains(path, "n=") && strings.Contains(path, "terms") || strings.HasSuffix(path, "term") {
			status = 422
		}
		add(badRequest{"path " + path, "GET", path, "", nil, nil, status})
	}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "PROPFIND", "X"} {
		add(badRequest{"method", method, predictPath, asJSON, text(`{"text":"a"}`), nil, 405})
		if method != "PUT" && method != "DELETE" {
			add(badRequest{"method", method, "/v1/models/mail", "", nil, nil, 405})
		}
	}
	add(badRequest{"method", "GET", predictPath, "", nil, nil, 405})
	add(badRequest{"method", "POST", "/healthz", asJSON, text(`{}`), nil, 405})
	add(badRequest{"method", "POST", "/v1/models/mail/snapshot", asJSON, text(`{}`), nil, 405})
	for _, ct := range []string{
		"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "application/json; charset=utf-16",
		"application/jsonp", "json", "application/", "*/*", "text/json", "application/json, text/plain", "application/json; charset", asBytes, ";", "application/json;;charset=latin1",
	} {
		for _, path := range []string{predictPath, learnPath} {
			add(badRequest{"media type " + ct, "POST", path, ct, text(`{"label":"spam","text":"a"}`), nil, 415})
		}
	}
	add(badRequest{"stream", "POST", learnPath, asLines, text(`{"label":"spam","text":"a"}`), nil, 415})
	add(badRequest{"stream", "POST", explainPath, asLines, text(`{"text":"a"}`), nil, 415})
	for _, q := range []string{"-0.1", "1.1", "x", "NaN", "inf", "1e400", "0,5"} {
		add(badRequest{"threshold " + q, "POST", predictPath + "?threshold=" + q, asJSON, text(`{"text":"a"}`), nil, 422})
	}
	return append(append(list, largeRequests()...), otherRequests()...)
}

// largeRequests returns requests that are too large for siteOfLimits.
func largeRequests() []badRequest {
	batch := func(n int, doc string) io.Reader {
		return strings.NewReader(`{"documents":[` + strings.TrimSuffix(strings.Repeat(doc+",", n), ",") + `]}`)
	}
	long := strings.Repeat("word ", 300)
	return []badRequest{
		{"long text", "POST", predictPath, asJSON, strings.NewReader(`{"text":"` + long + `"}`), nil, 413},
		{"long text", "POST", explainPath, asJSON, strings.NewReader(`{"text":"` + long + `"}`), nil, 413},
		{"long text", "POST", learnPath, asJSON, strings.NewReader(`{"label":"spam","text":"` + long + `"}`), nil, 413},
		{"long text among others", "POST", predictPath, asJSON, strings.NewReader(`{"documents":[{"text":"a"},{"text":"` + long + `"}]}`), nil, 413},
		{"many documents", "POST", predictPath, asJSON, batch(11, `{"text":"a"}`), nil, 413},
		{"many documents", "POST", learnPath, asJSON, batch(11, `{"text":"a","label":"spam"}`), nil, 413},
		{"many ids", "POST", unlearnPath, asJSON, batch(11, `{"id":"a"}`), nil, 413},
		{"explain many", "POST", explainPath, asJSON, batch(2, `{"text":"a"}`), nil, 422},
		{"large body", "POST", predictPath, asJSON, strings.NewReader(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`), nil, 413},
		{"large body of spaces", "POST", predictPath, asJSON, strings.NewReader(`{"text":"a"}` + strings.Repeat(" ", 1<<20)), nil, 413},
		{"large body of unknown length", "POST", learnPath, asJSON, io.MultiReader(strings.NewReader(`{"text":"`), strings.NewReader(strings.Repeat("x", 1<<20))), nil, 413},
		{"large model", "PUT", "/v1/models/mail", asBytes, bytes.NewReader(make([]byte, 1<<21)), nil, 413},
	}
}

func otherRequests() []badRequest {
	text := func(s string) io.Reader { return strings.NewReader(s) }
	var file bytes.Buffer
	if err := bayes.Save(&file, counts(mail...), bayes.Multinomial{}); err != nil {
		panic(err)
	}
	whole := file.Bytes()
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	list := []badRequest{
		{"unknown id", "POST", unlearnPath, asJSON, text(`{"id":"nobody"}`), nil, 404},
		{"unknown ids", "POST", unlearnPath, asJSON, text(`{"documents":[{"id":"nobody"},{"id":"none"}]}`), nil, 404},
		{"relabel an unknown id", "POST", learnPath, asJSON, text(`{"id":"nobody","label":"spam"}`), nil, 404},
		{"label alone", "POST", learnPath, asJSON, text(`{"label":"spam"}`), nil, 422},
		{"text without label", "POST", learnPath, asJSON, text(`{"text":"a"}`), nil, 422},
		{"no id", "POST", unlearnPath, asJSON, text(`{"text":"a"}`), nil, 422},
		{"id null", "POST", unlearnPath, asJSON, text(`{"id":null}`), nil, 422},
		{"unknown model", "POST", "/v1/models/none/predict", asJSON, text(`{"text":"a"}`), nil, 404},
		{"unknown model", "POST", "/v1/models/none/learn", asJSON, text(`{"text":"a","label":"spam"}`), nil, 404},
		{"unknown model", "POST", "/v1/models/none/unlearn", asJSON, text(`{"id":"a"}`), nil, 404},
		{"unknown model", "POST", "/v1/models/none/explain", asJSON, text(`{"text":"a"}`), nil, 404},
		{"unknown model", "POST", "/v1/models/none/predict", asLines, text(`{"text":"a"}`), nil, 404},
		{"body that breaks off", "POST", predictPath, asJSON, io.MultiReader(text(`{"text":`), iotest.ErrReader(io.ErrUnexpectedEOF)), nil, 400},
		{"body that breaks off", "PUT", "/v1/models/mail", asBytes, io.MultiReader(bytes.NewReader(whole), iotest.ErrReader(io.ErrUnexpectedEOF)), nil, 400},
		{"no model", "PUT", "/v1/models/mail", asBytes, text(""), nil, 422},
		{"no model", "PUT", "/v1/models/mail", asBytes, text("hello"), nil, 422},
		{"half a model", "PUT", "/v1/models/mail", asBytes, bytes.NewReader(whole[:len(whole)/2]), nil, 422},
		{"a model and more", "PUT", "/v1/models/mail", asBytes, bytes.NewReader(append(bytes.Clone(whole), 'x')), nil, 422},
		{"a model with a bit flipped", "PUT", "/v1/models/mail", asBytes, bytes.NewReader(flipped), nil, 422},
		{"a model as JSON", "PUT", "/v1/models/mail", asJSON, bytes.NewReader(whole), nil, 415},
		{"a model called ..", "PUT", "/v1/models/%2e%2e", asBytes, bytes.NewReader(whole), nil, 404},
		{"a model called ../x", "PUT", "/v1/models/..%2fx", asBytes, bytes.NewReader(whole), nil, 404},
		{"a model called a/b", "PUT", "/v1/models/a%2fb", asBytes, bytes.NewReader(whole), nil, 422},
		{"a model called a\\b", "PUT", "/v1/models/a%5cb", asBytes, bytes.NewReader(whole), nil, 422},
		{"a model called NUL", "PUT", "/v1/models/a%00", asBytes, bytes.NewReader(whole), nil, 422},
		{"a model called line end", "PUT", "/v1/models/a%0ab", asBytes, bytes.NewReader(whole), nil, 422},
		{"a model called \xff", "PUT", "/v1/models/a%ff", asBytes, bytes.NewReader(whole), nil, 422},
		{"a model of a long name", "PUT", "/v1/models/" + strings.Repeat("x", 200), asBytes, bytes.NewReader(whole), nil, 422},
		{"another site", "POST", predictPath, asJSON, text(`{"text":"a"}`), []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another site", "POST", learnPath, asJSON, text(`{"text":"a","label":"spam"}`), []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"another origin", "POST", learnPath, asJSON, text(`{"text":"a","label":"spam"}`), []string{"Origin", "http://evil.example"}, 403},
		{"no origin", "POST", learnPath, asJSON, text(`{"text":"a","label":"spam"}`), []string{"Origin", "null"}, 403},
		{"another site", "PUT", "/v1/models/mail", asBytes, bytes.NewReader(whole), []string{"Origin", "http://evil.example"}, 403},
		{"another host", "GET", "/v1/models", "", nil, []string{"Host", "evil.example"}, 421},
		{"another host", "POST", predictPath, asJSON, text(`{"text":"a"}`), []string{"Host", "localhost.evil.example:80"}, 421},
		{"no host", "GET", "/v1/models", "", nil, []string{"Host", ""}, 421},
	}
	for _, auth := range []string{
		" ", "Bearer", "Bearer ", "Bearer wrong", "bearer " + strings.Repeat("x", 5000), "Basic dXNlcjpwYXNz", "Token x", "Bearer \xff\x00", "Bearer a b c", "null", "Bearer null",
		"Bearer e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	} {
		list = append(list, badRequest{"authorization " + auth, "GET", "/v1/models", "", nil, []string{"Authorization", auth}, 401},
			badRequest{"authorization " + auth, "POST", learnPath, asJSON, text(`{"label":"spam","text":"a"}`), []string{"Authorization", auth}, 401})
	}
	return list
}

// siteOfLimits is a server with low limits, tokens, and a host name.
func siteOfLimits(t testing.TB, opts server.Options) *site {
	token, secret := server.NewToken("all", server.Read, server.Learn, server.Admin)
	opts.Tokens = []server.Token{token}
	opts.Hosts = []string{"localhost", "127.0.0.1"}
	opts.Limits = server.Limits{Body: 1 << 19, Text: 1000, Batch: 10, Model: 1 << 20, Streams: 2}
	s := newSite(t, counts(mail...), nil, opts)
	s.token = secret
	return s
}

// checkProblem fails unless a request was refused as it should be.
func checkProblem(t testing.TB, got reply, status int) {
	t.Helper()
	var p struct {
		Title, Detail string
		Status        int
	}
	err := json.Unmarshal([]byte(got.Body), &p)
	switch {
	case got.Status != status:
		t.Errorf("status %d, want %d: %.300s", got.Status, status, got.Body)
	case got.Header.Get("Content-Type") != "application/problem+json":
		t.Errorf("Content-Type %q: %.300s", got.Header.Get("Content-Type"), got.Body)
	case err != nil:
		t.Errorf("%v: %.300s", err, got.Body)
	case p.Status != status || p.Title == "" || p.Detail == "" || len(got.Body) > 2000:
		t.Errorf("no good message: %.3000s", got.Body)
	case got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Content-Security-Policy") == "":
		t.Errorf("headers are missing: %v", got.Header)
	}
}

// Every bad request is refused with a status of its own and a message; none is a
// fault of the server's, and none changes anything.
func TestBadRequests(t *testing.T) {
	var log bytes.Buffer
	s := siteOfLimits(t, server.Options{Log: logTo(&log)})
	before := s.snapshot()
	list := badRequests()
	if len(list) < 200 {
		t.Errorf("only %d requests", len(list))
	}
	for _, bad := range list {
		r, err := http.NewRequestWithContext(t.Context(), bad.method, "http://localhost/", bad.body)
		if err != nil {
			t.Fatal(err)
		}
		if err := setTarget(r, bad.path); err != nil {
			t.Fatalf("%s: %v", bad.path, err)
		}
		if bad.contentType != "" {
			r.Header.Set("Content-Type", bad.contentType)
		}
		for i := 0; i < len(bad.header); i += 2 {
			if bad.header[i] == "Host" {
				r.Host = bad.header[i+1]
				continue
			}
			r.Header.Set(bad.header[i], bad.header[i+1])
		}
		t.Run(fmt.Sprintf("%.60q %s %.60s", bad.name, bad.method, bad.path), func(t *testing.T) {
			checkProblem(t, s.send(r), bad.status)
		})
	}
	if !bytes.Equal(before, s.snapshot()) {
		t.Error("a bad request has changed the model")
	}
	if got := s.get("/metrics").Body; !strings.Contains(got, "bayes_panics_total 0\n") || strings.Contains(got, `status="5`) {
		t.Error("a bad request was a fault of the server's")
	}
	if strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("the log has errors: %.2000s", log.String())
	}
	t.Logf("%d bad requests", len(list))
}

// setTarget sets the path and query of a request, as they stand.
func setTarget(r *http.Request, target string) (err error) {
	// ReadRequest is what a server reads with.
	read, err := http.ReadRequest(bufio.NewReader(strings.NewReader(fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\n\r\n", r.Method, target))))
	if err != nil {
		return err
	}
	r.URL, r.RequestURI = read.URL, read.RequestURI
	return nil
}

// Each line of a stream that is bad has an answer of its own, in its place.
func TestBadLines(t *testing.T) {
	s := siteOfLimits(t, server.Options{})
	lines := []string{`{"text":"a"}`, `x`, `{"text":1}`, `{}`, `[1]`, "{\"text\":\"\xff\"}", `{"text":"` + strings.Repeat("x", 2000) + `"}`, `{"id":"last","text":"a"}`}
	status := []float64{0, 400, 422, 422, 422, 400, 413, 0}
	got := s.want(200, s.do("POST", predictPath, asLines, strings.NewReader(strings.Join(lines, "\n"))))
	answers := strings.Split(strings.TrimSuffix(got.Body, "\n"), "\n")
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines: %s", len(answers), len(lines), got.Body)
	}
	for i, line := range answers {
		a := decode[map[string]any](t, line)
		if status[i] == 0 && a["label"] == nil || status[i] != 0 && (a["status"] != status[i] || !strings.HasPrefix(a["detail"].(string), fmt.Sprintf("line %d: ", i+1))) {
			t.Errorf("line %d: %s", i+1, line)
		}
	}
	got = s.want(200, s.do("POST", predictPath, asLines, io.MultiReader(strings.NewReader(`{"text":"a"}`+"\n"+`{"text":"`), strings.NewReader(strings.Repeat("x", 1<<20)))))
	answers = strings.Split(strings.TrimSuffix(got.Body, "\n"), "\n")
	if len(answers) != 2 || !strings.Contains(answers[1], `"status":413`) || !strings.Contains(answers[1], "line 2") {
		t.Errorf("a line that is too long: %.1000s", got.Body)
	}
}

// Slow and broken clients, and requests that are none, are cut off or refused on
// a real connection.
func TestBadConnections(t *testing.T) {
	const short = 200 * time.Millisecond
	s := siteOfLimits(t, server.Options{Timeouts: server.Timeouts{Header: short, Body: short, Line: short, Write: 5 * time.Second, Idle: short}})
	address := s.listen()
	authorized := "Host: localhost\r\nAuthorization: Bearer " + s.token + "\r\n"
	post := "POST " + predictPath + " HTTP/1.1\r\n" + authorized + "Content-Type: application/json\r\n"
	for name, c := range map[string]struct {
		send   string
		status []string // "" stands for no answer
	}{
		"nothing":                   {"", []string{""}},
		"half a request line":       {"GET /hea", []string{"", "400", "408"}},
		"header without end":        {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ", []string{"", "400", "408"}},
		"body that does not come":   {post + "Content-Length: 100\r\n\r\n", []string{"408"}},
		"body that stops":           {post + "Content-Length: 100\r\n\r\n{\"text\":", []string{"408"}},
		"chunks that stop":          {post + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"tex\r\n", []string{"408"}},
		"stream that stops":         {strings.Replace(post, asJSON, asLines, 1) + "Transfer-Encoding: chunked\r\n\r\n", []string{"200"}},
		"bad chunks":                {post + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n", []string{"400"}},
		"two lengths":               {post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", []string{"400"}},
		"length and chunks":         {post + "Content-Length: x\r\n\r\n{}", []string{"400"}},
		"negative length":           {post + "Content-Length: -1\r\n\r\n", []string{"400"}},
		"length of a gigabyte":      {post + "Content-Length: 1000000000\r\n\r\n", []string{"413"}},
		"length beyond all":         {post + "Content-Length: 99999999999999999999\r\n\r\n", []string{"400"}},
		"unknown transfer encoding": {post + "Transfer-Encoding: magic\r\n\r\n", []string{"400", "501"}},
		"no HTTP":                   {"hello\r\n\r\n", []string{"400"}},
		"TLS":                       {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []string{"400"}},
		"HTTP/3.0":                  {"GET /healthz HTTP/3.0\r\nHost: localhost\r\n\r\n", []string{"400", "505"}},
		"no host":                   {"GET /healthz HTTP/1.1\r\n\r\n", []string{"400"}},
		"two hosts":                 {"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", []string{"400"}},
		"header with a line end":    {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A : b\r\n\r\n", []string{"400"}},
		"path without slash":        {"GET healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{"400"}},
		"bad escape in a path":      {"GET /v1/models/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{"400"}},
		"control character in path": {"GET /v1/\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{"400"}},
		"space in a path":           {"GET /v1/ models HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{"400"}},
		"large header":              {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("x", 1<<16) + "\r\n\r\n", []string{"431"}},
		"many headers":              {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: b\r\n", 10_000) + "\r\n", []string{"431"}},
		"connect":                   {"CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n\r\n", []string{"404", "421"}},
		"proxy":                     {"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", []string{"421"}},
		"upgrade to HTTP/2":         {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []string{"", "400", "404", "405", "505"}},
		"expectation":               {post + "Expect: magic\r\nContent-Length: 2\r\n\r\n{}", []string{"417"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(20 * time.Second))
			go io.WriteString(conn, c.send) // the server may not read it all
			got, err := io.ReadAll(conn)
			if err, ok := err.(net.Error); ok && err.Timeout() {
				t.Fatalf("the connection was not closed, after %.300q", got)
			}
			status := ""
			if rest, ok := strings.CutPrefix(string(got), "HTTP/1.1 "); ok {
				status = rest[:3]
			}
			if !slices.Contains(c.status, status) {
				t.Errorf("status %q, want one of %q: %.500s", status, c.status, got)
			}
		})
	}
	t.Run("drops", func(t *testing.T) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			io.Copy(io.Discard, conn)
		}()
		for _, c := range []byte(post) { // a header a byte at a time, for ever
			if _, err := conn.Write([]byte{c}); err != nil {
				break
			}
			select {
			case <-closed:
			case <-time.After(short / 10):
			}
		}
		<-closed
	})
}

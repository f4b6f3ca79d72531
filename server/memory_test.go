package server_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/server"
	"bayes/store"
	"bayes/text"
)

// documents returns the body of a batch of n documents and those that are given.
func documents(n int, last ...string) string {
	return `{"documents":[` + strings.Join(append(strings.Split(strings.Repeat(`{"text":"free"} `, n-1)+`{"text":"free"}`, " "), last...), ",") + `]}`
}

// A long batch, whose answers are written as they are made, is answered whole, or
// refused whole if its last document is wrong.
func TestLongBatch(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	const n = 9000
	got := decode[struct{ Predictions []struct{ Label string } }](t, s.want(200, s.post(predictPath, documents(n))).Body)
	if len(got.Predictions) != n || got.Predictions[n-1].Label != "spam" {
		t.Errorf("%d answers to %d documents", len(got.Predictions), n)
	}
	for last, status := range map[string]int{`{"text":1}`: 422, `{}`: 422, `{"text":"` + strings.Repeat("x", 1<<20+1) + `"}`: 413} {
		got := s.post(predictPath, documents(n, last))
		checkProblem(t, got, status)
		if !strings.Contains(got.Body, fmt.Sprintf("documents[%d]", n)) {
			t.Errorf("which document is wrong is not said: %s", got.Body)
		}
	}
	checkProblem(t, s.post(predictPath, documents(10_000, `{"text":"a"}`)), 413)
}

// A client whose requests hold all that it can have is refused before more is read, and
// another one is not.
func TestMemoryIsShared(t *testing.T) {
	a, aSecret := server.NewToken("a", server.Read, server.Learn)
	b, bSecret := server.NewToken("b", server.Read, server.Learn)
	s := newSite(t, counts(mail...), nil, server.Options{Tokens: []server.Token{a, b}, Limits: server.Limits{Memory: 64 << 20, Body: 8 << 20}})
	body := `{"text":"free","other":"` + strings.Repeat("x", 4<<20) + `"}`
	request := func(path, secret string, body io.Reader, length int64) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost"+path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = length
		r.Header.Set("Content-Type", asJSON)
		r.Header.Set("Authorization", "Bearer "+secret)
		return r
	}
	var (
		held []*io.PipeWriter
		done = make(chan reply)
		full reply
	)
	for full.Status == 0 { // 32 MiB are for what is held, so 16 MiB for one client
		pr, pw := io.Pipe()
		began := make(chan bool, 1)
		go func() {
			_, err := io.WriteString(pw, body[:len(body)-2])
			began <- err == nil
		}()
		answered := make(chan reply, 1)
		go func() { answered <- s.send(request(predictPath, aSecret, pr, int64(len(body)))) }()
		select {
		case <-began:
			held = append(held, pw)
			go func() { done <- <-answered }()
		case full = <-answered:
			pr.Close()
		}
	}
	checkProblem(t, full, 503)
	if full.Header.Get("Retry-After") == "" || len(held) != 3 {
		t.Errorf("with %d bodies held: %v", len(held), full.Header)
	}
	small := `{"text":"free"}`
	s.want(200, s.send(request(predictPath, bSecret, strings.NewReader(body), int64(len(body)))))
	s.want(200, s.send(request(predictPath, aSecret, strings.NewReader(small), int64(len(small)))))
	for _, pw := range held {
		io.WriteString(pw, body[len(body)-2:])
		pw.Close()
		s.want(200, <-done)
	}
	s.want(200, s.send(request(predictPath, aSecret, strings.NewReader(body), int64(len(body))))) // all has been given back
	s.want(200, s.send(request(predictPath, aSecret, strings.NewReader(body), -1)))
	checkProblem(t, s.send(request(learnPath, aSecret, strings.NewReader(body), int64(len(body)))), 413) // takes six times as much
}

// A text that takes more memory than there is for work is refused, wherever it is.
func TestTooMuchWork(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{Analyzer: &text.Analyzer{Segmenter: text.Chars{Min: 1, Max: 5}}})
	for _, ex := range mail {
		c.Learn(ex)
	}
	s := newSite(t, c, nil, server.Options{Limits: server.Limits{Memory: 64 << 20}})
	long := `{"label":"spam","text":"` + strings.Repeat("word ", 20_000) + `"}`
	short := `{"label":"spam","text":"` + strings.Repeat("word ", 500) + `"}`
	for _, path := range []string{predictPath, explainPath, explainPath + "?work=true", learnPath} {
		checkProblem(t, s.post(path, long), 413)
		s.want(200, s.post(path, short))
	}
	checkProblem(t, s.post(predictPath, documents(9000, long)), 413)
	got := s.want(200, s.do("POST", predictPath, asLines, strings.NewReader(long+"\n"+short+"\n")))
	if lines := strings.Split(got.Body, "\n"); !strings.Contains(lines[0], `"status":413`) || !strings.Contains(lines[1], `"label":"spam"`) {
		t.Error(got.Body)
	}
}

// Of a client that does not read, a few long lines are kept, not as many as there are places
// for chunks.
func TestStreamKeepsFewLongLines(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	const lines = 64
	body := &counter{r: strings.NewReader(strings.Repeat(`{"text":"`+strings.Repeat("long ", 1<<20/5)+`"}`+"\n", lines))}
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost"+predictPath, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", asLines)
	w := &stuck{recorderOf{header: make(http.Header)}, make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.server.ServeHTTP(w, r)
	}()
	for last := int64(-1); last != body.n.Load(); time.Sleep(time.Second) {
		last = body.n.Load()
	}
	if n := body.n.Load(); n < 1<<20 || n > 16<<20 {
		t.Errorf("%d MiB were read", n>>20)
	}
	close(w.free)
	<-done
	if n := strings.Count(w.body.String(), `"label":`); n != lines {
		t.Errorf("%d answers to %d lines", n, lines)
	}
}

// What would have a model outgrow its memory is not learned, and says so; predicting goes on.
func TestModelOutgrowsMemory(t *testing.T) {
	catalog := server.NewCatalog(&server.CatalogOptions{Dir: t.TempDir(), Store: store.Options{Memory: store.NewMemory(4 << 20)}})
	if _, err := catalog.Add(t.Context(), "mail", "", counts(mail...), nil); err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	srv, err := server.New(catalog, &server.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, catalog: catalog, server: srv}
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf(`{"label":"l%d","text":"t%d"}`, i, i))
	}
	got := s.post(learnPath+"?new_labels=true", `{"documents":[`+strings.Join(many, ",")+`]}`)
	checkProblem(t, got, 507)
	if !strings.Contains(got.Body, "memory") {
		t.Error(got.Body)
	}
	s.want(200, s.post(learnPath, `{"label":"spam","text":"free"}`))
	s.want(200, s.post(predictPath, `{"text":"free"}`))
	c := bayes.NewCounts(nil)
	for i := range 3000 {
		c.Learn(bayes.Example{Label: fmt.Sprint("l", i), Text: fmt.Sprint("t", i)})
	}
	checkProblem(t, s.do("PUT", "/v1/models/mail", asBytes, strings.NewReader(string(batch(t, bayes.Multinomial{}, mail...))+"x")), 422)
	var file strings.Builder
	if err := bayes.Save(&file, c, bayes.Multinomial{}); err != nil {
		t.Fatal(err)
	}
	checkProblem(t, s.do("PUT", "/v1/models/other", asBytes, strings.NewReader(file.String())), 507)
	s.want(200, s.do("PUT", "/v1/models/mail", asBytes, strings.NewReader(string(batch(t, bayes.Multinomial{}, mail...)))))
}

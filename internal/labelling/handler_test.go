package labelling

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// call sends a request to a page, and returns the status and the answer.
func call(t *testing.T, h http.Handler, method, target, body string, header ...string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:8090"+target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var v map[string]any
	if strings.Contains(w.Header().Get("Content-Type"), "json") {
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
			t.Fatalf("%s %s: %v: %s", method, target, err, w.Body)
		}
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("X-Frame-Options") != "DENY" {
		t.Errorf("%s %s: headers %v", method, target, w.Header())
	}
	return w.Code, v
}

// Who may ask, and for what.
func TestGuard(t *testing.T) {
	s := begin(t, inFile(t), texts(15))
	defer s.Close()
	local := Handler(s, HandlerOptions{Who: "ann", Hosts: []string{"localhost", "127.0.0.1", "::1"}})
	open := Handler(s, HandlerOptions{Who: "ann", Key: "secret"})
	const answer = `{"text":0,"label":"a"}`
	for _, c := range []struct {
		h                    http.Handler
		method, target, body string
		header               []string
		want                 int
	}{
		{local, "GET", "/", "", nil, 200},
		{local, "GET", "/label.js", "", nil, 200},
		{local, "GET", "/style.css", "", nil, 200},
		{local, "GET", "/api/state", "", nil, 200},
		{local, "GET", "/api/state", "", []string{"Host", "localhost:8090"}, 200},
		{local, "GET", "/api/state", "", []string{"Host", "[::1]:8090"}, 200},
		{local, "GET", "/api/state", "", []string{"Host", "LocalHost:8090"}, 200},
		{local, "GET", "/api/state", "", []string{"Host", "rebound.example:8090"}, 421},
		{local, "GET", "/", "", []string{"Host", "rebound.example"}, 421},
		{local, "POST", "/api/answer", answer, []string{"Origin", "http://other.example", "Sec-Fetch-Site", "cross-site"}, 403},
		{local, "POST", "/api/undo", "{}", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{local, "POST", "/api/answer", answer, []string{"Content-Type", "text/plain"}, 415},
		{local, "POST", "/api/answer", "{", nil, 400},
		{local, "POST", "/api/answer", `{"text":"0"}`, nil, 400},
		{local, "POST", "/api/answer", strings.Repeat(" ", 2<<20), nil, 413},
		{local, "POST", "/api/answer", `{"text":99,"label":"a"}`, nil, 422},
		{local, "POST", "/api/answer", `{"text":0,"label":""}`, nil, 422},
		{local, "POST", "/api/answer?who=%0a", answer, nil, 422},
		{local, "POST", "/api/answer", `{"label":"a"}`, nil, 422},
		{local, "POST", "/api/skip", `{"text":3}`, nil, 422},
		{local, "POST", "/api/skip", `{}`, nil, 422},
		{local, "POST", "/api/undo", "{}", nil, 422},
		{local, "POST", "/api/class", `{"name":" "}`, nil, 422},
		{local, "GET", "/api/question?text=x", "", nil, 422},
		{local, "GET", "/api/question?text=99", "", nil, 422},
		{local, "GET", "/api/answer", "", nil, 405},
		{local, "GET", "/api/../label.js", "", nil, 307},
		{local, "GET", "/nothing", "", nil, 404},
		{open, "GET", "/", "", nil, 200},
		{open, "GET", "/api/state", "", nil, 401},
		{open, "GET", "/api/state", "", []string{"Authorization", "Bearer wrong"}, 401},
		{open, "POST", "/api/answer", answer, nil, 401},
		{open, "GET", "/api/state", "", []string{"Authorization", "Bearer secret", "Host", "any.example"}, 200},
	} {
		if got, v := call(t, c.h, c.method, c.target, c.body, c.header...); got != c.want {
			t.Errorf("%s %s %.40s %q: %d %v, want %d", c.method, c.target, c.body, c.header, got, v, c.want)
		}
	}
	if n := len(s.answers.All()); n != 0 {
		t.Errorf("%d answers came of that", n)
	}
}

// Of a text that measures the guess comes after the answer, and of others before.
func TestGuessAfterAnswer(t *testing.T) {
	s := begin(t, inFile(t), texts(40))
	defer s.Close()
	h := Handler(s, HandlerOptions{Who: "ann"})
	for _, c := range []string{`{"name":"a","words":"w1 w2 w3"}`, `{"name":"b"}`} {
		if code, v := call(t, h, "POST", "/api/class", c); code != 200 {
			t.Fatal(v)
		}
	}
	seen := map[bool]int{}
	_, got := call(t, h, "GET", "/api/question", "")
	for range 15 {
		q := got["question"].(map[string]any)
		measured := q["measured"] == true
		if _, guessed := q["guess"]; guessed == measured {
			t.Errorf("measured %v, guess %v", measured, q["guess"])
		}
		body, err := json.Marshal(map[string]any{"text": q["text"], "label": "a"})
		if err != nil {
			t.Fatal(err)
		}
		_, got = call(t, h, "POST", "/api/answer", string(body))
		was := got["was"].(map[string]any)
		if was["text"] != q["text"] || was["label"] != "a" || (was["measured"] == true) != measured || was["guess"] == nil {
			t.Errorf("%v", was)
		}
		seen[measured]++
		// A page of another run of the command means another text by that number.
		for target, body := range map[string]string{"/api/answer": string(body[:len(body)-1]) + `,"run":"other"}`, "/api/skip": fmt.Sprintf(`{"text":%v,"run":"other"}`, q["text"])} {
			if status, v := call(t, h, "POST", target, body); status != 409 {
				t.Errorf("%s of another run: %d, %v", target, status, v)
			}
		}
		if status, _ := call(t, h, "GET", fmt.Sprint("/api/question?run=other&text=", q["text"]), ""); status != 409 {
			t.Errorf("a text of another run is put: %d", status)
		}
		// Put once more, it is as it was.
		run := got["state"].(map[string]any)["run"]
		_, again := call(t, h, "GET", fmt.Sprint("/api/question?run=", run, "&text=", q["text"]), "")
		q = again["question"].(map[string]any)
		if _, guessed := q["guess"]; (q["measured"] == true) != measured || guessed == measured {
			t.Errorf("again: measured %v, before %v, guess %v", q["measured"], measured, q["guess"])
		}
	}
	if seen[true] < 3 || seen[false] < 8 {
		t.Errorf("%d texts of 15 measure", seen[true])
	}
	if st := got["state"].(map[string]any); st["answered"] != 15. || st["mine"] != 15. {
		t.Errorf("%v", st)
	}
	if _, v := call(t, h, "GET", "/api/recent", ""); len(v["recent"].([]any)) != 15 {
		t.Errorf("%v", v["recent"])
	}
}

// One answer is for all texts that are alike, however many are shown, but for those that somebody else has answered meanwhile.
func TestAlike(t *testing.T) {
	list := texts(10)
	for i := range 90 {
		list = append(list, Text{Text: "the very same words again and again", Row: fmt.Sprint(11 + i)})
	}
	s := begin(t, inFile(t), list)
	defer s.Close()
	h := Handler(s, HandlerOptions{Who: "ann"})
	var q map[string]any
	for q["alike"] == nil || q["more"] == nil {
		_, got := call(t, h, "GET", "/api/question", "")
		q = got["question"].(map[string]any)
		if q["more"] == nil {
			call(t, h, "POST", "/api/skip", fmt.Sprintf(`{"text":%v}`, q["text"]))
		}
	}
	var also []any
	for _, a := range q["alike"].([]any) {
		also = append(also, a.(map[string]any)["text"])
	}
	also = append(also, q["more"].([]any)...)
	if len(q["alike"].([]any)) != 20 || len(also) < 60 {
		t.Fatalf("%d are alike", len(also))
	}
	// What one person is asked, and what is like it, is asked of nobody else.
	for range 12 {
		other, ok := s.Ask("bo")
		if !ok {
			break
		}
		if !other.Measured && list[other.Text].Text == list[int(q["text"].(float64))].Text {
			t.Errorf("text %d is asked of another person", other.Text)
		}
		if err := s.Skip("bo", other.Text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Answer("cy", []int{int(also[0].(float64)), int(also[30].(float64))}, "y"); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"text": q["text"], "label": "x", "also": also})
	if err != nil {
		t.Fatal(err)
	}
	_, got := call(t, h, "POST", "/api/answer", string(body))
	if was := got["was"].(map[string]any); int(was["also"].(float64)) != len(also)-2 {
		t.Errorf("%v, and %d were alike", was, len(also))
	}
	if s.pile.Label(int(also[30].(float64))) != "y" || s.pile.Label(int(also[60].(float64))) != "x" {
		t.Error("an answer that was given meanwhile is replaced")
	}
}

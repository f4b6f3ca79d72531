package server_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"bayes"
	"bayes/server"
)

// A client that asks for the next download with the last byte of the one before in its hands
// is not refused, however often.
func TestDownloadAfterDownload(t *testing.T) {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "a", Text: "one"})
	s := newSite(t, c, bayes.Multinomial{}, server.Options{})
	var again func(n int)
	again = func(n int) {
		w := &onComplete{ResponseRecorder: httptest.NewRecorder()}
		w.then = func() {
			if n < 10 {
				again(n + 1)
			}
		}
		s.server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/v1/models/mail/snapshot", nil))
		if w.Code != http.StatusOK || !w.complete() {
			t.Fatalf("download %d: %d, %s", n, w.Code, w.Body)
		}
	}
	again(1)
}

// onComplete calls then when the whole of an answer has been written.
type onComplete struct {
	*httptest.ResponseRecorder
	then func()
}

func (w *onComplete) complete() bool {
	return w.Header().Get("Content-Length") == strconv.Itoa(w.Body.Len())
}

func (w *onComplete) Write(b []byte) (int, error) {
	n, err := w.ResponseRecorder.Write(b)
	if w.complete() {
		w.then()
	}
	return n, err
}

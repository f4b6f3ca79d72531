package server

import "net/http"

// A recorder remembers the status of an answer, and what memory the request holds.
type recorder struct {
	http.ResponseWriter
	status int
	token  string // the name of the one that let the request in
	share  share
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// shareOf returns the share of the request that w answers.
func shareOf(w http.ResponseWriter) *share { return &w.(*recorder).share }

// tokenOf returns the name of the token that a request was let in with, empty where
// none is asked for.
func tokenOf(w http.ResponseWriter) string {
	if rec, ok := w.(*recorder); ok {
		return rec.token
	}
	return ""
}

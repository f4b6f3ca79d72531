package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// What is learned shows at once and after a start, and what is unlearned does not.
func TestOnline(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	session := func(do func(ask func(method, path, body string, status int) string)) {
		s, err := open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		h := httptest.NewServer(handler(s))
		do(func(method, path, body string, status int) string {
			t.Helper()
			r, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			b, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != status {
				t.Fatalf("%s %s: %s %s %v", method, path, resp.Status, b, err)
			}
			return strings.TrimSpace(string(b))
		})
		h.Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	const soup = "the soup was cold"
	var before, after string
	session(func(ask func(method, path, body string, status int) string) {
		before = ask("POST", "/predict", soup, http.StatusOK)
		ask("POST", "/learn?id=17&label=sad", soup, http.StatusNoContent)
		after = ask("POST", "/predict", soup, http.StatusOK)
		ask("POST", "/learn?id=18", soup, http.StatusBadRequest)
	})
	if !strings.HasPrefix(before, "happy") || !strings.HasPrefix(after, "sad") {
		t.Errorf("%s, then %s", before, after)
	}
	session(func(ask func(method, path, body string, status int) string) {
		if got := ask("POST", "/predict", soup, http.StatusOK); got != after {
			t.Errorf("%s after a start, not %s", got, after)
		}
		ask("DELETE", "/learn?id=17", "", http.StatusNoContent)
		if got := ask("POST", "/predict", soup, http.StatusOK); got != before {
			t.Errorf("%s when it is unlearned, not %s", got, before)
		}
	})
}

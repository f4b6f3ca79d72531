package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestTickets(t *testing.T) {
	model, err := train()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler(model))
	defer s.Close()
	for _, tc := range []struct{ body, queue, because string }{
		{`{"subject": "Charged twice", "body": "my card was charged two times"}`, "billing", "charged"},
		{`{"subject": "Cannot log in", "body": "my password does not work"}`, "access", "password"},
		{`{"subject": "Crash", "body": "an error since the update"}`, "bug", "update"},
		{`{"subject": "Hello", "body": "zebra"}`, "person", ""},
	} {
		resp, err := http.Post(s.URL+"/route", "application/json", strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		var r route
		if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		because := slices.ContainsFunc(r.Because, func(s string) bool { return strings.Contains(s, tc.because) })
		if r.Queue != tc.queue || tc.because != "" && !because {
			t.Errorf("%s: %+v", tc.body, r)
		}
	}
	resp, err := http.Post(s.URL+"/route", "application/json", strings.NewReader("no JSON"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Error(resp.Status)
	}
}

package server_test

import (
	"bytes"
	"reflect"
	"testing"

	"bayes"
	"bayes/server"
)

// A server reads the columns that a model was trained from, by their names as well as by "label"
// and "text", and what the model remembers goes wherever the model goes.
func TestRememberedColumns(t *testing.T) {
	want := bayes.Columns{Label: "v1", Text: []string{"v2"}}
	c := counts(mail...)
	c.SetColumns(want)
	s := newSite(t, c, nil, server.Options{})
	plain := s.want(200, s.post("/v1/models/mail/predict", `{"text":"free lunch"}`)).Body
	for _, body := range []string{`{"v2":"free lunch"}`, `{"v1":"?","v2":"free lunch","v3":4}`} {
		if got := s.want(200, s.post("/v1/models/mail/predict", body)).Body; got != plain {
			t.Errorf("%s: %s, not %s", body, got, plain)
		}
	}
	for _, body := range []string{`{"id":"a","v1":"spam","v2":"win money"}`, `{"id":"b","label":"ham","text":"noon"}`} {
		if got := s.want(200, s.post("/v1/models/mail/learn", body)).Body; decode[struct{ Applied int }](t, got).Applied != 1 {
			t.Errorf("%s: %s", body, got)
		}
	}
	s.want(200, s.post("/v1/models/mail/unlearn", `{"documents":[{"id":"a"},{"id":"b"}]}`))
	type info struct {
		Columns struct {
			Text    []string
			Trained *bayes.Columns
		}
	}
	told := decode[info](t, s.want(200, s.get("/v1/models/mail")).Body).Columns
	if told.Trained == nil || !reflect.DeepEqual(*told.Trained, want) || !reflect.DeepEqual(told.Text, []string{"text"}) {
		t.Errorf("the model is said to have %+v", told)
	}

	// What is downloaded and uploaded again is the same model.
	file := s.snapshot()
	s.want(201, s.do("PUT", "/v1/models/other", "application/octet-stream", bytes.NewReader(file)))
	for _, path := range []string{"/v1/models/mail/snapshot", "/v1/models/other/snapshot"} {
		got, _, err := bayes.Load(bytes.NewReader([]byte(s.want(200, s.get(path)).Body)))
		if err != nil || !reflect.DeepEqual(got.Columns(), want) || !got.Equal(c) {
			t.Errorf("%s has %+v, %v", path, got.Columns(), err)
		}
	}
	if got := s.want(200, s.post("/v1/models/other/predict", `{"v2":"free lunch"}`)).Body; got != plain {
		t.Errorf("what was uploaded answers %s", got)
	}

	// A model that remembers nothing says nothing.
	none := newSite(t, counts(mail...), nil, server.Options{})
	if got := none.want(200, none.get("/v1/models/mail")).Body; bytes.Contains([]byte(got), []byte("trained")) {
		t.Errorf("%s", got)
	}
	none.want(422, none.post("/v1/models/mail/predict", `{"v2":"free lunch"}`))
}

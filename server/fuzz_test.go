package server_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"bayes/server"
)

// FuzzHandlers sends anything anywhere: no answer is a fault of the server's,
// and what is refused is a problem with a message.
func FuzzHandlers(f *testing.F) {
	s := siteOfLimits(f, server.Options{})
	methods := []string{"GET", "POST", "PUT", "DELETE"}
	types := []string{"", asJSON, asLines, asBytes, asTable}
	f.Add(uint8(1), predictPath, uint8(1), []byte(`{"id":"1","text":"free \u00e9\ud83d\ude00"}`))
	f.Add(uint8(1), predictPath+"?threshold=0.5", uint8(1), []byte(`{"documents":[{"text":"a"},{"text":"b","x":[{}]}]}`))
	f.Add(uint8(1), predictPath, uint8(2), []byte("{\"text\":\"a\"}\n\n[]\r\nx\n{\"text\":1}"))
	f.Add(uint8(1), explainPath+"?work=true", uint8(1), []byte(`{"text":"win, free"}`))
	f.Add(uint8(1), learnPath+"?new_labels=true", uint8(1), []byte(`{"id":"1","label":"eggs","text":"a"}`))
	f.Add(uint8(1), learnPath, uint8(1), []byte(`{"documents":[{"id":"1","label":"ham"},{"label":"ham","text":"a"}]}`))
	f.Add(uint8(1), unlearnPath, uint8(1), []byte(`{"documents":[{"id":"1"}]}`))
	f.Add(uint8(2), "/v1/models/mail", uint8(3), batch(f, nil, mail...))
	f.Add(uint8(3), "/v1/models/mail", uint8(0), []byte{})
	f.Add(uint8(0), "/v1/models/mail/terms?n=3&class=ham", uint8(0), []byte{})
	f.Add(uint8(0), "/v1/models/mail/term?name=%66ree", uint8(0), []byte{})
	f.Add(uint8(0), uncertainPath+"?n=3", uint8(0), []byte{})
	f.Add(uint8(0), historyPath+"?n=3&before=2", uint8(0), []byte{})
	f.Add(uint8(1), testPath+"?skip_bad=true&uncertain=2", uint8(4), []byte("label,text\nham,\"free, lunch\"\n,x\nspam\n"))
	f.Add(uint8(1), testPath+"?report=true&label=%231&text=%232&header=false", uint8(4), []byte("ham;lunch\nspam;free\n"))
	f.Add(uint8(2), "/v1/models/mail?event=bernoulli&space=default+ngrams%3D1-2&encoding=euc-kr", uint8(4), []byte("label,text\nham,lunch\nspam,free\n"))
	f.Add(uint8(2), "/v1/models/new?numeric=a&categorical=b&skip_bad=true", uint8(4), []byte("label,a,b\nham,1,x\nspam,2,y\n"))
	f.Add(uint8(0), "/v1/models/%2e%2e/snapshot", uint8(0), []byte{})
	f.Fuzz(func(t *testing.T, method uint8, target string, contentType uint8, body []byte) {
		m := methods[int(method)%len(methods)]
		r, err := http.NewRequestWithContext(t.Context(), m, "http://localhost/", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(target, "/") || setTarget(r, target) != nil {
			return // net/http would refuse it
		}
		if ct := types[int(contentType)%len(types)]; ct != "" {
			r.Header.Set("Content-Type", ct)
		}
		if s.catalog.Store("mail") == nil { // an earlier one has deleted it
			if _, err := s.catalog.Replace(t.Context(), "mail", counts(mail...), nil); err != nil {
				t.Fatal(err)
			}
		}
		got := s.send(r)
		for _, name := range s.catalog.Names() { // those that tables have made
			if name != "mail" {
				s.catalog.Delete(name)
			}
		}
		switch {
		case got.Status >= 500 || got.Status < 200:
			t.Errorf("%s %q: status %d: %.500s", m, target, got.Status, got.Body)
		case got.Status >= 400:
			checkProblem(t, got, got.Status)
		}
	})
}

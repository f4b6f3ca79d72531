package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/server"
)

const autoTable = "label,text\nspam,win money\nham,lunch\n"

// lastLine returns the last line of a stream.
func lastLine(r reply) string {
	lines := strings.Split(strings.TrimSpace(r.Body), "\n")
	return lines[len(lines)-1]
}

// A search is given the table and its columns, says how far it is, and its model is installed. What cannot be
// searched is refused in a line, and a search that fails leaves no model.
func TestSearch(t *testing.T) {
	var got server.TableSearch
	s := newSite(t, counts(mail...), nil, server.Options{Search: func(ctx context.Context, t server.TableSearch) (*server.FoundModel, error) {
		got = t
		if t.Space == "none" {
			return nil, errors.New("no such analyzer")
		}
		t.Tried(2, 1, 4)
		return &server.FoundModel{Counts: counts(t.Examples...), Model: bayes.Bernoulli{}, Flags: "--model bernoulli", Accuracy: .75, Documents: 2}, nil
	}})
	r := s.want(200, s.table("PUT", "/v1/models/new?auto=true&budget=7", autoTable))
	info := decode[struct {
		Name, Event string
		Documents   int
		Search      struct {
			Accuracy  float64
			Documents int
			Flags     string
		}
	}](t, lastLine(r))
	if info.Name != "new" || !strings.HasPrefix(info.Event, "bernoulli") || info.Documents != 2 || info.Search.Accuracy != .75 || info.Search.Flags != "--model bernoulli" {
		t.Errorf("%+v", info)
	}
	if !strings.Contains(r.Body, `{"documents":2,"tried":1,"of":4}`) || got.Budget != 7*time.Second || got.Columns.Label != "label" || len(got.Examples) != 2 {
		t.Errorf("%s %+v", r.Body, got)
	}
	for _, q := range []string{"&event=bernoulli", "&budget=0", "&budget=301", "&label=none"} {
		checkProblem(t, s.table("PUT", "/v1/models/other?auto=true"+q, autoTable), 422)
	}
	several := s.table("PUT", "/v1/models/other?auto=true&space=default+label-separator=%22%3B%22", autoTable)
	checkProblem(t, several, 422)
	if !strings.Contains(several.Body, "label-separator= says several") || !strings.Contains(several.Body, "train without auto") {
		t.Errorf("%s", several.Body)
	}
	checkProblem(t, s.table("PUT", "/v1/models/other?auto=true", "label,text\n"), 422)
	r = s.want(200, s.table("PUT", "/v1/models/other?auto=true&space=none", autoTable))
	var p struct{ Status int }
	if err := json.Unmarshal([]byte(lastLine(r)), &p); err != nil || p.Status != 422 {
		t.Errorf("%s", r.Body)
	}
	s.want(404, s.get("/v1/models/other"))

	none := newSite(t, counts(mail...), nil, server.Options{})
	checkProblem(t, none.table("PUT", "/v1/models/new?auto=true", autoTable), 422)
	small := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Memory: 4 << 20}, Search: func(context.Context, server.TableSearch) (*server.FoundModel, error) {
		return nil, errors.New("a search that takes more memory than there is")
	}})
	checkProblem(t, small.table("PUT", "/v1/models/new?auto=true", autoTable+strings.Repeat("ham,see you at lunch\n", 500)), 413)
}

// If the client leaves, the search ends, there is no model, and another may begin.
func TestSearchCancelled(t *testing.T) {
	began := make(chan bool, 1)
	wait := true
	s := newSite(t, counts(mail...), nil, server.Options{Search: func(ctx context.Context, t server.TableSearch) (*server.FoundModel, error) {
		if wait {
			began <- true
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return &server.FoundModel{Counts: counts(t.Examples...), Model: bayes.Multinomial{}}, nil
	}})
	address := s.listen()
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- putTable(ctx, "http://"+address+"/v1/models/new?auto=true", autoTable) }()
	<-began
	checkProblem(t, s.table("PUT", "/v1/models/second?auto=true", autoTable), 503)
	leave()
	<-ended
	for end := time.Now().Add(20 * time.Second); ; {
		wait = false
		if r := s.table("PUT", "/v1/models/third?auto=true", autoTable); r.Status == 200 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%d: %s", r.Status, r.Body)
		}
	}
	s.want(404, s.get("/v1/models/new"))
}

// putTable sends a table, and reads the answer until ctx is done.
func putTable(ctx context.Context, url, table string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, url, strings.NewReader(table))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", asTable)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

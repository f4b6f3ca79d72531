package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"bayes"
	"bayes/dataset"
)

// A searchProgress is a line of the answer while the search goes on.
type searchProgress struct {
	Documents int `json:"documents" doc:"How many documents the settings are tried on now"`
	Tried     int `json:"tried" doc:"How many settings have been"`
	Of        int `json:"of" doc:"How many there are"`
}

// searchWork is how many bytes of memory a search takes for each byte of a table: 420 MB for 0.86 MB of reviews,
// 780 MB for 1.5 MB of news, with what the garbage collector leaves.
const searchWork = 512

// trainBest makes the model called name of a table by a search. The answer is a stream: a line whenever settings have
// been tried, and last the model. If the client leaves, the search ends, and there is no model.
func (s *Server) trainBest(w http.ResponseWriter, r *http.Request, name string) error {
	q := r.URL.Query()
	if err := s.checkSearch(q); err != nil {
		return err
	}
	budget, err := countParam(r, "budget", 60, 300)
	if err != nil {
		return err
	}
	t, err := s.receiveTable(w, r, s.catalog.folderOf(name), dataset.Options{})
	if err != nil {
		return err
	}
	defer t.end()
	if !s.searching.TryLock() {
		return fail(http.StatusServiceUnavailable, "auto: another search is going on; ask again later")
	}
	defer s.searching.Unlock()
	examples, p := s.searchable(shareOf(w), t)
	if p != nil {
		return p
	}
	rc := http.NewResponseController(w)
	line := func(v any) {
		rc.SetWriteDeadline(time.Now().Add(s.opts.Timeouts.Write)) // http.ErrNotSupported outside a real server
		json.NewEncoder(w).Encode(v)                               // a client that is gone needs no answer
		rc.Flush()
	}
	w.Header().Set("Content-Type", ndjson)
	w.WriteHeader(http.StatusOK)
	line(searchProgress{})
	info, err := s.search(w, r, name, TableSearch{
		Examples: examples, Space: q.Get("space"), Budget: time.Duration(budget) * time.Second,
		Columns: bayes.Columns{Label: t.opts.Label, Text: t.opts.Text, Numeric: t.opts.Numeric, Categorical: t.opts.Categorical, NoHeader: t.opts.NoHeader},
		Tried:   func(examples, tried, of int) { line(searchProgress{examples, tried, of}) },
	})
	if err != nil {
		var p *problem
		if !errors.As(err, &p) {
			p = s.fault(r, err)
		}
		line(p)
		return nil
	}
	info.Skipped, info.Why = t.skipped, t.why
	line(info)
	return nil
}

// checkSearch returns an error if a search cannot find what a query asks for.
func (s *Server) checkSearch(q url.Values) error {
	space, err := bayes.ParseSpace(q.Get("space"), s.opts.Languages...)
	switch {
	case s.opts.Search == nil:
		return fail(http.StatusUnprocessableEntity, "auto: this server does not search: %s", searchHint)
	case q.Has("event"):
		return fail(http.StatusUnprocessableEntity, "event: with auto the event model is chosen")
	case err == nil && space.LabelSeparator != "":
		return fail(http.StatusUnprocessableEntity, "space: with auto a document has one label, and label-separator= says several: "+
			"train without auto, or by bayes train --auto --label-separator, and upload the model")
	}
	return nil // of any other space, the search says what is wrong
}

// search finds the best model, and installs it.
func (s *Server) search(w http.ResponseWriter, r *http.Request, name string, t TableSearch) (*modelInfo, error) {
	found, err := s.opts.Search(r.Context(), t)
	if r.Context().Err() != nil {
		return nil, fail(http.StatusRequestTimeout, "the client left before the model was trained")
	}
	if err != nil {
		return nil, fail(http.StatusUnprocessableEntity, "auto: %s", oneLine(err))
	}
	s.whole.Lock()
	defer s.whole.Unlock()
	if _, p := s.install(w, r, name, found.Counts, found.Model); p != nil {
		return nil, p
	}
	e, err := s.entryNamed(name)
	if err != nil {
		return nil, err
	}
	info := e.info()
	info.Search = &searchResult{found.Accuracy, found.Documents, found.Flags}
	return &info, nil
}

const searchHint = "train without auto, or by bayes train --auto, and upload the model"

// searchable returns the examples of a table, if there is memory to search with them, which h then holds.
func (s *Server) searchable(h *share, t *table) (examples []bayes.Example, _ *problem) {
	if need, most := t.size*searchWork, h.memory.held.Most(); need > most {
		return nil, fail(http.StatusRequestEntityTooLarge, "auto: to search with this table takes %d MiB of memory, and the server has %d for it: %s", need>>20, most>>20, searchHint)
	} else if p := h.take(need); p != nil {
		return nil, p
	}
	for ex, err := range t.examples() {
		if err != nil {
			return nil, asProblem(err)
		}
		examples = append(examples, ex)
	}
	if len(examples) == 0 {
		return nil, fail(http.StatusUnprocessableEntity, "the table has no examples to learn from%s", t.whySkipped())
	}
	return examples, nil
}

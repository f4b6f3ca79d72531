package server

import (
	"net/http"
	"strconv"
	"time"
)

// A learnedList is what GET /v1/models/{model}/documents answers.
type learnedList struct {
	Documents []learnedDocument `json:"documents" doc:"The latest first"`
	Next      uint64            `json:"next,omitempty" doc:"What before must be for those that follow; left out where there are none"`
}

// A learnedDocument is a document that can be taken out.
type learnedDocument struct {
	ID       string    `json:"id" doc:"The name to unlearn it by"`
	Sequence uint64    `json:"sequence" doc:"The number of the event that it was learned with"`
	Time     time.Time `json:"time" doc:"When it was learned"`
	Label    string    `json:"label"`
	Excerpt  string    `json:"excerpt" doc:"How what it holds begins"`
}

const (
	excerptBytes = 300
	mostLookedAt = 1000 // documents; those without an id are not listed
)

// history answers GET /v1/models/{model}/documents: what has been learned under an id, from
// the store, which keeps it to be able to take it out.
func (s *Server) history(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	n, err := countParam(r, "n", 50, 200)
	if err != nil {
		return err
	}
	before, err := sequenceParam(r, "before")
	if err != nil {
		return err
	}
	// One document after the other is read whole, and only its beginning is kept.
	leave, p := shareOf(w).work(r.Context(), s.opts.Timeouts.Write, min(2*s.opts.Limits.Body, s.memory.large.Size()))
	if p != nil {
		return p
	}
	out, err := listLearned(e.live.Load(), before, n)
	leave()
	if err != nil {
		return ofStore(err)
	}
	return writeJSON(w, http.StatusOK, out)
}

// listLearned returns n documents that were learned before an event.
func listLearned(l *liveModel, before uint64, n int) (*learnedList, error) {
	out, looked := &learnedList{Documents: []learnedDocument{}}, 0
	for rec, err := range l.store.Documents(before) {
		if err != nil {
			return nil, err
		}
		if len(out.Documents) == n || looked == mostLookedAt {
			out.Next = before
			break
		}
		looked++
		before = rec.Seq
		if rec.ID != "" {
			out.Documents = append(out.Documents, learnedDocument{rec.ID, rec.Seq, rec.Time, rec.Example.Label, excerptOf(rec.Example, excerptBytes)})
		}
	}
	return out, nil
}

// sequenceParam returns a parameter of the query that is the number of an event, zero if it is
// not given.
func sequenceParam(r *http.Request, name string) (uint64, error) {
	q := r.URL.Query().Get(name)
	if q == "" {
		return 0, nil
	}
	v, err := strconv.ParseUint(q, 10, 64)
	if err != nil {
		return 0, fail(http.StatusUnprocessableEntity, "%s=%.40s: want the number of an event", name, q)
	}
	return v, nil
}

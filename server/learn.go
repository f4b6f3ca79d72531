package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"bayes"
	"bayes/internal/labelset"
	"bayes/store"
)

// A receipt is what learning and unlearning answer.
type receipt struct {
	Sequence uint64 `json:"sequence" doc:"The number of the last event, as durable as the log can make it"`
	Applied  int    `json:"applied" doc:"How many documents changed the counts"`
}

// learn answers POST /v1/models/{model}/learn. A document that has an id and a
// label alone is moved to the class.
func (s *Server) learn(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, "learn", func(l *liveModel, value []byte) (events []store.Event, longest int, err error) {
		_, p := s.documents(r, value, l.columns, func(rec record) *problem {
			longest = max(longest, rec.size)
			ev := store.Event{Op: store.OpLearn, ID: rec.ID, Example: rec.Example}
			switch {
			case rec.label != nil:
				return rec.label
			case rec.Example.Label == "":
				return fail(http.StatusUnprocessableEntity, "no label")
			case rec.empty && rec.ID == "":
				return l.columns.missing()
			case rec.empty:
				ev.Op = store.OpRelabel
			}
			events = append(events, ev)
			return nil
		})
		if p != nil {
			return nil, 0, p
		}
		return events, longest, l.checkLabels(events, r.URL.Query().Get("new_labels") == "true")
	})
}

// unlearn answers POST /v1/models/{model}/unlearn.
func (s *Server) unlearn(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, "unlearn", func(l *liveModel, value []byte) (events []store.Event, longest int, err error) {
		_, p := s.documents(r, value, l.columns, func(rec record) *problem {
			if rec.ID == "" {
				return fail(http.StatusUnprocessableEntity, "no id")
			}
			events = append(events, store.Event{Op: store.OpUnlearn, ID: rec.ID})
			return nil
		})
		if p != nil {
			return nil, 0, p
		}
		return events, 0, nil
	})
}

// change reads events from a request, applies them, and answers with a receipt. Of the
// events, read also returns how many bytes the longest text has.
func (s *Server) change(w http.ResponseWriter, r *http.Request, action string, read func(l *liveModel, value []byte) (events []store.Event, longest int, err error)) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	b := getBody()
	defer putBody(b)
	value, p := s.readJSON(w, r, b, 6) // its events, as they came, in the log, and as they are counted
	if p != nil {
		return p
	}
	// Until it is acknowledged the model is neither replaced nor deleted.
	e.replacing.RLock()
	defer e.replacing.RUnlock()
	if e.deleted {
		return noModel(e.name)
	}
	l := e.live.Load()
	events, longest, err := read(l, value)
	if err != nil {
		return err
	}
	// The store cuts the texts one after the other, so the longest says what that takes.
	leave, p := shareOf(w).work(r.Context(), s.opts.Timeouts.Write, textWork(l.space, longest))
	if p != nil {
		return p
	}
	defer leave()
	got, err := l.store.Apply(r.Context(), events...)
	if err != nil {
		s.log.Warn("not learned", "action", action, "token", tokenOf(w), "model", e.name, "remote", r.RemoteAddr, "documents", len(events), "err", err)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return fail(http.StatusRequestTimeout, "the client left before the log had answered")
		}
		return ofStore(err)
	}
	e.learned(events, got.Changed)
	l.recent.learned(events)
	out := receipt{Sequence: got.Seq, Applied: countTrue(got.Changed)}
	s.audit(w, r, action, e.name, "documents", len(events), "ids", withID(events), "applied", out.Applied, "sequence", out.Sequence)
	if out.Applied == 0 {
		if err := unknown(l.store, events); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusOK, out)
}

// labelsOf returns the labels that the label of an example is: several, or none, where documents may have several.
func labelsOf(m *bayes.Model, label string) []string {
	if separator := m.Space().LabelSeparator; separator != "" {
		return labelset.Split(label, separator)
	}
	return []string{label}
}

// checkLabels returns a problem if an event would make a new class that nobody
// asked for: a label is more often misspelt than new.
func (l *liveModel) checkLabels(events []store.Event, allowNew bool) error {
	m := l.store.Model()
	if allowNew || m == nil {
		return nil
	}
	// Labels that the space declares are known before the first example.
	known := append(m.Classes(), m.Space().Labels...)
	for i := range events {
		for _, label := range labelsOf(m, events[i].Example.Label) {
			if slices.Contains(known, label) {
				continue
			}
			at := ""
			if len(events) > 1 {
				at = fmt.Sprintf("documents[%d]: ", i)
			}
			return fail(http.StatusUnprocessableEntity, "%sthe model has no class %q; ?new_labels=true makes one", at, label)
		}
	}
	return nil
}

// unknown returns a problem if each of the events, which have changed nothing,
// was meant for a document that is not there.
func unknown(st *store.Store, events []store.Event) error {
	for i := range events {
		if events[i].Op == store.OpLearn {
			return nil
		}
		if _, ok, err := st.Lookup(events[i].ID); ok || err != nil {
			return err
		}
	}
	switch len(events) {
	case 0:
		return nil
	case 1:
		return fail(http.StatusNotFound, "no document with the id %.200q has been learned", events[0].ID)
	}
	return fail(http.StatusNotFound, "no document with any of these %d ids has been learned", len(events))
}

// withID returns how many of the events name a document.
func withID(events []store.Event) (n int) {
	for i := range events {
		if events[i].ID != "" {
			n++
		}
	}
	return n
}

func countTrue(list []bool) (n int) {
	for _, v := range list {
		if v {
			n++
		}
	}
	return n
}

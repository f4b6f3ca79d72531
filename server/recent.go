package server

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"bayes"
	"bayes/store"
)

// What is remembered of predictions: for a while, in memory, and of a model at most recentBytes.
const (
	recentAge   = time.Hour
	recentBytes = 1 << 20
)

// A recent holds the least certain of the predictions that a model has made lately, for people
// who correct it. It is in memory alone. A nil *recent holds nothing.
type recent struct {
	mu   sync.Mutex
	kept uncertainList
	next time.Time // when to look again for what is too old
}

func newRecent(most int) *recent {
	if most <= 0 {
		return nil
	}
	return &recent{kept: uncertainList{most: most, room: recentBytes}}
}

// add remembers a prediction, if it is among the least certain.
func (r *recent) add(rec *record, p bayes.Prediction) {
	margin, ok := marginOf(p)
	if r == nil || !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.expire(now)
	if !r.kept.takes(margin) {
		return
	}
	ex := rec.Example
	ex.Label = ""
	id := rec.ID
	if id == "" {
		id = contentID(ex)
	}
	r.kept.add(uncertain{id: id, at: now, example: ex, margin: margin})
}

// expire forgets what is too old. It looks once a minute.
func (r *recent) expire(now time.Time) {
	if now.Before(r.next) {
		return
	}
	r.kept.removeFunc(func(u *uncertain) bool { return now.Sub(u.at) > recentAge })
	r.next = now.Add(time.Minute)
}

// learned forgets documents that the model has been taught.
func (r *recent) learned(events []store.Event) {
	if r == nil {
		return
	}
	ids := make(map[string]bool, len(events))
	for i := range events {
		ids[events[i].ID] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.removeFunc(func(u *uncertain) bool { return ids[u.id] })
}

// all returns what is remembered, and how many documents may be.
func (r *recent) all() (list []uncertain, most int) {
	if r == nil {
		return nil, 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expire(time.Now())
	return slices.Clone(r.kept.list), r.kept.most
}

// A doubtList is what GET /v1/models/{model}/uncertain answers.
type doubtList struct {
	Remembered int     `json:"remembered" doc:"How many documents are remembered now"`
	Most       int     `json:"most" doc:"How many may be; zero where the server remembers no predictions"`
	Documents  []doubt `json:"documents" doc:"The least certain first"`
}

// uncertain answers GET /v1/models/{model}/uncertain: what was predicted lately and is not
// certain, as the model sees it now. What has been learned meanwhile is left out.
func (s *Server) uncertain(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	n, err := countParam(r, "n", 20, 100)
	if err != nil {
		return err
	}
	l := e.live.Load()
	list, most := l.recent.all()
	out := doubtList{Remembered: len(list), Most: most, Documents: []doubt{}}
	if len(list) == 0 {
		return writeJSON(w, http.StatusOK, out)
	}
	m, err := l.model()
	if err != nil {
		return err
	}
	h := shareOf(w)
	if p := h.take(4*recentBytes + int64(len(list))*predictionBytes); p != nil {
		return p
	}
	out.Documents, err = s.doubts(r.Context(), h, m, list, n, func(id string) (bool, error) {
		_, ok, err := l.store.Lookup(id)
		return ok, err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

// countParam returns a parameter of the query that is a number from 1 up to most, unless it is not
// given.
func countParam(r *http.Request, name string, unless, most int) (int, error) {
	q := r.URL.Query().Get(name)
	if q == "" {
		return unless, nil
	}
	n, err := strconv.Atoi(q)
	if err != nil || n < 1 || n > most {
		return 0, fail(http.StatusUnprocessableEntity, "%s=%.40s: want a number from 1 to %d", name, q, most)
	}
	return n, nil
}

// predictionBytes is how much memory the prediction of a doubt takes.
const predictionBytes = 1 << 10

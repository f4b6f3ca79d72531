package server

import (
	"slices"
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

// add remembers a prediction of m, if it is among the least certain. What the document of that id was before is forgotten.
func (r *recent) add(m *bayes.Model, rec *record, p bayes.Prediction) {
	if r == nil {
		return
	}
	margin, ok := marginOf(m, p)
	if !ok {
		return
	}
	if slices.ContainsFunc(rec.Example.Attrs, func(a bayes.Attr) bool { return a.Name == "id" }) {
		return // its id is a column, and it cannot be learned under another
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.expire(now)
	if rec.ID != "" {
		r.kept.removeFunc(func(u *uncertain) bool { return u.id == rec.ID })
	}
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

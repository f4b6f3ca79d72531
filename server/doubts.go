package server

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"bayes"
	"bayes/answer"
)

// A doubt is a document whose class is not certain, as a client sees it. To teach the model what
// it is, a client learns the document under the id.
type doubt struct {
	ID       string         `json:"id" doc:"The name to learn it under: the id that it was predicted with, or a hash of what it holds"`
	Row      int64          `json:"row,omitempty" doc:"Of a table: the number of the record, from 1"`
	Given    string         `json:"given,omitempty" doc:"Of a table: its label there"`
	Time     *time.Time     `json:"time,omitempty" doc:"When it was predicted"`
	Document map[string]any `json:"document" doc:"What it holds, as learn takes it"`
	Classes  []candidate    `json:"classes" doc:"The most probable classes, at most ten, the most probable first"`
	Margin   answer.Real    `json:"margin" doc:"The log-odds of the first class against the second"`
}

// A candidate is a class and its probability.
type candidate struct {
	Label       string      `json:"label"`
	Probability answer.Real `json:"probability"`
}

// An uncertain document is one that may become a doubt.
type uncertain struct {
	id      string
	row     int64
	given   string
	at      time.Time
	example bayes.Example
	margin  float64
	size    int64
}

// marginOf returns the log-odds of the first class against the second. There is none of a
// model with a single class.
func marginOf(p bayes.Prediction) (margin float64, ok bool) {
	if len(p.Classes) < 2 {
		return 0, false
	}
	margin = p.Classes[0].LogP - p.Classes[1].LogP
	return margin, !math.IsNaN(margin)
}

// An uncertainList holds the documents of the least margins that were added to it, the least
// first, up to a number and a size. An id is in it once.
type uncertainList struct {
	most int
	room int64 // bytes that all may have; one document an eighth of them
	held int64
	list []uncertain
}

// takes reports whether a document of a margin may find a place.
func (l *uncertainList) takes(margin float64) bool {
	return l.most > 0 && (len(l.list) < l.most || margin < l.list[len(l.list)-1].margin)
}

// add adds a document, in place of the one of the same id, and of those that are more certain
// where there is no room.
func (l *uncertainList) add(u uncertain) {
	if u.size = sizeOf(u.example) + int64(len(u.id)+len(u.given)); u.size > l.room/8 {
		return
	}
	l.removeFunc(func(other *uncertain) bool { return other.id == u.id })
	i, _ := slices.BinarySearchFunc(l.list, u, func(a, b uncertain) int { return cmp.Compare(a.margin, b.margin) })
	l.list = slices.Insert(l.list, i, u)
	l.held += u.size
	for len(l.list) > l.most || l.held > l.room {
		last := len(l.list) - 1
		l.held -= l.list[last].size
		l.list[last] = uncertain{} // or else its text stayed in memory
		l.list = l.list[:last]
	}
}

// removeFunc removes documents.
func (l *uncertainList) removeFunc(remove func(*uncertain) bool) {
	l.list = slices.DeleteFunc(l.list, func(u uncertain) bool {
		gone := remove(&u)
		if gone {
			l.held -= u.size
		}
		return gone
	})
}

const candidates = 10 // classes that are listed of a doubt

// doubts returns documents as m sees them now, the least certain first, at most n of them, and
// without those that skip names. Each waits for its turn to be predicted.
func (s *Server) doubts(ctx context.Context, h *share, m *bayes.Model, list []uncertain, n int, skip func(id string) (bool, error)) ([]doubt, error) {
	predictions := make(map[string]bayes.Prediction, len(list))
	for i := range list {
		u := &list[i]
		leave, p := h.work(ctx, s.opts.Timeouts.Write, textWork(m.Space(), int(u.size)))
		if p != nil {
			return nil, p
		}
		var pr bayes.Prediction
		m.PredictTop(&pr, u.example.Document(), candidates)
		leave()
		u.margin, _ = marginOf(pr)
		predictions[u.id] = pr
	}
	slices.SortStableFunc(list, func(a, b uncertain) int { return cmp.Compare(a.margin, b.margin) })
	out := []doubt{}
	for _, u := range list {
		if len(out) == n {
			break
		}
		known, err := skip(u.id)
		if err != nil {
			return nil, err
		}
		if !known {
			out = append(out, u.doubt(predictions[u.id]))
		}
	}
	return out, nil
}

// doubt returns u as clients see it.
func (u *uncertain) doubt(pr bayes.Prediction) doubt {
	d := doubt{ID: u.id, Row: u.row, Given: u.given, Document: objectOf(u.example), Margin: answer.Real(u.margin), Classes: []candidate{}}
	if !u.at.IsZero() {
		d.Time = &u.at
	}
	for _, c := range pr.Classes[:min(candidates, len(pr.Classes))] {
		d.Classes = append(d.Classes, candidate{c.Class, answer.Real(c.P)})
	}
	return d
}

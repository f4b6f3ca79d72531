package server

import (
	"cmp"
	"math"
	"slices"
	"time"

	"bayes"
)

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

// marginOf returns the log-odds of the first class against the second of what m predicts, or where documents may have
// several labels, how far those of a label are at least from what it needs. There is none of a model with a single class.
func marginOf(m *bayes.Model, p bayes.Prediction) (margin float64, ok bool) {
	if p.Labels != nil {
		margin = math.Inf(1)
		cutoffs := m.Calibration().Cutoffs // which are 0 of a label that is not among them
		for _, c := range p.Classes {
			margin = min(margin, math.Abs(c.LogJoint-cutoffs[c.Class]))
		}
		return margin, len(p.Classes) > 0 && !math.IsNaN(margin)
	}
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

package store

import (
	"bytes"
	"fmt"
	"time"
)

// apply adds the next event of the log to s and reports whether it changed the
// counts. What it does depends on s and the event alone:
//
//	learn x           counts += x
//	learn x as id     counts += x - documents[id]; documents[id] = x
//	unlearn id        counts -= documents[id];     documents[id] = nothing
//	relabel id as c   learn documents[id], with label c, as id
//
// and nothing where documents[id] is what it should become, or is needed and
// absent. After an error s is of no use.
func (s *state) apply(r Record) (changed bool, err error) {
	if r.Seq != s.pos.Seq+1 {
		return false, fmt.Errorf("%w: event %d follows %d", ErrLost, r.Seq, s.pos.Seq)
	}
	// Time is that of the log, and never goes back.
	s.pos.Seq = r.Seq
	s.pos.Clock = max(s.pos.Clock, r.Time.UnixMilli())
	r.Time = time.UnixMilli(s.pos.Clock)
	switch r.Op {
	case OpLearn:
		changed, err = s.learn(r)
	case OpUnlearn:
		changed, err = s.unlearn(r.ID)
	case OpRelabel:
		changed, err = s.relabel(r)
	case opBegin:
		if r.ID != s.pos.Base {
			return false, fmt.Errorf("%w: the log belongs to a store that began with other counts, event model or window", ErrLost)
		}
	default:
		return false, fmt.Errorf("%w: event %d: unknown %v", ErrCorrupt, r.Seq, r.Op)
	}
	if err == nil {
		err = s.expire()
	}
	return changed, err
}

func (s *state) learn(r Record) (bool, error) {
	seq, old, err := s.find(r.ID)
	if err != nil || seq > 0 && sameExample(old, r.Event) {
		return false, err
	}
	if seq > 0 {
		s.remove(seq, old)
	}
	s.add(r)
	return true, nil
}

func (s *state) unlearn(id string) (bool, error) {
	seq, old, err := s.find(id)
	if err != nil || seq == 0 {
		return false, err
	}
	s.remove(seq, old)
	return true, nil
}

func (s *state) relabel(r Record) (bool, error) {
	seq, old, err := s.find(r.ID)
	if err != nil || seq == 0 {
		return false, err
	}
	label := r.Example.Label
	r.Example = old.Example
	r.Example.Label = label
	return s.learn(r)
}

func sameExample(a, b Event) bool {
	x, _ := a.Example.MarshalBinary() // it has no error
	y, _ := b.Example.MarshalBinary()
	return bytes.Equal(x, y)
}

// add counts a document, and remembers it if it may have to be taken out.
func (s *state) add(r Record) {
	s.counts.Learn(r.Example)
	if r.ID == "" && s.window.open() {
		return
	}
	r.Op = OpLearn
	s.pos.Documents++
	s.recent.put(r)
}

// remove takes out a document that was added.
func (s *state) remove(seq uint64, doc Event) {
	s.counts.Unlearn(doc.Example)
	s.pos.Documents--
	s.recent.delete(seq, doc.ID, s.pos.Seq)
}

// expire takes out what has left the window.
func (s *state) expire() error {
	if s.window.open() {
		return nil
	}
	for {
		seq, doc, err := s.oldest()
		if err != nil || seq == 0 {
			return err
		}
		tooMany := s.window.Documents > 0 && s.pos.Documents > s.window.Documents
		tooOld := s.window.Age > 0 && doc.Time.UnixMilli() < s.pos.Clock-s.window.Age.Milliseconds()
		if !tooMany && !tooOld {
			return nil
		}
		s.remove(seq, doc)
	}
}

// oldest returns the oldest document and its number, which is zero if there is
// none. Documents are numbered in the order of time.
func (s *state) oldest() (uint64, Event, error) {
	for ; s.pos.Oldest <= s.pos.Seq; s.pos.Oldest++ {
		doc, ok, err := s.document(s.pos.Oldest)
		if ok || err != nil {
			return s.pos.Oldest, doc, err
		}
	}
	return 0, Event{}, nil
}

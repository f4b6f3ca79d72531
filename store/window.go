package store

import "time"

// A Window says how much of the past counts. Where there is one, the oldest
// documents are taken out, exactly, as new ones arrive; what Options.Counts held
// stays. The zero Window takes nothing out.
//
// Time is told by the events alone: it is the latest time of any event so far.
// So the same log gives the same counts, however late it is read, and nothing
// becomes too old while nothing arrives.
//
// All replicas that share a log must have the same Window. Where a store had none
// before, documents that had no ID stay for good.
type Window struct {
	Documents int           // if positive, the latest so many
	Age       time.Duration // if positive, those not older than this
}

func (w Window) open() bool { return w.Documents <= 0 && w.Age <= 0 }

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

package store

import (
	"errors"
	"slices"

	"bayes"
	"bayes/text"
)

// makeRoom makes room for what a request may add to the counts, or returns [ErrMemory] or
// [ErrFull]. What only takes out needs none. The caller ends that with settleRoom.
func (s *Store) makeRoom(r *request) error {
	if s.growth.unlimited() || !slices.ContainsFunc(r.events, func(e Event) bool { return e.Op != OpUnlearn }) {
		return nil
	}
	find := func(id string) (Event, bool) { // what cannot be found will not be applied either
		seq, doc, err := s.state.find(id)
		return doc, seq > 0 && err == nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// First a bound by the length of the texts, which takes no time. It is many times what
	// most texts need.
	more := growthBound(s.state.counts, r.events, r.size, find)
	err := s.growth.accept(more)
	// Where that is too much, the texts are cut, without the lock, since that takes as long as
	// learning them; and the counts are measured anew, which may have shrunk.
	if errors.Is(err, ErrMemory) {
		space := s.state.counts.Space()
		s.mu.Unlock()
		exact, ok := featuresOf(space, r.events, s.opts.Memory.size, func(id string) (Event, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return find(id)
		})
		s.mu.Lock()
		if !ok {
			return err
		}
		s.measure()
		more.features, more.entries = exact.features, exact.entries
		err = s.growth.accept(more)
	}
	if err == nil {
		r.room = more
	}
	return err
}

// settleRoom notes that a request is applied, or never will be.
func (s *Store) settleRoom(r *request) {
	if r.room != (size{}) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.growth.settle(r.room)
	}
}

// measure notes how large the counts are. The caller holds s.mu.
func (s *Store) measure() {
	if s.growth.unlimited() {
		return
	}
	if wasteful(s.state.counts) {
		s.state.counts = s.state.counts.Clone() // which has room for nothing that is no longer there
	}
	s.growth.measure(s.state.counts, s.state.unsaved(), s.state.dir)
}

// wasteful reports whether counts have much more memory than what is in them needs.
func wasteful(c *bayes.Counts) bool {
	_, features, _ := c.Size()
	live := c.Len()
	return features > live+live/4+100
}

// growthBound returns how much events that are a number of bytes long can make counts grow at
// most. What is relabelled is looked up.
func growthBound(c *bayes.Counts, events []Event, bytes int, find func(id string) (Event, bool)) (more size) {
	space, labels := c.Space(), make(map[string]bool)
	for i := range events {
		e := &events[i]
		if e.Op == OpUnlearn {
			continue
		}
		if n, _ := c.Class(e.Example.Label); n == 0 && !labels[e.Example.Label] {
			labels[e.Example.Label] = true
			more.classes++
		}
		more.features += 1 + len(e.Example.Attrs)
		if e.Op == OpRelabel {
			if doc, ok := find(e.ID); ok {
				b, _ := doc.MarshalBinary() // it has no error
				more.features += len(doc.Example.Attrs)
				bytes += len(b)
			}
		}
	}
	a := space.Analyzer
	if a == nil {
		a = new(text.Analyzer)
	}
	more.features += a.MostTerms(bytes)
	if space.Histograms {
		more.features *= 2
	}
	more.entries, more.documents = more.features, int64(bytes)
	return more
}

// featuresOf learns events apart from all others, and returns the size of their counts, or
// false if that is more than a number of bytes.
func featuresOf(s *bayes.Space, events []Event, bytes int64, find func(id string) (Event, bool)) (size, bool) {
	c := bayes.NewCounts(s)
	for i := range events {
		ex := events[i].Example
		switch events[i].Op {
		case OpUnlearn:
			continue
		case OpRelabel:
			doc, ok := find(events[i].ID)
			if !ok {
				continue
			}
			doc.Example.Label = ex.Label
			ex = doc.Example
		}
		c.Learn(ex)
		if sizeOf(c).counts() > bytes {
			return size{}, false
		}
	}
	return sizeOf(c), true
}

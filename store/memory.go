package store

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"bayes"
	"bayes/text"
)

// ErrMemory says that counts, or what is made of them, would take more memory than there is
// for them.
var ErrMemory = errors.New("store: no memory left")

// A Memory is a number of bytes that stores share: for their counts, the copies that are
// fitted and saved, and their models. A store accepts nothing that could make it outgrow
// what is left. What is in its log is applied in any case; a store that has grown beyond
// its Memory is not fitted until it has shrunk, and leaves the others alone.
//
// A nil *Memory has no end. The methods may be called by many goroutines at once.
type Memory struct {
	size int64

	mu   sync.Mutex
	free int64 // may be below zero
}

// NewMemory returns a Memory of a number of bytes.
func NewMemory(bytes int64) *Memory { return &Memory{size: bytes, free: bytes} }

// Fits returns [ErrMemory] unless there is room for a store that begins with c.
func (m *Memory) Fits(c *bayes.Counts, em bayes.EventModel) error {
	if m == nil {
		return nil
	}
	return m.fits(sizeOf(c).bytes(em))
}

// FitsFile returns [ErrMemory] unless there is room for the counts of a model file of a
// number of bytes.
func (m *Memory) FitsFile(bytes int64) error {
	if m == nil {
		return nil
	}
	return m.fits(bytes * fileWork)
}

func (m *Memory) fits(n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n > m.free {
		return m.full(n)
	}
	return nil
}

// holds returns [ErrMemory] if the counts of a model file of a number of bytes are more than
// m is, whatever others have of it.
func (m *Memory) holds(bytes int64) error {
	if m == nil || bytes*fileWork <= m.size {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.full(bytes * fileWork)
}

// full returns the error that there is no room for n bytes. The caller holds m.mu.
func (m *Memory) full(n int64) error {
	return fmt.Errorf("%w: the model needs up to %d MiB, of %d MiB for all models %d are left", ErrMemory, n>>20+1, m.size>>20, max(0, m.free)>>20)
}

// change takes n bytes in place of old, or, if there is no room for them and they are not
// fewer, returns [ErrMemory]. With must it takes them in any case.
func (m *Memory) change(old, n int64, must bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.free += old; n > m.free && n > old && !must {
		err := m.full(n)
		m.free -= old
		return err
	}
	m.free -= n
	return nil
}

// A size is what the memory that counts take depends on. Sizes add up.
type size struct {
	classes, features, entries int
	documents                  int64 // bytes of documents that are not in a snapshot yet
}

func sizeOf(c *bayes.Counts) size {
	classes, features, entries := c.Size()
	return size{classes: classes, features: features, entries: entries}
}

func (s size) plus(o size) size {
	return size{s.classes + o.classes, s.features + o.features, s.entries + o.entries, s.documents + o.documents}
}

func (s size) minus(o size) size {
	return size{s.classes - o.classes, s.features - o.features, s.entries - o.entries, s.documents - o.documents}
}

// Bytes of memory, as measured.
const (
	classBytes   = 400 // of a class
	featureBytes = 110 // of a feature, with its name
	entryBytes   = 48  // of a feature in a class
	fileWork     = 16  // of counts, for each byte of their file
)

// bytes returns how much memory counts take: themselves, the copy that the model reads, the
// one that is being fitted and the one that is being saved; the model's weights, and those
// of the next one.
func (s size) bytes(em bayes.EventModel) int64 {
	return 4*s.counts() + 2*weightBytes(s.classes, s.features, em) + s.documents
}

// counts returns how much memory the counts themselves take.
func (s size) counts() int64 {
	return int64(s.classes)*classBytes + int64(s.features)*featureBytes + int64(s.entries)*entryBytes
}

// weightBytes returns how much memory the weights of a model take: a table of a number for
// each class and feature, or two where absent terms count.
func weightBytes(classes, features int, em bayes.EventModel) int64 {
	switch em := em.(type) {
	case bayes.Calibrated:
		return weightBytes(classes, features, em.Model)
	case bayes.Selected:
		if em.MaxFeatures > 0 {
			features = min(features, em.MaxFeatures)
		}
		return weightBytes(classes, features, em.Model)
	case nil, bayes.Multinomial, bayes.Complement:
		return 8 * int64(classes) * int64(features)
	}
	return 16 * int64(classes) * int64(features)
}

// A growth is what a store has said that it will accept, and has not measured yet.
type growth struct {
	claimed  int64 // bytes of Memory
	measured size  // of the counts, not long ago
	since    size  // by how much they can have grown since
	coming   size  // by how much they can grow by what is on its way to the log
	disk     int64 // bytes of the folder when the counts were measured
}

// room makes room for what a request may add to the counts, or returns [ErrMemory] or
// [ErrFull]. What only takes out needs none. The caller says with settle what came of it.
func (s *Store) room(r *request) error {
	if s.opts.Memory == nil && s.opts.Disk == 0 || !r.grows() {
		return nil
	}
	if err := s.roomFor(r, s.atMost(r), false); !errors.Is(err, ErrMemory) {
		return err
	}
	return s.roomFor(r, s.exactly(r), true)
}

// roomFor makes room for more. If the counts are measured first, what they were thought to
// have grown by counts no more.
func (s *Store) roomFor(r *request, more size, measured bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if measured {
		s.measure()
	}
	g := &s.growth
	if g.disk+g.since.documents+g.coming.documents+more.documents > s.opts.Disk && s.opts.Disk > 0 {
		return fmt.Errorf("%w: the store has %d MiB on disk, of at most %d", ErrFull, g.disk>>20, s.opts.Disk>>20)
	}
	if s.opts.Memory != nil {
		need := g.measured.plus(g.since).plus(g.coming).plus(more).bytes(s.state.model)
		if err := s.opts.Memory.change(g.claimed, need, false); err != nil {
			return err
		}
		g.claimed = need
	}
	r.room = more
	g.coming = g.coming.plus(more)
	return nil
}

// settle notes that a request is applied, or never will be.
func (s *Store) settle(r *request) {
	if r.room == (size{}) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.growth.coming = s.growth.coming.minus(r.room)
	s.growth.since = s.growth.since.plus(r.room)
}

// measure replaces what the counts may have become by what they are. The caller holds s.mu.
func (s *Store) measure() {
	g := &s.growth
	g.measured, g.since = sizeOf(s.state.counts), size{}
	if live := s.state.counts.Len(); g.measured.features > live+live/4+100 {
		s.state.counts = s.state.counts.Clone() // which has room for nothing that is no longer there
		g.measured = sizeOf(s.state.counts)
	}
	g.measured.documents = s.state.unsaved()
	g.disk = folderSize(s.state.dir)
}

// outgrown measures the counts, and returns [ErrMemory] if they have grown beyond the
// store's memory, so that they must not be fitted. The caller holds s.mu.
func (s *Store) outgrown() error {
	if s.opts.Memory == nil && s.opts.Disk == 0 {
		return nil
	}
	s.measure()
	if s.opts.Memory == nil {
		return nil
	}
	g := &s.growth
	need := g.measured.plus(g.coming).bytes(s.state.model)
	err := s.opts.Memory.change(g.claimed, need, false)
	if err != nil { // the counts are there all the same
		need = g.measured.counts()
		s.opts.Memory.change(g.claimed, need, true)
	}
	g.claimed = need
	return err
}

// leave gives the store's memory to the others.
func (s *Store) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opts.Memory != nil {
		s.opts.Memory.change(s.growth.claimed, 0, true)
		s.growth.claimed = 0
	}
}

// grows reports whether a request can add to the counts.
func (r *request) grows() bool {
	return slices.ContainsFunc(r.events, func(e Event) bool { return e.Op != OpUnlearn })
}

// atMost returns by how much a request can make the counts grow, to judge by its length.
func (s *Store) atMost(r *request) (more size) {
	s.mu.Lock()
	defer s.mu.Unlock()
	space, labels := s.state.counts.Space(), make(map[string]bool)
	bytes := r.size
	for i := range r.events {
		e := &r.events[i]
		if e.Op == OpUnlearn {
			continue
		}
		if n, _ := s.state.counts.Class(e.Example.Label); n == 0 && !labels[e.Example.Label] {
			labels[e.Example.Label] = true
			more.classes++
		}
		more.features += 1 + len(e.Example.Attrs)
		if e.Op == OpRelabel {
			if _, doc, err := s.state.find(e.ID); err == nil { // or else it will not be applied either
				more.features += len(doc.Example.Attrs)
				bytes += doc.length()
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

// exactly is atMost, but finds the features of the examples, which takes as long as to learn
// them. It stops when they are more than there is room for.
func (s *Store) exactly(r *request) (more size) {
	bound := s.atMost(r)
	found := bayes.NewCounts(s.state.counts.Space())
	for i := range r.events {
		e := &r.events[i]
		switch ex := e.Example; e.Op {
		case OpLearn:
			found.Learn(ex)
		case OpRelabel:
			old, ok, err := s.Lookup(e.ID)
			if ok && err == nil {
				old.Label = ex.Label
				found.Learn(old)
			}
		}
		more = sizeOf(found)
		if more.counts() > bound.counts()/2 {
			break // no better known
		}
	}
	more.classes, more.documents = bound.classes, bound.documents
	return more
}

// length returns how many bytes an event has in the log.
func (e *Event) length() int {
	b, _ := e.MarshalBinary() // it has no error
	return len(b)
}

// folderSize returns how many bytes the files in a folder have.
func folderSize(dir string) (bytes int64) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}

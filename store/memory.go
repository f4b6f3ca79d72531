package store

import (
	"errors"
	"fmt"
	"os"
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
	if em == nil {
		em = bayes.Multinomial{}
	}
	return 4*s.counts() + 2*bayes.WeightBytes(em, s.classes, s.features) + s.documents
}

// counts returns how much memory the counts themselves take.
func (s size) counts() int64 {
	return int64(s.classes)*classBytes + int64(s.features)*featureBytes + int64(s.entries)*entryBytes
}

// A growth is how much counts can have grown since they were measured, which bounds what is
// accepted.
type growth struct {
	memory *Memory // nil without a limit
	most   int64   // bytes on disk; zero without a limit

	claimed  int64 // bytes of memory
	measured size  // of the counts, not long ago
	since    size  // by how much they can have grown since
	coming   size  // by how much they can grow by what is on its way to the log
	disk     int64 // bytes of the folder when the counts were measured
}

func (g *growth) unlimited() bool { return g.memory == nil && g.most <= 0 }

// accept makes room for more, or returns [ErrMemory] or [ErrFull].
func (g *growth) accept(more size, em bayes.EventModel) error {
	if written := g.disk + g.since.documents + g.coming.documents; g.most > 0 && written+more.documents > g.most {
		return fmt.Errorf("%w: the store has %d MiB on disk, of at most %d", ErrFull, written>>20, g.most>>20)
	}
	if g.memory != nil {
		need := g.measured.plus(g.since).plus(g.coming).plus(more).bytes(em)
		if err := g.memory.change(g.claimed, need, false); err != nil {
			return err
		}
		g.claimed = need
	}
	g.coming = g.coming.plus(more)
	return nil
}

// settle notes that what was accepted is applied, or never will be.
func (g *growth) settle(more size) {
	g.coming = g.coming.minus(more)
	g.since = g.since.plus(more)
}

// measure replaces what counts may have become by what they are: these, with documents that
// are not in a snapshot yet, in a folder.
func (g *growth) measure(c *bayes.Counts, unsaved int64, dir string) {
	g.measured, g.since = sizeOf(c), size{}
	g.measured.documents = unsaved
	g.disk = folderSize(dir)
}

// outgrown returns [ErrMemory] if counts that have just been measured are too large to be
// fitted.
func (g *growth) outgrown(em bayes.EventModel) error {
	if g.memory == nil {
		return nil
	}
	need := g.measured.plus(g.coming).bytes(em)
	err := g.memory.change(g.claimed, need, false)
	if err != nil { // the counts are there all the same
		need = g.measured.counts()
		g.memory.change(g.claimed, need, true)
	}
	g.claimed = need
	return err
}

// leave gives the memory to others.
func (g *growth) leave() {
	if g.memory != nil {
		g.memory.change(g.claimed, 0, true)
		g.claimed = 0
	}
}

// sparse reports whether counts have much more memory than what is in them needs.
func sparse(c *bayes.Counts) bool {
	_, features, _ := c.Size()
	live := c.Len()
	return features > live+live/4+100
}

// growthBy returns by how much events, which have a number of bytes, can make counts grow, to
// judge by their length. What is relabelled is looked up.
func growthBy(c *bayes.Counts, events []Event, bytes int, find func(id string) (Event, bool)) (more size) {
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

// featuresOf returns how large the counts of events are by themselves, which takes as long as
// to learn them, or false if they are larger than a memory of some bytes.
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

package store

import (
	"errors"
	"fmt"
	"sync"

	"bayes"
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
func (m *Memory) Fits(c *bayes.Counts) error {
	if m == nil {
		return nil
	}
	return m.fits(sizeOf(c).bytes())
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
	gainBytes    = 16  // of what a model keeps of a feature in a class, and thrice that of a feature
	fileWork     = 16  // of counts, for each byte of their file
)

// bytes returns how much memory counts take: themselves, the copy that the model reads, the
// one that is being fitted and the one that is being saved; the model's weights, and those
// of the next one.
func (s size) bytes() int64 {
	weights := int64(s.entries)*gainBytes + int64(s.features)*3*gainBytes
	return 4*s.counts() + 2*weights + s.documents
}

// counts returns how much memory the counts themselves take.
func (s size) counts() int64 {
	return int64(s.classes)*classBytes + int64(s.features)*featureBytes + int64(s.entries)*entryBytes
}

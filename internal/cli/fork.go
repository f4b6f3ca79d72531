package cli

import (
	"io"
	"sync"
)

// A fork has two readers of the same bytes, which may be in goroutines of their own. It keeps what
// one of them has read, and the other has not: little, where they read in step.
type fork struct {
	mu      sync.Mutex
	changed *sync.Cond // there are more bytes, or an error
	r       io.Reader
	kept    []byte // the last bytes read, as many as the slower reader lacks
	lacks   [2]int // how many of them a reader has not read
	reading bool   // by one of them, without the lock: the other may have bytes that are kept meanwhile
	err     error
}

// forked returns two readers of the bytes of r.
func forked(r io.Reader) (a, b io.Reader) {
	f := &fork{r: r}
	f.changed = sync.NewCond(&f.mu)
	return forkReader{f, 0}, forkReader{f, 1}
}

type forkReader struct {
	*fork
	side int
}

// Read reads what is kept, and waits for more only if that is nothing.
func (f forkReader) Read(p []byte) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.lacks[f.side] == 0 && f.reading {
		f.changed.Wait()
	}
	switch lacks := f.lacks[f.side]; {
	case lacks > 0:
		n = copy(p, f.kept[len(f.kept)-lacks:])
		f.lacks[f.side] -= n
	case f.err == nil:
		f.reading = true
		f.mu.Unlock()
		n, err = f.r.Read(p)
		f.mu.Lock()
		f.reading, f.err = false, err
		f.keep(p[:n])
		f.changed.Broadcast()
	}
	if n == 0 {
		err = f.err
	} else {
		err = nil
	}
	return n, err
}

// keep keeps bytes that this reader has just read for the other one.
func (f forkReader) keep(b []byte) {
	other := &f.lacks[1-f.side]
	if unread := len(f.kept) - *other; unread > len(f.kept)/2 {
		f.kept = append(f.kept[:0], f.kept[unread:]...)
	}
	f.kept = append(f.kept, b...)
	*other += len(b)
}

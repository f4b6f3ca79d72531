package pipeline

import (
	"context"
	"runtime"
	"sync"
)

// slots bounds how many bundles a process works on at once, however many its
// runner gives it: as many as there are cores. So there are no more Counts in
// memory than can grow at a time. What is sent to a bundle that waits is kept for
// it by Beam, up to some 20 MB, beyond which it would hold up the others; maxParts
// sees to it that there is never so much.
var slots = sync.OnceValue(func() chan struct{} { return make(chan struct{}, runtime.GOMAXPROCS(0)) })

// A slot is the right to work, or none yet.
type slot struct{ held bool }

// acquire waits for the right to work.
func (s *slot) acquire(ctx context.Context) error {
	if s.held {
		return nil
	}
	select {
	case slots() <- struct{}{}:
		s.held = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release gives the right back, if it is held.
func (s *slot) release() {
	if s.held {
		s.held = false
		<-slots()
	}
}

// A once keeps the latest of what is costly to make, for all bundles of a
// process: a space with its vocabulary, a model.
type once[T any] struct {
	mu    sync.Mutex
	key   string
	value T
	known bool
}

// get returns what make returned for the same key, or calls it. An error is not
// kept.
func (o *once[T]) get(key string, make func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known && o.key == key {
		return o.value, nil
	}
	v, err := make()
	if err == nil {
		o.key, o.value, o.known = key, v, true
	}
	return v, err
}

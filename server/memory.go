package server

import (
	"context"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"bayes"
	"bayes/answer"
	"bayes/internal/budget"
	"bayes/text"
)

// Memory is shared out before it is used. What a request holds while it waits for its
// client, a body or an answer, is granted from a budget or refused with 503. What it needs
// while it is worked on waits for its turn: work ends by itself, and soon, whatever the
// client does. Work that is small waits only for work that is small.
type memory struct {
	held    *budget.Budget
	small   *budget.Queue
	large   *budget.Queue
	minHeld int64 // what any request holds
}

const (
	partSize  = 256 << 10 // bytes of answers that are gathered before they are written
	smallWork = 128 << 10 // bytes of work that any request may do at once
)

// newMemory shares out a number of bytes to requests over at most a number of connections.
// Every request holds at least what there would be for each of as many requests. So the
// budget also limits the number of requests, however few connections they come over.
func newMemory(bytes int64, conns int) *memory {
	each := 2 * runtime.GOMAXPROCS(0)
	return &memory{
		held: budget.New(bytes / 2), small: budget.NewQueue(bytes/16, each), large: budget.NewQueue(bytes/2-bytes/16, each),
		minHeld: max(partSize+smallWork, bytes/2/int64(conns)),
	}
}

// A share is what one request holds.
type share struct {
	memory *memory
	holder string
	bytes  atomic.Int64
}

// take has the share hold n bytes more, or returns the problem that it cannot.
func (h *share) take(n int64) *problem {
	switch {
	case n > h.memory.held.Most():
		return fail(http.StatusRequestEntityTooLarge, "%d bytes of memory are needed, and a client may hold %d of the server's", n, h.memory.held.Most())
	case !h.try(n):
		return fail(http.StatusServiceUnavailable, "requests hold all the memory that there is for them; ask again later")
	}
	return nil
}

// try has the share hold n bytes more, and reports whether it does.
func (h *share) try(n int64) bool {
	ok := h.memory.held.Take(h.holder, n)
	if ok {
		h.bytes.Add(n)
	}
	return ok
}

// give gives n bytes back.
func (h *share) give(n int64) {
	h.bytes.Add(-n)
	h.memory.held.Give(h.holder, n)
}

// release gives back all that is held.
func (h *share) release() {
	if n := h.bytes.Swap(0); n != 0 {
		h.memory.held.Give(h.holder, n)
	}
}

func noop() {}

// fits returns a problem if there is never enough memory to work with n bytes of it.
func (m *memory) fits(n int64) *problem {
	if n > m.large.Size() {
		return fail(http.StatusRequestEntityTooLarge, "the text is too long for this model: to work on it takes %d MiB of memory, and the server has %d MiB for work",
			n>>20, m.large.Size()>>20)
	}
	return nil
}

// work waits until there are n bytes of memory to work with, at most for as long as wait
// says, where that is not zero. They are taken until leave is called.
func (h *share) work(ctx context.Context, wait time.Duration, n int64) (leave func(), p *problem) {
	if n <= smallWork {
		return noop, nil
	}
	if p := h.memory.fits(n); p != nil {
		return noop, p
	}
	// Small work does not wait behind large work.
	queue := h.memory.large
	if n <= h.memory.small.Size()/8 {
		queue = h.memory.small
	}
	if wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	leave, err := queue.Enter(ctx, h.holder, n)
	if err != nil {
		return noop, fail(http.StatusServiceUnavailable, "the server had too much to do; ask again later")
	}
	return leave, nil
}

// analyzerOf returns how a model's texts are cut.
func analyzerOf(s *bayes.Space) *text.Analyzer {
	if s.Analyzer == nil {
		return new(text.Analyzer)
	}
	return s.Analyzer
}

// Bytes of memory, measured on texts of 1 MiB of random letters, words and syllables:
// slices that grow are counted with what they grew from.
const (
	termWork      = 240  // to find a term of a text
	explainedWork = 1400 // to explain a term, and to spell that out
	derivedWork   = 1300 // to derive a term's factor in a class, and to spell that out
	factorWork    = 300  // to derive it alone
	listedWork    = 500  // to list what is known of a class or a term
	sortedWork    = 130  // to find the first terms of a class
)

// listedAbsent is how many absent terms a derivation lists at most, as bayes.ClassDerivation says.
const listedAbsent = 100

// textWork returns how much memory it takes at most to find the terms of n bytes of text.
func textWork(s *bayes.Space, n int) int64 { return termWork * int64(analyzerOf(s).MostTerms(n)) }

// answerBytes returns about how long the answer to one document is, with top classes as
// answer.Top has it: at most as long as with those of the longest names.
func answerBytes(m *bayes.Model, top int) int64 {
	var all, longest int
	classes := m.Classes()
	for _, label := range classes {
		n := 2*len(label) + 50
		all, longest = all+n, max(longest, n)
	}
	return 200 + int64(min(all, answer.Top(len(classes), top)*longest))
}

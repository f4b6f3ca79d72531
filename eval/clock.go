package eval

import (
	"context"
	"time"
)

// A clock divides the budget of a search among its rounds, and leaves what fitting the best takes
// afterwards. A nil clock has no limit.
type clock struct {
	end     time.Time     // of the budget
	most    time.Duration // that may be left
	left    time.Duration // what is left
	fresh   bool          // whether the round has not said yet what is to be left
	share   time.Time     // when the round is to end
	timeout *time.Timer   // ends the search
}

// now is the time. Tests move it.
var now = time.Now

// newClock returns a clock, and ctx until the budget less what is left of it is used up.
func newClock(ctx context.Context, budget time.Duration) (*clock, context.Context, context.CancelFunc) {
	c := &clock{end: now().Add(budget), most: budget * 3 / 4}
	ctx, cancel := context.WithTimeout(ctx, budget)
	c.timeout = time.AfterFunc(budget, cancel)
	return c, ctx, cancel
}

// round begins a round, given how many are left with it, and what is to be left of the budget then.
func (c *clock) round(rounds int, left time.Duration) {
	if c != nil {
		c.left, c.fresh = min(left, c.most), true
		c.share = now().Add(c.has(rounds, left))
		c.timeout.Reset(c.end.Sub(now()) - c.left)
	}
}

// has returns what each of some rounds may take, given what is to be left of the budget.
func (c *clock) has(rounds int, left time.Duration) time.Duration {
	return (c.end.Sub(now()) - min(left, c.most)) / time.Duration(rounds)
}

// over reports whether the round has used up its share.
func (c *clock) over() bool { return c != nil && !now().Before(c.share) }

// leave has at least d be left of the budget, as far as the round knows, and reports whether that may be
// left.
func (c *clock) leave(d time.Duration) bool {
	if c == nil {
		return true
	}
	fits := d <= c.most
	if d = min(d, c.most); c.fresh || fits && d > c.left {
		c.left, c.fresh = d, !fits // what may be left says more
		c.timeout.Reset(c.end.Sub(now()) - d)
	}
	return fits
}

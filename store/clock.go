package store

import (
	"fmt"
	"time"
)

// A clock measures the time twice: as the wall clock has it, which may be set, and
// by what has elapsed, which no one can set.
type clock struct {
	opened time.Time // by the wall clock
	now    func() (wall time.Time, elapsed time.Duration)
}

func newClock() clock {
	start := uptime()
	return clock{time.Now().Round(0), func() (time.Time, time.Duration) {
		return time.Now().Round(0), uptime() - start
	}}
}

// A clock that shows a time before this one has not been set yet. A store may be left
// alone for longestIdle without the clock being doubted.
var before = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

const longestIdle = 366 * 24 * time.Hour

// A logTime is what a log says of the time: that of its latest event, and how many
// documents a window of age has.
type logTime struct {
	latest    time.Time
	documents int
}

// time returns the time of events that are accepted now, to the millisecond.
func (c clock) time() time.Time {
	wall, _ := c.now()
	return time.UnixMilli(wall.UnixMilli())
}

// check returns [ErrClock] if an event of now would empty a window of age by
// mistake: where the wall clock has moved ahead, by more than most, of what has
// elapsed since the store was opened, and where all that is in the window is older
// than anybody leaves a store alone.
func (c clock) check(p logTime, age, most time.Duration) error {
	wall, elapsed := c.now()
	if jump := wall.Sub(c.opened.Add(elapsed)); jump > most && c.opened.After(before) {
		return fmt.Errorf("%w: it says %s, and has jumped %v ahead since the store was opened: set it right or, if it is right now, restart",
			ErrClock, wall.UTC().Format(time.DateTime), jump.Round(time.Minute))
	}
	if idle := wall.Sub(p.latest); p.documents > 0 && idle > longestIdle+age && p.latest.After(before) {
		return fmt.Errorf("%w: it says %s, %d days after the latest event, and all %d documents would leave the window: set it right or, if it is right, restart with --clock-jump -1s (Options.ClockJump)",
			ErrClock, wall.UTC().Format(time.DateTime), int(idle.Hours()/24), p.documents)
	}
	return nil
}

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

// Clocks of before are taken for ones that had not been set yet, and longestIdle is
// how long a store may be left alone without the clock being doubted.
var before = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

const longestIdle = 366 * 24 * time.Hour

// time returns the time of events that are accepted now, to the millisecond, or
// [ErrClock] if it would empty the window by mistake. A log that is shared compares
// it with the clock of its own server instead.
//
// Nothing but a window of age reads the time of events. The wall clock is doubted
// where it has moved ahead of what has elapsed since the store was opened, and where
// all that is in the window is older than anybody leaves a store alone.
func (s *Store) time() (time.Time, error) {
	wall, elapsed := s.clock.now()
	at := time.UnixMilli(wall.UnixMilli())
	age, most := s.opts.Window.Age, s.opts.ClockJump
	if age <= 0 || most < 0 || !isOwn(s.log) {
		return at, nil
	}
	if jump := wall.Sub(s.clock.opened.Add(elapsed)); jump > most && s.clock.opened.After(before) {
		return at, fmt.Errorf("%w: it says %s, and has jumped %v ahead since the store was opened: set it right or, if it is right now, restart",
			ErrClock, wall.UTC().Format(time.DateTime), jump.Round(time.Minute))
	}
	s.mu.Lock()
	latest, documents := time.UnixMilli(s.state.pos.Clock), s.state.pos.Documents
	s.mu.Unlock()
	if idle := wall.Sub(latest); documents > 0 && idle > longestIdle+age && latest.After(before) {
		return at, fmt.Errorf("%w: it says %s, %d days after the latest event, and all %d documents would leave the window: set it right or, if it is right, restart with --clock-jump -1s (Options.ClockJump)",
			ErrClock, wall.UTC().Format(time.DateTime), int(idle.Hours()/24), documents)
	}
	return at, nil
}

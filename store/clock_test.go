package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"bayes"
)

// at makes a store believe that the wall clock, and what has elapsed, say this.
func at(s *Store, wall time.Time, elapsed time.Duration) {
	s.clock.now = func() (time.Time, time.Duration) { return wall, elapsed }
}

// A clock that is set ahead, while the store is open or before, does not empty a
// window of age. What is refused can be learned once the clock is right, or once it
// has been said that it is.
func TestClockAhead(t *testing.T) {
	const day = 24 * time.Hour
	dir := t.TempDir()
	opts := &Options{Window: Window{Age: 30 * day}}
	s := mustOpen(t, dir, nil, opts)
	learn := func(id string) error {
		_, err := s.Learn(ctx, entry(id, "a", "text "+id))
		return err
	}
	reopen := func() {
		t.Helper()
		s.Close()
		s = mustOpen(t, dir, nil, opts)
	}
	wantRefused := func(what, advice string) {
		t.Helper()
		err := learn("refused")
		if !errors.Is(err, ErrClock) || !strings.Contains(err.Error(), advice) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		if n := s.Counts().Examples(); n == 0 {
			t.Fatalf("%s: the window is empty", what)
		}
	}
	want := func(what string, id string, documents int64) {
		t.Helper()
		if err := learn(id); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if n := s.Counts().Examples(); n != documents {
			t.Errorf("%s: %d documents", what, n)
		}
	}
	start := time.Now()
	want("at first", "1", 1)
	at(s, start.AddDate(10, 0, 0), time.Hour)
	wantRefused("ten years ahead", "restart")
	at(s, start.Add(26*time.Hour), time.Hour)
	wantRefused("a day and an hour ahead", "restart")
	at(s, start.Add(26*time.Hour), 3*time.Hour)
	want("23 hours ahead", "2", 2)
	at(s, start.Add(20*day), 20*day)
	want("twenty days later", "3", 3)
	at(s, start.Add(-300*day), 0)
	want("behind", "4", 4)

	reopen()
	s.clock.opened = start.AddDate(10, 0, 0)
	at(s, s.clock.opened, 0)
	wantRefused("started ten years ahead", "--clock-jump")
	s.clock.opened = start.Add(100 * day)
	at(s, s.clock.opened, 0)
	want("nothing was learned for a season", "5", 1)
	s.clock.opened = time.UnixMilli(0)
	at(s, start.Add(100*day), time.Minute)
	want("started in 1970, and set right", "6", 2)

	opts.ClockJump = -1
	reopen()
	at(s, start.AddDate(10, 0, 0), 0)
	want("the clock is right", "7", 1)

	s = mustOpen(t, t.TempDir(), nil, &Options{Window: Window{Documents: 3}})
	want("no window of age", "1", 1)
	at(s, start.AddDate(10, 0, 0), 0)
	want("no window of age, ten years ahead", "2", 2)
}

// An event of any time that is in the log is applied: a log must replay.
func TestClockAheadInLog(t *testing.T) {
	dir := t.TempDir()
	opts := &Options{Window: Window{Age: 30 * 24 * time.Hour}}
	s := mustOpen(t, dir, nil, opts)
	if _, err := s.Learn(ctx, entry("1", "a", "b")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	l := mustOpenBolt(t, dir+"/log.db")
	ahead := Event{Op: OpLearn, ID: "2", Time: time.Now().AddDate(10, 0, 0), Example: bayes.Example{Label: "a", Text: "c"}}
	if _, err := l.Append(ctx, []Event{ahead}); err != nil {
		t.Fatal(err)
	}
	l.Close()
	s = mustOpen(t, dir, nil, opts)
	if _, ok, err := s.Lookup("2"); !ok || err != nil || s.Counts().Examples() != 1 {
		t.Errorf("%v, %v, %d documents", ok, err, s.Counts().Examples())
	}
}

package store

import (
	"log/slog"
	"time"

	"bayes"
	"bayes/text"
)

// Options are options for [Open]. A nil *Options is the zero value.
type Options struct {
	// Counts and Model are what a new store begins with: what is already known,
	// over the Space that documents are read in, and how it is fitted. Nil means
	// NewCounts(nil) and Multinomial{}. A store that exists has its own.
	Counts *bayes.Counts
	Model  bayes.EventModel

	Languages []*text.Language // that the Space of a store that exists may name

	Window Window // what counts; the zero Window means everything

	// AnyVersion accepts events that take documents out of counts whose texts were cut
	// by another version of the analyzer than this program has.
	AnyVersion bool

	// Refit is how long to gather changes before they are made visible by a new
	// model; zero means not at all, or, where fitting takes long, 10 ms.
	Refit time.Duration

	// Memory limits the counts and the model of the store, together with those of all other
	// stores that are given the same Memory. Nil means that there is no limit.
	Memory *Memory

	// Disk is how many bytes the folder may have before no more is learned; zero means that
	// there is no limit. Snapshots, and a log that is copied, take more for a while.
	Disk int64

	// SnapshotEvery is after how many events to write a snapshot; zero means
	// 10,000. There is also one after every 64 MiB of events, and on Close.
	SnapshotEvery int

	// EraseWithin is how long a document that was unlearned, replaced or left the
	// window may still be readable on disk; zero means an hour. If there is no
	// snapshot by then, one is written.
	EraseWithin time.Duration

	// ClockJump is how far the machine's clock may be set ahead while the store is
	// open, before a store with a Window of Age says [ErrClock]; zero means a day.
	// Less than zero means that the clock is believed whatever it says.
	ClockJump time.Duration

	// Log is told when learning, fitting or saving begins to fail, and when it
	// works again. Nil means nobody is.
	Log *slog.Logger

	atOnce bool // whether Refit is zero
}

// withDefaults returns o with its zero values replaced.
func (o *Options) withDefaults() *Options {
	if o == nil {
		o = new(Options)
	}
	d := *o
	if d.Refit <= 0 {
		d.atOnce = true
		d.Refit = 10 * time.Millisecond
	}
	if d.SnapshotEvery <= 0 {
		d.SnapshotEvery = 10_000
	}
	if d.ClockJump == 0 {
		d.ClockJump = 24 * time.Hour
	}
	if d.EraseWithin <= 0 {
		d.EraseWithin = time.Hour
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &d
}

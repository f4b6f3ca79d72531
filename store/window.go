package store

import "time"

// A Window says how much of the past counts. Where there is one, the oldest
// documents are taken out, exactly, as new ones arrive; what Options.Counts held
// stays. The zero Window takes nothing out.
//
// Time is told by the events alone: it is the latest time of any event so far.
// So the same log gives the same counts, however late it is read, and nothing
// becomes too old while nothing arrives.
//
// All replicas that share a log must have the same Window. Where a store had none
// before, documents that had no ID stay for good.
type Window struct {
	Documents int           // if positive, the number of documents that count, the latest ones
	Age       time.Duration // if positive, how old a document that counts can be
}

func (w Window) open() bool { return w.Documents <= 0 && w.Age <= 0 }

package store

import (
	"fmt"

	"bayes"
)

// A growth bounds the memory and the disk that a store takes: by the size of its counts when
// they were last measured, and by how much they can have grown since.
type growth struct {
	memory  *Memory // nil without a limit
	maxDisk int64   // bytes on disk; zero without a limit

	claimed       int64 // bytes of memory
	measured      size  // of the counts, not long ago
	sinceMeasured size  // by how much they can have grown since
	inFlight      size  // by how much they can grow by what is on its way to the log
	disk          int64 // bytes of the folder when the counts were measured
}

// unlimited reports whether everything is accepted.
func (g *growth) unlimited() bool { return g.memory == nil && g.maxDisk <= 0 }

// accept makes room for more, or returns [ErrMemory] or [ErrFull].
func (g *growth) accept(more size) error {
	if written := g.disk + g.sinceMeasured.documents + g.inFlight.documents; g.maxDisk > 0 && written+more.documents > g.maxDisk {
		return fmt.Errorf("%w: the store has %d MiB on disk, of at most %d", ErrFull, written>>20, g.maxDisk>>20)
	}
	if g.memory != nil {
		need := g.measured.plus(g.sinceMeasured).plus(g.inFlight).plus(more).bytes()
		if err := g.memory.change(g.claimed, need, false); err != nil {
			return err
		}
		g.claimed = need
	}
	g.inFlight = g.inFlight.plus(more)
	return nil
}

// settle notes that what was accepted is applied, or never will be.
func (g *growth) settle(more size) {
	g.inFlight = g.inFlight.minus(more)
	g.sinceMeasured = g.sinceMeasured.plus(more)
}

// measure replaces what counts may have become by what they are: these, with documents that
// are not in a snapshot yet, in a folder.
func (g *growth) measure(c *bayes.Counts, unsaved int64, dir string) {
	g.measured, g.sinceMeasured = sizeOf(c), size{}
	g.measured.documents = unsaved
	g.disk = folderSize(dir)
}

// outgrown returns [ErrMemory] if counts that have just been measured are too large to be
// fitted.
func (g *growth) outgrown() error {
	if g.memory == nil {
		return nil
	}
	need := g.measured.plus(g.inFlight).bytes()
	err := g.memory.change(g.claimed, need, false)
	if err != nil { // the counts are there all the same
		need = g.measured.counts()
		g.memory.change(g.claimed, need, true)
	}
	g.claimed = need
	return err
}

// release gives the memory to others.
func (g *growth) release() {
	if g.memory != nil {
		g.memory.change(g.claimed, 0, true)
		g.claimed = 0
	}
}

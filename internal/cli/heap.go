package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// keepHeap lets the heap grow to size before the garbage collector runs. By default it
// runs whenever the heap has doubled, which with a small model is all the time. A heap
// of more than half of size is collected as by default, or as [spareMemory] has it. Nothing
// changes if the environment says how often to collect.
func keepHeap(size uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const least = 4 << 20 // the heap that percents are of, if there is less
	percent := 100
	var adjust func()
	adjust = func() {
		// What was live at the last collection may grow by p percent until the next.
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		live, spare := sample[0].Value.Uint64(), sparing.Load() > 0
		if p := growth(max(live, least), size, spare); p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(limit(live, spare))
		}
		// A finalizer runs once its object was collected: adjust is called again after each
		// collection.
		runtime.SetFinalizer(new(*int), func(**int) { adjust() })
	}
	adjust()
}

// Where memory is spared, a heap grows up to enough, and beyond that by slow percent.
const enough, slow = 1 << 30, 25

// growth returns by how many percent a heap may grow, beyond size or if memory is spared.
func growth(live, size uint64, spare bool) int {
	const double = 100
	switch {
	case live < size/2:
		return int(double * (size - live) / live)
	case spare && live >= enough:
		return slow
	case spare && live > enough/2:
		return max(slow, int(double*(enough-live)/live))
	}
	return double
}

// limit returns how much memory there is to be, if memory is spared: most, which then is given back to the system rather than kept for
// later, or what a larger heap needs in order not to be collected all the time.
func limit(live uint64, spare bool) int64 {
	const most = 2_750_000_000
	if !spare {
		return math.MaxInt64
	}
	return max(most, int64(live+live/10))
}

// sparing is how many times memory is spared at the moment.
var sparing atomic.Int32

// spareMemory has a large heap be collected more often than by default until it is called back: a search, or
// what learns corrections, holds most of what it allocates, and is mostly numbers, which are collected at
// little cost.
func spareMemory() (back func()) {
	sparing.Add(1)
	return func() { sparing.Add(-1) }
}

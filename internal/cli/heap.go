package cli

import (
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
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		if p := growth(max(live[0].Value.Uint64(), least), size, sparing.Load() > 0); p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
		// A finalizer runs once its object was collected: adjust is called again after each
		// collection.
		runtime.SetFinalizer(new(*int), func(**int) { adjust() })
	}
	adjust()
}

// Where memory is spared, a heap grows up to enough, and beyond that by slow percent, or less of what it takes not to be
// larger than most, though never by less than slowest.
const enough, most, slow, slowest = 1 << 30, 2_200_000_000, 25, 5

// growth returns by how many percent a heap may grow, beyond size or if memory is spared.
func growth(live, size uint64, spare bool) int {
	const double = 100
	switch {
	case live < size/2:
		return int(double * (size - live) / live)
	case spare && live >= enough:
		return min(slow, max(slowest, 100*(most-int(live))/int(live)))
	case spare && live > enough/2:
		return max(slow, int(double*(enough-live)/live))
	}
	return double
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

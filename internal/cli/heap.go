package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// keepHeap has the heap grow to size before it is collected, where it would otherwise be
// collected as often as it has doubled: with a small model, all the time. What takes more
// than half of size is treated as ever. Nothing changes if the environment says how often
// to collect.
func keepHeap(size uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const double = 100    // percent
	const least = 4 << 20 // the heap that percents are of, if there is less
	percent := double
	var adjust func()
	adjust = func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		p := double
		if n := max(live[0].Value.Uint64(), least); n < size/2 {
			p = int(double * (size - n) / n)
		}
		if p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
		runtime.SetFinalizer(new(*int), func(**int) { adjust() }) // after the next collection
	}
	adjust()
}

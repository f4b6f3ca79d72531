package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// keepHeap lets the heap grow to size before the garbage collector runs. By default it
// runs whenever the heap has doubled, which with a small model is all the time. A heap
// of more than half of size is collected as by default. Nothing changes if the
// environment says how often to collect.
func keepHeap(size uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const double = 100    // percent
	const least = 4 << 20 // the heap that percents are of, if there is less
	percent := double
	var adjust func()
	adjust = func() {
		// What was live at the last collection may grow by p percent until the next.
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
		// A finalizer runs once its object was collected: adjust is called again after each
		// collection.
		runtime.SetFinalizer(new(*int), func(**int) { adjust() })
	}
	adjust()
}

package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// What is small is collected as seldom as was asked for, and again so after a collection.
func TestKeepHeap(t *testing.T) {
	before, set := os.LookupEnv("GOGC")
	os.Unsetenv("GOGC")
	defer func() {
		debug.SetGCPercent(100)
		if set {
			os.Setenv("GOGC", before)
		}
	}()
	for range 2 { // what other tests left is not live
		runtime.GC()
	}
	live := heapOf("/gc/heap/live:bytes")
	keepHeap(live + 256<<20)
	for range 3 {
		start := heapOf("/gc/cycles/automatic:gc-cycles")
		for range 128 {
			garbage = make([]byte, 1<<20)
		}
		if n := heapOf("/gc/cycles/automatic:gc-cycles") - start; n > 1 {
			t.Errorf("128 MiB were collected %d times", n)
		}
	}
}

var garbage []byte

func heapOf(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

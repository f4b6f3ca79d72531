package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"bayes/internal/testdata"
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

// BenchmarkKeepHeap predicts the lines of a file with a small model, as the collector runs by
// default and as keepHeap has it run.
func BenchmarkKeepHeap(b *testing.B) {
	model := filepath.Join(b.TempDir(), "mr.nb")
	run := func(args ...string) {
		if code := newApp(strings.NewReader(""), io.Discard, io.Discard).run(context.Background(), args); code != exitDone {
			b.Fatalf("bayes %v: exit code %d", args, code)
		}
	}
	run("train", testdata.Path(b, "mr/train.csv"), "-o", model)
	predict := func(b *testing.B) {
		for b.Loop() {
			run("predict", model, testdata.Path(b, "nsmc/test.csv"))
		}
	}
	b.Run("by default", predict)
	keepHeap(32 << 20)
	defer debug.SetGCPercent(100)
	b.Run("keepHeap", predict)
}

package cli

import (
	"context"
	"io"
	"math"
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

// Where memory is spared, a large heap grows by a quarter instead of doubling, and a small one as ever.
func TestGrowth(t *testing.T) {
	const size = 32 << 20
	for _, tt := range []struct {
		live         uint64
		plain, spare int
	}{{8 << 20, 300, 300}, {100 << 20, 100, 100}, {enough / 2, 100, 100}, {enough * 2 / 3, 100, 50}, {enough * 9 / 10, 100, 25}, {enough, 100, 25}, {8 * enough, 100, 25}} {
		if p, s := growth(tt.live, size, false), growth(tt.live, size, true); p != tt.plain || s < tt.spare-1 || s > tt.spare+1 {
			t.Errorf("of %d MB live, the heap grows by %d%%, spared %d%%", tt.live>>20, p, s)
		}
	}
}

// There is no limit unless memory is spared, and a heap that is near it has room all the same.
func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		live  uint64
		spare bool
		want  int64
	}{{1 << 20, false, math.MaxInt64}, {4 << 30, false, math.MaxInt64}, {1 << 20, true, 2_750_000_000}, {2_400_000_000, true, 2_750_000_000}, {2_600_000_000, true, 2_860_000_000}, {10_000_000_000, true, 11_000_000_000}} {
		if got := limit(tt.live, tt.spare); got != tt.want {
			t.Errorf("of %d bytes live, spared %v, the limit is %d, want %d", tt.live, tt.spare, got, tt.want)
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

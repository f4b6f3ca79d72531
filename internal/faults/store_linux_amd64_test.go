package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// faultsOf returns the faults that are tried with a call of a name.
func faultsOf(name string) []fault {
	list := []fault{
		{name: name, effect: fails, errno: syscall.EIO},
		{name: name, effect: fails, errno: syscall.EIO, onward: true},
		{name: name, effect: dies},
		{name: name, effect: diesDone},
	}
	more := func(effect effect, errnos ...syscall.Errno) {
		for _, errno := range errnos {
			list = append(list, fault{name: name, effect: effect, errno: errno})
		}
	}
	switch name {
	case "write", "pwrite64":
		more(torn, syscall.EIO, syscall.ENOSPC)
		more(short, 0)
		more(diesTorn, 0)
		more(fails, syscall.ENOSPC)
	case "fsync", "fdatasync", "ftruncate", "renameat", "linkat", "mkdirat":
		more(fails, syscall.ENOSPC)
	case "openat":
		more(fails, syscall.ENOSPC, syscall.EMFILE)
	case "mmap":
		more(fails, syscall.ENOMEM)
	case "flock":
		more(fails, syscall.ENOLCK, syscall.EWOULDBLOCK)
	}
	return list
}

// tried says how often things were tried.
type tried struct{ runs, faults atomic.Int64 }

// eachFault calls f with the faults of all calls that a process makes, every
// stride-th, until it no longer reports that there was such a call.
func eachFault(t *testing.T, counts map[string]int, stride int, f func(t *testing.T, f fault) (faulty int)) {
	var total tried
	jobs := make(chan fault)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for j := range jobs {
				total.runs.Add(1)
				total.faults.Add(int64(f(t, j)))
			}
		})
	}
	at := 0
	for name := range counts {
		for _, j := range faultsOf(name) {
			for j.n = 1; j.n <= counts[name]; j.n++ {
				if at++; at%stride == 0 {
					jobs <- j
				}
			}
		}
	}
	close(jobs)
	workers.Wait()
	t.Logf("%d runs with %d faults, in calls %v", total.runs.Load(), total.faults.Load(), counts)
}

// stride returns every how manieth fault is tried.
func stride(sampled int) int {
	if long {
		return 1
	}
	return sampled
}

// A store of which any system call fails, once or from then on, or is the last,
// holds what it acknowledged, and nothing of what it said had failed.
func TestStoreFaults(t *testing.T) {
	t.Parallel()
	root := scratch(t)
	const steps = 12
	var folders atomic.Int64
	try := func(t *testing.T, f *fault) *run {
		root := filepath.Join(root, fmt.Sprint(folders.Add(1)))
		defer os.RemoveAll(root)
		if err := os.Mkdir(root, 0o700); err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(root, "store")
		r := trace(t, root, f, 0, []string{"FAULTS_STORE=" + folder, fmt.Sprintf("FAULTS_STEPS=0-%d %d-%d", steps/2, steps/2, steps)}, this(t))
		said := r.output(1)
		if strings.Contains(r.output(2), "panic") || strings.Contains(r.output(2), "fatal") {
			t.Errorf("%v: the process crashed:\n%s", f, r.output(2))
		}
		if err := checkStore(folder, outcomes(t, said), steps, 0); err != nil {
			t.Errorf("%v: %v\nThe process said\n%s%s", f, err, said, r.output(2))
		}
		return r
	}
	r := try(t, nil)
	if n := strings.Count(r.output(1), "done"); n != steps {
		t.Fatalf("without a fault it takes %d of %d steps", n, steps)
	}
	eachFault(t, r.counts, stride(29), func(t *testing.T, f fault) int { return try(t, &f).faulty })
}

// After a power cut at any moment a store holds what it acknowledged, and nothing
// by halves. So does one whose recovery is cut.
func TestStoreLostWrites(t *testing.T) {
	t.Parallel()
	limit := 3
	if long {
		limit = 8
	}
	for _, window := range []int{0, 6} {
		t.Run(fmt.Sprint("window ", window), func(t *testing.T) {
			t.Parallel()
			d := newDisk(t, scratch(t))
			folder := filepath.Join(d.root, "store")
			for _, steps := range []string{"0-6!", "6-9 9-12!", "12-14"} {
				r := d.run(t, []string{"FAULTS_STORE=" + folder, "FAULTS_STEPS=" + steps, fmt.Sprintf("FAULTS_WINDOW=%d", window)}, this(t))
				if r.status.ExitStatus() != 0 {
					t.Fatal(r.output(1), r.output(2))
				}
			}
			n := d.eachLoss(t, limit, func(folder, said string) error {
				return checkStore(filepath.Join(folder, "store"), outcomes(t, said), 14, window)
			})
			t.Logf("%d power cuts, after %d changes and %d syncs", n, len(d.changes), len(d.moments())-1)
		})
	}
}

package faults

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	longer "bayes/internal/long"
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

// eachFault calls f with the faults of the calls that a process makes, on two
// goroutines: with all of them, or those of every stride-th call of each name,
// another one for each fault. f returns how many calls were interfered with.
func eachFault(t *testing.T, counts map[string]int, f func(t *testing.T, f fault) (faulty int)) {
	stride, kinds := [...]int{quick: 97, ci: 11, long: 1}[level()], 1
	if longer.Sample(t, "every kind of fault, not every third, in more of the calls") {
		kinds = 3
	}
	var runs, faulty atomic.Int64
	jobs := make(chan fault)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for j := range jobs {
				runs.Add(1)
				faulty.Add(int64(f(t, j)))
			}
		})
	}
	at := 0
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		for _, j := range faultsOf(name) {
			at++
			if at%kinds != 0 {
				continue
			}
			for j.n = 1 + at*7%min(stride, counts[name]); j.n <= counts[name]; j.n += stride {
				jobs <- j
			}
		}
	}
	close(jobs)
	workers.Wait()
	t.Logf("%d runs with %d faults, in calls %v", runs.Load(), faulty.Load(), counts)
}

// A store holds what it acknowledged, and nothing of what it said had failed,
// whichever of its system calls fails, once or from then on, or is the last.
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
	eachFault(t, r.counts, func(t *testing.T, f fault) int { return try(t, &f).faulty })
}

// After a power cut at any moment a store holds what it acknowledged, and nothing
// by halves. So does one whose recovery is cut.
func TestStoreLostWrites(t *testing.T) {
	t.Parallel()
	limit, runs, steps, recoveries := 1, []string{"0-4!", "4-6"}, 6, 0
	switch level() {
	case ci:
		limit, runs, steps, recoveries = 3, []string{"0-6!", "6-9 9-12!", "12-14"}, 14, 3
	case long:
		limit, runs, steps, recoveries = 9, []string{"0-25!", "25-40 40-60!", "60-61", "61-62!", "62-100"}, 100, 40
	}
	for _, window := range []int{0, 6} {
		t.Run(fmt.Sprint("window ", window), func(t *testing.T) {
			t.Parallel()
			d := newDisk(t, scratch(t))
			for _, steps := range runs {
				d.learn(t, nil, steps, window)
			}
			n, sample := eachLoss(t, d.losses(limit), recoveries, func(folder string, l *loss) error {
				return checkStore(filepath.Join(folder, "store"), outcomes(t, l.said), steps, window)
			})
			t.Logf("%d power cuts, after %d changes and %d syncs", n, len(d.changes), len(d.moments())-1)

			n = 0
			for _, first := range sample {
				root := scratch(t)
				if err := first.write(root); err != nil {
					t.Fatal(err)
				}
				d := newDisk(t, root)
				d.learn(t, nil, fmt.Sprintf("%d-%d", steps, steps+3), window)
				m, _ := eachLoss(t, d.losses(limit), 0, func(folder string, l *loss) error {
					if err := checkStore(filepath.Join(folder, "store"), outcomes(t, first.said+l.said), steps+3, window); err != nil {
						return fmt.Errorf("after %s: %w", first.what, err)
					}
					return nil
				})
				n += m
			}
			t.Logf("%d power cuts in %d recoveries", n, len(sample))
		})
	}
}

// What a process that was killed had written without a sync is there for the next
// one, which must not build on it: after a power cut it may be gone.
func TestStoreKilledThenPowerCut(t *testing.T) {
	t.Parallel()
	const steps = 8
	whole := newDisk(t, scratch(t))
	writes := whole.learn(t, nil, fmt.Sprintf("0-%d", steps), 0).counts["pwrite64"]
	stride := [...]int{quick: 90, ci: 9, long: 1}[level()]
	runs, total := 0, 0
	for n := 3; n <= writes; n += stride {
		d := newDisk(t, scratch(t))
		d.learn(t, &fault{name: "pwrite64", n: n, effect: diesDone}, fmt.Sprintf("0-%d", steps), 0)
		begin := d.moment
		d.learn(t, nil, fmt.Sprintf("%d-%d!", steps, steps+2), 0)
		later := func(yield func(*loss) bool) {
			for l := range d.losses(3) {
				if l.moment > begin && !yield(l) {
					return
				}
			}
		}
		m, _ := eachLoss(t, later, 0, func(folder string, l *loss) error {
			if err := checkStore(filepath.Join(folder, "store"), outcomes(t, l.said), steps+2, 0); err != nil {
				return fmt.Errorf("killed after write %d, and then %w", n, err)
			}
			return nil
		})
		runs++
		total += m
	}
	t.Logf("%d kills, %d power cuts after the next process began", runs, total)
}

// learn records a process that learns.
func (d *disk) learn(t *testing.T, f *fault, steps string, window int) *run {
	t.Helper()
	env := []string{"FAULTS_STORE=" + filepath.Join(d.root, "store"), "FAULTS_STEPS=" + steps, fmt.Sprintf("FAULTS_WINDOW=%d", window)}
	r := d.run(t, f, env, this(t))
	if !r.status.Signaled() && r.status.ExitStatus() != 0 {
		t.Fatal(r.output(1), r.output(2))
	}
	return r
}

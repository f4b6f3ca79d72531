package store

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bayes"
	"bayes/internal/long"
)

// processes are what the test binary can be: which, a variable of the environment
// says, whose value is a folder.
var processes = map[string]func(dir string) error{
	"STORE_TEST_LEARN": func(dir string) error {
		return learnForever(dir, os.Getenv("STORE_TEST_REDIS"), strings.Fields(os.Getenv("STORE_TEST_FROM")))
	},
}

func TestMain(m *testing.M) {
	for name, run := range processes {
		if dir := os.Getenv(name); dir != "" {
			if err := run(dir); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(long.Tests{M: m}.Run())
}

const workers = 8

// changesOf returns what a worker does at its step k: some changes, to documents
// of its own, and one that tells whether it was done.
func changesOf(worker, k int) []Event {
	r := rand.New(rand.NewPCG(uint64(worker), uint64(k)))
	var list []Event
	for range r.IntN(3) {
		e := Event{Op: []Op{OpLearn, OpLearn, OpUnlearn, OpRelabel}[r.IntN(4)], ID: fmt.Sprintf("%d-%d", worker, r.IntN(20))}
		if e.Op != OpUnlearn {
			e.Example.Label = []string{"ham", "spam", "other"}[r.IntN(3)]
		}
		if e.Op == OpLearn {
			e.Example.Text = fmt.Sprintf("text %d of %d", r.IntN(3), worker)
		}
		list = append(list, e)
	}
	return append(list, Event{Op: OpLearn, Example: bayes.Example{Label: "done", Text: doneWord(worker, k)}})
}

func doneWord(worker, k int) string { return fmt.Sprintf("done%dx%d", worker, k) }

// learnForever says on the standard output what has been acknowledged: worker
// and step.
func learnForever(dir, redis string, from []string) error {
	var log Log
	if redis != "" {
		var err error
		if log, err = OpenRedis(redis); err != nil {
			return err
		}
	}
	s, err := Open(ctx, dir, log, &Options{SnapshotEvery: 50, EraseWithin: 10 * time.Millisecond})
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for w := range workers {
		k, err := strconv.Atoi(from[w])
		if err != nil {
			return err
		}
		wg.Go(func() {
			for ; ; k++ {
				for {
					_, err := s.Apply(ctx, changesOf(w, k)...)
					if err == nil {
						break
					}
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Fprintln(os.Stdout, w, k) // one write
			}
		})
	}
	wg.Wait()
	return nil
}

// learner is such a process.
type learner struct {
	cmd   *exec.Cmd
	out   *bufio.Scanner
	errs  bytes.Buffer
	acked [workers]int // steps
}

func startLearner(t *testing.T, dir, redis string, from [workers]int) *learner {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l := &learner{cmd: exec.Command(self), acked: from}
	l.cmd.Env = append(os.Environ(), "STORE_TEST_LEARN="+dir, "STORE_TEST_REDIS="+redis, "STORE_TEST_FROM="+strings.Trim(fmt.Sprint(from), "[]"))
	l.cmd.Stderr = &l.errs
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	l.out = bufio.NewScanner(out)
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.cmd.Process.Kill(); l.cmd.Wait() })
	return l
}

// kill ends the process, after a while, in the middle of whatever it is doing.
func (l *learner) kill(t *testing.T, after time.Duration) {
	t.Helper()
	timer := time.AfterFunc(after, func() { l.cmd.Process.Kill() })
	defer timer.Stop()
	for l.out.Scan() {
		var w, k int
		if _, err := fmt.Sscan(l.out.Text(), &w, &k); err != nil || k != l.acked[w] {
			t.Fatalf("%q after step %v: %v", l.out.Text(), l.acked, err)
		}
		l.acked[w]++
	}
	l.cmd.Wait()
	if l.errs.Len() > 0 {
		t.Fatal(l.errs.String())
	}
}

// settle returns how far each worker is by the store's counts: at what was
// acknowledged, or one step further, since the last one may have been done but
// not said so. It checks that the store is that of these steps.
func settle(t *testing.T, s *Store, acked [workers]int) [workers]int {
	t.Helper()
	c := s.Counts()
	var ref reference
	for w := range acked {
		if c.At("done", doneWord(w, acked[w])).Examples > 0 {
			acked[w]++
		}
		for k := range acked[w] {
			for _, e := range changesOf(w, k) {
				ref.apply(e)
			}
		}
	}
	if !bytes.Equal(file(t, s), batch(t, bayes.Multinomial{}, ref.examples()...)) {
		t.Fatalf("the counts are not those of the steps %v", acked)
	}
	return acked
}

// A process that is killed at any moment, also while it erases, which it does
// every ten milliseconds, has lost nothing that it acknowledged, and has counted
// nothing twice. What it left is erased by the next one, and its files are whole.
func TestCrash(t *testing.T) {
	kills := 50
	switch {
	case testing.Short():
		kills = 5
	case long.Sample(t, "50 kills, not 15"):
		kills = 15
	}
	root := t.TempDir()
	dir := filepath.Join(root, "store")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	var steps [workers]int
	for i := range kills {
		l := startLearner(t, dir, "", steps)
		l.kill(t, time.Duration(rand.IntN(150))*time.Millisecond)
		copied := filepath.Join(root, fmt.Sprint(i)) // so that the next process finds what this one left
		copyFolder(t, dir, copied)
		s, err := Open(ctx, copied, nil, nil)
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		steps = settle(t, s, l.acked)
		erased(t, s) // what the process had taken out and, maybe, half erased
		s.Close()
		if r := mustCheck(t, copied); len(r.Damage)+len(r.Notes) > 0 {
			t.Fatalf("after kill %d: %q, %q", i, r.Damage, r.Notes)
		}
		os.RemoveAll(copied)
	}
	t.Logf("%d kills; steps acknowledged or done by each worker: %v", kills, steps)
}

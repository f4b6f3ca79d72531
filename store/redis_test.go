//go:build unix

package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bayes"
	"bayes/internal/long"
)

// redisServer is a real one, of its own, that keeps what it was told.
type redisServer struct {
	t   testing.TB
	dir string
	cmd *exec.Cmd
}

func startRedis(t testing.TB) *redisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no redis-server")
		}
		t.Skip("there is no redis-server: apt-get install redis-server")
	}
	dir, err := os.MkdirTemp("", "redis") // a short name, as sockets need
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &redisServer{t: t, dir: dir}
	t.Cleanup(r.kill) // even if start fails
	r.start()
	return r
}

func (r *redisServer) start() {
	r.t.Helper()
	r.cmd = exec.Command("redis-server",
		"--port", "0", "--unixsocket", "socket", "--dir", r.dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always")
	r.cmd.Dir = r.dir
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	l := r.log()
	defer l.Close()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, _, err := l.Bounds(ctx); err == nil {
			return
		} else if time.Now().After(deadline) {
			r.t.Fatal(err)
		}
	}
}

func (r *redisServer) kill() {
	if r.cmd == nil || r.cmd.Process == nil {
		return
	}
	r.cmd.Process.Kill()
	r.cmd.Wait()
}

func (r *redisServer) url() string {
	return "unix://" + filepath.Join(r.dir, "socket") + "?stream=test"
}

func (r *redisServer) log() Log {
	r.t.Helper()
	l, err := OpenRedis(r.url())
	if err != nil {
		r.t.Fatal(err)
	}
	return l
}

func TestRedisLog(t *testing.T) {
	r := startRedis(t)
	testLog(t, func(t *testing.T) Log { return r.log() })
}

// settled waits until a store has applied what is in its log.
func settled(t testing.TB, s *Store) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		lag, err := s.Lag(ctx)
		if err == nil && lag == 0 && s.Status().Log == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("it lags %d behind: %v, %v", lag, err, s.Status().Log)
		}
	}
}

// Two replicas learn at once; one is killed again and again. Redis is killed and
// restarted, and stopped for a while. Nothing acknowledged is lost, nothing is
// counted twice, and in the end the two are the same, byte for byte.
func TestReplicas(t *testing.T) {
	kills := 8
	switch {
	case testing.Short():
		kills = 2
	case long.Sample(t, "8 kills, not 4"):
		kills = 4
	}
	r := startRedis(t)
	root := t.TempDir()
	here := mustOpen(t, filepath.Join(root, "here"), r.log(), &Options{SnapshotEvery: 40})
	there := filepath.Join(root, "there")
	mustOpen(t, there, r.log(), nil).Close() // so that here keeps in the log what there will need
	var steps [workers]int
	for range kills {
		l := startLearner(t, there, r.url(), steps)
		for i := range 30 { // while it does
			if _, err := here.Learn(ctx, entry("here-"+fmt.Sprint(i%7), fmt.Sprint(rand.IntN(2)), "a b"), entry("", "done", "here")); err != nil {
				t.Fatal(err)
			}
		}
		l.kill(t, time.Duration(rand.IntN(200))*time.Millisecond)
		steps = l.acked
		for range 2 { // the second time, Redis has read whatever the process had sent
			settled(t, here)
		}
		for w := range steps { // the step that was done but not said so
			if here.Counts().At("done", doneWord(w, steps[w])).Examples > 0 {
				steps[w]++
			}
		}
	}

	r.kill()
	wantUnavailable(t, here)
	r.start()
	learnSoon(t, here, entry("after the restart", "a", "b"))

	r.cmd.Process.Signal(syscall.SIGSTOP)
	outage := 10 * time.Second
	if testing.Short() {
		outage = 0
	}
	for start := time.Now(); ; {
		wantUnavailable(t, here) // after two seconds
		if time.Since(start) >= outage {
			break
		}
	}
	r.cmd.Process.Signal(syscall.SIGCONT)
	learnSoon(t, here, entry("after the stop", "a", "b"))

	s := mustOpen(t, there, r.log(), nil)
	settled(t, here)
	settled(t, s)
	if !bytes.Equal(file(t, here), file(t, s)) {
		t.Fatal("the replicas differ")
	}
	for _, id := range []string{"after the restart", "after the stop"} {
		if _, ok, err := s.Lookup(id); !ok || err != nil {
			t.Errorf("what was learned %s is lost: %v", id, err)
		}
	}
	if n := s.Counts().At("done", "here").Examples; n != int64(30*kills) {
		t.Errorf("%d of %d documents learned here", n, 30*kills)
	}
	for w, k := range steps {
		for step := range k {
			if n := s.Counts().At("done", doneWord(w, step)).Examples; n != 1 {
				t.Fatalf("step %d of worker %d is counted %d times", step, w, n)
			}
		}
	}
}

// wantUnavailable checks that a store whose log is away says so and predicts.
func wantUnavailable(t *testing.T, s *Store) {
	t.Helper()
	if _, err := s.Learn(ctx, entry("x", "a", "never")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("learning says %v", err)
	}
	if p := s.Model().Predict(bayes.Document{Text: "a"}); len(p.Classes) == 0 {
		t.Error("it does not predict")
	}
}

// learnSoon learns, as soon as the log is back.
func learnSoon(t *testing.T, s *Store, e Entry) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, err := s.Learn(ctx, e)
		if err == nil {
			return
		}
		if !errors.Is(err, ErrUnavailable) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// The stream is trimmed to what some replica has no snapshot of.
func TestRedisCompact(t *testing.T) {
	r := startRedis(t)
	l := r.log()
	defer l.Close()
	if _, err := l.Append(ctx, events(1, 20)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		through, first uint64
	}{
		{"a", 0, 1}, {"b", 7, 1}, {"a", 9, 7}, {"b", 20, 9}, {"a", 20, 20}, {"c", 3, 20},
	} {
		if err := l.Compact(ctx, c.name, c.through); err != nil {
			t.Fatal(err)
		}
		if first, last, err := l.Bounds(ctx); first != c.first || last != 20 || err != nil {
			t.Errorf("%s has %d: the log holds %d to %d: %v", c.name, c.through, first, last, err)
		}
	}
	// A replica that begins now has nothing to begin with.
	if _, err := Open(ctx, t.TempDir(), r.log(), nil); !errors.Is(err, ErrLost) {
		t.Errorf("a new replica: %v", err)
	}
}

// A server that has lost events is found out, even if it has others in their
// place.
func TestRedisLoses(t *testing.T) {
	r := startRedis(t)
	s := mustOpen(t, t.TempDir(), r.log(), nil)
	if _, err := s.Learn(ctx, entry("1", "a", "b"), entry("2", "a", "b")); err != nil {
		t.Fatal(err)
	}
	r.kill()
	if err := os.RemoveAll(filepath.Join(r.dir, "appendonlydir")); err != nil {
		t.Fatal(err)
	}
	r.start()
	other := r.log()
	defer other.Close()
	if _, err := other.Append(ctx, events(1, 10)); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); !errors.Is(s.Status().Log, ErrLost); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the status is %v", s.Status().Log)
		}
	}
	if _, err := s.Learn(ctx, entry("3", "a", "b")); !errors.Is(err, ErrLost) {
		t.Errorf("learning says %v", err)
	}
}

// A server whose memory is full, or that is a follower, refuses.
func TestRedisRefuses(t *testing.T) {
	r := startRedis(t)
	l := r.log().(*redisLog)
	defer l.Close()
	if err := l.client.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Bounds(ctx); err != nil {
		t.Errorf("full memory, reading: %v", err)
	}
	if _, err := l.Append(ctx, events(1, 2)); !errors.Is(err, ErrFull) {
		t.Errorf("full memory: %v", err)
	}
	for _, args := range [][]any{{"CONFIG", "SET", "maxmemory", "0"}, {"REPLICAOF", "127.0.0.1", "1"}} {
		if err := l.client.Do(ctx, args...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Append(ctx, events(1, 2)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a follower: %v", err)
	}
}

func TestRedisAddresses(t *testing.T) {
	for _, address := range []string{"", "http://localhost", "redis://localhost/x", "redis://localhost?no=option", ":"} {
		if _, err := OpenRedis(address); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
}

// A store whose log is away when it is opened predicts, and catches up.
func TestRedisAwayAtFirst(t *testing.T) {
	r := startRedis(t)
	dir := t.TempDir()
	s := mustOpen(t, dir, r.log(), nil)
	if _, err := s.Learn(ctx, entry("1", "a", "b")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	l := r.log()
	defer l.Close()
	if _, err := l.Append(ctx, events(2, 1)); err != nil {
		t.Fatal(err)
	}
	r.kill()
	if _, err := Open(ctx, t.TempDir(), r.log(), nil); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a new store: %v", err)
	}
	s = mustOpen(t, dir, r.log(), nil)
	wantUnavailable(t, s)
	if err := s.Status().Log; !errors.Is(err, ErrUnavailable) {
		t.Errorf("the status is %v", err)
	}
	r.start()
	settled(t, s)
	if n := s.Counts().Examples(); n != 2 {
		t.Errorf("%d examples", n)
	}
}

// What was unlearned is gone from the stream and from the folders of all replicas
// in time. One that is stopped holds the stream up, and the others say so.
func TestRedisErase(t *testing.T) {
	r := startRedis(t)
	root := t.TempDir()
	opts := &Options{EraseWithin: 50 * time.Millisecond}
	dirs := []string{filepath.Join(root, "a"), filepath.Join(root, "b")}
	a, b := mustOpen(t, dirs[0], r.log(), opts), mustOpen(t, dirs[1], r.log(), opts)
	stopped := filepath.Join(root, "c")
	mustOpen(t, stopped, r.log(), opts).Close()
	for i := range 200 {
		if _, err := a.Learn(ctx, entry(fmt.Sprint(i), "a", secret(i))); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := a.Unlearn(ctx, "5", "6", "7")
	if err != nil {
		t.Fatal(err)
	}
	settled(t, b)
	for range 20 { // longer than it takes where nobody is stopped
		time.Sleep(10 * time.Millisecond)
		if st := b.Status(); st.Erased >= receipt.Seq {
			t.Fatalf("a stopped replica needs the events, but the status is %+v", st)
		}
	}
	c := mustOpen(t, stopped, r.log(), opts)
	for _, s := range []*Store{a, b, c} {
		erased(t, s)
	}
	gone := []string{"secret0005", "secret0006", "secret0007"}
	for _, dir := range append(dirs, stopped) {
		if list := found(t, dir, gone...); len(list) > 0 {
			t.Errorf("%s: still there are %q", dir, list)
		}
	}
	l := r.log().(*redisLog)
	defer l.Close()
	entries, err := l.client.XRange(ctx, l.stream, "-", "+").Result()
	if err != nil || len(entries) == 0 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		for _, word := range gone {
			if bytes.Contains([]byte(e.Values["e"].(string)), []byte(word)) {
				t.Errorf("entry %s of the stream has %s", e.ID, word)
			}
		}
	}
	if !bytes.Equal(file(t, a), file(t, c)) {
		t.Error("the replicas differ")
	}
}

// A replica whose clock is more than a day ahead of Redis's is refused.
func TestRedisClock(t *testing.T) {
	s := mustOpen(t, t.TempDir(), startRedis(t).log(), nil)
	for ahead, want := range map[time.Duration]error{23 * time.Hour: nil, 25 * time.Hour: ErrClock, -90000 * time.Hour: nil, 87600 * time.Hour: ErrClock} {
		at(s, time.Now().Add(ahead), 0)
		if _, err := s.Learn(ctx, entry("", "a", "b")); !errors.Is(err, want) {
			t.Errorf("%v ahead: %v", ahead, err)
		}
	}
}

// An entry of a stream that is none of ours, or an event that is damaged, stops
// learning. Predicting goes on, also after a restart.
func TestForeignEvent(t *testing.T) {
	for name, add := range map[string]string{"damaged": "0-*", "numbered otherwise": "1700000000000-0"} {
		t.Run(name, func(t *testing.T) {
			r := startRedis(t)
			dir := t.TempDir()
			s := mustOpen(t, dir, r.log(), nil)
			if _, err := s.Learn(ctx, entry("1", "a", "b")); err != nil {
				t.Fatal(err)
			}
			visible(t, s)
			l := r.log().(*redisLog)
			defer l.Close()
			if err := l.client.Do(ctx, "XADD", l.stream, add, "e", "foreign").Err(); err != nil {
				t.Fatal(err)
			}
			want := func(s *Store) {
				t.Helper()
				for deadline := time.Now().Add(20 * time.Second); !errors.Is(s.Status().Log, ErrCorrupt); time.Sleep(5 * time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatalf("the status is %v", s.Status().Log)
					}
				}
				if _, err := s.Learn(ctx, entry("2", "a", "b")); !errors.Is(err, ErrCorrupt) {
					t.Errorf("learning says %v", err)
				}
				if m := s.Model(); m == nil || m.Predict(bayes.Document{Text: "b"}).Known != 1 {
					t.Error("it does not predict")
				}
			}
			want(s)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			s = mustOpen(t, dir, r.log(), nil)
			want(s)
			if _, err := Open(ctx, t.TempDir(), r.log(), nil); !isFinal(err) {
				t.Errorf("a new store: %v", err)
			}
			s.Close()
			// And the way out of docs/store.md.
			entries, err := l.client.XRevRangeN(ctx, l.stream, "+", "-", 2).Result()
			if err != nil || len(entries) != 2 {
				t.Fatal(entries, err)
			}
			for _, args := range [][]any{{"XDEL", l.stream, entries[0].ID}, {"XSETID", l.stream, entries[1].ID}} {
				if err := l.client.Do(ctx, args...).Err(); err != nil {
					t.Fatal(args, err)
				}
			}
			s = mustOpen(t, dir, r.log(), nil)
			if _, err := s.Learn(ctx, entry("2", "a", "b")); err != nil || s.Status().Log != nil || s.Counts().Examples() != 2 {
				t.Errorf("taken out: %v, %+v", err, s.Status())
			}
		})
	}
}

// A replica that begins later has the correction too.
func TestCorrectedReplicas(t *testing.T) {
	r := startRedis(t)
	c, em := correctedMail(t)
	root := t.TempDir()
	here := mustOpen(t, filepath.Join(root, "here"), r.log(), &Options{Counts: c, Model: em})
	there := mustOpen(t, filepath.Join(root, "there"), r.log(), &Options{Counts: c, Model: em})
	for i := range 10 {
		if _, err := []*Store{here, there}[i%2].Learn(ctx, entry(fmt.Sprint(i), "ham", "free watches")); err != nil {
			t.Fatal(err)
		}
	}
	settled(t, here)
	settled(t, there)
	if !bytes.Equal(file(t, here), file(t, there)) {
		t.Error("the replicas are not the same")
	}
	if spec := there.Model().EventModel().String(); !strings.Contains(spec, "correction="+bayes.CorrectionOf(em).String()) {
		t.Errorf("the replica is fitted as %s", spec)
	}
	if n := bayes.CorrectionOf(there.Model().EventModel()).Len(); n == 0 || n != bayes.CorrectionOf(em).Len() {
		t.Errorf("the replica has %d corrections", n)
	}
}

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/internal/long"

	"github.com/google/go-cmp/cmp"
)

// events returns n events, the first with number first as its ID.
func events(first, n int) []Event {
	var list []Event
	for i := range n {
		list = append(list, Event{
			Op: OpLearn, Time: time.UnixMilli(1e12), ID: fmt.Sprint(first + i),
			Example: bayes.Example{Label: "a", Text: fmt.Sprintf("text %d", first+i), Weight: 1},
		})
	}
	return list
}

// collect returns the events of a log after a number.
func collect(t testing.TB, l Log, after uint64) []Event {
	t.Helper()
	list, err := gather(l, after)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func gather(l Log, after uint64) ([]Event, error) {
	_, last, err := l.Bounds(context.Background())
	if err != nil || after >= last {
		return nil, err
	}
	var list []Event
	done := errors.New("done")
	err = l.Follow(context.Background(), after, func(records []Record) error {
		for _, r := range records {
			if after++; r.Seq != after {
				return fmt.Errorf("event %d where %d is due", r.Seq, after)
			}
			list = append(list, r.Event)
		}
		if after >= last {
			return done
		}
		return nil
	})
	if errors.Is(err, done) {
		err = nil
	}
	return list, err
}

// What every log does.
func testLog(t *testing.T, open func(t *testing.T) Log) {
	ctx := context.Background()
	l := open(t)
	want := events(1, 30)
	for i := 0; i < len(want); i += 10 {
		last, err := l.Append(ctx, want[i:i+10])
		if err != nil || last != uint64(i+10) {
			t.Fatalf("the last event is %d: %v", last, err)
		}
	}
	check := func(after, first uint64) {
		t.Helper()
		if f, last, err := l.Bounds(ctx); err != nil || f != first || last != uint64(len(want)) {
			t.Errorf("the log holds events %d to %d: %v", f, last, err)
		}
		if diff := cmp.Diff(want[after:], collect(t, l, after), attrs); diff != "" {
			t.Error(diff)
		}
	}
	check(0, 1)
	check(17, 1)
	l.Close()
	l = open(t)
	check(0, 1)
	l.Close()
	l = open(t) // and the first change of a file that was found
	want = append(want, events(31, 1)...)
	if last, err := l.Append(ctx, want[30:]); err != nil || last != 31 {
		t.Fatalf("the last event is %d: %v", last, err)
	}
	check(0, 1)
	waits := make(chan string, 1)
	follow, cancel := context.WithCancel(ctx)
	stopped := make(chan error)
	go func() {
		stopped <- l.Follow(follow, 31, func(r []Record) error { waits <- r[0].ID; return nil })
	}()
	if _, err := l.Append(ctx, events(32, 1)); err != nil {
		t.Fatal(err)
	}
	if got := <-waits; got != "32" {
		t.Errorf("it waited for %s", got)
	}
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("follow ended with %v", err)
	}
	l.Close()
}

func TestBoltLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	testLog(t, func(t *testing.T) Log { return mustOpenBolt(t, path) })
}

func mustOpenBolt(t testing.TB, path string) Log {
	t.Helper()
	l, err := openBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestBoltCompact(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "log.db")
	l := mustOpenBolt(t, path)
	l.Append(ctx, events(1, 2000))
	for _, through := range []uint64{0, 5, 5, 3, 1990, 2000} {
		if err := l.Compact(ctx, "", through); err != nil {
			t.Fatal(err)
		}
		l.Close()
		l = mustOpenBolt(t, path)
		first, last, err := l.Bounds(ctx)
		if want := max(through, 5*min(1, through)) + 1; err != nil || first != want || last != 2000 {
			t.Fatalf("compacted through %d the log holds %d to %d: %v", through, first, last, err)
		}
	}
	if last, err := l.Append(ctx, events(1, 1)); err != nil || last != 2001 {
		t.Fatalf("the next event is %d: %v", last, err)
	}
}

// A log that has a damaged byte anywhere, or whose end is missing, is either
// whole or says that it is not.
func TestDamagedBolt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	ctx := context.Background()
	l := mustOpenBolt(t, path)
	list := events(1, 30)
	for i := range list {
		list[i].Example.Text = strings.Repeat("long text ", 20) // so that there are several leaves and a branch
	}
	l.Append(ctx, list)
	l.Compact(ctx, "", 5) // which leaves pages that are not in use
	l.Append(ctx, events(31, 1))
	l.Append(ctx, events(32, 1))
	want := collect(t, l, 5)
	l.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	switch {
	case testing.Short():
		step = 61
	case long.Sample(t, "damage at every byte, not at every 59th"):
		step = 59
	}
	damages := map[string]func(b []byte, at int) []byte{
		"cut":     func(b []byte, at int) []byte { return b[:at] },
		"flipped": func(b []byte, at int) []byte { b[at] ^= 1 << (at % 8); return b },
		"garbled": func(b []byte, at int) []byte {
			r := rand.New(rand.NewPCG(1, uint64(at)))
			for i := at; i < len(b); i++ {
				b[i] = byte(r.Uint32())
			}
			return b
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.db")
			found := 0
			for at := 0; at < len(whole); at += step {
				b := damage(slices.Clone(whole), at)
				f, err := findEvents(b)
				if err == nil && !bytes.Equal(bytes.Join(f.after(5), nil), encode(want)) {
					t.Fatalf("at byte %d: other events", at)
				}
				if at%97 < step { // and through the file
					if err := os.WriteFile(path, b, 0o600); err != nil {
						t.Fatal(err)
					}
					err = wantWhole(path, want, 5)
				}
				if errors.Is(err, ErrCorrupt) {
					found++
				} else if err != nil {
					t.Fatalf("at byte %d: %v", at, err)
				}
			}
			t.Logf("of %d damages %d were reported; the others did no harm", (len(whole)+step-1)/step, found)
			if found == 0 {
				t.Error("no damage was found")
			}
		})
	}
}

// wantWhole returns an error unless the log in a file holds the events want after
// number after.
func wantWhole(path string, want []Event, after uint64) error {
	l, err := openBolt(path)
	if err != nil {
		return err
	}
	defer l.Close()
	got, err := gather(l, after)
	if err == nil && !bytes.Equal(encode(got), encode(want)) {
		err = errors.New(cmp.Diff(want, got, attrs))
	}
	return err
}

func encode(list []Event) (b []byte) {
	for _, e := range list {
		b, _ = e.AppendBinary(b)
	}
	return b
}

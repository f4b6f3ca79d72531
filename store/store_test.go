package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bayes"
)

var ctx = context.Background()

func mustOpen(t testing.TB, dir string, log Log, opts *Options) *Store {
	t.Helper()
	s, err := Open(ctx, dir, log, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// file returns the model file of what a store has counted.
func file(t testing.TB, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// batch returns the model file of examples that are counted by themselves.
func batch(t testing.TB, em bayes.EventModel, examples ...bayes.Example) []byte {
	t.Helper()
	c := bayes.NewCounts(nil)
	for _, ex := range examples {
		c.Learn(ex)
	}
	var b bytes.Buffer
	if err := bayes.Save(&b, c, em); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func entry(id, label, text string) Entry {
	return Entry{id, bayes.Example{Label: label, Text: text}}
}

func TestLearnUnlearnRelabel(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, nil)
	if s.Model() != nil {
		t.Error("there is a model of nothing")
	}
	for i, step := range []struct {
		do      func() (Receipt, error)
		changed []bool
	}{
		{func() (Receipt, error) {
			return s.Learn(ctx, entry("1", "spam", "win a prize"), entry("2", "ham", "see you"))
		}, []bool{true, true}},
		{func() (Receipt, error) { return s.Learn(ctx, entry("1", "spam", "win a prize")) }, []bool{false}},
		{func() (Receipt, error) { return s.Learn(ctx, entry("2", "spam", "see you")) }, []bool{true}},
		{func() (Receipt, error) { return s.Relabel(ctx, entry("1", "ham", "")) }, []bool{true}},
		{func() (Receipt, error) { return s.Relabel(ctx, entry("1", "ham", ""), entry("9", "ham", "")) }, []bool{false, false}},
		{func() (Receipt, error) { return s.Unlearn(ctx, "2", "2", "9") }, []bool{true, false, false}},
		{func() (Receipt, error) { return s.Learn(ctx, entry("", "spam", "free"), entry("", "spam", "free")) }, []bool{true, true}},
		{func() (Receipt, error) { return s.Learn(ctx) }, nil},
	} {
		r, err := step.do()
		if err != nil || !slices.Equal(r.Changed, step.changed) {
			t.Errorf("step %d: changed %v: %v", i, r.Changed, err)
		}
	}
	want := batch(t, bayes.Multinomial{},
		entry("", "ham", "win a prize").Example, entry("", "spam", "free").Example, entry("", "spam", "free").Example)
	if !bytes.Equal(file(t, s), want) {
		t.Error("the counts are not those of the three examples that are left")
	}
	if ex, ok, err := s.Lookup("1"); !ok || ex.Label != "ham" || ex.Text != "win a prize" || err != nil {
		t.Errorf("document 1 is %v, %v: %v", ex, ok, err)
	}
	if _, ok, err := s.Lookup("2"); ok || err != nil {
		t.Errorf("document 2 is there: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Learn(ctx, entry("", "a", "b")); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed store says %v", err)
	}
	s = mustOpen(t, dir, nil, nil)
	if !bytes.Equal(file(t, s), want) || s.Model().Predict(bayes.Document{Text: "free"}).Best().Class != "spam" {
		t.Error("the store is another when opened again")
	}
	if st := s.Status(); st.Applied != st.Snapshot || st.Visible != st.Applied || st.Documents != 1 || st.Log != nil || st.Fit != nil || st.Save != nil {
		t.Errorf("status %+v", st)
	}
}

func TestNotAccepted(t *testing.T) {
	s := mustOpen(t, t.TempDir(), nil, nil)
	for _, e := range []Event{
		{Op: OpLearn},
		{Op: OpLearn, ID: strings.Repeat("x", 1025), Example: bayes.Example{Label: "a"}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Weight: -1}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", 1)}}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Weight: math.Inf(1)}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Weight: math.NaN()}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Term("x", -1)}}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Term("x", math.NaN())}}},
		{Op: OpLearn, Example: bayes.Example{Label: "a", Text: strings.Repeat("a", 16<<20)}},
		{Op: OpRelabel, ID: "1"},
		{Op: OpRelabel, Example: bayes.Example{Label: "a"}},
		{Op: OpUnlearn},
		{Op: opBegin, ID: "1"},
		{},
	} {
		if _, err := s.Apply(ctx, e); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v is accepted: %v", e, err)
		}
	}
	if n := s.Status().Applied; n != 1 { // which is that of its beginning
		t.Errorf("%d events in the log", n)
	}
	known := bayes.NewCounts(nil)
	known.Learn(bayes.Example{Label: "a"})
	s = mustOpen(t, t.TempDir(), nil, &Options{Counts: known, Model: bayes.Mixed{Prior: bayes.GivenPrior{"a": 1}}})
	for _, ex := range []bayes.Example{
		{Label: "b", Text: "a class that the prior does not name"},
		{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", 1e16)}},
		{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", math.Inf(-1))}},
	} {
		if _, err := s.Learn(ctx, Entry{Example: ex}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v is accepted: %v", ex, err)
		}
	}
	if _, err := s.Learn(ctx, Entry{Example: bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", math.NaN())}}}); err != nil {
		t.Errorf("a number that is missing: %v", err)
	}
}

// visible waits until the model is of all that was applied.
func visible(t testing.TB, s *Store) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); s.Status().Visible < s.Status().Applied; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the model is not brought up to date: %+v", s.Status())
		}
	}
}

// What is learned can be seen, and predictions do not wait for it.
func TestVisible(t *testing.T) {
	s := mustOpen(t, t.TempDir(), nil, nil)
	for i, label := range []string{"a", "b", "a"} {
		if _, err := s.Learn(ctx, entry("1", label, "x")); err != nil {
			t.Fatal(err)
		}
		visible(t, s)
		if got := s.Model().Predict(bayes.Document{Text: "x"}).Best().Class; got != label {
			t.Errorf("%d: %s, though %s was learned", i, got, label)
		}
	}
	s.mu.Lock() // whatever learning is doing
	s.Model().Predict(bayes.Document{Text: "x"})
	s.mu.Unlock()
	if _, err := s.Unlearn(ctx, "1"); err != nil {
		t.Fatal(err)
	}
	visible(t, s)
	if s.Model() != nil {
		t.Error("there is a model of nothing")
	}
}

// Days pass by what the events say.
func TestWindowOfAge(t *testing.T) {
	day := 24 * time.Hour
	dir := t.TempDir()
	opts := &Options{Window: Window{Age: 2 * day}}
	mustOpen(t, dir, nil, opts).Close()
	start := time.UnixMilli(4e12) // after any event that the store makes here
	l := mustOpenBolt(t, filepath.Join(dir, "log.db"))
	var list []Event
	for i, e := range []struct {
		after time.Duration
		entry Entry
	}{
		{0, entry("1", "a", "gone")},
		{0, entry("", "a", "gone too")},
		{day, entry("2", "a", "relabelled when it was young")},
		{day - 1*time.Hour, entry("3", "a", "late, so as old as the one before")},
		{2 * day, entry("4", "b", "kept")},
		{3 * day, entry("", "b", "as old as can be")},
		{5 * day, entry("5", "b", "the latest")},
		{4 * day, entry("6", "b", "out of order")},
	} {
		list = append(list, Event{Op: OpLearn, Time: start.Add(e.after), ID: e.entry.ID, Example: e.entry.Example})
		if i == 4 {
			list = append(list, Event{Op: OpRelabel, Time: start.Add(2 * day), ID: "2", Example: bayes.Example{Label: "b"}})
		}
	}
	if _, err := l.Append(ctx, list); err != nil {
		t.Fatal(err)
	}
	l.Close()
	for range 2 { // from the log, and from the snapshot
		s := mustOpen(t, dir, nil, opts)
		want := batch(t, bayes.Multinomial{}, list[6].Example, list[7].Example, list[8].Example)
		if !bytes.Equal(file(t, s), want) {
			var texts []string
			for f := range s.Counts().Features() {
				texts = append(texts, f)
			}
			t.Errorf("left are %q", texts)
		}
		if n := s.Status().Documents; n != 3 {
			t.Errorf("%d documents", n)
		}
		s.Close()
	}
}

// Only one process has a store.
func TestInUse(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir, nil, nil)
	if _, err := Open(ctx, dir, nil, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
}

// A log that is not the snapshot's is not read.
func TestAnotherLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log.db")
	s := mustOpen(t, dir, nil, &Options{SnapshotEvery: 5})
	early, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := s.Learn(ctx, entry("", "a", "b")); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	late, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	restore := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(ctx, dir, nil, nil); !errors.Is(err, ErrLost) {
			t.Errorf("%s: %v", name, err)
		}
	}
	restore("the log as it was at first", early)
	os.Remove(path)
	if _, err := Open(ctx, dir, nil, nil); !errors.Is(err, ErrLost) {
		t.Errorf("no log: %v", err)
	}
	other := t.TempDir()
	mustOpen(t, other, nil, &Options{Model: bayes.Bernoulli{}}).Close()
	if err := os.WriteFile(filepath.Join(other, "log.db"), late, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, other, nil, nil); !errors.Is(err, ErrLost) {
		t.Errorf("another store's log: %v", err)
	}
}

// A damaged snapshot is not counted on.
func TestDamagedSnapshot(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, nil)
	if _, err := s.Learn(ctx, entry("1", "a", "b")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	path := filepath.Join(dir, modelName(s.Status().Snapshot))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 1
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(ctx, dir, nil, nil); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
}

// A store whose log is damaged is whole, or says that it is not.
func TestDamagedLog(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, nil)
	for i := range 20 {
		if _, err := s.Learn(ctx, entry(fmt.Sprint(i%7), fmt.Sprint(i%2), fmt.Sprint("text ", i))); err != nil {
			t.Fatal(err)
		}
	}
	crashed := filepath.Join(t.TempDir(), "store")
	copyFolder(t, dir, crashed)
	want := file(t, s)
	path := filepath.Join(crashed, "log.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	attempts, errs := 0, 0
	for at := 0; at < len(whole); at += len(whole) / 150 {
		flipped := slices.Clone(whole)
		flipped[at] ^= 1 << (at % 8)
		for _, b := range [][]byte{whole[:at], flipped} {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			attempts++
			s, err := Open(ctx, crashed, nil, &Options{SnapshotEvery: 1000})
			if err == nil {
				if !bytes.Equal(file(t, s), want) {
					t.Fatalf("byte %d: other counts", at)
				}
				kill(s)
			} else if errs++; !errors.Is(err, ErrCorrupt) {
				t.Fatalf("byte %d: %v", at, err)
			}
		}
	}
	t.Logf("%d of %d damages reported, no harm by the others", errs, attempts)
}

// kill closes a store without a snapshot.
func kill(s *Store) {
	s.close.Do(func() {
		s.stop()
		s.state.db.Close()
		s.log.Close()
	})
}

// What a store begins with stays, whatever the window, and is not asked for
// again.
func TestBase(t *testing.T) {
	base := bayes.NewCounts(&bayes.Space{Binary: true})
	base.Learn(bayes.Example{Label: "a", Text: "known"})
	dir := t.TempDir()
	opts := &Options{Counts: base, Model: bayes.Bernoulli{}, Window: Window{Documents: 1}}
	s := mustOpen(t, dir, nil, opts)
	if s.Model() == nil {
		t.Fatal("there is no model")
	}
	base.Learn(bayes.Example{Label: "a", Text: "later"}) // which is not the store's affair
	if _, err := s.Learn(ctx, entry("", "b", "new new"), entry("", "b", "newer")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = mustOpen(t, dir, nil, &Options{Window: opts.Window})
	c := s.Counts()
	if c.Len() != 2 || c.At("a", "known").Sum != 1 || c.At("b", "newer").Sum != 1 || s.Model().EventModel().String() != opts.Model.String() {
		t.Errorf("features %q, fitted as %v", slices.Collect(c.Features()), s.Model().EventModel())
	}
}

// A backup that is made while the store learns is a store as it was then.
func TestBackup(t *testing.T) {
	s := mustOpen(t, t.TempDir(), nil, &Options{SnapshotEvery: 20})
	ended := make(chan error)
	go func() {
		for i := range 300 {
			if _, err := s.Learn(ctx, entry(fmt.Sprint(i%50), fmt.Sprint(i%3), fmt.Sprint("text ", i))); err != nil {
				ended <- err
			}
		}
		close(ended)
	}()
	root := t.TempDir()
	for i := range 5 {
		dir := filepath.Join(root, fmt.Sprint(i))
		if err := s.Backup(dir); err != nil {
			t.Fatal(err)
		}
		copied := mustOpen(t, dir, nil, nil)
		var ref reference
		for i := range int(copied.Status().Applied) - 1 {
			ref.apply(Event{Op: OpLearn, ID: fmt.Sprint(i % 50), Example: bayes.Example{Label: fmt.Sprint(i % 3), Text: fmt.Sprint("text ", i)}})
		}
		if !bytes.Equal(file(t, copied), batch(t, bayes.Multinomial{}, ref.examples()...)) {
			t.Errorf("backup %d is no store as it was", i)
		}
		copied.Close()
	}
	if err := s.Backup(root); err == nil {
		t.Error("a backup into a folder with something in it")
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bayes"

	"pgregory.net/rapid"
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
	if n := s.Status().Applied; n != 1 {
		t.Errorf("%d events in the log", n)
	}
}

// reference is what a store should be: a list of documents.
type reference struct {
	documents []Entry
	limit     int // of the window; zero means none
}

func (r *reference) index(id string) int {
	if id == "" {
		return -1
	}
	return slices.IndexFunc(r.documents, func(e Entry) bool { return e.ID == id })
}

func (r *reference) apply(e Event) {
	i := r.index(e.ID)
	ex := e.Example
	if e.Op == OpRelabel && i >= 0 {
		ex = r.documents[i].Example
		ex.Label = e.Example.Label
	}
	if i < 0 && e.Op != OpLearn {
		return
	}
	if i >= 0 {
		if old := r.documents[i].Example; e.Op != OpUnlearn && old.Label == ex.Label && old.Text == ex.Text {
			return
		}
		r.documents = slices.Delete(r.documents, i, i+1)
	}
	if e.Op != OpUnlearn {
		r.documents = append(r.documents, Entry{e.ID, ex})
	}
	if r.limit > 0 && len(r.documents) > r.limit {
		r.documents = r.documents[1:]
	}
}

func (r *reference) examples() []bayes.Example {
	var list []bayes.Example
	for _, e := range r.documents {
		list = append(list, e.Example)
	}
	return list
}

func drawChange(t *rapid.T) Event {
	words := rapid.SampledFrom([]string{"a", "b", "c", "free", "정말"})
	e := Event{
		Op: rapid.SampledFrom([]Op{OpLearn, OpLearn, OpLearn, OpUnlearn, OpRelabel}).Draw(t, "op"),
		ID: rapid.SampledFrom([]string{"1", "2", "3", "4", ""}).Draw(t, "id"),
	}
	if e.Op != OpLearn && e.ID == "" {
		e.ID = "1"
	}
	if e.Op != OpUnlearn {
		e.Example.Label = rapid.SampledFrom([]string{"ham", "spam"}).Draw(t, "label")
	}
	if e.Op == OpLearn {
		e.Example.Text = strings.Join(rapid.SliceOfN(words, 0, 3).Draw(t, "words"), " ")
	}
	return e
}

// Whatever is learned, relabelled and unlearned, with or without a window, and
// however often the store is closed or crashes in between, its counts are those
// of the documents that are left.
func TestEqualsBatch(t *testing.T) {
	folders := 0
	root := t.TempDir()
	folder := func() string {
		folders++
		return filepath.Join(root, fmt.Sprint(folders))
	}
	rapid.Check(t, func(rt *rapid.T) {
		ref := reference{limit: rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(rt, "window")}
		opts := &Options{SnapshotEvery: rapid.IntRange(1, 9).Draw(rt, "snapshot every"), Window: Window{Documents: ref.limit}, Refit: 1}
		dir := folder()
		s := mustOpen(t, dir, nil, opts)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 7).Draw(rt, "what") {
			case 0:
				if err := s.Close(); err != nil {
					rt.Fatal(err)
				}
				s = mustOpen(t, dir, nil, opts)
			case 1: // as if the machine had stopped here
				copied := folder()
				freeze(rt, s, func() { copyFolder(t, dir, copied) })
				s.Close()
				dir = copied
				s = mustOpen(t, dir, nil, opts)
			default:
				changes := rapid.SliceOfN(rapid.Custom(drawChange), 1, 5).Draw(rt, "changes")
				if _, err := s.Apply(ctx, changes...); err != nil {
					rt.Fatal(err)
				}
				for _, e := range changes {
					ref.apply(e)
				}
			}
			if !bytes.Equal(file(t, s), batch(t, bayes.Multinomial{}, ref.examples()...)) {
				rt.Fatalf("other counts than those of %v", ref.documents)
			}
		}
		s.Close()
	})
}

// freeze calls f while no snapshot is being written.
func freeze(t *rapid.T, s *Store, f func()) {
	for {
		s.mu.Lock()
		if !s.saving {
			break
		}
		s.mu.Unlock()
	}
	defer s.mu.Unlock()
	f()
}

func copyFolder(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

package store

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bayes/feature"

	"bayes"
	"bayes/internal/long"

	"pgregory.net/rapid"
)

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

// kept returns the documents that can be taken out, the latest first.
func (r *reference) kept() (list []string) {
	for _, e := range slices.Backward(r.documents) {
		if e.ID != "" || r.limit > 0 {
			list = append(list, e.ID+" "+e.Example.Label+" "+e.Example.Text)
		}
	}
	return list
}

// list returns the documents of s before one.
func list(t interface{ Fatal(...any) }, s *Store, before uint64) (list []string) {
	for r, err := range s.Documents(before) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r.ID+" "+r.Example.Label+" "+r.Example.Text)
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
	fewer(t)
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
			if got, want := list(rt, s, 0), ref.kept(); !slices.Equal(got, want) {
				rt.Fatalf("documents %q, want %q", got, want)
			}
		}
		s.Close()
	})
}

// Stores that apply the same events are the same in every byte, whatever was
// rounded, and however often one of them crashed.
func TestSameLogSameBytes(t *testing.T) {
	fewer(t)
	root := t.TempDir()
	folders := 0
	folder := func() string {
		folders++
		return filepath.Join(root, fmt.Sprint(folders))
	}
	rapid.Check(t, func(rt *rapid.T) {
		opts := &Options{
			Counts: bayes.NewCounts(&bayes.Space{Log: true, Norm: feature.L2, Histograms: true, NumberValues: true}),
			Model:  bayes.Mixed{},
			Window: Window{Documents: rapid.SampledFrom([]int{0, 4}).Draw(rt, "window")},
		}
		calm := mustOpen(t, folder(), nil, opts)
		often := *opts
		often.SnapshotEvery, often.Refit = 2, 1
		dir := folder()
		restless := mustOpen(t, dir, nil, &often)
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			changes := rapid.SliceOfN(rapid.Custom(drawChange), 1, 4).Draw(rt, "changes")
			for i := range changes {
				if changes[i].Op == OpLearn {
					changes[i].Example.Weight = rapid.Float64Range(0, 9).Draw(rt, "weight")
					changes[i].Example.Attrs = []bayes.Attr{bayes.Number("size", rapid.Float64Range(-9, 9).Draw(rt, "size"))}
				}
			}
			for _, s := range []*Store{calm, restless} {
				if _, err := s.Apply(ctx, changes...); err != nil {
					rt.Fatal(err)
				}
			}
			if rapid.Bool().Draw(rt, "crash") {
				copied := folder()
				freeze(rt, restless, func() { copyFolder(t, dir, copied) })
				kill(restless)
				dir = copied
				restless = mustOpen(t, dir, nil, &often)
			}
			if !bytes.Equal(file(t, calm), file(t, restless)) {
				rt.Fatal("they differ")
			}
		}
		kill(calm)
		kill(restless)
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
		time.Sleep(100 * time.Microsecond)
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

// fewer has a law tried on fewer cases, unless long tests are wanted or a flag says how many.
func fewer(t *testing.T) {
	const flagName, usual, sample = "rapid.checks", "100", "25"
	if flag.Lookup(flagName).Value.String() != usual || !long.Sample(t, usual+" cases, not "+sample) {
		return
	}
	flag.Set(flagName, sample)
	t.Cleanup(func() { flag.Set(flagName, usual) })
}

package golden_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/internal/cli"
	"bayes/internal/golden"
	"bayes/store"
)

func entry(id, label, text string) store.Entry {
	return store.Entry{ID: id, Example: bayes.Example{Label: label, Text: text}}
}

// A storeRecipe is how a golden store was made: what it began with, and what was done
// before the snapshot and after it.
type storeRecipe struct {
	name          string
	generation    string // whose release first wrote such a store
	begun         string // the recipe of the model that it began with, if that is fitted to examples
	opts          store.Options
	before, after func(t testing.TB, s *store.Store)
	known         []string // ID, label and text of the documents that can be unlearned
}

var stores = []storeRecipe{
	{
		name: "plain", generation: "2", // began with nothing; killed with events in its log
		before: func(t testing.TB, s *store.Store) {
			learn(t, s, entry("1", "spam", "win a prize"), entry("2", "ham", "see you"), entry("", "spam", "free"))
		},
		after: func(t testing.TB, s *store.Store) {
			must[store.Receipt](t)(s.Relabel(t.Context(), entry("1", "ham", "")))
			must[store.Receipt](t)(s.Unlearn(t.Context(), "2", "unknown"))
			learn(t, s, entry("3", "spam", "映画 영화"), entry("4", "ham", "lunch at noon"))
		},
		known: []string{"1\tham\twin a prize", "3\tspam\t映画 영화", "4\tham\tlunch at noon"},
	},
	{
		name: "begun", generation: "2", // began with a model, has a window, and was closed
		opts: store.Options{Model: bayes.Mixed{Text: bayes.Bernoulli{}}, Window: store.Window{Documents: 3}},
		before: func(t testing.TB, s *store.Store) {
			for i, ex := range articles {
				learn(t, s, store.Entry{ID: string(rune('a' + i)), Example: ex})
			}
			learn(t, s, entry("", "c", "no id"))
		},
		known: []string{"c\tb\tnoon", "d\ta\t"},
	},
	{
		name: "corrected", generation: "6", begun: "texts-corrected", // began with a correction; killed with events in its log
		before: func(t testing.TB, s *store.Store) { learn(t, s, entry("1", "spam", "win a prize")) },
		after: func(t testing.TB, s *store.Store) {
			learn(t, s, entry("2", "ham", "lunch again"), store.Entry{ID: "3", Example: letters[0]})
			must[store.Receipt](t)(s.Unlearn(t.Context(), "1"))
		},
		known: []string{"2\tham\tlunch again", "3\tspam\twin a free prize"},
	},
}

// begun is what the store of that name began with.
func begun() *bayes.Counts {
	c := bayes.NewCounts(&bayes.Space{Analyzer: analyzer("default stem=en ngrams=1-2")})
	for _, ex := range mails {
		c.Learn(ex)
	}
	return c
}

func learn(t testing.TB, s *store.Store, entries ...store.Entry) {
	t.Helper()
	must[store.Receipt](t)(s.Learn(t.Context(), entries...))
}

// must returns a function that returns its first argument, and fails the test if the
// second is an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// openStore opens a store and closes it when the test ends.
func openStore(t testing.TB, dir string, log store.Log, opts store.Options) *store.Store {
	t.Helper()
	opts.Languages = cli.Languages()
	opts.AnyVersion = true // as time goes by, analyzers have others
	s := must[*store.Store](t)(store.Open(t.Context(), dir, log, &opts))
	t.Cleanup(func() { s.Close() })
	return s
}

// TestGoldenStores opens each store in a copy of its folder: what was acknowledged is
// there, byte for byte, documents are known by their IDs, and learning goes on.
func TestGoldenStores(t *testing.T) {
	for _, r := range stores {
		golden.New(t, r.generation, "stores/"+r.name, func(path string) {
			opts := r.opts
			if r.name == "begun" {
				opts.Counts = begun()
			}
			if i := slices.IndexFunc(recipes, func(m recipe) bool { return m.name == r.begun }); i >= 0 {
				opts.Counts, opts.Model = recipes[i].counts(), recipes[i].fitted(t)
			}
			dir := filepath.Join(t.TempDir(), r.name)
			s := openStore(t, dir, nil, opts)
			r.before(t, s)
			if r.after != nil {
				if err := s.Close(); err != nil { // which takes the snapshot
					t.Fatal(err)
				}
				s = openStore(t, dir, nil, r.opts)
				r.after(t, s)
			}
			golden.Write(t, path+".nb", snapshot(t, s))
			if r.after == nil {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			copyFolder(t, dir, path) // of one that is open, as a crash would leave it
		})
	}
	golden.Each(t, "stores/*.nb", func(t *testing.T, path string) {
		name := strings.TrimSuffix(path, ".nb")
		dir := filepath.Join(t.TempDir(), "store")
		copyFolder(t, name, dir)
		r := stores[slices.IndexFunc(stores, func(r storeRecipe) bool { return r.name == filepath.Base(name) })]
		opts := store.Options{Window: r.opts.Window}
		s := openStore(t, dir, nil, opts)
		want := golden.Read(t, path)
		if !bytes.Equal(snapshot(t, s), want) {
			t.Error("the store holds other counts")
		}
		if err := s.Status().Log; err != nil {
			t.Error(err)
		}
		for _, line := range r.known {
			fields := strings.Split(line, "\t")
			if ex, ok, err := s.Lookup(fields[0]); err != nil || !ok || ex.Label != fields[1] || ex.Text != fields[2] {
				t.Errorf("document %q is %v, %v: %v", fields[0], ex, ok, err)
			}
		}
		goOn(t, s, r.known)
		after := snapshot(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s = openStore(t, dir, nil, opts); !bytes.Equal(snapshot(t, s), after) {
			t.Error("opened again, the store holds other counts")
		}
	})
}

// goOn takes out what is known by its ID and learns something else: the counts are
// those of the rest.
func goOn(t *testing.T, s *store.Store, known []string) {
	t.Helper()
	want := s.Counts()
	for _, line := range known {
		id, _, _ := strings.Cut(line, "\t")
		ex, _, err := s.Lookup(id)
		if err != nil {
			t.Fatal(err)
		}
		want.Unlearn(ex)
		if r := must[store.Receipt](t)(s.Unlearn(t.Context(), id)); !r.Changed[0] {
			t.Errorf("document %q is not unlearned", id)
		}
	}
	want.Learn(entry("", "ham", "go on learning").Example)
	learn(t, s, entry("new", "ham", "go on learning"))
	if !s.Counts().Equal(want) {
		t.Error("the store goes on with other counts")
	}
}

func snapshot(t testing.TB, s *store.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	must[uint64](t)(s.Snapshot(&b))
	return b.Bytes()
}

// copyFolder copies a folder and makes it private, as a store's is.
func copyFolder(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(to, 0o700); err != nil {
		t.Fatal(err)
	}
}

// waitFor waits until a condition holds.
func waitFor(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come about", what)
		}
	}
}

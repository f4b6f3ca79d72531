package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
	"bayes/store"
)

// labels returns n entries, each of a label and a term of its own.
func labels(from, n int) (list []store.Entry) {
	for i := from; i < from+n; i++ {
		list = append(list, store.Entry{ID: fmt.Sprint(i), Example: bayes.Example{Label: fmt.Sprint("label", i), Text: fmt.Sprint("term", i)}})
	}
	return list
}

// What could outgrow the memory is refused before it is in the log, whatever is on its way
// already; what takes out is not; and what has been taken out makes room.
func TestMemoryRefuses(t *testing.T) {
	memory := store.NewMemory(1 << 20)
	s, err := store.Open(t.Context(), t.TempDir(), nil, &store.Options{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	learned := 0
	for ; err == nil && learned < 10_000; learned += 10 {
		_, err = s.Learn(t.Context(), labels(learned, 10)...)
	}
	learned -= 10
	if !errors.Is(err, store.ErrMemory) || learned < 50 {
		t.Fatalf("after %d labels: %v", learned, err)
	}
	if n := s.Status().Examples; n != int64(learned) {
		t.Errorf("%d examples of %d", n, learned)
	}
	if _, err := s.Relabel(t.Context(), store.Entry{ID: "1", Example: bayes.Example{Label: "label2"}}); err != nil && !errors.Is(err, store.ErrMemory) {
		t.Error(err)
	}
	for i := range learned {
		if _, err := s.Unlearn(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := memory.FitsFile(1 << 20 / 16); err != nil {
		t.Errorf("a store that is closed has kept something: %v", err)
	}
}

// Many that learn at once do not get past the limit together.
func TestMemoryTogether(t *testing.T) {
	s, err := store.Open(t.Context(), t.TempDir(), nil, &store.Options{Memory: store.NewMemory(4 << 20), Refit: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	refused := make(chan error)
	const n = 200
	for i := range n {
		go func() {
			_, err := s.Learn(t.Context(), labels(i*20, 20)...)
			refused <- err
		}()
	}
	failed := 0
	for range n {
		if err := <-refused; errors.Is(err, store.ErrMemory) {
			failed++
		} else if err != nil {
			t.Error(err)
		}
	}
	classes, features, _ := s.Counts().Size()
	if failed == 0 || failed == n || 4*400*classes > 4<<20 {
		t.Errorf("%d of %d were refused; now %d classes and %d features", failed, n, classes, features)
	}
}

// A store that has outgrown its memory opens, does not fit its counts, says why, and leaves
// others their room; when enough has been taken out it is fitted again.
func TestMemoryOutgrown(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(t.Context(), filepath.Join(dir, "a"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Learn(t.Context(), labels(0, 500)...); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	memory := store.NewMemory(700 << 10)
	s, err = store.Open(t.Context(), filepath.Join(dir, "a"), nil, &store.Options{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Model() != nil || !errors.Is(s.Status().Fit, store.ErrMemory) {
		t.Errorf("a model of %d examples: %v", s.Status().Examples, s.Status().Fit)
	}
	if _, err := s.Learn(t.Context(), labels(2000, 1)...); !errors.Is(err, store.ErrMemory) {
		t.Errorf("it learns: %v", err)
	}
	other, err := store.Open(t.Context(), filepath.Join(dir, "b"), nil, &store.Options{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Learn(t.Context(), labels(0, 2)...); err != nil {
		t.Errorf("another store: %v", err)
	}
	for i := range 450 {
		if _, err := s.Unlearn(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	for s.Model() == nil {
		time.Sleep(time.Millisecond)
	}
	for s.Status().Fit != nil {
		time.Sleep(time.Millisecond)
	}
}

// A new store that there is no room for is not made.
func TestMemoryTooSmall(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, e := range labels(0, 1000) {
		c.Learn(e.Example)
	}
	if _, err := store.Open(t.Context(), t.TempDir(), nil, &store.Options{Counts: c, Memory: store.NewMemory(1 << 20)}); !errors.Is(err, store.ErrMemory) {
		t.Errorf("opened: %v", err)
	}
}

// A store that has its bytes on disk learns no more, but unlearns.
func TestDiskLimit(t *testing.T) {
	s, err := store.Open(t.Context(), t.TempDir(), nil, &store.Options{Disk: 200 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := 0; err == nil && i < 100; i++ {
		_, err = s.Learn(t.Context(), labels(i*1000, 1000)...)
	}
	if !errors.Is(err, store.ErrFull) {
		t.Fatal(err)
	}
	if _, err := s.Unlearn(t.Context(), "1"); err != nil {
		t.Error(err)
	}
}

// What counts and models are taken to need is what they need, or up to a few times as much:
// four copies of the counts, and two tables of weights.
func TestMemoryMeasured(t *testing.T) {
	src, err := dataset.Open([]string{testdata.Path(t, "sms/spam.csv")}, nil, &dataset.Options{Label: "v1", Text: []string{"v2"}})
	if err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	var copies []*bayes.Counts
	var models []*bayes.Model
	for range 4 {
		c, err := bayes.Count(t.Context(), nil, src.Examples(), nil)
		if err != nil {
			t.Fatal(err)
		}
		copies = append(copies, c)
	}
	for _, c := range copies[:2] {
		m, err := bayes.Fit(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	used := int64(heap() - before)
	if store.NewMemory(used).Fits(copies[0]) == nil {
		t.Errorf("%d bytes are in use, and fewer are thought to be enough", used)
	}
	if err := store.NewMemory(6 * used).Fits(copies[0]); err != nil {
		t.Errorf("%d bytes are in use: %v", used, err)
	}
	runtime.KeepAlive(models)
}

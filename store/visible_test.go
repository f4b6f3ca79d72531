package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"bayes"
	"bayes/store"
)

// What is acknowledged is in the model at once, while others learn, unlearn and predict. BAYES_SOAK
// says for how long: the test is run with -race for ten minutes before a release.
func TestVisibleWhenAcknowledged(t *testing.T) {
	defer store.SetQuickFit(time.Hour)()
	s, err := store.Open(t.Context(), t.TempDir(), nil, &store.Options{SnapshotEvery: 50})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const writers, rounds = 4, 40
	soak, _ := time.ParseDuration(os.Getenv("BAYES_SOAK"))
	end := time.Now().Add(soak)
	var wg, readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() { predictAll(t, s, done) })
	}
	for w := range writers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for i := 0; i < rounds || time.Now().Before(end); i++ {
				if err := learnAndLook(t, s, random, fmt.Sprintf("w%dr%d", w, i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(done)
	readers.Wait()
	// The model is that of the counts, to the bit, though it was made step by step.
	want, err := bayes.Fit(s.Counts(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := bayes.Document{Text: "common words w0r1 w1r3 w2r5"}
	got, p := s.Model().Predict(d), want.Predict(d)
	for k := range p.Classes {
		if got.Classes[k] != p.Classes[k] {
			t.Errorf("%+v, fitted anew %+v", got.Classes[k], p.Classes[k])
		}
	}
}

// learnAndLook learns a document with a word of its own, looks whether the model knows it, and mostly
// unlearns it again.
func learnAndLook(t *testing.T, s *store.Store, random *rand.Rand, word string) error {
	ex := bayes.Example{Label: fmt.Sprint("class", random.IntN(5)), Text: fmt.Sprint("common words ", random.IntN(50), " ", word)}
	if _, err := s.Learn(t.Context(), store.Entry{ID: word, Example: ex}); err != nil {
		return err
	}
	d := bayes.Document{Text: word}
	if p := s.Model().Predict(d); p.Known != 1 {
		return fmt.Errorf("%s was learned, and is unknown", word)
	}
	if random.IntN(4) == 0 {
		return nil
	}
	if _, err := s.Unlearn(t.Context(), word); err != nil {
		return err
	}
	if m := s.Model(); m != nil && m.Predict(d).Known != 0 {
		return fmt.Errorf("%s was unlearned, and is known", word)
	}
	return nil
}

// predictAll predicts until done is closed. A model does not change: it says the same twice.
func predictAll(t *testing.T, s *store.Store, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		m := s.Model()
		if m == nil {
			continue
		}
		d := bayes.Document{Text: "common words 1 2 3 w0r0 w1r1 w2r2"}
		first := m.Predict(d)
		time.Sleep(100 * time.Microsecond)
		second := m.Predict(d)
		for k := range first.Classes {
			if first.Classes[k] != second.Classes[k] {
				t.Errorf("a model said %+v, then %+v", first.Classes[k], second.Classes[k])
				return
			}
		}
	}
}

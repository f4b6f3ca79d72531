package store_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bayes"
	"bayes/store"
)

// A mail filter that is corrected while it runs.
func Example() {
	root, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	ctx := context.Background()
	dir := filepath.Join(root, "mail")

	s, err := store.Open(ctx, dir, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	receipt, err := s.Learn(ctx,
		store.Entry{ID: "1", Example: bayes.Example{Label: "spam", Text: "win a prize"}},
		store.Entry{ID: "2", Example: bayes.Example{Label: "spam", Text: "lunch at noon"}}, // a slip
		store.Entry{ID: "1", Example: bayes.Example{Label: "spam", Text: "win a prize"}},
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Changed)
	if _, err := s.Relabel(ctx, store.Entry{ID: "2", Example: bayes.Example{Label: "ham"}}); err != nil {
		log.Fatal(err)
	}
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}

	s, err = store.Open(ctx, dir, nil, nil) // the next day
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	fmt.Println(s.Model().Predict(bayes.Document{Text: "lunch?"}).Best().Class)
	ex, _, err := s.Lookup("2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ex.Label, ex.Text)
	// Output:
	// [true true false]
	// ham
	// ham lunch at noon
}

func ExampleOptions() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	known := bayes.NewCounts(nil)
	known.Learn(bayes.Example{Label: "sport", Text: "goal"})
	s, err := store.Open(ctx, dir, nil, &store.Options{
		Counts: known,
		Model:  bayes.Bernoulli{},
		Window: store.Window{Documents: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for _, text := range []string{"match", "final", "cup"} {
		if _, err := s.Learn(ctx, store.Entry{Example: bayes.Example{Label: "sport", Text: text}}); err != nil {
			log.Fatal(err)
		}
	}
	for term := range s.Counts().Features() {
		fmt.Println(term)
	}
	// Output:
	// cup
	// final
	// goal
}

// A store that no process has open is copied, and the copy is verified.
func ExampleBackup() {
	ctx := context.Background()
	root, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	dir, copied := filepath.Join(root, "spam"), filepath.Join(root, "copy")
	s, err := store.Open(ctx, dir, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := s.Learn(ctx, store.Entry{ID: "7", Example: bayes.Example{Label: "spam", Text: "win a prize"}}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(errors.Is(store.Backup(dir, copied), store.ErrInUse))
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	if err := store.Backup(dir, copied); err != nil {
		log.Fatal(err)
	}
	report, err := store.Check(copied)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Documents, len(report.Damage))
	fmt.Println(store.Remove(copied))
	// Output:
	// true
	// 1 0
	// <nil>
}

// Stores that share a Memory accept nothing that could make them outgrow it together.
func ExampleMemory() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	s, err := store.Open(ctx, dir, nil, &store.Options{Memory: store.NewMemory(1 << 20)})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	var entries []store.Entry
	for i := range 1000 {
		entries = append(entries, store.Entry{Example: bayes.Example{Label: fmt.Sprint("label", i), Text: fmt.Sprint("term", i)}})
	}
	_, err = s.Learn(ctx, entries...)
	fmt.Println(errors.Is(err, store.ErrMemory), s.Status().Examples)
	// Output: true 0
}

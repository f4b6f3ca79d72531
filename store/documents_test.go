package store

import (
	"fmt"
	"testing"

	"bayes"
)

// A long list comes in parts, from disk and from memory, without what has gone meanwhile; one
// can begin anywhere, and end anywhere.
func TestDocuments(t *testing.T) {
	s := mustOpen(t, t.TempDir(), nil, &Options{SnapshotEvery: 150})
	defer s.Close()
	const n = 200
	for i := range n {
		if _, err := s.Learn(ctx, Entry{ID: fmt.Sprint(i), Example: bayes.Example{Label: "ham", Text: "lunch"}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Unlearn(ctx, "0", "100", "199"); err != nil {
		t.Fatal(err)
	}
	var seqs []uint64
	for r, err := range s.Documents(0) {
		if err != nil {
			t.Fatal(err)
		}
		if len(seqs) > 0 && r.Seq >= seqs[len(seqs)-1] || r.ID == "100" {
			t.Fatalf("document %s of event %d follows %d", r.ID, r.Seq, seqs[len(seqs)-1])
		}
		seqs = append(seqs, r.Seq)
	}
	if len(seqs) != n-3 {
		t.Errorf("%d documents, want %d", len(seqs), n-3)
	}
	if got := list(t, s, seqs[90]); len(got) != len(seqs)-91 {
		t.Errorf("before the 91st there are %d, want %d", len(got), len(seqs)-91)
	}
	for r := range s.Documents(0) {
		if _, err := s.Unlearn(ctx, r.ID); err != nil { // nothing is locked meanwhile
			t.Fatal(err)
		}
		break
	}
	if got := list(t, s, seqs[len(seqs)-1]); len(got) != 0 {
		t.Errorf("before the first there are %q", got)
	}
}

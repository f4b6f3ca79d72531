package intern

import (
	"fmt"
	"testing"
)

// Numbers follow first appearance, and a clone goes its own way.
func TestTable(t *testing.T) {
	var table Table
	const n = 10_000
	for round := range 2 {
		for i := range n {
			b := fmt.Appendf(nil, "term-%d", i)
			if got := table.Insert(KeyOf(b), b); got != i {
				t.Fatalf("round %d: Insert(%s) = %d, want %d", round, b, got, i)
			}
		}
	}
	clone := table.Clone()
	clone.Insert(KeyOf([]byte("new")), []byte("new"))
	if _, ok := table.Lookup(KeyOf([]byte("new")), []byte("new")); ok || table.Len() != n {
		t.Error("a clone's insertion reached the original")
	}
	if got := string(clone.Bytes(1234)); got != "term-1234" {
		t.Errorf("Bytes(1234) = %q", got)
	}
	if _, ok := new(Table).Lookup(KeyOf(nil), nil); ok {
		t.Error("the empty table knows the empty string")
	}
}

func BenchmarkLookup(b *testing.B) {
	var table Table
	terms := make([][]byte, 100_000)
	for i := range terms {
		terms[i] = fmt.Appendf(nil, "term-%d", i*7919)
		table.Insert(KeyOf(terms[i]), terms[i])
	}
	b.ReportAllocs()
	for i := range b.N {
		term := terms[i%len(terms)]
		table.Lookup(KeyOf(term), term)
	}
}

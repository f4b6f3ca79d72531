package bayes_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

func TestSplitSumsToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCounts(t, "c")
		before := c.Clone()
		parts := c.Shard(rapid.IntRange(0, 5).Draw(t, "n"))
		wantEqual(t, "what was split is as before", c, before)
		var read []*bayes.Counts
		features := 0
		for _, p := range parts {
			b, err := p.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			q := new(bayes.Counts)
			if err := q.UnmarshalBinary(b); err != nil {
				t.Fatal(err)
			}
			if again, _ := q.MarshalBinary(); !bytes.Equal(again, b) {
				t.Fatal("a part that was read is not the one that was written")
			}
			for range p.Features() {
				features++
			}
			read = append(read, q)
		}
		wantEqual(t, "the sum of the parts is the whole", sum(t, read...), c)
		if want := len(slices.Collect(c.Features())); features < want {
			t.Fatalf("the parts have %d features, want at least %d", features, want)
		}
	})
}

// A term goes to the same part on every machine: the FNV-1a hash of "a" is
// 0xe40c292c, that of "b" 0xe70c2de5; modulo 4 they are 0 and 1.
func TestSplitIsTheSameEverywhere(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{Labels: []string{"never seen"}})
	c.Learn(bayes.Example{Label: "x", Text: "a b a"})
	parts := c.Shard(4)
	for i, want := range [][]string{{"a"}, {"b"}, nil, nil} {
		if got := slices.Collect(parts[i].Features()); !slices.Equal(got, want) {
			t.Errorf("part %d has %q, want %q", i, got, want)
		}
	}
	for i, want := range []int64{1, 0, 0, 0} {
		if got := parts[i].Examples(); got != want {
			t.Errorf("part %d has %d examples, want %d", i, got, want)
		}
	}
}

// Two machines count; each of two others adds up its share of the features.
func ExampleCounts_Shard() {
	monday, tuesday := bayes.NewCounts(nil), bayes.NewCounts(nil)
	monday.Learn(bayes.Example{Label: "spam", Text: "free prize"})
	tuesday.Learn(bayes.Example{Label: "ham", Text: "free lunch"})

	shares := monday.Shard(2)
	for i, share := range tuesday.Shard(2) {
		if err := shares[i].Add(share); err != nil {
			fmt.Println(err)
		}
	}

	total := shares[0]
	if err := total.Add(shares[1]); err != nil {
		fmt.Println(err)
	}
	fmt.Println(total.Examples(), slices.Collect(total.Features()))
	// Output: 2 [free lunch prize]
}

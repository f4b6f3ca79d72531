package labelset_test

import (
	"slices"
	"strings"
	"testing"

	"bayes/internal/labelset"

	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ set, separator, want string }{
		{"b a", " ", "a b"},
		{" b  a b", " ", "a b"},
		{"a", " ", "a"},
		{" ", " ", " "},
		{"", " ", ""}, // not known
		{"crude oil; gold;", ";", "crude oil;gold"},
		{";", ";", ";"},
		{" x ", ";", "x"},
		{"b--a", "--", "a--b"},
	} {
		if got := labelset.Canonical(tt.set, tt.separator); got != tt.want {
			t.Errorf("%q by %q: %q, want %q", tt.set, tt.separator, got, tt.want)
		}
	}
}

// What is joined is split again, in any order, and is canonical; separators are words of a description.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]string{" ", ";", ", ", "--", "\u00a0", `"`}).Draw(t, "separator")
		labels := rapid.SliceOfDistinct(rapid.StringMatching(`[a-z]{1,3}`), rapid.ID).Draw(t, "labels")
		set := labelset.Join(labels, separator)
		sorted := append([]string{}, slices.Sorted(slices.Values(labels))...)
		if got := labelset.Split(set, separator); !slices.Equal(got, sorted) {
			t.Fatalf("%q is split into %q, not %q", set, got, sorted)
		}
		if got := labelset.Canonical(strings.Join(labels, separator)+separator, separator); got != set {
			t.Fatalf("%q, want %q", got, set)
		}
		word := labelset.Quote(separator)
		if got, err := labelset.Unquote(word); got != separator || err != nil || len(strings.Fields(word)) != 1 {
			t.Fatalf("%q is quoted as %s, and read as %q, %v", separator, word, got, err)
		}
	})
	for _, bad := range []string{"", "a\tb", "\n", "\xff"} {
		if labelset.Check(bad) == nil {
			t.Errorf("%q is taken for a separator", bad)
		}
	}
	if _, err := labelset.Unquote("x"); err == nil {
		t.Error("a word that is not quoted is read")
	}
}

package feature

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// Computed with scikit-learn 1.2.1.
func TestHash(t *testing.T) {
	for _, tc := range []struct {
		term string
		seed uint32
		want int32
	}{
		{"foo", 0, -156908512}, {"foo", 42, -1322301282}, {"the", 0, -1132748958}, {"spam", 0, -1581447336},
		{"정말", 0, -513082595}, {"Chinese", 0, 44911453}, {"café", 0, 605818632},
		{"\x03\x00\x00\x00", 0, 847579505}, {"\x03\x00\x00\x00", 42, -1823081949}, // the number 3
	} {
		if got := Hash([]byte(tc.term), tc.seed); got != tc.want {
			t.Errorf("Hash(%q, %d) = %d, want %d", tc.term, tc.seed, got, tc.want)
		}
	}
}

// HashingVectorizer with 16 columns, with and without alternate_sign.
func TestColumn(t *testing.T) {
	signed, plain := make(map[int]int), make(map[int]int)
	for _, term := range strings.Fields("chinese beijing chinese spam free the the the") {
		column, sign := Column([]byte(term), 16)
		signed[column] += sign
		plain[column]++
	}
	if want := map[int]int{3: -1, 8: -1, 14: -4}; !maps.Equal(nonzero(signed), want) {
		t.Errorf("signed %v, want %v", signed, want)
	}
	if want := map[int]int{3: 1, 8: 1, 14: 6}; !maps.Equal(plain, want) {
		t.Errorf("not signed %v, want %v", plain, want)
	}
}

func nonzero(m map[int]int) map[int]int {
	maps.DeleteFunc(m, func(_, v int) bool { return v == 0 })
	return m
}

func ExampleHash() {
	fmt.Println(Hash([]byte("foo"), 0))
	// Output: -156908512
}

func ExampleColumn() {
	fmt.Println(Column([]byte("free"), 1<<20))
	// Output: 943214 1
}

package dataset_test

import (
	"fmt"
	"log"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"

	"pgregory.net/rapid"
)

func ExampleReadWordList() {
	var (
		list *dataset.WordList
		err  error
	)
	if list, err = dataset.ReadWordList(strings.NewReader(".MSG_COUNT 3 2 20260101\ncheap 3 1 20260101\nlunch 0 2 20260101\n"), "words"); err != nil {
		log.Fatal(err)
	}
	c := bayes.NewCounts(nil)
	for ex := range list.Examples() {
		c.Learn(ex)
	}
	fmt.Println(list.Spam, list.Ham, c.At("spam", "cheap").Examples, c.At("ham", "cheap").Examples)
	// Output: 3 2 3 1
}

// What is counted of the examples is what the list has.
func TestWordList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spam, ham := rapid.IntRange(1, 9).Draw(t, "spam"), rapid.IntRange(1, 9).Draw(t, "ham")
		lines := fmt.Sprintf(".ENCODING 2 0 20260101\n.MSG_COUNT %d %d 20260101\n.ROBX 415000 0 20260101\n", spam, ham)
		counts := make(map[string][2]int)
		for range rapid.IntRange(0, 20).Draw(t, "words") {
			counts[rapid.SampledFrom([]string{"a", "b c", "subj:x", "1 2", "é", "\xff", "d"}).Draw(t, "word")] = [2]int{rapid.IntRange(0, spam).Draw(t, "in spam"), rapid.IntRange(0, ham).Draw(t, "in ham")}
		}
		for word, n := range counts {
			lines += fmt.Sprintf("%s %d %d 20260101\n", word, n[0], n[1])
		}
		list, err := dataset.ReadWordList(strings.NewReader(lines), "words")
		if err != nil {
			t.Fatal(err)
		}
		c := bayes.NewCounts(nil)
		for ex, err := range list.Examples() {
			if err != nil {
				t.Fatal(err)
			}
			c.Learn(ex)
		}
		for word, n := range counts {
			if got := [2]int64{c.At("spam", word).Examples, c.At("ham", word).Examples}; got != [2]int64{int64(n[0]), int64(n[1])} {
				t.Errorf("%q: %v, want %v", word, got, n)
			}
		}
		if c.Examples() != int64(spam+ham) || list.X != 0.415 {
			t.Error(c.Examples(), list.X)
		}
	})
}

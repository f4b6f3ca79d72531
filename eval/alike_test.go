package eval_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
)

func alike(t *testing.T, texts ...string) []eval.Alike {
	t.Helper()
	list := make([]bayes.Example, len(texts))
	for i, text := range texts {
		list[i].Label, list[i].Text = "any", text
	}
	groups, err := eval.FindAlike(t.Context(), new(bayes.Space), list)
	if err != nil {
		t.Fatal(err)
	}
	c, err := bayes.ReadCorpus(t.Context(), nil, each(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := eval.FindAlikeIn(t.Context(), c)
	if err != nil || !reflect.DeepEqual(in, groups) {
		t.Errorf("in a corpus %v, want %v (%v)", in, groups, err)
	}
	return groups
}

func TestFindAlike(t *testing.T) {
	const long = "one two three four five six seven eight nine ten eleven twelve"
	for _, c := range []struct {
		texts []string
		want  []eval.Alike
	}{
		{nil, nil},
		{[]string{"", ""}, nil},
		{[]string{"yes", "no", "Yes!", "no no"}, []eval.Alike{{[]int{0, 2}, true, []int{0, 0}}}},
		{[]string{"a b c", "c b", "b c a", "c, b", "c b d"}, []eval.Alike{{[]int{0, 2}, true, []int{0, 0}}, {[]int{1, 3}, true, []int{1, 1}}}},
		{[]string{"x", long, long + " thirteen", "y", long}, []eval.Alike{{[]int{1, 2, 4}, false, []int{1, 2, 1}}}},
		{[]string{long, "one two three four five six a b c d e f"}, nil},
		{[]string{"a b c d e", "a b c d f"}, nil},
	} {
		if got := alike(t, c.texts...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, want %v", c.texts, got, c.want)
		}
	}
}

// All the same take no more than a comparison each.
func TestFindAlikeMany(t *testing.T) {
	texts := make([]string, 20_000)
	for i := range texts {
		texts[i] = strings.Repeat("w ", 3) + "one two three four five six seven eight nine" + strings.Repeat(fmt.Sprint(" n", i%7), 1+i%2)
	}
	n := 0
	for _, g := range alike(t, texts...) {
		n += len(g.Examples)
	}
	if n != len(texts) {
		t.Errorf("%d of %d are alike", n, len(texts))
	}
}

// Two of the messages differ in a word.
func ExampleFindAlike() {
	list := []bayes.Example{
		{Label: "spam", Text: "Dear customer, you have won a prize of 1,000 pounds: call 0901 now"},
		{Label: "ham", Text: "see you at lunch"},
		{Label: "ham", Text: "Dear customer, you have won a prize of 1,000 pounds: call 0902 now"},
	}
	groups, err := eval.FindAlike(context.Background(), new(bayes.Space), list)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range groups {
		for _, i := range g.Examples {
			fmt.Println(i, list[i].Label)
		}
	}
	// Output:
	// 0 spam
	// 2 ham
}

// What is alike may be looked for in a corpus that there is anyway.
func ExampleFindAlikeIn() {
	c, err := bayes.ReadCorpus(context.Background(), nil, each([]bayes.Example{
		{Label: "spam", Text: "win a prize"},
		{Label: "ham", Text: "see you at lunch"},
		{Label: "ham", Text: "a prize: win!"},
	}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	groups, err := eval.FindAlikeIn(context.Background(), c)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range groups {
		fmt.Println(g.Examples, c.Label(g.Examples[0]), c.Label(g.Examples[1]))
	}
	// Output:
	// [0 2] spam ham
}

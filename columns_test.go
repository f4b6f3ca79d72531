package bayes_test

import (
	"bytes"
	"fmt"
	"log"
	"reflect"
	"strings"
	"testing"

	"bayes"
)

// The columns go where the counts go, and have no part in what they mean.
func TestColumns(t *testing.T) {
	plain := bayes.NewCounts(nil)
	plain.Learn(bayes.Example{Label: "spam", Text: "win a <free> prize"})
	plain.Learn(bayes.Example{Label: "ham", Text: "lunch"})
	want := bayes.Columns{Label: "v1", Text: []string{"subject", "größe <b>"}, Numeric: []string{"age"}, Categorical: []string{"#3"}, EmptyCategory: true, Weight: "w", NoHeader: true}
	c := plain.Clone()
	c.SetColumns(want)
	if !c.Equal(plain) {
		t.Error("columns make a difference to what counts mean")
	}
	file, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	loaded := new(bayes.Counts)
	if err := loaded.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	if again, _ := loaded.MarshalBinary(); !bytes.Equal(again, file) {
		t.Error("saved again, the bytes differ")
	}
	sum := func(a, b *bayes.Counts) *bayes.Counts {
		s := a.Clone()
		if err := s.Add(b); err != nil {
			t.Fatal(err)
		}
		return s
	}
	other := plain.Clone()
	other.SetColumns(bayes.Columns{Label: "class"})
	for what, d := range map[string]*bayes.Counts{
		"loaded": loaded, "cloned": c.Clone(), "a shard": c.Shard(3)[2], "restricted": c.Restrict(func(string) bool { return true }),
		"relabelled": c.Relabel(strings.ToUpper), "with others": sum(c, other), "added to nothing": sum(bayes.NewCounts(nil), c),
	} {
		if got := d.Columns(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	if got := sum(plain, c).Columns(); !reflect.DeepEqual(got, bayes.Columns{}) {
		t.Errorf("the sum takes the columns of the second: %+v", got)
	}
	m, err := bayes.Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Freeze(&b, nil); err != nil {
		t.Fatal(err)
	}
	frozen, err := bayes.LoadModel(&b)
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := m.WithPrior(bayes.UniformPrior{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*bayes.Model{m, frozen, uniform} {
		if got := m.Columns(); !reflect.DeepEqual(got, want) {
			t.Errorf("frozen %v: %+v", m.Frozen(), got)
		}
	}
	c.SetColumns(bayes.Columns{})
	a, _ := c.MarshalBinary()
	if p, _ := plain.MarshalBinary(); !bytes.Equal(a, p) {
		t.Error("no columns have a section")
	}
}

// What a model was trained from is known wherever its file is read.
func ExampleColumns() {
	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "spam", Text: "win a prize"})
	counts.SetColumns(bayes.Columns{Label: "v1", Text: []string{"v2"}})
	file, err := counts.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}

	var read bayes.Counts
	if err := read.UnmarshalBinary(file); err != nil {
		log.Fatal(err)
	}
	columns := read.Columns()
	fmt.Println(columns.Label, columns.Text)
	// Output: v1 [v2]
}

package answer_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"bayes"
	"bayes/answer"
)

// columnsModel returns a model of a text, a number of the same name as a term of it, and a category.
func columnsModel(t testing.TB, em bayes.EventModel, space *bayes.Space) *bayes.Model {
	t.Helper()
	c := bayes.NewCounts(space)
	for _, ex := range []bayes.Example{
		{Label: "old", Text: "of age", Attrs: []bayes.Attr{bayes.Number("age", 70), bayes.Category("hair", "grey")}},
		{Label: "old", Text: "wise", Attrs: []bayes.Attr{bayes.Number("age", 80), bayes.Category("hair", "grey")}},
		{Label: "young", Text: "age", Attrs: []bayes.Attr{bayes.Number("age", 20), bayes.Category("hair", "dark")}},
		{Label: "young", Text: "wild", Attrs: []bayes.Attr{bayes.Number("age", 24)}},
	} {
		c.Learn(ex)
	}
	m, err := bayes.Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What is known of a category is read without the terms of the text. Declared values are known too.
func TestCategoryAlone(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{Values: map[string][]string{"a": {"none"}}})
	for i := range 3000 {
		c.Learn(bayes.Example{Label: fmt.Sprint(i % 2), Text: fmt.Sprint("w", i), Attrs: []bayes.Attr{bayes.Category("a", "b=c"), bayes.Category("a=b", "c")}})
	}
	m, err := bayes.Fit(c, bayes.Mixed{})
	if err != nil {
		t.Fatal(err)
	}
	var got answer.ColumnFacts
	if n := testing.AllocsPerRun(3, func() { got = answer.NewColumnFacts(m, 5) }); n > 100 {
		t.Errorf("%v allocations, for three values", n)
	}
	want := []answer.Category{{Name: "a", Known: 2, Values: []answer.Value{{Value: "b=c", Examples: 3000}, {Value: "none"}}}, {Name: "a=b", Known: 1, Values: []answer.Value{{Value: "c", Examples: 3000}}}}
	if !reflect.DeepEqual(got.Categorical, want) {
		t.Errorf("got %v, want %v", got.Categorical, want)
	}
}

// The columns of a model have mean and deviation of each class, whatever models the numbers,
// and though a term has a number's name.
func TestColumns(t *testing.T) {
	for _, number := range []bayes.EventModel{bayes.Gaussian{}, bayes.Kernel{}, bayes.Discrete{}} {
		m := columnsModel(t, bayes.Mixed{Number: number}, &bayes.Space{NumberValues: true})
		got := answer.NewColumnFacts(m, 1)
		want := answer.ColumnFacts{
			Numeric: []answer.Number{{Name: "age", Classes: []answer.ClassSpread{
				{Label: "old", Spread: answer.Spread{Examples: 2, Mean: 75, Deviation: 5}}, {Label: "young", Spread: answer.Spread{Examples: 2, Mean: 22, Deviation: 2}},
			}}},
			Categorical: []answer.Category{{Name: "hair", Known: 2, Values: []answer.Value{{Value: "grey", Examples: 2}}}},
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v:\n got %v\nwant %v", number, got, want)
		}
		top := answer.NewTopTerms(m, "old", 100)
		found := 0
		for _, s := range top {
			if s.Spread != nil {
				found++
				if s.Term != "age" || s.Spread.Mean != 75 || s.LogOdds < 0 {
					t.Errorf("%v: %+v", number, s)
				}
			}
		}
		if found != 1 || len(answer.NewTopTerms(m, "old", 2)) != 2 {
			t.Errorf("%v: %d numbers among the telling terms", number, found)
		}
	}
}

// Of an explanation the number alone has a spread, and not the term of its name.
func TestExplanationSpread(t *testing.T) {
	m := columnsModel(t, bayes.Mixed{}, nil)
	ex := m.Explain(bayes.Document{Text: "age", Attrs: []bayes.Attr{bayes.Number("age", 30), bayes.Category("hair", "dark")}})
	spreads := 0
	for _, s := range answer.NewExplanation(ex, 0).Terms {
		if s.SpreadFor != nil {
			spreads++
			if s.Term != "age" || s.Value != 30 || s.SpreadFor.Mean != 22 || s.SpreadAgainst.Mean != 75 {
				t.Errorf("%+v", s)
			}
		}
	}
	if spreads != 1 {
		t.Errorf("%d terms have a spread", spreads)
	}
	zero := bayes.Contribution{Number: true, Counts: [2]bayes.Moments{{Examples: 3, Present: 3}, {}}}
	if own, other, ok := answer.Spreads(zero); !ok || own.String() != "0 ± 0" || other.String() != "–" {
		t.Errorf("a number that is always 0: %v %v %v", own, other, ok)
	}
}

// What is a number is so whatever its values are: too small for their squares, or in no example of the
// classes that are compared. A term of its name, and one whose counts look alike, is none.
func TestNumbersOfAnySize(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, ex := range []bayes.Example{
		{Label: "a", Text: "age", Attrs: []bayes.Attr{bayes.Number("tiny", 1e-200)}},
		{Label: "b", Text: "hello", Attrs: []bayes.Attr{bayes.Number("tiny", 2e-200)}},
		{Label: "c", Attrs: []bayes.Attr{bayes.Number("age", 30)}},
	} {
		c.Learn(ex)
	}
	m, err := bayes.Fit(c, bayes.Mixed{})
	if err != nil {
		t.Fatal(err)
	}
	d := bayes.Document{Text: "age", Attrs: []bayes.Attr{bayes.Number("age", 31), bayes.Number("tiny", 1e-200)}}
	found := make(map[string]int)
	for _, f := range m.ExplainAgainst(d, "a", "b").Features {
		if _, _, ok := answer.Spreads(f); ok {
			found[f.Feature]++
		}
	}
	if len(found) != 2 || found["age"] != 1 || found["tiny"] != 1 {
		t.Errorf("the numbers are %v", found)
	}
	for name, number := range map[string]bool{"tiny": true, "age": false, "hello": false} {
		term, ok := answer.NewTerm(m, name)
		if !ok || (term.Classes[0].Spread != nil) != number {
			t.Errorf("%s: %+v", name, term)
		}
	}
}

// A deviation is right as long as it is not lost beside the mean, and never NaN.
func TestSpread(t *testing.T) {
	for _, c := range []struct{ a, b, deviation float64 }{{1, 3, 1}, {1e6, 1e6 + 200, 100}, {0.1, 0.1, 0}, {1e12, 1e12 + 2, 0}, {-5, 5, 5}} {
		m := bayes.Moments{Examples: 2, Present: 2, Sum: c.a + c.b, Squares: c.a*c.a + c.b*c.b}
		if got := answer.NewSpread(m); math.Abs(got.Deviation-c.deviation) > 1e-3*c.deviation || got.Mean != (c.a+c.b)/2 {
			t.Errorf("%v and %v: %+v", c.a, c.b, got)
		}
	}
	if s := answer.NewSpread(bayes.Moments{}); s != (answer.Spread{}) {
		t.Errorf("no value: %+v", s)
	}
}

func ExampleNewColumnFacts() {
	c := answer.NewColumnFacts(columnsModel(&testing.T{}, bayes.Mixed{}, nil), 10)
	for _, s := range c.Numeric[0].Classes {
		fmt.Println(c.Numeric[0].Name, s.Label, s.Spread)
	}
	fmt.Println(c.Categorical[0].Name, c.Categorical[0].Values)
	// Output:
	// age old 75 ± 5
	// age young 22 ± 2
	// hair [{grey 2} {dark 1}]
}

func ExampleNumbers() {
	for _, n := range answer.Numbers(columnsModel(&testing.T{}, bayes.Mixed{}, nil), []string{"age"}) {
		fmt.Println(n.Name, n.Classes[0].Label, n.Classes[0].Mean)
	}
	// Output: age old 75
}

func ExampleCutCategory() {
	i, value, ok := answer.CutCategory("hair=grey", []string{"eyes", "hair"})
	fmt.Println(i, value, ok)
	// Output: 1 grey true
}

func ExampleNewSpread() {
	fmt.Println(answer.NewSpread(bayes.Moments{Examples: 2, Present: 2, Sum: 4, Squares: 10}))
	// Output: 2 ± 1
}

func ExampleSpreads() {
	m := columnsModel(&testing.T{}, bayes.Mixed{}, nil)
	ex := m.Explain(bayes.Document{Attrs: []bayes.Attr{bayes.Number("age", 30)}})
	class, against, ok := answer.Spreads(ex.Features[0])
	fmt.Println(class, against, ok)
	// Output: 22 ± 2 75 ± 5 true
}

func ExampleCounted() {
	ex := columnsModel(&testing.T{}, bayes.Mixed{}, nil).Explain(bayes.Document{Text: "wise"})
	fmt.Println(answer.Counted(ex))
	// Output: true
}

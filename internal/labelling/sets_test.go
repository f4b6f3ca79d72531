package labelling

import (
	"math"
	"reflect"
	"testing"

	"bayes"
)

func beginSets(t *testing.T, name string) *Session {
	t.Helper()
	return beginIn(t, &bayes.Space{LabelSeparator: ";"}, name, texts(40))
}

// An answer of several labels is one string, in one spelling, in the file and in the pile; classes are single labels.
func TestAnswersOfSets(t *testing.T) {
	name := inFile(t)
	s := beginSets(t, name)
	if err := s.AddClass("ann", "grain", "w1 w2"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text      int
		set, want string
	}{{0, "oil; grain", "grain;oil"}, {1, ";", ";"}, {2, "gold", "gold"}, {0, " oil;", "oil"}} {
		was, err := s.Answer("ann", []int{c.text}, c.set)
		if err != nil || was.Label != c.want || s.Given("ann", c.text) != c.want {
			t.Errorf("%q: %+v %v, given %q", c.set, was, err, s.Given("ann", c.text))
		}
	}
	for _, set := range []string{"", "a; b\nc"} {
		if _, err := s.Answer("ann", []int{3}, set); err == nil {
			t.Errorf("%q is an answer", set)
		}
	}
	if s.AddClass("ann", "a;b", "") == nil {
		t.Error("two labels are one class")
	}
	classes := func() (list []Class) { return s.Progress().Classes }
	want := []Class{{"grain", "w1 w2", 0}, {"oil", "", 1}, {"gold", "", 1}}
	if got := classes(); !reflect.DeepEqual(got, want) || s.Progress().Answered != 3 {
		t.Errorf("%v of %d", got, s.Progress().Answered)
	}
	if err := s.Undo("ann"); err != nil || s.Given("ann", 0) != "grain;oil" {
		t.Errorf("undone is %q, %v", s.Given("ann", 0), err)
	}
	// A spreadsheet may spell sets otherwise.
	before := given(s)
	s.Close()
	s = beginSets(t, name)
	defer s.Close()
	if got := given(s); !reflect.DeepEqual(got, before) {
		t.Errorf("%v, and before %v", got, before)
	}
	if _, err := s.Answer("bo", []int{0}, "oil;grain"); err != nil {
		t.Fatal(err)
	}
	if a := s.Progress().Agreements; len(a) != 1 || a[0].Texts != 1 || a[0].Same != 1 {
		t.Errorf("%+v", a)
	}
}

// What is measured is whole sets, and the F1 of their labels.
func TestQualityOfSets(t *testing.T) {
	s := beginSets(t, inFile(t))
	defer s.Close()
	sets := []string{"a", "a;b", ";", "b"}
	for n := range 30 {
		q, ok := s.Ask("ann")
		if !ok {
			t.Fatal("no question")
		}
		if n > 10 && (q.Guess == nil || q.Answer.Class == "") {
			t.Errorf("no guess after %d answers", n)
		}
		if _, err := s.Answer("ann", []int{q.Text}, sets[q.Text%4]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := s.Progress().Quality
	tally, err := s.pile.Measure()
	if err != nil {
		t.Fatal(err)
	}
	accuracy, low, high := tally.Accuracy()
	if last := q.Points[len(q.Points)-1]; last.Accuracy != accuracy || last.Low != low || last.High != high {
		t.Errorf("%+v, want %v", last, accuracy)
	}
	both, sizes := 0, 0
	for _, c := range tally.Confused() {
		for range c.Documents {
			in := map[string]bool{}
			for _, l := range s.labels(c.Label) {
				in[l] = true
				sizes++
			}
			for _, l := range s.labels(c.Predicted) {
				sizes++
				if in[l] {
					both++
				}
			}
		}
	}
	matrix, labels := tally.Confusion(), tally.Labels()
	for k, l := range labels {
		n := int(matrix[k][k]) * len(s.labels(l))
		both, sizes = both+n, sizes+2*n
	}
	if want := 2 * float64(both) / float64(sizes); math.Abs(q.MicroF1-want) > 1e-12 || want == 0 {
		t.Errorf("micro F1 %v, want %v", q.MicroF1, want)
	}
}

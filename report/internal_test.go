package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"

	"pgregory.net/rapid"
)

// wrong returns a mistake of two classes with the confidence p, and the score of
// the runner-up.
func wrong(text string, p, runnerUp float64) bayes.Result {
	return bayes.Result{
		Example:    bayes.Example{Label: "b", Text: text},
		Prediction: bayes.Prediction{Classes: []bayes.Prob{{Class: "a", P: p}, {Class: "b", P: 1 - p, LogP: runnerUp}}},
	}
}

// The mistakes kept are the first of all, sorted by confidence; of equal ones those
// that came first.
func TestWorst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worst[Mistake]{compare: bySureness, most: rapid.IntRange(0, 5).Draw(t, "most")}
		var all []Mistake
		for i := range rapid.IntRange(0, 20).Draw(t, "n") {
			s := Mistake{wrong(strconv.Itoa(i), float64(rapid.IntRange(5, 10).Draw(t, "p"))/10, -float64(rapid.IntRange(1, 3).Draw(t, "second"))), int64(i)}
			all = append(all, s)
			w.add(s)
		}
		slices.SortStableFunc(all, func(a, b Mistake) int { return byConfidence(a.Result, b.Result) })
		all = all[:min(len(all), w.most)]
		if !slices.EqualFunc(w.list, all, func(a, b Mistake) bool { return a.Index == b.Index }) {
			t.Fatalf("%v, want %v", w.list, all)
		}
	})
	if byConfidence(wrong("", 1, -100), wrong("", 1, -50)) >= 0 || byConfidence(wrong("", .9, -1), wrong("", 1, -100)) <= 0 {
		t.Error("a mistake whose runner-up is further behind is not the worse one")
	}
}

// tallied returns a Tally with a confusion matrix.
func tallied(labels []string, confusion [][]int64) *eval.Tally {
	t := new(eval.Tally)
	for i, row := range confusion {
		for j, n := range row {
			p := bayes.Prediction{Classes: []bayes.Prob{{Class: labels[j], P: 1}}}
			for k, label := range labels {
				if k != j {
					p.Classes = append(p.Classes, bayes.Prob{Class: label})
				}
			}
			for range n {
				t.Observe(p, labels[i])
			}
		}
	}
	return t
}

// Merging keeps every document, and the classes in which most mistakes are made.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 8).Draw(t, "classes")
		kept := rapid.IntRange(1, classes-1).Draw(t, "kept")
		matrix, labels := make([][]int64, classes), make([]string, classes)
		var documents, right int64
		for i := range matrix {
			labels[i], matrix[i] = strconv.Itoa(i), make([]int64, classes)
			for j := range matrix[i] {
				matrix[i][j] = rapid.Int64Range(0, 9).Draw(t, "n")
				documents += matrix[i][j]
			}
			if !slices.ContainsFunc(matrix[i], func(n int64) bool { return n > 0 }) {
				matrix[i][i], documents = 1, documents+1 // a class that no document has is none
			}
			right += matrix[i][i]
		}
		names, small := merge(tallied(labels, matrix), kept)
		if len(names) != kept+1 || len(small) != kept+1 || !slices.IsSorted(names[:kept]) {
			t.Fatalf("%d classes are %q", kept, names)
		}
		for p, row := range small {
			for _, n := range row {
				documents -= n
			}
			if p < kept {
				i, _ := strconv.Atoi(names[p])
				if row[p] != matrix[i][i] {
					t.Fatalf("class %d: %d are right, want %d", i, row[p], matrix[i][i])
				}
			}
		}
		if documents != 0 {
			t.Fatalf("%d documents more than in %v", documents, small)
		}
	})
	names, _ := merge(tallied([]string{"a", "b", "c"}, [][]int64{{5, 0, 1}, {0, 9, 0}, {2, 0, 1}}), 2)
	if !slices.Equal(names, []string{"a", "c", "1 others"}) {
		t.Errorf("kept %q", names)
	}
}

func TestHeat(t *testing.T) {
	h := newHeatMap(tallied([]string{"a", "b"}, [][]int64{{99, 1}, {0, 0}}))
	if c := h.Rows[0].Cells[0]; c.Heat != "99" || !c.Right {
		t.Errorf("99 of 100 right: %+v", c)
	}
	if c := h.Rows[0].Cells[1]; c.Heat != "10" || c.Right || c.Title != "a predicted as b: 1, 1.0 % of 100" { // √0.01
		t.Errorf("1 of 100 wrong: %+v", c)
	}
	if c := h.Rows[1].Cells[0]; c.Heat != "0" || c.N != 0 {
		t.Errorf("nothing: %+v", c)
	}
	if len(h.Pairs) != 1 || h.Pairs[0] != (confusedPair{"a", "b", 1, .01}) {
		t.Errorf("pairs %+v", h.Pairs)
	}
}

// A trace begins at its first point and ends at its last, and leaves out no more
// than a unit.
func TestTrace(t *testing.T) {
	line := trace{frame: frame{left: 10, top: 20, width: 100, height: 50}}
	for i := range 10001 {
		line.to(float64(i)/10000, float64(i)/10000)
	}
	path := line.path()
	if !strings.HasPrefix(path, "M10 70L11 69.5L12 69") || !strings.HasSuffix(path, "L110 20") || strings.Count(path, "L") != 100 {
		t.Errorf("a diagonal is %s", path)
	}
	steps := trace{frame: frame{width: 10, height: 10}, stepped: true}
	steps.to(0, 1)
	steps.to(.5, .5)
	steps.to(.51, .49)
	if got := steps.path(); got != "M0 0V5H5V5.1H5.1" {
		t.Errorf("steps are %s", got)
	}
}

func TestScale(t *testing.T) {
	var s scale
	if s.level(0) != 0 || s.level(math.Inf(1)) != 5 || s.level(math.NaN()) != 0 {
		t.Error("levels of an empty scale")
	}
	for _, v := range []float64{-2, 1, math.Inf(-1), 0} {
		s.cover(v)
	}
	for v, want := range map[float64]string{2: "for s5", -2: "against s5", -1: "against s3", .1: "for s0", math.Inf(-1): "against s5"} {
		if got := s.class(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{figure(.86049), "0.8605"}, {figure(math.NaN()), "–"}, {figure(math.Inf(-1)), "−∞"},
		{signed(1.234), "+1.23"}, {signed(-.000123), "−0.000123"}, {signed(0), "0"}, {signed(math.Inf(1)), "+∞"}, {signed(math.NaN()), "–"},
		{count(-1234567), "-1,234,567"}, {count(999), "999"}, {count(1000), "1,000"},
		{short(999), "999"}, {short(1000), "1.0k"}, {short(9949), "9.9k"}, {short(9950), "10k"}, {short(999_499), "999k"}, {short(999_500), "1.0M"}, {short(12_000_000), "12M"},
		{confidence(1), "1.0000"}, {confidence(.99995), "> 0.9999"}, {confidence(1e-9), "< 0.0001"}, {confidence(0), "0.0000"}, {confidence(.5), "0.5000"},
		{plural(1, "class", "classes"), "1 class"}, {plural(2000, "class", "classes"), "2,000 classes"},
		{listed([]string{"a"}), "a"}, {listed([]string{"a", "b", "c"}), "a, b or c"}, {listed(strings.Fields("a b c d e f g h")), "a, b, c, d, e, f or 2 other classes"},
		{label(""), "(empty)"}, {label(strings.Repeat("é", 60)), strings.Repeat("é", 60)}, {label(strings.Repeat("é", 61)), strings.Repeat("é", 59) + "…"},
		{coordinate(-.04), "0"}, {coordinate(12.34), "12.3"},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}

// The parts of a label, one after the other, are the label.
func TestBreakable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-z._/é-]{0,12}|é{58,62}`).Draw(t, "label")
		if got := strings.Join(breakable(s), ""); got != label(s) {
			t.Fatalf("%q of %q", got, s)
		}
	})
	if got := breakable("comp.os.ms-windows"); !slices.Equal(got, []string{"comp.", "os.", "ms-", "windows"}) {
		t.Errorf("%q", got)
	}
}

// A description is shown in words that can be read.
func TestAbridged(t *testing.T) {
	long := strings.Repeat("0.1:0.2,", 9)
	got := abridged("calibrated isotonic=" + long + " model=(multinomial smoothing=1 prior=empirical)")
	if want := "calibrated isotonic=" + long[:31] + "… model=(multinomial smoothing=1 prior=empirical)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is said of the probabilities follows the figures.
func TestAdvice(t *testing.T) {
	for _, tc := range []struct {
		confidence float64 // beside an accuracy of 0.8, from 0.7 to 0.9
		want, not  string
	}{
		{.95, "surer than it is right: mean confidence 0.9500, accuracy 0.8000. For honest probabilities, train on data like this with --calibrate temperature.", ""},
		{.6, "less sure than it could be", "chance"},
		{.6, "--calibrate temperature", ""},
		{.85, "may be chance", "--calibrate"},
		{.81, "about as sure", "chance"},
	} {
		got := advice(tc.confidence, .8, .7, .9)
		if !strings.Contains(got, tc.want) || tc.not != "" && strings.Contains(got, tc.not) {
			t.Errorf("%v: %s", tc.confidence, got)
		}
	}
	r := newReliability([]eval.Bin{{}, {Documents: 4, Confidence: .9, Accuracy: .5}}, .4, "", ofDocuments)
	if r.Bins[1].From != .5 || r.Bins[1].To != 1 {
		t.Errorf("%+v", r)
	}
}

package bayes_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/long"
	"bayes/internal/wire"

	"pgregory.net/rapid"
)

// correct returns the counts of examples, and em with the correction that they teach.
func correct(t rapid.TB, s *bayes.Space, list []bayes.Example, em bayes.EventModel) (*bayes.Counts, bayes.EventModel) {
	t.Helper()
	c := readCorpus(t, s, list)
	em, err := c.Correct(context.Background(), em)
	if err != nil {
		t.Fatal(err)
	}
	counts := c.Counts()
	if s != nil && s.IDF != nil { // the counts of a corpus have no weights of their own for new documents
		plain, weighted := *s, *s
		plain.IDF, plain.Norm = nil, ""
		weighted.IDF = countAll(&plain, list).IDF()
		counts = countAll(&weighted, list)
	}
	return counts, em
}

func countAll(s *bayes.Space, list []bayes.Example) *bayes.Counts {
	c := bayes.NewCounts(s)
	for _, ex := range list {
		c.Learn(ex)
	}
	return c
}

// drawCorrected draws how em is to be corrected.
func drawCorrected(t *rapid.T, em bayes.EventModel) bayes.Corrected {
	return bayes.Corrected{
		Model: em, Strength: rapid.SampledFrom([]float64{0, 1e-3, 0.25, 10}).Draw(t, "strength"), Spread: rapid.Bool().Draw(t, "spread"),
		Trust: rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "trust"),
	}
}

// drawBase draws what is corrected: an event model, the Space and some examples of at least two classes.
func drawBase(t *rapid.T) (bayes.EventModel, *bayes.Space, []bayes.Example) {
	attrs := rapid.Bool().Draw(t, "attrs")
	ems, space := textModels(), drawSpace(t)
	if attrs {
		ems, space.NumberValues = mixedModels(), true
	}
	list := drawExamples(t, attrs)
	list = append(list, bayes.Example{Label: "ham", Text: "a b", Weight: 1}, bayes.Example{Label: "spam", Text: "free b", Weight: 1})
	return rapid.SampledFrom(ems).Draw(t, "model"), space, list
}

// drawMany draws more examples than are read at a time, of some classes, about which their words tell
// something.
func drawMany(t *rapid.T, classes int) []bayes.Example {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	list := make([]bayes.Example, 20*classes+r.IntN(500))
	for i := range list {
		k := r.IntN(classes)
		ex := bayes.Example{Label: fmt.Sprint("class", k), Weight: 1}
		if r.IntN(4) == 0 {
			ex.Weight = float64(r.IntN(20)) / 4
		}
		for range r.IntN(12) {
			word := r.IntN(40)
			if r.IntN(2) == 0 {
				word = 5*k + r.IntN(8)
			}
			ex.Text += fmt.Sprintf("word%d ", word)
		}
		if r.IntN(3) > 0 {
			ex.Attrs = append(ex.Attrs, bayes.Number("size", float64(k)+math.Round(16*r.NormFloat64())/4))
		}
		if r.IntN(3) > 0 {
			ex.Attrs = append(ex.Attrs, bayes.Category("from", fmt.Sprint("v", (k+r.IntN(3))%5)))
		}
		list[i] = ex
	}
	return list
}

// questionsOf returns documents like the examples, and some that are not.
func questionsOf(list []bayes.Example) []bayes.Document {
	all := slices.Clone(questions)
	for _, ex := range list[:min(len(list), 12)] {
		all = append(all, ex.Document())
	}
	return append(all, bayes.Document{Attrs: []bayes.Attr{bayes.Number("size", -1e300), bayes.Category("from", "nobody")}})
}

// Without a correction every digit is the base's.
func TestCorrectedWithoutCorrection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		em, space, list := drawBase(t)
		counts := countAll(space, list)
		base, err := bayes.Fit(counts, em)
		plain, again := bayes.Fit(counts, drawCorrected(t, em))
		if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Fatalf("%v: %v, corrected %v", em, err, again)
		}
		if err != nil {
			return
		}
		calibration := bayes.Calibrated{Model: em, Temperature: 2.5}
		calibrated := fit(t, counts, calibration)
		calibration.Model = drawCorrected(t, em)
		around := fit(t, counts, calibration)
		for _, d := range questionsOf(list) {
			for _, pair := range [][2]*bayes.Model{{base, plain}, {calibrated, around}} {
				if a, b := pair[0].Explain(d), pair[1].Explain(d); !reflect.DeepEqual(a, b) {
					t.Fatalf("%v says %v of %v, corrected %v", em, a, d, b)
				}
				if a, b := derived(pair[0], d), derived(pair[1], d); !reflect.DeepEqual(a, b) {
					t.Fatalf("%v derives %v of %v, corrected %v", em, a, d, b)
				}
			}
		}
	})
}

// derived returns the derivation of a prediction without variances that are no numbers, which no
// number equals.
func derived(m *bayes.Model, d bayes.Document) *bayes.Derivation {
	der := m.Derive(d)
	for _, cd := range der.Classes {
		for i := range cd.Factors {
			if math.IsNaN(cd.Factors[i].Variance) {
				cd.Factors[i].Variance = -1
			}
		}
	}
	return der
}

// A correction of zeros, with all the trust there is, is none: the scores of naive Bayes are those of
// the values that corrections read.
func TestCorrectedPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, space, list := drawBase(t)
		c := readCorpus(t, space, list)
		em, err := c.Correct(t.Context(), drawCorrected(t, base))
		if err != nil {
			if _, alone := bayes.Fit(c.Counts(), base); alone == nil {
				t.Fatalf("%v: %v", base, err)
			}
			return
		}
		counts, em := correct(t, space, list, em)
		m := fit(t, counts, em)
		for _, d := range questionsOf(list) {
			checkExplanation(t, m, d)
			checkCorrections(t, m, d)
			plain := fit(t, counts, base).Predict(d)
			if p := m.Predict(d); p.Known != plain.Known || p.Unknown != plain.Unknown {
				t.Fatalf("%v: %d features of %v are known and %d are not, without correction %d and %d", em, p.Known, d, p.Unknown, plain.Known, plain.Unknown)
			}
		}
	})
}

// checkCorrections: what a feature adds is naive Bayes' part and the correction, and both are finite
// where the score is.
func checkCorrections(t *rapid.T, m *bayes.Model, d bayes.Document) {
	t.Helper()
	ex, der := m.Explain(d), m.Derive(d)
	if ex.Against == "" {
		return
	}
	byClass := make(map[string]bayes.ClassDerivation)
	for _, cd := range der.Classes {
		byClass[cd.Class] = cd
		absent := 0.0
		for _, f := range cd.Absent {
			absent += f.Log
		}
		if len(cd.Absent) > 0 && len(cd.Absent) == cd.AbsentTerms && absent != cd.AbsentSum && !(math.Abs(absent-cd.AbsentSum) <= 1e-12*math.Max(1, math.Abs(absent))) {
			t.Fatalf("%v: the absent features of %v add %v, listed %v", m.EventModel(), d, cd.AbsentSum, absent)
		}
	}
	for _, c := range ex.Features {
		if math.IsNaN(c.Correction) || math.IsInf(c.Correction, 0) || math.IsNaN(c.LogOdds) {
			t.Fatalf("%v: %v", m.EventModel(), c)
		}
		var factors [2]bayes.Factor
		for i, class := range []string{ex.Class, ex.Against} {
			at := slices.IndexFunc(byClass[class].Factors, func(f bayes.Factor) bool { return f.Feature == c.Feature })
			if at < 0 {
				t.Fatalf("%v: no factor of %q", m.EventModel(), c.Feature)
			}
			factors[i] = byClass[class].Factors[at]
		}
		a, b := factors[0], factors[1]
		if got := a.Times * (a.Correction - b.Correction); math.Abs(got-c.Correction) > 1e-12*math.Max(1, math.Abs(got)) {
			t.Fatalf("%v: the correction of %q is %v, and by the derivation %v", m.EventModel(), c.Feature, c.Correction, got)
		}
		naive := a.Times * a.Trust * (math.Log(a.P()) - math.Log(b.P()))
		if a.Number || a.Complement || a.Rest != nil || a.Trust == 0 || math.IsInf(naive, 0) || math.IsNaN(naive) {
			continue
		}
		if got := naive + c.Correction; math.Abs(got-c.LogOdds) > 1e-12*math.Max(1, math.Abs(naive)) {
			t.Fatalf("%v: naive Bayes adds %v and the correction %v of %q, but the log-odds are %v", m.EventModel(), naive, c.Correction, c.Feature, c.LogOdds)
		}
	}
}

// The same examples give the same file, on any number of cores and read by any number of workers.
func TestCorrectIsDeterministic(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	runs := []int{1, 8, 1, 8}
	if long.Sample(t, "each of them twice") {
		runs = runs[:2]
	}
	rapid.Check(t, func(t *rapid.T) {
		list := drawMany(t, rapid.SampledFrom([]int{2, 3, 10}).Draw(t, "classes"))
		space, base := drawSpace(t), bayes.EventModel(bayes.Mixed{})
		if rapid.Bool().Draw(t, "text alone") {
			for i := range list {
				list[i].Attrs = nil
			}
			base = rapid.SampledFrom([]bayes.EventModel{bayes.Multinomial{}, bayes.OneVersusRest{}, bayes.Selected{MinDocuments: 2, Best: 20}}).Draw(t, "model")
		}
		if space.Labels != nil {
			space.Labels = []string{"class0", "unseen"}
		}
		em := drawCorrected(t, base)
		var files [][]byte
		for _, cores := range runs {
			runtime.GOMAXPROCS(cores)
			c, err := bayes.ReadCorpus(t.Context(), space, examples(list), &bayes.CountOptions{Workers: cores})
			if err != nil {
				t.Fatal(err)
			}
			learned, err := c.Correct(t.Context(), em)
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := bayes.Save(&file, c.Counts(), learned); err != nil {
				t.Fatal(err)
			}
			files = append(files, file.Bytes())
		}
		for i, file := range files {
			if !bytes.Equal(file, files[0]) {
				lines, sections := sectionsOf(t, file)
				firstLines, first := sectionsOf(t, files[0])
				for j := range sections {
					if !reflect.DeepEqual(sections[j], first[j]) {
						t.Errorf("section %s differs", sections[j].tag)
					}
				}
				t.Fatalf("%v of %v: run %d gives other bytes than the first: %q, not %q", em, space, i, lines, firstLines)
			}
		}
	})
}

// sectionsOf returns the lines of a model file's header and its sections, by name and payload.
func sectionsOf(t rapid.TB, file []byte) (lines []string, sections []section) {
	t.Helper()
	head, rest, _ := bytes.Cut(file, []byte("\n\n"))
	for d := wire.NewDecoder(rest, 0); d.Len() > 0; {
		tag, payload := d.ReadSection()
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
		sections = append(sections, section{tag, payload.Rest()})
	}
	return strings.Split(string(head), "\n"), sections
}

// The counts know nothing of a correction: the file is that of the base apart from the event model and
// one section. It is read as it was written, and learning and unlearning gives it again.
func TestCorrectedFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, space, list := drawBase(t)
		space.IDF, space.Norm, space.Log, space.SubwordWeight = nil, "", false, 1 // with other sums rounding would not be undone
		var em bayes.EventModel = drawCorrected(t, base)
		if _, err := bayes.Fit(countAll(space, list), base); err != nil {
			t.Skip(err)
		}
		counts, em := correct(t, space, list, em)
		if rapid.Bool().Draw(t, "calibrated") {
			em = bayes.Calibrated{Model: em, Temperature: 3}
		}
		file := saveAs(t, counts, em)
		lines, sections := sectionsOf(t, file)
		plainLines, plain := sectionsOf(t, saveAs(t, countAll(space, list), base))
		for i, line := range lines {
			if line != plainLines[i] && !strings.HasPrefix(line, "event ") && !strings.HasPrefix(line, "checksum ") {
				t.Fatalf("the header says %q, without correction %q", line, plainLines[i])
			}
		}
		rest := slices.DeleteFunc(slices.Clone(sections), func(s section) bool { return s.tag == "CORR" })
		if len(rest) != len(sections)-1 || !reflect.DeepEqual(rest, plain) {
			t.Fatalf("%v: the counts of the file are not those of %v", em, base)
		}
		again, back, err := bayes.Load(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if back.String() != em.String() || !bytes.Equal(saveAs(t, again, back), file) {
			t.Fatalf("%v is saved again as %v, or as other bytes", em, back)
		}
		m, loaded := fit(t, counts, em), fit(t, again, back)
		for _, d := range questionsOf(list) {
			if a, b := m.Explain(d), loaded.Explain(d); !reflect.DeepEqual(a, b) {
				t.Fatalf("%v: %v, and loaded %v", em, a, b)
			}
		}
		more := rapid.SliceOfN(rapid.Custom(drawExample), 1, 4).Draw(t, "more")
		for i := range more {
			if _, mixed := base.(bayes.Mixed); !mixed {
				more[i].Attrs = nil
			}
		}
		for _, ex := range more {
			again.Learn(ex)
		}
		if _, err := bayes.Fit(again, back); err != nil {
			t.Fatal(err)
		}
		for _, ex := range more {
			again.Unlearn(ex)
		}
		if !bytes.Equal(saveAs(t, again, back), file) {
			t.Fatal("learned and unlearned, the bytes differ")
		}
	})
}

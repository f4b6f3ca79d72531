package bayes_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"bayes"
	"bayes/internal/fuzzing"

	"pgregory.net/rapid"
)

// addForms adds the forms of the golden files in a folder, which are small, as seeds.
func addForms(f *testing.F, folder string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*", folder, "*.nb"))
	if err != nil || len(files) == 0 {
		f.Fatal("no golden files to begin with", err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(fuzzing.Unpack(file))
	}
}

// questions are what models that a fuzzer made are asked.
var questions = []bayes.Document{
	{}, {Text: "win a free lunch, Chinese 映画"},
	{Text: "prize", Attrs: []bayes.Attr{bayes.Number("size", 3), bayes.Number("height", 6), bayes.Number("x", 1e9), bayes.Category("hair", "short"), bayes.Text("title", "Win"), bayes.Term("lunch", 2)}},
}

// checkPredictions fails if what a model says is not a distribution.
func checkPredictions(t *testing.T, m *bayes.Model) {
	t.Helper()
	for _, d := range questions {
		sum := 0.0
		for _, p := range m.Predict(d).Classes {
			if !(p.P >= 0 && p.P <= 1+1e-9) || math.IsNaN(p.LogP) || p.LogP > 1e-9 || math.IsNaN(p.LogJoint) {
				t.Fatalf("%v has %v for %v", m.EventModel(), p, d)
			}
			sum += p.P
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("%v: the probabilities of %v add up to %v", m.EventModel(), d, sum)
		}
		m.Explain(d)
	}
}

// A file whose checksums are right is an error, or counts that are saved as bytes that load
// as the same; what is fitted to them predicts distributions, or is an error; and what is
// allocated, the bytes that were read account for.
func FuzzModel(f *testing.F) {
	addForms(f, "models")
	f.Fuzz(func(t *testing.T, form []byte) {
		file := fuzzing.Pack(form)
		var (
			c   *bayes.Counts
			em  bayes.EventModel
			err error
		)
		fuzzing.Bound(t, len(file), loadBound, func() { c, em, err = bayes.Load(bytes.NewReader(file)) })
		if err != nil {
			return
		}
		once := saveAs(t, c, em)
		d, again, err := bayes.Load(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("what was saved is not read: %v", err)
		}
		if !d.Equal(c) || !bytes.Equal(saveAs(t, d, again), once) {
			t.Fatal("what was saved is read as something else")
		}
		if len(c.Classes())*c.Len() > 1<<20 {
			return // weights are classes × terms
		}
		if m, err := bayes.Fit(c, em); err == nil {
			checkPredictions(t, m)
		}
	})
}

// loadBound is how many bytes each byte of a model file may make the loader allocate: a
// term takes at least five bytes of a file, in TERM and MOME, and some hundred in memory;
// names may expand to sixteen times their section.
const loadBound = 256

func saveAs(t rapid.TB, c *bayes.Counts, em bayes.EventModel) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := bayes.Save(&b, c, em); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The same of frozen files: they are errors, or predict distributions.
func FuzzFrozenModel(f *testing.F) {
	addForms(f, "frozen")
	f.Fuzz(func(t *testing.T, form []byte) {
		file := fuzzing.Pack(form)
		if !bytes.HasPrefix(file, []byte("bayes frozen")) {
			return
		}
		var (
			m   *bayes.Model
			err error
		)
		fuzzing.Bound(t, len(file), loadBound, func() { m, err = bayes.LoadModel(bytes.NewReader(file)) })
		if err == nil {
			checkPredictions(t, m)
		}
	})
}

// A description that is read is written, and what is written reads as the same.
func FuzzParseEventModel(f *testing.F) {
	for _, s := range []string{
		"multinomial smoothing=1 prior=empirical", "complement norm smoothing=0.1 prior=uniform", `bernoulli smoothing=1,"a b"=2,c=0 prior=ham=0.5,"a,b"=0.5`,
		"mixed prior=uniform text=(selected min-df=2 max-df=0.9 best=10 score=chi2 model=(multinomial smoothing=evidence-documents)) number=(gaussian shared var-smoothing=0) category=(categorical min-values=3)",
		"calibrated temperature=2.5 coverage=-2:0.1,0:0.9 model=(kernel)", "calibrated isotonic=0:0.1,1:0.9", "discrete smoothing=loo", "fisher robs=0.01 robx=0.6 min-dev=0.1", "corrected strength=0.5 spread trust=1 correction=0123456789abcdef model=(complement)", "", "selected best=10 score=mi",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var (
			em  bayes.EventModel
			err error
		)
		fuzzing.Bound(t, len(s), loadBound, func() { em, err = bayes.ParseEventModel(s) })
		if err != nil {
			return
		}
		written := em.String()
		again, err := bayes.ParseEventModel(written)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", s, written, err)
		}
		if again.String() != written {
			t.Fatalf("%q, then %q", written, again.String())
		}
	})
}

// The same of Spaces.
func FuzzParseSpace(f *testing.F) {
	for _, s := range []string{
		"default", "default ngrams=1-2 binary hash=20", "chars=2-4 log norm=l2 threshold=0.5", "char-words=3 idf", "sklearn form=nfkc accents=fold lowercase=false",
		"whitespace negation=true stopwords=,a,b%2C min-length=3 subwords=3-5 subword-weight=0.5 number-values histograms", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var (
			space *bayes.Space
			err   error
		)
		fuzzing.Bound(t, len(s), loadBound, func() { space, err = bayes.ParseSpace(s) })
		if err != nil {
			return
		}
		written := space.String()
		again, err := bayes.ParseSpace(written)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", s, written, err)
		}
		if again.String() != written || again.AnalyzerVersion() != space.AnalyzerVersion() {
			t.Fatalf("%q, then %q", written, again)
		}
		space.AppendFeatures(nil, questions[1])
	})
}

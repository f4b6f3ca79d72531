package bayes_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/text"

	"pgregory.net/rapid"
)

// What is held out is scored by corrections of the other folds alone: as by a model that never saw it.
func TestHeldOutCorrected(t *testing.T) {
	// A difference in the last digit may be what another round of the solver hangs on.
	defer bayes.SetTolerance(bayes.SetTolerance(1e-7))
	rapid.Check(t, func(t *rapid.T) {
		base, space, list := drawBase(t)
		em := bayes.EventModel(drawCorrected(t, base))
		if rapid.Bool().Draw(t, "calibrated") {
			em = bayes.Calibrated{Model: em, Temperature: 2}
		}
		c := readCorpus(t, space, list)
		fold := make([]int, len(list))
		for i := range fold {
			fold[i] = rapid.IntRange(-1, 1).Draw(t, "fold")
		}
		held, visit := collect(len(list), 1)
		err := c.HeldOut(context.Background(), fold, []bayes.EventModel{em}, visit)
		for f := range 2 {
			if !slices.Contains(fold, f) {
				continue
			}
			var part []bayes.Example
			for i, ex := range list {
				if fold[i] != f {
					part = append(part, ex)
				}
			}
			learned, failed := readCorpus(t, space, part).Correct(context.Background(), em)
			var m *bayes.Model
			if failed == nil {
				m, failed = retrained(space, list, func(i int) bool { return fold[i] != f }, learned)
			}
			if failed != nil {
				if err == nil {
					t.Fatalf("%v: learning without fold %d: %v", em, f, failed)
				}
				return
			}
			for i := range list {
				if fold[i] != f || err != nil {
					continue
				}
				// Counts of other folds are those of all less those of one, so that a score of naive Bayes may
				// differ in its last digit, and then one that is kept as a float32 in its own.
				for k, want := range logPs(m, c.Classes(), list[i]) {
					if got := held[i][0][k]; got != want && !(math.Abs(got-want) <= 1e-4*math.Max(1, math.Abs(want))) && !(got < -600 && want < -600) {
						t.Fatalf("%v: example %d of fold %d\n got %v\nwant %v", em, i, f, held[i], logPs(m, c.Classes(), list[i]))
					}
				}
			}
		}
		if err != nil {
			t.Fatalf("%v is refused, though learning from each part works: %v", em, err)
		}
	})
}

// What is held out is scored by the machines themselves, as a model with their correction scores it, whatever
// else is tried beside it.
func TestHeldOutByMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, space, list := drawBase(t)
		var ems []bayes.EventModel
		for range rapid.IntRange(1, 4).Draw(t, "models") {
			em := bayes.EventModel(drawCorrected(t, base))
			if rapid.Bool().Draw(t, "calibrated") {
				em = bayes.Calibrated{Model: em, Temperature: 2}
			}
			ems = append(ems, em)
		}
		c := readCorpus(t, space, list)
		fold := make([]int, len(list))
		for i := range fold {
			fold[i] = rapid.IntRange(-1, 1).Draw(t, "fold")
		}
		held, visit := collect(len(list), len(ems))
		if c.HeldOut(context.Background(), fold, ems, visit) != nil {
			return // as TestHeldOutCorrected says
		}
		for m, em := range ems {
			for f := range 2 {
				if !slices.Contains(fold, f) {
					continue
				}
				err := bayes.AnswersOf(c, fold, f, em, func(i int, want []float64) {
					for k, v := range want {
						if got := held[i][m][k]; got != v && !(math.Abs(got-v) <= 1e-9*math.Max(1, math.Abs(v))) {
							t.Fatalf("%v: example %d of fold %d\n got %v\nwant %v", em, i, f, held[i][m], want)
						}
					}
				})
				if err != nil {
					t.Fatalf("%v: %v", em, err)
				}
			}
		}
	})
}

// drawTopics returns examples of some classes, each of them with words of its own and common ones.
func drawTopics(r *rand.Rand, n int, labels ...string) []bayes.Example {
	list := make([]bayes.Example, n)
	for i := range list {
		label := labels[i%len(labels)]
		list[i] = bayes.Example{Label: label, Weight: 1}
		for range 6 {
			list[i].Text += fmt.Sprintf("%s%d common%d ", label, r.IntN(12), r.IntN(20))
		}
	}
	return list
}

// A class that is newer than the correction is scored by the base: its texts go to it. It is gone when
// all of it is unlearned.
func TestClassAfterCorrection(t *testing.T) {
	for _, labels := range [][]string{{"ham", "spam"}, {"ham", "news", "spam"}} {
		for _, base := range []bayes.EventModel{nil, bayes.Complement{}, bayes.OneVersusRest{}, bayes.Selected{MinDocuments: 2}} {
			for _, trust := range []float64{0.5, 1} {
				r := rand.New(rand.NewPCG(1, 2))
				counts, em := correct(t, nil, drawTopics(r, 150, labels...), bayes.Corrected{Model: base, Trust: trust})
				before := saveAs(t, counts, em)
				added := drawTopics(r, 20, "invoice")
				for _, ex := range added {
					counts.Learn(ex)
				}
				m, right := fit(t, counts, em), 0
				tests := drawTopics(r, 40, "invoice")
				for _, ex := range tests {
					if m.Predict(ex.Document()).Best().Class == "invoice" {
						right++
					}
				}
				if right < 36 {
					t.Errorf("%v: %d of 40 texts of a new class go to it", em, right)
				}
				old, right := drawTopics(r, 40, labels...), 0
				for _, ex := range old {
					if m.Predict(ex.Document()).Best().Class == ex.Label {
						right++
					}
				}
				if right < 38 {
					t.Errorf("%v: with a new class %d of 40 texts of others are right", em, right)
				}
				for _, ex := range added {
					counts.Unlearn(ex)
				}
				m = fit(t, counts, em)
				if got := m.Classes(); !slices.Equal(got, labels) {
					t.Errorf("%v: %q are left, want %q", em, got, labels)
				}
				if string(saveAs(t, counts, em)) != string(before) {
					t.Errorf("%v: the bytes differ after a class came and went", em)
				}
			}
		}
	}
}

// A class of the correction that is unlearned is gone, and the others stay.
func TestClassOfCorrectionUnlearned(t *testing.T) {
	for _, labels := range [][]string{{"ham", "spam"}, {"ham", "news", "spam"}} {
		for _, trust := range []float64{0, 1} {
			list := drawTopics(rand.New(rand.NewPCG(1, 2)), 60, labels...)
			counts, em := correct(t, nil, list, bayes.Corrected{Trust: trust})
			for _, ex := range list {
				if ex.Label == "ham" {
					counts.Unlearn(ex)
				}
			}
			m := fit(t, counts, em)
			if got := m.Classes(); !slices.Equal(got, labels[1:]) {
				t.Errorf("%q are left, want %q", got, labels[1:])
			}
			for _, ex := range list {
				p := m.Predict(ex.Document())
				if sumP(p) < 1-1e-9 || ex.Label != "ham" && p.Best().Class != ex.Label {
					t.Fatalf("%v is predicted of %q", p, ex.Label)
				}
				m.Explain(ex.Document())
				m.Derive(ex.Document())
			}
		}
	}
}

func sumP(p bayes.Prediction) (s float64) {
	for _, c := range p.Classes {
		s += c.P
	}
	return s
}

// An example that a user adds moves the answer towards its label, if naive Bayes is trusted. With a
// trust below about 0.1, what its terms lose of their inverse document frequencies may outweigh that.
func TestUserMovesAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, labels := range [][]string{{"ham", "spam"}, {"ham", "news", "spam"}} {
		list := drawTopics(r, 90, labels...)
		for _, base := range []bayes.EventModel{nil, bayes.Complement{}, bayes.OneVersusRest{}, bayes.Multinomial{Smoothing: bayes.Additive(0.01)}} {
			for _, trust := range []float64{0.25, 1} {
				counts, em := correct(t, nil, list, bayes.Corrected{Model: base, Trust: trust})
				for i, d := range drawTopics(r, 20, labels...) {
					for _, label := range labels {
						m := fit(t, counts, em)
						before := against(m, d.Document(), label)
						ex := bayes.Example{Label: label, Text: d.Text}
						counts.Learn(ex)
						after := against(fit(t, counts, em), d.Document(), label)
						counts.Unlearn(ex)
						if !(after > before) {
							t.Fatalf("%v: text %d, learned as %s, has log-odds of %v, before %v", em, i, label, after, before)
						}
					}
				}
			}
		}
	}
}

// against returns by how much the score of a class is above that of the best other one.
func against(m *bayes.Model, d bayes.Document, class string) float64 {
	var own float64
	best := math.Inf(-1)
	for _, c := range m.Predict(d).Classes {
		if c.Class == class {
			own = c.LogJoint
		} else {
			best = math.Max(best, c.LogJoint)
		}
	}
	return own - best
}

// Whatever the examples are, there is a sound model, or one line that says why not.
func TestCorrectBadInput(t *testing.T) {
	ex := func(label, text string, attrs ...bayes.Attr) bayes.Example {
		return bayes.Example{Label: label, Text: text, Attrs: attrs}
	}
	weigh := func(w float64, ex bayes.Example) bayes.Example { ex.Weight = w; return ex }
	many := func(n int, one bayes.Example) []bayes.Example { return slices.Repeat([]bayes.Example{one}, n) }
	tiny := math.SmallestNonzeroFloat64
	var neighbours, extremes []bayes.Example
	for i := range 90 {
		neighbours = append(neighbours, ex(fmt.Sprint("c", i%2), "", bayes.Number("x", float64(i)*tiny)))
		extremes = append(extremes, ex(fmt.Sprint("c", i%3), "", bayes.Number("x", math.Copysign(1e150, float64(i%2)-0.5)), bayes.Number("y", 1+float64(i)*0x1p-52)))
	}
	for _, tt := range []struct {
		what string
		list []bayes.Example
		base bayes.EventModel
		want string // of the error
	}{
		{"one class", many(5, ex("ham", "see you")), nil, "a correction wants examples of two classes"},
		{"nothing", nil, nil, "bayes: no examples"},
		{"a class of one example", append(many(5, ex("ham", "see you")), ex("spam", "win")), nil, ""},
		{"a class of one example, and a prior", append(many(5, ex("ham", "see you")), ex("spam", "win")), bayes.Multinomial{Prior: bayes.GivenPrior{"ham": 0.5, "spam": 0.5}}, ""},
		{"two examples", []bayes.Example{ex("ham", "see"), ex("spam", "win")}, nil, ""},
		{"two alike", []bayes.Example{ex("ham", "see"), ex("spam", "see")}, nil, ""},
		{"separable", append(many(50, ex("ham", "see")), many(50, ex("spam", "win"))...), nil, ""},
		{"all alike", append(many(20, ex("ham", "win")), many(10, ex("spam", "win"))...), nil, ""},
		{"duplicated columns", append(many(20, ex("ham", "a b c", bayes.Text("title", "a b c"))), many(10, ex("spam", "d e", bayes.Text("title", "d e")))...), nil, ""},
		{"a term in all", append(many(20, ex("ham", "the see")), many(10, ex("spam", "the win"))...), nil, ""},
		{"empty texts", append(many(20, ex("ham", "")), many(10, ex("spam", ""))...), nil, ""},
		{"an empty text", append(many(20, ex("ham", "see")), many(10, ex("spam", ""))...), nil, ""},
		{"heavy", []bayes.Example{weigh(1e9, ex("ham", "see you")), weigh(1e9, ex("spam", "win you")), ex("ham", "win"), ex("spam", "see")}, nil, ""},
		{"heavy and contradictory", []bayes.Example{weigh(1e9, ex("ham", "see")), weigh(1e9, ex("spam", "see")), weigh(1e9, ex("news", "see"))}, nil, ""},
		{"very heavy and very light", []bayes.Example{weigh(1e12, ex("ham", "see you")), weigh(1e-3, ex("spam", "win you")), ex("ham", "win"), ex("spam", "see")}, nil, ""},
		{"impossible", append(many(20, ex("ham", "see you")), many(10, ex("spam", "win"))...), bayes.Multinomial{Smoothing: bayes.Additive(0)}, ""},
		{"impossible to lack", append(many(20, ex("ham", "see you")), many(10, ex("spam", "win"))...), bayes.Bernoulli{Smoothing: bayes.Additive(0)}, ""},
		{"a class that cannot be", append(many(20, ex("ham", "see you")), many(10, ex("spam", "win"))...), bayes.Multinomial{Prior: bayes.GivenPrior{"ham": 0, "spam": 1}}, ""},
		{"nothing selected", append(many(20, ex("ham", "see you")), many(10, ex("spam", "win"))...), bayes.Selected{MinDocuments: 1000}, ""},
		{"a value as large as can be", []bayes.Example{ex("ham", "", bayes.Term("x", 1e150)), ex("spam", "", bayes.Term("y", 1e-150)), ex("spam", "", bayes.Term("x", 1))}, nil, ""},
		{"neighbours", neighbours, nil, ""},
		{"extremes", extremes, nil, ""},
		{"one number", append(many(20, ex("ham", "", bayes.Number("x", 1))), many(10, ex("spam", "", bayes.Number("x", 1)))...), nil, ""},
		{"a number of one class", append(many(20, ex("ham", "", bayes.Number("x", 1))), many(10, ex("spam", "", bayes.Category("y", "z")))...), nil, ""},
	} {
		for _, em := range []bayes.Corrected{{}, {Trust: 1}, {Spread: true, Strength: 1e6}, {Spread: true, Trust: 0.5, Strength: 1e-6}} {
			em.Model = tt.base
			space := &bayes.Space{NumberValues: true}
			if em.Model == nil && slices.ContainsFunc(tt.list, func(ex bayes.Example) bool { return ex.Attrs != nil }) {
				em.Model = bayes.Mixed{}
			}
			c := readCorpus(t, space, tt.list)
			learned, err := c.Correct(t.Context(), em)
			if err != nil || tt.want != "" {
				if err == nil || tt.want == "" || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: %v: %v, want %q", tt.what, em, err, tt.want)
				}
				continue
			}
			loaded, back := load(t, saveAs(t, c.Counts(), learned))
			m, err := bayes.Fit(loaded, back)
			if err != nil {
				t.Errorf("%s: %v: %v", tt.what, em, err)
				continue
			}
			checkPredictions(t, m)
			for _, ex := range tt.list {
				for _, class := range m.Predict(ex.Document()).Classes {
					if math.IsNaN(class.P) || math.IsNaN(class.LogJoint) {
						t.Fatalf("%s: %v: %v", tt.what, em, class)
					}
				}
				e := m.Explain(ex.Document())
				parts := e.Prior + e.Absent
				for _, f := range e.Features {
					parts += f.LogOdds
				}
				if whole := e.Classes[0].LogJoint - e.Classes[1].LogJoint; math.IsNaN(parts) || !math.IsInf(whole, 0) && !math.IsInf(parts, 0) && math.Abs(parts-whole) > 1e-12*math.Max(1, math.Abs(whole)) {
					t.Errorf("%s: %v: the parts of %v add up to %v, the whole is %v", tt.what, em, ex, parts, whole)
				}
			}
		}
	}
}

// What cannot be learned, or not so, is said in one line.
func TestCorrectErrors(t *testing.T) {
	c := readCorpus(t, nil, drawTopics(rand.New(rand.NewPCG(5, 6)), 30, "ham", "spam"))
	for _, tt := range []struct {
		em   bayes.EventModel
		want string
	}{
		{bayes.Corrected{Strength: 1e7}, "bayes: corrected: strength 1e+07: want a number from 1e-6 to 1e6"},
		{bayes.Corrected{Strength: math.NaN()}, "strength NaN"},
		{bayes.Corrected{Trust: -0.1}, "bayes: corrected: trust -0.1: want a number from 0 to 1"},
		{bayes.Calibrated{Model: bayes.Corrected{Trust: 2}}, "trust 2"},
		{bayes.Corrected{Model: bayes.Gaussian{}}, "gaussian does not model"},
		{bayes.Corrected{Model: bayes.Corrected{}}, "corrected: it cannot have corrected inside"},
		{bayes.Corrected{Model: bayes.Selected{Model: bayes.Calibrated{}}}, "corrected: it cannot have calibrated inside: want it inside calibrated"},
		{bayes.Selected{Model: bayes.Corrected{}}, "selected: it cannot have corrected inside: want it inside corrected"},
		{bayes.Mixed{Text: bayes.Corrected{}}, "mixed: it cannot have corrected inside: want it inside corrected"},
	} {
		em, err := c.Correct(t.Context(), tt.em)
		if err == nil {
			_, err = bayes.Fit(c.Counts(), em)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v, want %q", tt.em, err, tt.want)
		}
		fold := make([]int, c.Len())
		fold[0], fold[1] = 1, 1
		if again := c.HeldOut(t.Context(), fold, []bayes.EventModel{tt.em}, func(*bayes.HeldOutScores) {}); again == nil || !strings.Contains(again.Error(), tt.want) {
			t.Errorf("%v held out: %v, want %q", tt.em, again, tt.want)
		}
	}
	for _, em := range []bayes.EventModel{bayes.Corrected{}, bayes.Calibrated{Model: bayes.Corrected{}}} {
		err := c.LeaveOneOut(t.Context(), []bayes.EventModel{em}, func(*bayes.HeldOutScores) {})
		if err == nil || !strings.Contains(err.Error(), "a correction is learned from all examples at once") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, leaving one out: %v", em, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, trust := range []float64{0, 1} {
		if em, err := c.Correct(ctx, bayes.Corrected{Trust: trust}); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v, %v", em, err)
		}
	}
	// What has no correction is left as it is.
	for _, em := range []bayes.EventModel{nil, bayes.Multinomial{}, bayes.Calibrated{}} {
		if got, err := c.Correct(t.Context(), em); !reflect.DeepEqual(got, em) || err != nil {
			t.Errorf("%v became %v, %v", em, got, err)
		}
	}
}

// Values of subwords do not depend on what a subword counts.
func TestCorrectedSubwords(t *testing.T) {
	list := drawTopics(rand.New(rand.NewPCG(7, 8)), 60, "ham", "spam")
	var want [][]float64
	for _, weight := range []float64{0.25, 1, 8} {
		space := &bayes.Space{Analyzer: &text.Analyzer{Subwords: [2]int{3, 4}}, SubwordWeight: weight}
		counts, em := correct(t, space, list, bayes.Corrected{})
		m := fit(t, counts, em)
		var got [][]float64
		for _, ex := range list {
			got = append(got, logPs(m, counts.Classes(), ex))
		}
		if want == nil {
			want = got
		}
		for i := range got {
			for k := range got[i] {
				if math.Abs(got[i][k]-want[i][k]) > 1e-6 {
					t.Fatalf("subwords that count %v give %v, that count 0.25 %v", weight, got[i], want[i])
				}
			}
		}
	}
}

// Without trust and spread, corrections are scikit-learn's linear support vector machines, of which
// testdata/linear_svc.json has the scores (scikit-learn 1.9.1):
//
//	tfidf = TfidfVectorizer(sublinear_tf=True)
//	svc = LinearSVC(C=c, tol=1e-10, max_iter=1_000_000).fit(tfidf.fit_transform(docs), labels, sample_weight=weights)
//	scores = svc.decision_function(tfidf.transform(tests))
func TestLinearSVC(t *testing.T) {
	defer bayes.SetTolerance(bayes.SetTolerance(1e-7))
	var cases []struct {
		Strength     float64
		Labels, Docs []string
		Weights      []float64
		Tests        []string
		Scores       [][]float64 // by class; of two classes that of the second against the first
	}
	readJSON(t, "linear_svc.json", &cases)
	for _, tt := range cases {
		var list []bayes.Example
		for i, doc := range tt.Docs {
			list = append(list, bayes.Example{Label: tt.Labels[i], Text: doc, Weight: tt.Weights[i]})
		}
		for _, base := range []bayes.EventModel{bayes.Multinomial{}, bayes.Complement{}, bayes.Bernoulli{}} {
			counts, em := correct(t, nil, list, bayes.Corrected{Model: base, Strength: tt.Strength})
			m := fit(t, counts, em)
			for i, doc := range tt.Tests {
				scores := make([]float64, len(m.Classes()))
				for _, c := range m.Predict(bayes.Document{Text: doc}).Classes {
					scores[slices.Index(m.Classes(), c.Class)] = c.LogJoint
				}
				if len(scores) == 2 {
					scores = []float64{scores[1] - scores[0]}
				}
				for k, want := range tt.Scores[i] {
					if math.Abs(scores[k]-want) > 1e-5 {
						t.Errorf("%v: %q has the scores %v, want %v", em, doc, scores, tt.Scores[i])
						break
					}
				}
			}
		}
	}
}

// What columns, terms and values came after the correction is known as it is to the base, and says
// what the base says of it, times the trust.
func TestColumnAfterCorrection(t *testing.T) {
	list := drawTopics(rand.New(rand.NewPCG(9, 10)), 60, "ham", "spam")
	counts, em := correct(t, nil, list, bayes.Corrected{Model: bayes.Mixed{}, Trust: 0.5})
	for i, ex := range list {
		ex.Text = "late"
		ex.Attrs = []bayes.Attr{bayes.Number("size", float64(i%2*10+i%3)), bayes.Category("from", fmt.Sprint("v", i%2)), bayes.Text("title", fmt.Sprint("t", i%2))}
		counts.Learn(ex)
	}
	m, base := fit(t, counts, em), fit(t, counts, bayes.Mixed{})
	d := bayes.Document{Text: "late", Attrs: []bayes.Attr{bayes.Number("size", 11), bayes.Category("from", "v1"), bayes.Text("title", "t1 unheard")}}
	p, q := m.Predict(d), base.Predict(d)
	if p.Known != q.Known || p.Unknown != q.Unknown || p.Known != 4 {
		t.Errorf("%d features are known and %d are not, of the base %d and %d", p.Known, p.Unknown, q.Known, q.Unknown)
	}
	trust := bayes.CorrectionOf(em).Trust()
	for _, f := range m.ExplainAgainst(d, "spam", "ham").Features {
		if f.Correction != 0 {
			t.Errorf("%s has a correction of %v", f.Feature, f.Correction)
		}
		for _, g := range base.ExplainAgainst(d, "spam", "ham").Features {
			if g.Feature == f.Feature && math.Abs(f.LogOdds-trust*g.LogOdds) > 1e-12 {
				t.Errorf("%s adds %v, want %v times %v", f.Feature, f.LogOdds, trust, g.LogOdds)
			}
		}
	}
	if best := p.Best(); best.Class != "spam" {
		t.Errorf("%v is predicted by what came later, want spam", best)
	}
}

package bayes_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/text"
)

// scikit-learn's chi2 and mutual information, to 1e-9.
func TestSelectionScores(t *testing.T) {
	var cases []struct {
		X            [][]float64
		Y            []int
		Chi2Counts   []float64 `json:"chi2_counts"`
		Chi2Presence []float64 `json:"chi2_presence"`
		MI           []float64 `json:"mutual_information_presence_nats"`
	}
	readJSON(t, "selection.json", &cases)
	for i, tc := range cases {
		c := bayes.NewCounts(nil)
		learnMatrix(c, tc.X, tc.Y, nil)
		for _, check := range []struct {
			score feature.Score
			want  []float64
		}{
			{feature.ChiSquare{}, tc.Chi2Counts}, {feature.ChiSquare{Presence: true}, tc.Chi2Presence}, {feature.MutualInformation{}, tc.MI},
		} {
			got, err := bayes.Scores(c, check.score)
			if err != nil {
				t.Fatal(err)
			}
			for j, name := range columns(len(check.want)) {
				if !near(got[name], check.want[j], 1e-9) {
					t.Errorf("case %d, %v: feature %d scores %v, want %v", i, check.score, j, got[name], check.want[j])
				}
			}
		}
	}
}

// The tables of Introduction to Information Retrieval: documents in and outside
// of the class, with and without the term.
func TestIIRSelection(t *testing.T) {
	for _, tc := range []struct {
		term               string
		n00, n01, n10, n11 float64 // term, then class
		chi2, mi           float64 // mutual information in bits
	}{
		{"export", 774106, 141, 27652, 49, 284.28631830257234, 0.00011053558610110261},
		{"brazil", 98012, 102, 1835, 51, 818.9386877146991, 0.0015536891520800415},
		{"council", 96322, 133, 3525, 20, 40.67412523282426, 0.0001774273223176552},
		{"roasted", 99824, 143, 23, 10, 1964.2932996499956, 0.0006484758942638558},
	} {
		c := bayes.NewCounts(nil)
		for _, cell := range []struct {
			label, text string
			n           float64
		}{{"other", "x", tc.n00}, {"class", "x", tc.n01}, {"other", "x " + tc.term, tc.n10}, {"class", "x " + tc.term, tc.n11}} {
			c.Learn(bayes.Example{Label: cell.label, Text: cell.text, Weight: cell.n})
		}
		chi2, err := bayes.Scores(c, feature.ChiSquare{Absence: true})
		if err != nil {
			t.Fatal(err)
		}
		mi, _ := bayes.Scores(c, feature.MutualInformation{})
		if got := chi2[tc.term]; !near(got, tc.chi2, 1e-12) {
			t.Errorf("%s: chi-square %v, want %v", tc.term, got, tc.chi2)
		}
		if got := mi[tc.term] / math.Ln2; !near(got*1e3, tc.mi*1e3, 1e-10) {
			t.Errorf("%s: %v bits, want %v", tc.term, got, tc.mi)
		}
	}
}

// Limits on documents and features, as scikit-learn's CountVectorizer has them,
// on its own test's documents about food.
func TestLimits(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, s := range []string{
		"the pizza pizza beer copyright", "the pizza burger beer copyright", "the the pizza beer beer copyright",
		"the burger beer beer copyright", "the coke burger coke copyright", "the coke burger burger", "the salad celeri copyright",
		"the salad salad sparkling water copyright", "the the celeri celeri copyright", "the tomato tomato salad water", "the tomato salad water copyright",
	} {
		c.Learn(bayes.Example{Label: "food", Text: s})
	}
	for _, tc := range []struct {
		em   bayes.Selected
		want []string
	}{
		{bayes.Selected{MaxDocuments: .5}, []string{"beer", "burger", "celeri", "coke", "pizza", "salad", "sparkling", "tomato", "water"}},
		{bayes.Selected{MaxDocuments: .6, MaxFeatures: 4}, []string{"beer", "burger", "pizza", "salad"}},
		{bayes.Selected{MinDocuments: 4}, []string{"beer", "burger", "copyright", "salad", "the"}},
		{bayes.Selected{MaxFeatures: 1}, []string{"the"}},
	} {
		if got := fit(t, c, tc.em).Parameters().Terms; !slices.Equal(got, tc.want) {
			t.Errorf("%v: %q, want %q", tc.em, got, tc.want)
		}
	}
}

// CountVectorizer's vocabularies under its limits. Of equally frequent terms it
// keeps whichever its unstable sort leaves in front, and this package the first
// ones; so where the lists differ, the frequencies must not.
func TestVectorizerLimits(t *testing.T) {
	var cases []struct {
		Params struct {
			MinDF       float64 `json:"min_df"`
			MaxDF       float64 `json:"max_df"`
			MaxFeatures int     `json:"max_features"`
		}
		Docs, Vocabulary []string
	}
	readJSON(t, "limits.json", &cases)
	for _, tc := range cases {
		c := bayes.NewCounts(&bayes.Space{Analyzer: &text.Analyzer{Segmenter: text.SKLearn{}}})
		for _, doc := range tc.Docs {
			c.Learn(bayes.Example{Label: "all", Text: doc})
		}
		em := bayes.Selected{MinDocuments: tc.Params.MinDF, MaxDocuments: tc.Params.MaxDF, MaxFeatures: tc.Params.MaxFeatures}
		slices.Sort(tc.Vocabulary)
		frequencies := func(terms []string) []float64 {
			var list []float64
			for _, term := range terms {
				list = append(list, c.At("all", term).Sum)
			}
			slices.Sort(list)
			return list
		}
		got := fit(t, c, em).Parameters().Terms
		if same := slices.Equal(got, tc.Vocabulary); !same && (tc.Params.MaxFeatures == 0 || !slices.Equal(frequencies(got), frequencies(tc.Vocabulary))) {
			t.Errorf("%v: %q, want %q", em, got, tc.Vocabulary)
		}
	}
}

// Selection by the counts being fitted: what is left after subtracting a part
// selects as the rest alone would.
func TestSelectionIsMadeInFit(t *testing.T) {
	list := generate(300)
	whole, part := learn(nil, list...), learn(nil, list[:100]...)
	if err := whole.Sub(part); err != nil {
		t.Fatal(err)
	}
	em := bayes.Mixed{Text: bayes.Selected{Best: 3}}
	a, b := fit(t, whole, em), fit(t, learn(nil, list[100:]...), em)
	if a.Len() != b.Len() || a.Len() > 3+1+3 {
		t.Errorf("%d and %d features", a.Len(), b.Len())
	}
	for _, ex := range list[:20] {
		if p, q := a.Predict(ex.Document()).Best(), b.Predict(ex.Document()).Best(); !near(p.LogJoint, q.LogJoint, 1e-12) {
			t.Fatalf("%v, want %v", p, q)
		}
	}
}

// A model of selected terms is that of texts in which there are no others.
func TestSelectedIsWithoutTheRest(t *testing.T) {
	list := []bayes.Example{
		{Label: "a", Text: "one two two rare"}, {Label: "b", Text: "two three seldom seldom seldom"},
		{Label: "a", Text: "one one three"}, {Label: "b", Text: "two"},
	}
	kept := strings.NewReplacer("rare", "", "seldom", "")
	var rest []bayes.Example
	for _, ex := range list {
		rest = append(rest, bayes.Example{Label: ex.Label, Text: kept.Replace(ex.Text)})
	}
	for _, em := range []bayes.EventModel{bayes.Multinomial{}, bayes.Complement{}, bayes.Complement{Normalize: true}, bayes.OneVersusRest{}, bayes.Bernoulli{}} {
		a, b := fit(t, learn(nil, list...), bayes.Selected{MinDocuments: 2, Model: em}), fit(t, learn(nil, rest...), em)
		for _, ex := range rest {
			for k, p := range a.Predict(ex.Document()).Classes {
				if q := b.Predict(ex.Document()).Classes[k]; p.Class != q.Class || !near(p.LogJoint, q.LogJoint, 1e-12) {
					t.Errorf("%v: %q: %v, want %v", em, ex.Text, p, q)
				}
			}
		}
	}
}

package bayes_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"bayes"
)

// number is a float64 that JSON may spell "-inf".
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		b = b[1 : len(b)-1]
	}
	v, err := strconv.ParseFloat(string(b), 64)
	*n = number(v)
	return err
}

// A modelCase is one run of scikit-learn 1.2.1.
type modelCase struct {
	Model  string
	Params struct {
		Alpha         any
		Norm          bool
		FitPrior      *bool     `json:"fit_prior"`
		ClassPrior    []float64 `json:"class_prior"`
		Binarize      float64
		Priors        []float64
		VarSmoothing  *float64 `json:"var_smoothing"`
		MinCategories int      `json:"min_categories"`
	}
	X            [][]float64
	Y            []int
	SampleWeight []float64   `json:"sample_weight"`
	Chunks       int         `json:"partial_fit_chunks"`
	XTest        [][]float64 `json:"X_test"`
	Expect       struct {
		Classes         []int
		Predict         []int
		Proba           [][]number      `json:"predict_proba"`
		LogProba        [][]number      `json:"predict_log_proba"`
		Joint           [][]number      `json:"joint_log_likelihood"`
		ClassLogPrior   []number        `json:"class_log_prior"`
		FeatureLogProba json.RawMessage `json:"feature_log_prob"` // of a categorical model by feature first
		Theta, Var      [][]float64
	}
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// columns names the features of a matrix so that they sort as they stand.
func columns(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("%04d", j)
	}
	return names
}

// row returns a row of a matrix as the terms of a document.
func row(x []float64) bayes.Document {
	var d bayes.Document
	for j, name := range columns(len(x)) {
		d.Attrs = append(d.Attrs, bayes.Term(name, x[j]))
	}
	return d
}

func learnMatrix(c *bayes.Counts, x [][]float64, y []int, weights []float64) {
	for i := range x {
		ex := bayes.Example{Label: strconv.Itoa(y[i]), Attrs: row(x[i]).Attrs}
		if weights != nil {
			ex.Weight = weights[i]
		}
		c.Learn(ex)
	}
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b))
}

func (mc *modelCase) eventModel() bayes.EventModel {
	var prior bayes.Prior = bayes.EmpiricalPrior{}
	if mc.Params.FitPrior != nil && !*mc.Params.FitPrior {
		prior = bayes.UniformPrior{}
	}
	if list := append(mc.Params.ClassPrior, mc.Params.Priors...); list != nil {
		given := bayes.GivenPrior{}
		for k, p := range list {
			given[strconv.Itoa(mc.Expect.Classes[k])] = p
		}
		prior = given
	}
	smoothing := mc.smoothing()
	switch mc.Model {
	case "multinomial":
		return bayes.Multinomial{Prior: prior, Smoothing: smoothing}
	case "complement":
		return bayes.Complement{Prior: prior, Smoothing: smoothing, Normalize: mc.Params.Norm}
	case "bernoulli":
		return bayes.Bernoulli{Prior: prior, Smoothing: smoothing}
	case "gaussian":
		g := bayes.Gaussian{Prior: prior}
		if v := mc.Params.VarSmoothing; v != nil {
			if g.VarSmoothing = *v; *v == 0 {
				g.VarSmoothing = bayes.NoVarSmoothing
			}
		}
		return g
	case "categorical":
		return bayes.Categorical{Prior: prior, Smoothing: smoothing, MinValues: mc.Params.MinCategories}
	}
	return nil
}

// attrs returns a row of the case's matrix as a document.
func (mc *modelCase) attrs(x []float64) []bayes.Attr {
	var attrs []bayes.Attr
	for j, name := range columns(len(x)) {
		switch mc.Model {
		case "gaussian":
			attrs = append(attrs, bayes.Number(name, x[j]))
		case "categorical":
			attrs = append(attrs, bayes.Category(name, strconv.Itoa(int(x[j]))))
		default:
			attrs = append(attrs, bayes.Term(name, x[j]))
		}
	}
	return attrs
}

// space returns the Space of the case. scikit-learn takes a code for the number
// of a category, so that all codes up to the largest exist.
func (mc *modelCase) space() *bayes.Space {
	s := &bayes.Space{Threshold: mc.Params.Binarize}
	switch mc.Model {
	case "gaussian":
	case "categorical":
		s.Values = make(map[string][]string)
		for j, name := range columns(len(mc.X[0])) {
			largest := 0.0
			for _, x := range mc.X {
				largest = math.Max(largest, x[j])
			}
			for v := range int(largest) + 1 {
				s.Values[name] = append(s.Values[name], strconv.Itoa(v))
			}
		}
	default:
		s.Vocabulary = columns(len(mc.X[0]))
	}
	return s
}

func (mc *modelCase) smoothing() bayes.Smoothing {
	switch alpha := mc.Params.Alpha.(type) {
	case []any:
		of := make(map[string]float64)
		for j, name := range columns(len(alpha)) {
			of[name] = alpha[j].(float64)
		}
		return bayes.PerFeature{Alpha: of}
	case float64:
		return bayes.Additive(alpha)
	}
	return nil
}

// Every case of scikit-learn's five naive Bayes classifiers agrees in joint log-likelihoods, posteriors and predictions to 1e-10.
func TestScikitLearnEventModels(t *testing.T) {
	var cases []modelCase
	readJSON(t, "event_models.json", &cases)
	ran := 0
	for i := range cases {
		mc := &cases[i]
		em := mc.eventModel()
		if em == nil {
			continue
		}
		ran++
		t.Run(fmt.Sprintf("%03d/%v", i, em), func(t *testing.T) { mc.check(t, em) })
	}
	if ran != 87 {
		t.Errorf("only %d cases ran", ran)
	}
}

func (mc *modelCase) check(t *testing.T, em bayes.EventModel) {
	c := mc.count(t)
	m, err := bayes.Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range mc.Expect.ClassLogPrior {
		if got := m.LogPrior()[k]; !near(got, float64(want), 1e-10) {
			t.Errorf("class %d: log prior %v, want %v", k, got, want)
		}
	}
	for i, x := range mc.XTest {
		p := m.Predict(bayes.Document{Attrs: mc.attrs(x)})
		for _, prob := range p.Classes {
			k := slices.Index(m.Classes(), prob.Class)
			if want := float64(mc.Expect.Joint[i][k]); !near(prob.LogJoint, want, 1e-10) {
				t.Errorf("row %d class %d: joint %v, want %v", i, k, prob.LogJoint, want)
			}
			if want := float64(mc.Expect.Proba[i][k]); !near(prob.P, want, 1e-10) {
				t.Errorf("row %d class %d: P %v, want %v", i, k, prob.P, want)
			}
			if want := float64(mc.Expect.LogProba[i][k]); !near(prob.LogP, want, 1e-10) {
				t.Errorf("row %d class %d: log P %v, want %v", i, k, prob.LogP, want)
			}
		}
		if want := strconv.Itoa(mc.Expect.Predict[i]); p.Best().Class != want {
			t.Errorf("row %d: predicted %s, want %s", i, p.Best().Class, want)
		}
	}
	mc.checkParameters(t, m.Parameters())
}

// checkParameters compares the fitted parameters.
func (mc *modelCase) checkParameters(t *testing.T, d *bayes.Parameters) {
	t.Helper()
	switch mc.Model {
	case "gaussian":
		wantMatrix(t, "mean", d.Mean, mc.Expect.Theta)
		wantMatrix(t, "variance", d.Variance, mc.Expect.Var)
	case "categorical":
		var tables [][][]number
		if err := json.Unmarshal(mc.Expect.FeatureLogProba, &tables); err != nil {
			t.Fatal(err)
		}
		for j, table := range tables {
			got := d.Categories[j].LogProb
			for k := range table { // with min_categories there are more columns, of values that none has
				wantMatrix(t, d.Categories[j].Name, got[k:k+1], [][]float64{floats(table[k])[:len(got[k])]})
			}
		}
	default:
		var weights [][]number
		if err := json.Unmarshal(mc.Expect.FeatureLogProba, &weights); err != nil {
			t.Fatal(err)
		}
		var want [][]float64
		for _, row := range weights {
			want = append(want, floats(row))
		}
		wantMatrix(t, "weight", d.TermLogProb, want)
	}
}

func floats(list []number) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

func wantMatrix(t *testing.T, what string, got, want [][]float64) {
	t.Helper()
	for k := range want {
		for j := range want[k] {
			if !near(got[k][j], want[k][j], 1e-10) {
				t.Errorf("class %d feature %d: %s %v, want %v", k, j, what, got[k][j], want[k][j])
			}
		}
	}
}

// count learns the case's rows; where scikit-learn learned them in chunks, in as
// many Counts that are then added up.
func (mc *modelCase) count(t *testing.T) *bayes.Counts {
	space := mc.space()
	total := bayes.NewCounts(space)
	chunks := max(1, mc.Chunks)
	for i := range chunks {
		lo, hi := i*len(mc.X)/chunks, (i+1)*len(mc.X)/chunks
		var weights []float64
		if mc.SampleWeight != nil {
			weights = mc.SampleWeight[lo:hi]
		}
		part := bayes.NewCounts(space)
		for i, x := range mc.X[lo:hi] {
			ex := bayes.Example{Label: strconv.Itoa(mc.Y[lo+i]), Attrs: mc.attrs(x)}
			if weights != nil {
				ex.Weight = weights[i]
			}
			part.Learn(ex)
		}
		if err := total.Add(part); err != nil {
			t.Fatal(err)
		}
	}
	return total
}

// The textbook's documents (Manning, Raghavan and Schütze, table 13.1) as other
// systems compute them.
func TestIIRAnchors(t *testing.T) {
	var anchors struct {
		More map[string]json.RawMessage
	}
	readJSON(t, "anchors.json", &anchors)
	plain, binary := bayes.NewCounts(nil), bayes.NewCounts(&bayes.Space{Binary: true})
	for _, ex := range iirTraining {
		plain.Learn(ex)
		binary.Learn(ex)
	}
	for _, tc := range []struct {
		anchor string
		counts *bayes.Counts
		em     bayes.EventModel
	}{
		{"iir_mnb", plain, bayes.Multinomial{}},
		{"iir_bnb", plain, bayes.Bernoulli{}},
		{"iir_cnb", plain, bayes.Complement{}},
		{"iir_cnb_norm", plain, bayes.Complement{Normalize: true}},
		{"iir_mnb_a.01", plain, bayes.Multinomial{Smoothing: bayes.Additive(.01)}},
		{"iir_mnb_a1e-10", plain, bayes.Multinomial{Smoothing: bayes.Additive(1e-10)}},
		{"iir_mnb_uniform", plain, bayes.Multinomial{Prior: bayes.UniformPrior{}}},
		{"iir_mnb_binary", binary, bayes.Multinomial{}},
	} {
		var want struct{ Joint, Proba [][]float64 }
		if err := json.Unmarshal(anchors.More[tc.anchor], &want); err != nil {
			t.Fatalf("%s: %v", tc.anchor, err)
		}
		p := predict(t, tc.counts, tc.em, iirTest)
		for k, label := range []string{"China", "Japan"} {
			got := probOf(p, label)
			if !near(got.LogJoint, want.Joint[0][k], 1e-10) || !near(got.P, want.Proba[0][k], 1e-10) {
				t.Errorf("%s, %s: %v, want joint %v and P %v", tc.anchor, label, got, want.Joint[0][k], want.Proba[0][k])
			}
		}
	}
	for anchor, em := range map[string]bayes.EventModel{
		"mnb_empty_doc": bayes.Multinomial{}, "bnb_empty_doc": bayes.Bernoulli{}, "cnb_empty_doc": bayes.Complement{},
	} {
		var want [][]float64
		if err := json.Unmarshal(anchors.More[anchor], &want); err != nil {
			t.Fatalf("%s: %v", anchor, err)
		}
		if got := probOf(predict(t, plain, em, ""), "China").P; !near(got, want[0][0], 1e-10) {
			t.Errorf("%s: %v, want %v", anchor, got, want[0][0])
		}
	}
}

var iirTraining = []bayes.Example{
	{Label: "China", Text: "Chinese Beijing Chinese"},
	{Label: "China", Text: "Chinese Chinese Shanghai"},
	{Label: "China", Text: "Chinese Macao"},
	{Label: "Japan", Text: "Tokyo Japan Chinese"},
}

const iirTest = "Chinese Chinese Chinese Tokyo Japan"

func predict(t *testing.T, c *bayes.Counts, em bayes.EventModel, text string) bayes.Prediction {
	t.Helper()
	m, err := bayes.Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	return m.Predict(bayes.Document{Text: text})
}

func probOf(p bayes.Prediction, label string) bayes.Prob {
	i := slices.IndexFunc(p.Classes, func(c bayes.Prob) bool { return c.Class == label })
	return p.Classes[i]
}

// With two classes and the same smoothing, complement is multinomial with a
// uniform prior: P(t|¬c) is then P(t|c').
func TestComplementOfTwoClasses(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, ex := range iirTraining {
		c.Learn(ex)
	}
	a := predict(t, c, bayes.Complement{}, iirTest)
	b := predict(t, c, bayes.Multinomial{Prior: bayes.UniformPrior{}}, iirTest)
	for _, label := range c.Classes() {
		if got, want := probOf(a, label).P, probOf(b, label).P; !near(got, want, 1e-14) {
			t.Errorf("%s: %v, want %v", label, got, want)
		}
	}
}

// Posteriors that scikit-learn's own tests, and other libraries', rest on.
func TestPublishedPosteriors(t *testing.T) {
	labels := func(l ...string) []string { return l }
	for _, tc := range []struct {
		name    string
		labels  []string
		x       [][]float64
		y       []int
		weights []float64
		em      bayes.EventModel
		test    []float64
		want    []float64
	}{
		{"four features, ten rows", nil, tenRows, tenLabels, nil, bayes.Multinomial{}, []float64{1, 1, 0, 0}, []float64{.55131629, .44868371}},
		{"four features, ten rows", nil, tenRows, tenLabels, nil, bayes.Bernoulli{}, []float64{1, 1, 0, 0}, []float64{.72480181, .27519819}},
		{"weights", nil, [][]float64{{1, 2}, {1, 2}, {1, 0}}, []int{0, 0, 1}, []float64{1, 1, 4}, bayes.Multinomial{}, []float64{1, 0}, []float64{.18367346938775514, .8163265306122448}},
		{"three classes, weighted", nil, threeRows, []int{0, 0, 1, 2}, sixths(1, 1, 2, 2), bayes.Multinomial{}, threeRows[0], []float64{.3646912556983009, .3481143804392873, .287194363862412}},
		{"three classes, weighted", nil, threeRows, []int{0, 0, 1, 2}, sixths(1, 1, 2, 2), bayes.Bernoulli{}, threeRows[0], []float64{.4, .342857142857143, .257142857142857}},
		{"three classes, weighted", nil, threeRows, []int{0, 0, 1, 2}, sixths(1, 1, 2, 2), bayes.Complement{}, threeRows[0], []float64{.3582089552238806, .3432835820895522, .2985074626865671}},
		{"a class not yet seen", labels("0", "1", "2"), [][]float64{{0, 1}, {1, 0}}, []int{0, 1}, nil, bayes.Multinomial{}, []float64{1, 1}, []float64{.5, .5, 0}},
		{"a class not yet seen", labels("0", "1", "2"), [][]float64{{0, 1}, {1, 0}}, []int{0, 1}, nil, bayes.Bernoulli{}, []float64{1, 1}, []float64{.5, .5, 0}},
		{"then seen", labels("0", "1", "2"), [][]float64{{0, 1}, {1, 0}, {1, 1}}, []int{0, 1, 2}, nil, bayes.Multinomial{}, []float64{1, 1}, []float64{.32, .32, .36}},
		{"then seen", labels("0", "1", "2"), [][]float64{{0, 1}, {1, 0}, {1, 1}}, []int{0, 1, 2}, nil, bayes.Multinomial{}, []float64{0, 1}, []float64{4. / 9, 2. / 9, 3. / 9}},
		{"no smoothing", nil, [][]float64{{1, 0}, {1, 1}}, []int{0, 1}, nil, bayes.Bernoulli{Smoothing: bayes.Additive(0)}, []float64{1, 0}, []float64{1, 0}},
		{"no smoothing", nil, [][]float64{{1, 0}, {1, 1}}, []int{0, 1}, nil, bayes.Multinomial{Smoothing: bayes.Additive(0)}, []float64{1, 0}, []float64{2. / 3, 1. / 3}},
		{"no smoothing", nil, [][]float64{{1, 0}, {1, 1}}, []int{0, 1}, nil, bayes.Bernoulli{Smoothing: bayes.Additive(0)}, []float64{1, 1}, []float64{0, 1}},
		{"a single class", nil, [][]float64{{1, 0}}, []int{0}, nil, bayes.Complement{}, []float64{1, 1}, []float64{1}},
		{"huge counts", nil, [][]float64{{1e6, 0}, {0, 1e6}}, []int{0, 1}, nil, bayes.Multinomial{}, []float64{1e6, 0}, []float64{1, 0}},
	} {
		c := bayes.NewCounts(&bayes.Space{Vocabulary: columns(len(tc.x[0])), Labels: tc.labels})
		learnMatrix(c, tc.x, tc.y, tc.weights)
		m, err := bayes.Fit(c, tc.em)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		p := m.Predict(row(tc.test))
		for k, label := range m.Classes() {
			if got := probOf(p, label).P; !near(got, tc.want[k], 1e-8) {
				t.Errorf("%s, %v: P(%s) = %v, want %v", tc.name, tc.em, label, got, tc.want[k])
			}
		}
	}
}

var (
	tenRows = [][]float64{
		{0, 1, 1, 0}, {1, 1, 1, 1}, {1, 1, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1},
		{0, 1, 1, 0}, {0, 1, 1, 1}, {1, 0, 1, 0}, {1, 0, 1, 1}, {0, 1, 1, 0},
	}
	tenLabels = []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	threeRows = [][]float64{{0, 0, 1}, {0, 1, 1}, {0, 1, 1}, {1, 0, 0}}
)

func sixths(w ...float64) []float64 {
	for i := range w {
		w[i] /= 6
	}
	return w
}

// log P([1e6,0]) = [0, -13815511.557963774]: far apart, and no overflow.
func TestExtremeCounts(t *testing.T) {
	c := bayes.NewCounts(nil)
	learnMatrix(c, [][]float64{{1e6, 0}, {0, 1e6}}, []int{0, 1}, nil)
	m, err := bayes.Fit(c, bayes.Multinomial{})
	if err != nil {
		t.Fatal(err)
	}
	p := m.Predict(row([]float64{1e6, 0}))
	if got := probOf(p, "1").LogP; !near(got, -13815511.557963774, 1e-12) {
		t.Errorf("log P = %v", got)
	}
}

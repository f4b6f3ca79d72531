package bayes_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// weather is Witten and Frank's table: fourteen days, and whether they played.
var weather = []struct {
	outlook, temperature, humidity, windy string
	degrees, percent                      float64
	play                                  string
}{
	{"sunny", "hot", "high", "false", 85, 85, "no"},
	{"sunny", "hot", "high", "true", 80, 90, "no"},
	{"overcast", "hot", "high", "false", 83, 86, "yes"},
	{"rainy", "mild", "high", "false", 70, 96, "yes"},
	{"rainy", "cool", "normal", "false", 68, 80, "yes"},
	{"rainy", "cool", "normal", "true", 65, 70, "no"},
	{"overcast", "cool", "normal", "true", 64, 65, "yes"},
	{"sunny", "mild", "high", "false", 72, 95, "no"},
	{"sunny", "cool", "normal", "false", 69, 70, "yes"},
	{"rainy", "mild", "normal", "false", 75, 80, "yes"},
	{"sunny", "mild", "normal", "true", 75, 70, "yes"},
	{"overcast", "mild", "high", "true", 72, 90, "yes"},
	{"overcast", "hot", "normal", "false", 81, 75, "yes"},
	{"rainy", "mild", "high", "true", 71, 91, "no"},
}

// weatherCounts counts the table with its temperature and humidity as
// categories, or as numbers.
func weatherCounts(numeric bool) *bayes.Counts {
	c := bayes.NewCounts(nil)
	for _, d := range weather {
		attrs := []bayes.Attr{bayes.Category("outlook", d.outlook), bayes.Category("windy", d.windy)}
		if numeric {
			attrs = append(attrs, bayes.Number("temperature", d.degrees), bayes.Number("humidity", d.percent))
		} else {
			attrs = append(attrs, bayes.Category("temperature", d.temperature), bayes.Category("humidity", d.humidity))
		}
		c.Learn(bayes.Example{Label: d.play, Attrs: attrs})
	}
	return c
}

func fit(t rapid.TB, c *bayes.Counts, em bayes.EventModel) *bayes.Model {
	t.Helper()
	m, err := bayes.Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The textbook's posteriors, with a value missing, unseen or ruled out.
func TestWeather(t *testing.T) {
	category := bayes.Category
	sunny := []bayes.Attr{category("outlook", "sunny"), category("temperature", "cool"), category("humidity", "high"), category("windy", "true")}
	none := bayes.Categorical{Smoothing: bayes.Additive(0)}
	for _, tc := range []struct {
		name  string
		em    bayes.EventModel
		attrs []bayes.Attr
		yes   float64
	}{
		{"no smoothing", none, sunny, .20458265139},              // .005291 : .020571
		{"outlook missing", none, sunny[1:], .40983606557},       // .02381 : .03429
		{"add one", bayes.Categorical{}, sunny, .27993334920257}, // CategoricalNB
		{"an unseen value says nothing", none, append([]bayes.Attr{category("outlook", "foggy")}, sunny[1:]...), .40983606557},
		{"overcast rules no out", none, append([]bayes.Attr{category("outlook", "overcast")}, sunny[1:]...), 1},
	} {
		p := fit(t, weatherCounts(false), tc.em).Predict(bayes.Document{Attrs: tc.attrs})
		if got := probOf(p, "yes").P; !near(got, tc.yes, 1e-10) {
			t.Errorf("%s: yes %v, want %v", tc.name, got, tc.yes)
		}
	}
	numeric := []bayes.Attr{category("outlook", "sunny"), bayes.Number("temperature", 66), bayes.Number("humidity", 90), category("windy", "true")}
	m := fit(t, weatherCounts(true), bayes.Mixed{Category: none, Number: bayes.Gaussian{VarSmoothing: bayes.NoVarSmoothing}})
	if got := probOf(m.Predict(bayes.Document{Attrs: numeric}), "yes").P; !near(got, .193547, 1e-5) {
		t.Errorf("numbers by the variance over n: yes %v, want .193547", got)
	}
	numeric[1] = bayes.Number("temperature", math.NaN())
	without := append(numeric[:1:1], numeric[2:]...)
	a, b := m.Predict(bayes.Document{Attrs: numeric}), m.Predict(bayes.Document{Attrs: without})
	if !slices.Equal(a.Classes, b.Classes) {
		t.Errorf("NaN is not missing: %v, %v", a.Classes, b.Classes)
	}
}

// Six points on a plane, as in scikit-learn's own tests.
var sixPoints, sixLabels = [][]float64{{-2, -1}, {-1, -1}, {-1, -2}, {1, 1}, {1, 2}, {2, 1}}, []string{"1", "1", "1", "2", "2", "2"}

func numberCounts(x [][]float64, y []string) *bayes.Counts {
	c := bayes.NewCounts(nil)
	for i := range x {
		c.Learn(bayes.Example{Label: y[i], Attrs: numbersOf(x[i])})
	}
	return c
}

func numbersOf(x []float64) []bayes.Attr {
	var attrs []bayes.Attr
	for j, v := range x {
		attrs = append(attrs, bayes.Number(strconv.Itoa(j), v))
	}
	return attrs
}

func TestGaussianFacts(t *testing.T) {
	c := numberCounts(sixPoints, sixLabels)
	for _, tc := range []struct {
		prior bayes.Prior
		x     []float64
		want  float64
	}{
		{bayes.EmpiricalPrior{}, []float64{-.1, -.1}, .9168273018589698},
		{bayes.GivenPrior{"1": .3, "2": .7}, []float64{-.1, -.1}, .8253036590474486},
		{bayes.GivenPrior{"1": .01, "2": .99}, []float64{-.1, -.1}, .10018958304075758},
	} {
		p := fit(t, c, bayes.Gaussian{Prior: tc.prior}).Predict(bayes.Document{Attrs: numbersOf(tc.x)})
		if got := probOf(p, "1").P; !near(got, tc.want, 1e-10) {
			t.Errorf("%v: %v, want %v", tc.prior, got, tc.want)
		}
	}
	d := fit(t, c, bayes.Gaussian{}).Parameters()
	if !near(d.Variance[0][0], 0.2222222242222222, 1e-14) || !near(d.Mean[0][0], -4./3, 1e-14) { // 2/9 + 1e-9 · 2
		t.Errorf("mean %v, variance %v", d.Mean[0][0], d.Variance[0][0])
	}
	p := fit(t, c, bayes.Gaussian{}).Predict(bayes.Document{Attrs: numbersOf([]float64{-.8, -1})})
	if got := probOf(p, "2").LogJoint; !near(got, -23.516946656783016, 1e-12) {
		t.Errorf("joint %v", got)
	}
}

// The shared variance is (1/N·Q) ΣΣ (s - μ)²: of class 1 the squared distances
// are 2/3 and 2/3, over 2 numbers and 3 rows 2/9; with one number doubled,
// (8/3 + 2/3) / 6 = 5/9.
func TestSharedVariance(t *testing.T) {
	doubled := [][]float64{}
	for _, x := range sixPoints {
		doubled = append(doubled, []float64{2 * x[0], x[1]})
	}
	d := fit(t, numberCounts(doubled, sixLabels), bayes.Gaussian{Shared: true, VarSmoothing: bayes.NoVarSmoothing}).Parameters()
	for j := range 2 {
		if !near(d.Variance[0][j], 5./9, 1e-14) {
			t.Errorf("number %d: variance %v, want 5/9", j, d.Variance[0][j])
		}
	}
}

// Numbers as small as 1e-10 and as large as 1e10 give the same answers, and a
// variance of 0.25 round 1e9 is found.
func TestGaussianScales(t *testing.T) {
	x := [][]float64{{5.1, 3.5}, {4.9, 3.0}, {7.0, 3.2}, {6.4, 3.2}, {6.3, 3.3}, {5.8, 2.7}}
	y := []string{"a", "a", "b", "b", "c", "c"}
	var want []string
	for _, scale := range []float64{1, 1e-10, 1e10} {
		var got []string
		scaled := [][]float64{}
		for _, row := range x {
			scaled = append(scaled, []float64{row[0] * scale, row[1] * scale})
		}
		m := fit(t, numberCounts(scaled, y), bayes.Gaussian{})
		for _, row := range scaled {
			got = append(got, m.Predict(bayes.Document{Attrs: numbersOf(row)}).Best().Class)
		}
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("at scale %v %v, want %v", scale, got, want)
		}
	}
	m := fit(t, numberCounts([][]float64{{1e9}, {1e9 + 1}, {0}}, []string{"a", "a", "b"}), bayes.Gaussian{VarSmoothing: bayes.NoVarSmoothing})
	if got := m.Parameters().Variance[0][0]; !near(got, .25, 1e-12) {
		t.Errorf("the variance round 1e9 is %v, want 0.25", got)
	}
	for name, x := range map[string][][]float64{"constant": {{3}, {3}, {3}}, "one row a class": {{1}, {2}, {3}}} {
		m := fit(t, numberCounts(x, []string{"a", "b", "c"}), bayes.Gaussian{})
		for _, p := range m.Predict(bayes.Document{Attrs: numbersOf(x[0])}).Classes {
			if math.IsNaN(p.P) {
				t.Errorf("%s: %v", name, p)
			}
		}
	}
}

// scikit-learn's own test: two rows, three and six categories.
func TestCategoricalFacts(t *testing.T) {
	var anchors struct{ More map[string]json.RawMessage }
	readJSON(t, "anchors.json", &anchors)
	s := &bayes.Space{Values: map[string][]string{"0": {"0", "1", "2"}, "1": {"0", "1", "2", "3", "4", "5"}}}
	c := bayes.NewCounts(s)
	for i, x := range [][]string{{"1", "4"}, {"2", "5"}} {
		c.Learn(bayes.Example{Label: strconv.Itoa(i + 1), Attrs: []bayes.Attr{bayes.Category("0", x[0]), bayes.Category("1", x[1])}})
	}
	m := fit(t, c, bayes.Categorical{Prior: bayes.UniformPrior{}})
	var want struct{ P25 [][]float64 }
	if err := json.Unmarshal(anchors.More["cat"], &want); err != nil {
		t.Fatal(err)
	}
	p := m.Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Category("0", "2"), bayes.Category("1", "5")}})
	if got := probOf(p, "2").P; !near(got, want.P25[0][1], 1e-12) { // (2/4 · 2/7) against (1/4 · 1/7)
		t.Errorf("%v, want %v", got, want.P25[0][1])
	}
}

// Values that lie in two heaps are cut once, between them; values that tell
// nothing are not cut, and then say nothing.
func TestDiscrete(t *testing.T) {
	heaps, noise := bayes.NewCounts(&bayes.Space{NumberValues: true}), bayes.NewCounts(&bayes.Space{NumberValues: true})
	for i := range 40 {
		label := []string{"low", "high"}[i/20]
		heaps.Learn(bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Number("x", float64(i))}})
		noise.Learn(bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Number("x", float64(i*7%40/2))}})
	}
	m := fit(t, heaps, bayes.Discrete{})
	for x, want := range map[float64]float64{-100: 21. / 22, 19: 21. / 22, 20: 1. / 22, 1000: 1. / 22} { // (20+1)/(20+2)
		if got := probOf(m.Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Number("x", x)}}), "low").P; !near(got, want, 1e-12) {
			t.Errorf("P(low|%v) = %v, want %v", x, got, want)
		}
	}
	p := fit(t, noise, bayes.Discrete{}).Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Number("x", 3)}})
	if got := probOf(p, "low").P; !near(got, .5, 1e-12) {
		t.Errorf("P(low|noise) = %v", got)
	}
	if _, err := bayes.Fit(numberCounts(sixPoints, sixLabels), bayes.Kernel{}); err == nil {
		t.Error("a kernel density is fitted to moments")
	}
}

// One value, of weight 1, spreads by the least width; two values make a density
// that is symmetric round their middle and integrates to one.
func TestKernel(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{NumberValues: true})
	for _, v := range []float64{0, 1, 4} {
		c.Learn(bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", v)}})
	}
	m := fit(t, c, bayes.Kernel{})
	var integral float64
	const step = 0.01
	for x := -40.0; x < 44; x += step {
		integral += step * math.Exp(m.Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Number("x", x)}}).Best().LogJoint)
	}
	if !near(integral, 1, 1e-6) {
		t.Errorf("the density integrates to %v", integral)
	}
	far := m.Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Number("x", 1e100)}}).Best().LogJoint
	if math.IsInf(far, 0) || math.IsNaN(far) {
		t.Errorf("far away the log-density is %v", far)
	}
}

// Small examples that textbooks and manuals work out by hand.
func TestTextbooks(t *testing.T) {
	type doc = struct{ label, text string }
	for _, tc := range []struct {
		name  string
		train []doc
		test  string
		em    bayes.EventModel
		label string
		p     float64
	}{
		{"Jurafsky and Martin, chapter 4", []doc{ // V = 20; 2/5·(2·2·1)/34³ against 3/5·(1·1·2)/29³
			{"-", "just plain boring"}, {"-", "entirely predictable and lacks energy"}, {"-", "no surprises and very few laughs"},
			{"+", "very powerful"}, {"+", "the most fun film of the summer"},
		}, "predictable with no fun", bayes.Multinomial{}, "-", .65054102835},
		{"Jurafsky and Martin, exercise 4.2", []doc{
			{"comedy", "fun couple love love"}, {"comedy", "couple fly fast fun fun"},
			{"action", "fast furious shoot"}, {"action", "furious shoot shoot fun"}, {"action", "fly fast shoot love"},
		}, "fast couple shoot fly", bayes.Multinomial{}, "action", .70069796085},
		{"IIR table 13.10, multinomial", taipei, "Taiwan Taiwan Sapporo", bayes.Multinomial{}, "no", 4. / 7},
		{"IIR table 13.10, Bernoulli", taipei, "Taiwan Taiwan Sapporo", bayes.Bernoulli{}, "no", .75},
		{"MALLET's sports and politics", []doc{
			{"sports", "win win win win win puck puck puck puck puck team team team team team"},
			{"politics", "win win win win win speech speech speech speech speech vote vote vote vote vote"},
		}, "speech win", bayes.Multinomial{}, "politics", 6. / 7},
	} {
		c := bayes.NewCounts(nil)
		for _, d := range tc.train {
			c.Learn(bayes.Example{Label: d.label, Text: d.text})
		}
		if got := probOf(predict(t, c, tc.em, tc.test), tc.label).P; !near(got, tc.p, 1e-10) {
			t.Errorf("%s: P(%s) = %v, want %v", tc.name, tc.label, got, tc.p)
		}
	}
}

var taipei = []struct{ label, text string }{
	{"yes", "Taipei Taiwan"}, {"yes", "Macao Taiwan Shanghai"}, {"no", "Japan Sapporo"}, {"no", "Sapporo Osaka Taiwan"},
}

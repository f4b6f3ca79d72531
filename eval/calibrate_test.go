package eval

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/internal/long"
	"bayes/internal/testdata"
)

// sharp returns n predictions of two classes that are right with a probability p
// drawn for each, and claim to be so with p's log-odds times sharpness.
func sharp(n int, sharpness float64, seed uint64) *Scores {
	r := rand.New(rand.NewPCG(seed, 0))
	s := &Scores{Classes: []string{"a", "b"}, Truth: make([]int, n), Fold: make([]int, n), logP: make([]float64, 2*n)}
	for i := range n {
		p := r.Float64()
		if r.Float64() < p {
			s.Truth[i] = 1
		}
		odds := sharpness * math.Log(p/(1-p))
		s.logP[2*i], s.logP[2*i+1] = -math.Log1p(math.Exp(odds)), -math.Log1p(math.Exp(-odds))
	}
	return s
}

// The temperature of predictions that are three times too sure is 3. Normalised
// complement weights claim ten thousand times too little.
func TestTemperature(t *testing.T) {
	all := []float64{1e-4, 3, 0.5, 1}
	if long.Sample(t, "claims of four sharpnesses, not of the outermost two") {
		all = all[:2]
	}
	for _, sharpness := range all {
		if got := sharp(200000, sharpness, 1).temperature(); math.Abs(got-sharpness) > 0.02*sharpness {
			t.Errorf("%v, want about %v", got, sharpness)
		}
	}
}

// Isotonic regression finds the probabilities behind the claims.
func TestIsotonic(t *testing.T) {
	const sharpness = 3
	points := sharp(200000, sharpness, 2).isotonic()
	for _, p := range points[1 : len(points)-1] { // the outermost may rest on a few examples
		want := 1 / (1 + math.Exp(-p.X/sharpness))
		if math.Abs(p.Y-want) > 0.05 {
			t.Errorf("at %v: %v, want about %v", p.X, p.Y, want)
		}
	}
}

// The right class is in a set as often as was promised, and sets are not much
// larger than need be.
func TestCoverage(t *testing.T) {
	points := sharp(5000, 2, 3).coverage()
	fresh := sharp(200000, 2, 4)
	for _, p := range points {
		miss := 0
		for i, truth := range fresh.Truth {
			if fresh.LogP(i)[truth] < p.X {
				miss++
			}
		}
		// Over calibration sets the share missed is beta-distributed about Y.
		share, sd := float64(miss)/200000, math.Sqrt(p.Y*(1-p.Y)/5000)
		if math.Abs(share-p.Y) > 4.5*sd+0.0003 {
			t.Errorf("below %v: %v, want %v", p.X, share, p.Y)
		}
	}
	if len(points) < 50 {
		t.Errorf("%d points", len(points))
	}
}

func TestCalibrateErrors(t *testing.T) {
	if _, err := sharp(9, 1, 1).Calibrate(nil, Isotonic); err == nil {
		t.Error("nine examples are enough")
	}
	s := sharp(50, 1, 1)
	s.Classes, s.logP = s.Classes[:1], make([]float64, 50)
	if _, err := s.Calibrate(nil, Temperature); err == nil {
		t.Error("one class is calibrated")
	}
	if _, err := ParseCalibration("platt"); err == nil {
		t.Error("platt is known")
	}
}

// Calibration by examples held out halves the calibration error, and more, on data
// that has been seen by neither.
func TestCalibrateCorpora(t *testing.T) {
	for _, tc := range []struct {
		folder string
		long   bool
	}{{"mr", false}, {"20news", true}, {"nsmc", true}} {
		t.Run(tc.folder, func(t *testing.T) {
			if tc.long {
				long.Test(t, "calibration by examples held out on a large corpus")
			}
			train, err := bayes.ReadCorpus(context.Background(), nil, examples(t, testdata.Path(t, tc.folder+"/train.csv")), nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := CrossValidate(context.Background(), train, nil, bayes.Multinomial{})
			if err != nil {
				t.Fatal(err)
			}
			calibrated, err := s.Calibrate(bayes.Multinomial{}, Isotonic)
			if err != nil {
				t.Fatal(err)
			}
			before, after := test(t, tc.folder, train, bayes.Multinomial{}), test(t, tc.folder, train, calibrated)
			if after.ECE() > before.ECE()/2 {
				t.Errorf("calibration error %v, was %v", after.ECE(), before.ECE())
			}
			a, _, _ := after.Accuracy()
			if b, _, _ := before.Accuracy(); a != b {
				t.Errorf("accuracy %v, was %v", a, b)
			}
		})
	}
}

func examples(t *testing.T, name string) iter.Seq2[bayes.Example, error] {
	t.Helper()
	src, err := dataset.Open([]string{name}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return src.Examples()
}

// test fits em to c and tests it on the folder's test file.
func test(t *testing.T, folder string, c *bayes.Corpus, em bayes.EventModel) *Tally {
	t.Helper()
	m, err := bayes.Fit(c.Counts(), em)
	if err != nil {
		t.Fatal(err)
	}
	tally := new(Tally)
	for s, err := range m.PredictAll(examples(t, testdata.Path(t, folder+"/test.csv")), 0) {
		if err != nil {
			t.Fatal(err)
		}
		tally.Observe(s.Prediction, s.Example.Label)
	}
	return tally
}

// The parts of a calibration are those of no period in the data: every fifth prediction is wrong and
// sure, and a calibration that has seen none of these would leave them so.
func TestCrossCalibrateOfPeriod(t *testing.T) {
	const n = 1000
	s := &Scores{Classes: []string{"a", "b"}, Truth: make([]int, n), Fold: make([]int, n), logP: make([]float64, 2*n)}
	for i := range n {
		odds := 4.0
		if s.Truth[i] = i % 2; (s.Truth[i] == 0) != (i%5 == 0) {
			odds = -4
		}
		s.logP[2*i], s.logP[2*i+1] = -math.Log1p(math.Exp(odds)), -math.Log1p(math.Exp(-odds))
	}
	after, err := s.CrossCalibrate(Temperature)
	if err != nil {
		t.Fatal(err)
	}
	entropy := -0.2*math.Log(0.2) - 0.8*math.Log(0.8) // of four right answers in five
	if loss := after.Tally().LogLoss(); math.Abs(loss-entropy) > 0.01 {
		t.Errorf("log loss %v, of %v at best", loss, entropy)
	}
}

// Examples that are all right say as much of the next one as there are of them, whatever the odds were.
func TestTemperatureOfNothingWrong(t *testing.T) {
	for _, odds := range []float64{0.01, 1, 500} {
		before := 0.0
		for _, n := range []int{10, 30, 1000} {
			s := &Scores{Classes: []string{"a", "b", "c"}, Truth: make([]int, n), Fold: make([]int, n), logP: make([]float64, 3*n)}
			for i := range n {
				s.Truth[i] = i % 3
				s.logP[3*i+i%3] = odds * float64(1+i%4)
				s.logP[3*i+(i+1)%3] = math.Inf(-1) // which is impossible
			}
			// One more whose label was held to be impossible says nothing.
			s.Truth, s.Fold, s.logP = append(s.Truth, 0), append(s.Fold, 0), append(s.logP, math.Inf(-1), 1, 0)
			c, err := s.Calibrate(bayes.Multinomial{}, Temperature)
			if err != nil {
				t.Fatal(err)
			}
			sure := 0.0
			for i := range n {
				logP := s.LogP(i)
				c.Apply(logP)
				sure += math.Exp(logP[s.Truth[i]]) / float64(n)
			}
			if want := float64(n+1) / float64(n+2); math.Abs(sure-want) > 1e-4 {
				t.Errorf("odds of %v, %d right: sure by %v, want %v, temperature %v", odds, n, sure, want, c.Temperature)
			}
			if before > 0 && c.Temperature >= before {
				t.Errorf("odds of %v: a temperature of %v by %d, and of %v by fewer", odds, c.Temperature, n, before)
			}
			before = c.Temperature
		}
	}
}

// Each part has its share of each class, and of the examples that were tested alone.
func TestDeal(t *testing.T) {
	s := &Scores{Classes: []string{"a", "b", "c"}, Truth: make([]int, 103), Fold: make([]int, 103)}
	for i := range s.Truth {
		s.Truth[i] = i % 10 / 4 // four tenths, four tenths, two tenths
		if i >= 100 {
			s.Fold[i] = -1
		}
	}
	parts := make(map[[2]int]int) // how many examples of a class a part has
	for i, p := range s.deal(5) {
		if (p < 0) != (i >= 100) {
			t.Errorf("example %d is in part %d", i, p)
		}
		parts[[2]int{p, s.Truth[i]}]++
	}
	for p := range 5 {
		for k, want := range []int{8, 8, 4} {
			if got := parts[[2]int{p, k}]; got != want {
				t.Errorf("part %d has %d examples of class %d, not %d", p, got, k, want)
			}
		}
	}
}

func ExampleScores_CrossCalibrate() {
	s := sharp(10000, 3, 5) // predictions three times too sure
	after, err := s.CrossCalibrate(Isotonic)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("calibration error %.2f, was %.2f\n", after.Tally().ECE(), s.Tally().ECE())
	// Output: calibration error 0.01, was 0.14
}

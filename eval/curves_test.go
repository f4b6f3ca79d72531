package eval

import (
	"math"
	"slices"
	"strconv"
	"testing"
)

// curveCases are figures of other programs, made by compare/curves.py.
type curveCases struct {
	Curves []struct {
		Case             int
		Label            string
		Precision        []float64
		Recall           []float64
		Threshold        []float64
		AveragePrecision float64 `json:"average_precision"`
		AUC              float64
		SensitivityAt    []float64 `json:"tpr_at"` // at false positive rates 0, 0.1, …, 1
	}
	McNemar []struct {
		First, Second int64
		P             float64
	}
	Bootstrap []struct {
		Confusion        [][]int64
		Accuracy         [2]float64
		BalancedAccuracy [2]float64 `json:"balanced_accuracy"`
		MacroF1          [2]float64 `json:"macro_f1"`
		WeightedF1       [2]float64 `json:"weighted_f1"`
		F1               [][2]float64
		AccuracyExact    [2]float64 `json:"accuracy_exact"`
	}
	Shuffled []int
}

func readCurves(t *testing.T) (cases curveCases) {
	readJSON(t, "curves.json", &cases)
	return cases
}

// scored returns the predictions of metrics.json, a Tally for each case.
func scored(t *testing.T) []*Tally {
	var cases []struct {
		Y     []int
		Proba [][]float64
	}
	readJSON(t, "metrics.json", &cases)
	var tallies []*Tally
	for _, tc := range cases {
		tally := new(Tally)
		for j, y := range tc.Y {
			tally.Observe(prediction(tc.Proba[j]), strconv.Itoa(y))
		}
		tallies = append(tallies, tally)
	}
	return tallies
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10 }

// Curves and the areas under them are scikit-learn's, each class against the rest.
func TestCurves(t *testing.T) {
	tallies := scored(t)
	for _, tc := range readCurves(t).Curves {
		tally := tallies[tc.Case]
		var precision, recall, threshold []float64
		for _, p := range tally.PrecisionRecall(tc.Label) {
			precision, recall, threshold = append(precision, p.Precision), append(recall, p.TruePositiveRate), append(threshold, p.Threshold)
		}
		for _, c := range []struct {
			name      string
			got, want []float64
		}{{"precision", precision, tc.Precision}, {"recall", recall, tc.Recall}, {"threshold", threshold, tc.Threshold}} {
			if !slices.EqualFunc(c.got, c.want, near) {
				t.Errorf("case %d, class %s: %s %v, want %v", tc.Case, tc.Label, c.name, c.got, c.want)
			}
		}
		if got := tally.AveragePrecision(tc.Label); !near(got, tc.AveragePrecision) {
			t.Errorf("case %d, class %s: average precision %v, want %v", tc.Case, tc.Label, got, tc.AveragePrecision)
		}
		if got, ok := tally.AUC(tc.Label); !ok || !near(got, tc.AUC) {
			t.Errorf("case %d, class %s: area %v, want %v", tc.Case, tc.Label, got, tc.AUC)
		}
	}
}

// The mean curve is the mean of the classes' curves, read off scikit-learn's
// points; the mean of average precisions is the mean.
func TestMeanCurves(t *testing.T) {
	tallies := scored(t)
	for i, tally := range tallies {
		var rate [11]float64
		var precision, ap, n float64
		for _, tc := range readCurves(t).Curves {
			if tc.Case != i {
				continue
			}
			n++
			ap += tc.AveragePrecision
			for j, v := range tc.SensitivityAt {
				rate[j] += v
			}
			precision += tc.Precision[slices.IndexFunc(tc.Recall, func(r float64) bool { return r >= 0.5 })]
		}
		for j, p := range tally.MeanROC(10) {
			if !near(p.FalsePositiveRate, float64(j)/10) || !near(p.TruePositiveRate, rate[j]/n) {
				t.Errorf("case %d: mean ROC curve at %d/10 is %v, want %v", i, j, p, rate[j]/n)
			}
		}
		if p := tally.MeanPrecisionRecall(2)[1]; p.TruePositiveRate != 0.5 || !near(p.Precision, precision/n) {
			t.Errorf("case %d: mean precision at half the recall is %v, want %v", i, p, precision/n)
		}
		if got, ok := tally.MeanAveragePrecision(); !ok || !near(got, ap/n) {
			t.Errorf("case %d: mean average precision %v, want %v", i, got, ap/n)
		}
	}
}

// A fine mean curve has the mean area under it.
func TestMeanROCArea(t *testing.T) {
	for i, tally := range scored(t) {
		var sum, n float64
		for _, label := range tally.Labels() {
			auc, _ := tally.AUC(label)
			sum, n = sum+auc, n+1
		}
		if got := area(tally.MeanROC(100000)); math.Abs(got-sum/n) > 1e-4 {
			t.Errorf("case %d: area under the mean curve %v, mean area %v", i, got, sum/n)
		}
	}
}

// Where a curve is not defined there is none.
func TestNoCurve(t *testing.T) {
	var empty, one Tally
	one.Observe(prediction([]float64{.7, .3}), "0")
	for name, tally := range map[string]*Tally{"empty": &empty, "one class": &one} {
		if tally.ROC("0") != nil || tally.MeanROC(5) != nil || tally.PrecisionRecall("1") != nil || tally.PrecisionRecall("never seen") != nil {
			t.Errorf("%s: a curve", name)
		}
	}
	if _, ok := empty.MeanAveragePrecision(); ok || empty.MeanPrecisionRecall(5) != nil {
		t.Error("average precision of nothing")
	}
	if ap, ok := one.MeanAveragePrecision(); !ok || ap != 1 || one.AveragePrecision("0") != 1 {
		t.Errorf("average precision %v where all documents are of the class", ap)
	}
}

package eval

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// prediction returns the prediction with these probabilities, of the classes 0,
// 1, 2 and so on.
func prediction(proba []float64) bayes.Prediction {
	var p bayes.Prediction
	for k, v := range proba {
		p.Classes = append(p.Classes, bayes.Prob{Class: strconv.Itoa(k), P: v, LogP: math.Log(v)})
	}
	slices.SortStableFunc(p.Classes, func(a, b bayes.Prob) int {
		if a.P > b.P {
			return -1
		} else if a.P < b.P {
			return 1
		}
		return 0
	})
	return p
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}

// Every metric is scikit-learn's to 1e-10.
func TestMetrics(t *testing.T) {
	var cases []struct {
		Y      []int
		Proba  [][]float64
		Expect map[string]any
	}
	readJSON(t, "metrics.json", &cases)
	for i, tc := range cases {
		var tally Tally
		for j, y := range tc.Y {
			tally.Observe(prediction(tc.Proba[j]), strconv.Itoa(y))
		}
		got := metrics(&tally)
		for key, want := range tc.Expect {
			g, ok := got[key]
			if !ok {
				t.Errorf("case %d: no metric %s", i, key)
				continue
			}
			if w := flatten(want); !slices.EqualFunc(flatten(g), w, func(a, b float64) bool { return math.Abs(a-b) <= 1e-10 }) {
				t.Errorf("case %d: %s is %v, want %v", i, key, g, want)
			}
		}
	}
}

// metrics returns what is read off t by scikit-learn's names, through JSON.
func metrics(t *Tally) map[string]any {
	accuracy, _, _ := t.Accuracy()
	auc, _ := t.ROCAUC()
	fpr, tpr := []float64{0}, []float64{0}
	for _, p := range t.ROC("1") {
		fpr, tpr = append(fpr, p.FalsePositiveRate), append(tpr, p.TruePositiveRate)
	}
	var precision, recall, f1, support []float64
	for _, c := range t.Classes() {
		precision, recall, f1, support = append(precision, c.Precision), append(recall, c.Recall), append(f1, c.F1), append(support, float64(c.Support))
	}
	m := map[string]any{
		"accuracy": accuracy, "balanced_accuracy": t.BalancedAccuracy(), "precision": precision, "recall": recall, "f1": f1,
		"support": support, "confusion": t.Confusion(), "macro_f1": t.MacroF1(), "micro_f1": t.MicroF1(), "weighted_f1": t.WeightedF1(),
		"log_loss": t.LogLoss(), "matthews": t.Matthews(), "cohen_kappa": t.Kappa(), "brier_multiclass": t.Brier(),
		"roc_auc": auc, "roc_auc_ovr_macro": auc, "average_precision": t.AveragePrecision("1"), "fpr": fpr, "tpr": tpr,
	}
	b, _ := json.Marshal(m)
	var plain map[string]any
	json.Unmarshal(b, &plain)
	return plain
}

func flatten(v any) []float64 {
	switch v := v.(type) {
	case float64:
		return []float64{v}
	case []any:
		var all []float64
		for _, e := range v {
			all = append(all, flatten(e)...)
		}
		return all
	}
	return nil
}

// Tallies add up: in any order, in any parts, everything read off is the same.
func TestTallyAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var whole, forth, back Tally
		var parts []*Tally
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			part := new(Tally)
			for range rapid.IntRange(0, 20).Draw(t, "size") {
				classes := rapid.IntRange(1, 4).Draw(t, "classes")
				proba := make([]float64, classes)
				for k := range proba {
					proba[k] = float64(rapid.IntRange(1, 8).Draw(t, "p")) / 8
				}
				label := strconv.Itoa(rapid.IntRange(0, 4).Draw(t, "label"))
				part.Observe(prediction(proba), label)
				whole.Observe(prediction(proba), label)
			}
			parts = append(parts, part)
		}
		for i := range parts {
			forth.Add(parts[i])
			back.Add(parts[len(parts)-1-i])
		}
		want := metrics(&whole)
		for key, value := range want {
			for _, got := range []any{metrics(&forth)[key], metrics(&back)[key]} {
				if !slices.EqualFunc(flatten(got), flatten(value), func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }) {
					t.Fatalf("%s is %v of the parts, %v of the whole", key, got, value)
				}
			}
		}
	})
}

// Nothing is NaN where nothing was seen, or only one class, or a strange label.
func TestEdges(t *testing.T) {
	var empty, one, strange Tally
	one.Observe(prediction([]float64{1}), "0")
	strange.Observe(prediction([]float64{.9, .1}), "never seen")
	for name, tally := range map[string]*Tally{"empty": &empty, "one": &one, "strange": &strange} {
		for key, v := range metrics(tally) {
			for _, f := range flatten(v) {
				if math.IsNaN(f) || math.IsInf(f, 0) {
					t.Errorf("%s: %s is %v", name, key, v)
				}
			}
		}
		if _, ok := tally.ROCAUC(); ok {
			t.Errorf("%s has an AUC", name)
		}
	}
	if got := strange.LogLoss(); math.Abs(got-52*math.Ln2) > 1e-12 {
		t.Errorf("the log loss of an unknown label is %v", got)
	}
	var tied Tally
	for _, label := range []string{"0", "1", "1"} {
		tied.Observe(prediction([]float64{.5, .5}), label)
	}
	if auc, ok := tied.ROCAUC(); !ok || auc != .5 {
		t.Errorf("AUC of ties is %v", auc)
	}
}

func TestSKLearnSplit(t *testing.T) {
	var cases []struct {
		N           int
		TestSize    float64 `json:"test_size"`
		RandomState uint32  `json:"random_state"`
		Train, Test []int
	}
	readJSON(t, "train_test_split.json", &cases)
	for _, tc := range cases {
		train, test := SKLearnSplit(tc.N, tc.TestSize, tc.RandomState)
		if !slices.Equal(train, tc.Train) || !slices.Equal(test, tc.Test) {
			t.Errorf("n %d seed %d: other rows than scikit-learn's", tc.N, tc.RandomState)
		}
	}
}

func TestSKLearnStratifiedSplit(t *testing.T) {
	var cases []struct {
		Labels      []string
		TestSize    float64 `json:"test_size"`
		RandomState uint32  `json:"random_state"`
		Train, Test []int
	}
	readJSON(t, "stratified_split.json", &cases)
	for i, tc := range cases {
		train, test, err := SKLearnStratifiedSplit(tc.Labels, tc.TestSize, tc.RandomState)
		if err != nil || !slices.Equal(train, tc.Train) || !slices.Equal(test, tc.Test) {
			t.Errorf("case %d: other rows than scikit-learn's (%v)", i, err)
		}
	}
	if _, _, err := SKLearnStratifiedSplit([]string{"a", "a", "b"}, .5, 1); err == nil {
		t.Error("a class of one row is split")
	}
	if _, _, err := SKLearnStratifiedSplit([]string{"a", "a", "b", "b"}, .2, 1); err == nil {
		t.Error("one test row has two classes")
	}
}

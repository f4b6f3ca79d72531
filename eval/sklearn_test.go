package eval

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bayes"
)

// table returns the rows of a data set that comes with scikit-learn, the class last.
// The folder sklearn/datasets/data of an installed package is named by the
// environment variable BAYES_SKLEARN.
func table(t *testing.T, name string) (rows [][]float64) {
	t.Helper()
	dir := os.Getenv("BAYES_SKLEARN")
	if dir == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("BAYES_SKLEARN does not name the folder of scikit-learn's data sets")
		}
		t.Skip("BAYES_SKLEARN does not name the folder of scikit-learn's data sets (sklearn/datasets/data)")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	records := csv.NewReader(r)
	records.FieldsPerRecord = -1
	all, err := records.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if name == "iris.csv" {
		all = all[1:] // how many rows, and the names of the classes
	}
	for _, record := range all {
		row := make([]float64, len(record))
		for i, cell := range record {
			if row[i], err = strconv.ParseFloat(cell, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// The mean accuracies of ten folds, as scikit-learn 1.2.1 has them with
// StratifiedKFold(10), and that of each fold.
func TestTenFolds(t *testing.T) {
	file, err := os.ReadFile("testdata/ten_folds.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]struct {
		Mean  float64
		Folds []float64
	}
	if err := json.Unmarshal(file, &want); err != nil {
		t.Fatal(err)
	}
	names := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%02d", i))
		}
		return list
	}
	category := func(name string, v float64) bayes.Attr { return bayes.Category(name, fmt.Sprint(v)) }
	all := func(float64) bool { return true }
	threeOrEight := func(label float64) bool { return label == 3 || label == 8 }
	for _, tc := range []struct {
		name, data string
		keep       func(label float64) bool
		attr       func(name string, v float64) bayes.Attr
		space      bayes.Space
		em         bayes.EventModel
	}{
		{"digits_mnb10", "digits.csv.gz", all, bayes.Term, bayes.Space{Vocabulary: names(64)}, bayes.Multinomial{Smoothing: bayes.Additive(10)}},
		{"digits_mnb10_3v8", "digits.csv.gz", threeOrEight, bayes.Term, bayes.Space{Vocabulary: names(64)}, bayes.Multinomial{Smoothing: bayes.Additive(10)}},
		{"digits_bnb10", "digits.csv.gz", all, bayes.Term, bayes.Space{Vocabulary: names(64), Threshold: 4}, bayes.Bernoulli{Smoothing: bayes.Additive(10)}},
		{"digits_bnb10_3v8", "digits.csv.gz", threeOrEight, bayes.Term, bayes.Space{Vocabulary: names(64), Threshold: 4}, bayes.Bernoulli{Smoothing: bayes.Additive(10)}},
		{"digits_gnb", "digits.csv.gz", all, bayes.Number, bayes.Space{}, bayes.Gaussian{}},
		{"digits_gnb_vs.1", "digits.csv.gz", all, bayes.Number, bayes.Space{}, bayes.Gaussian{VarSmoothing: 0.1}},
		{"digits_gnb_3v8", "digits.csv.gz", threeOrEight, bayes.Number, bayes.Space{}, bayes.Gaussian{}},
		{"digits_cnb1", "digits.csv.gz", all, bayes.Term, bayes.Space{Vocabulary: names(64)}, bayes.Complement{}},
		{"digits_catnb1", "digits.csv.gz", all, category, bayes.Space{}, bayes.Categorical{MinValues: 17}},
		{"iris_gnb", "iris.csv", all, bayes.Number, bayes.Space{}, bayes.Gaussian{}},
		{"iris_mnb", "iris.csv", all, bayes.Term, bayes.Space{Vocabulary: names(4)}, bayes.Multinomial{}},
		{"iris_cnb", "iris.csv", all, bayes.Term, bayes.Space{Vocabulary: names(4)}, bayes.Complement{}},
		{"iris_bnb_thr3", "iris.csv", all, bayes.Term, bayes.Space{Vocabulary: names(4), Threshold: 3}, bayes.Bernoulli{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var examples []bayes.Example
			for _, row := range table(t, tc.data) {
				n := len(row) - 1
				if !tc.keep(row[n]) {
					continue
				}
				ex := bayes.Example{Label: fmt.Sprint(row[n])}
				for i, name := range names(n) {
					ex.Attrs = append(ex.Attrs, tc.attr(name, row[i]))
				}
				examples = append(examples, ex)
			}
			c, err := bayes.ReadCorpus(context.Background(), &tc.space, stream(examples), nil)
			if err != nil {
				t.Fatal(err)
			}
			fold, err := StratifiedFolds(Labels(c), 10, false, 0)
			if err != nil {
				t.Fatal(err)
			}
			s, err := CrossValidate(context.Background(), c, fold, tc.em)
			if err != nil {
				t.Fatal(err)
			}
			var mean float64
			for f, tally := range s.Tallies() {
				accuracy, _, _ := tally.Accuracy()
				mean += accuracy / 10
				if math.Abs(accuracy-want[tc.name].Folds[f]) > 1e-12 {
					t.Errorf("fold %d: accuracy %v, want %v", f, accuracy, want[tc.name].Folds[f])
				}
			}
			if math.Abs(mean-want[tc.name].Mean) > 1e-12 {
				t.Errorf("mean accuracy %v, want %v", mean, want[tc.name].Mean)
			}
		})
	}
}

package eval

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
)

// alphas are twenty smoothings from 0.001 to 10.
func alphas() []bayes.Additive {
	var list []bayes.Additive
	for i := range 20 {
		list = append(list, bayes.Additive(math.Pow(10, -3+4*float64(i)/19)))
	}
	return list
}

// BenchmarkSelect compares choosing among 20 smoothings of 3 event models with
// reading and counting the data once (Train), from the same file in memory.
func BenchmarkSelect(b *testing.B) {
	var three, one []bayes.EventModel
	for _, a := range alphas() {
		three = append(three, bayes.Multinomial{Smoothing: a}, bayes.Complement{Smoothing: a}, bayes.Bernoulli{Smoothing: a})
		one = append(one, bayes.Multinomial{Smoothing: a})
	}
	for _, folder := range []string{"20news", "nsmc"} {
		name := testdata.Path(b, folder+"/train.csv")
		run := func(title string, work func(src *dataset.Source) error) {
			b.Run(fmt.Sprintf("data=%s/%s", folder, title), func(b *testing.B) {
				if info, err := os.Stat(name); err == nil {
					b.SetBytes(info.Size())
				}
				for b.Loop() {
					src, err := dataset.Open([]string{name}, nil, nil)
					if err != nil {
						b.Fatal(err)
					}
					if err := work(src); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("train", func(src *dataset.Source) error {
			c, err := bayes.Count(context.Background(), nil, src.Examples(), nil)
			if err == nil {
				_, err = bayes.Fit(c, bayes.Multinomial{})
			}
			return err
		})
		run("folds=5/models=60", func(src *dataset.Source) error { return try(src, 5, three) })
		run("folds=loo/models=20", func(src *dataset.Source) error { return try(src, 0, one) })
		run("folds=loo/models=60", func(src *dataset.Source) error { return try(src, 0, three) })
	}
}

func try(src *dataset.Source, folds int, ems []bayes.EventModel) error {
	c, err := bayes.ReadCorpus(context.Background(), nil, src.Examples(), nil)
	if err != nil {
		return err
	}
	var fold []int
	if folds > 0 {
		if fold, err = StratifiedFolds(Labels(c), folds, true, 1); err != nil {
			return err
		}
	}
	_, err = Try(context.Background(), c, fold, ems)
	return err
}

// BenchmarkBootstrap draws 2,000 test sets of 7,500 documents.
func BenchmarkBootstrap(b *testing.B) {
	for _, classes := range []int{2, 20} {
		matrix := newMatrix(classes)
		for i := range matrix {
			for j := range matrix {
				matrix[i][j] = int64(1 + (i*7+j*5)%4)
			}
			matrix[i][i] = int64(6000 / classes)
		}
		t := confused(matrix)
		b.Run(fmt.Sprintf("classes=%d", classes), func(b *testing.B) {
			for b.Loop() {
				t.Bootstrap(nil)
			}
		})
	}
}

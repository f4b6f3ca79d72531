package bayes_test

import (
	"context"
	"fmt"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
)

// BenchmarkTrain reads, analyzes and counts a file, end to end.
func BenchmarkTrain(b *testing.B) {
	for _, data := range []string{"20news", "nsmc", "livedoor"} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("data=%s/workers=%d", data, workers), func(b *testing.B) {
				src, err := dataset.Open([]string{testdata.Path(b, data+"/train.csv")}, nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(src.Size())
				b.ReportAllocs()
				for b.Loop() {
					if _, err := bayes.Count(context.Background(), nil, src.Examples(), &bayes.CountOptions{Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPredict predicts the documents of a test file, one at a time.
func BenchmarkPredict(b *testing.B) {
	for _, data := range []string{"20news", "mr", "nsmc", "sms"} {
		b.Run("data="+data, func(b *testing.B) {
			read := func(name string) []bayes.Example {
				src, err := dataset.Open([]string{testdata.Path(b, data+"/"+name)}, nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				var list []bayes.Example
				for ex, err := range src.Examples() {
					if err != nil {
						b.Fatal(err)
					}
					list = append(list, ex)
				}
				return list
			}
			m, err := bayes.Fit(learn(nil, read("train.csv")...), bayes.Multinomial{})
			if err != nil {
				b.Fatal(err)
			}
			test := read("test.csv")
			var p bayes.Prediction
			size := 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.PredictInto(&p, test[i%len(test)].Document())
				size += len(test[i%len(test)].Text)
			}
			b.ReportMetric(float64(size)/float64(b.N), "bytes/text")
		})
	}
}

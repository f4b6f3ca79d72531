package bayes_test

import (
	"context"
	"fmt"
	"strings"
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
			m, err := bayes.Fit(learn(nil, fileExamples(b, data+"/train.csv")...), bayes.Multinomial{})
			if err != nil {
				b.Fatal(err)
			}
			test := fileExamples(b, data+"/test.csv")
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

// BenchmarkLearnFit learns one more example and fits: the first words of a test document.
func BenchmarkLearnFit(b *testing.B) {
	for _, words := range []int{12, 120} {
		b.Run(fmt.Sprint("words=", words), func(b *testing.B) {
			c := learn(nil, fileExamples(b, "20news/train.csv")...)
			list := fileExamples(b, "20news/test.csv")
			for i, ex := range list {
				list[i].Text = strings.Join(firstWords(ex.Text, words), " ")
			}
			for _, ex := range list[:2] { // the first changes after the first Fit copy the list of rows
				if _, err := bayes.Fit(c, nil); err != nil {
					b.Fatal(err)
				}
				c.Learn(ex)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.Learn(list[i%len(list)])
				if _, err := bayes.Fit(c, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// fileExamples reads a file of the data sets.
func fileExamples(b *testing.B, name string) []bayes.Example {
	src, err := dataset.Open([]string{testdata.Path(b, name)}, nil, nil)
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

func firstWords(text string, n int) []string {
	words := strings.Fields(text)
	return words[:min(n, len(words))]
}

package bayes_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// BenchmarkPredict predicts the documents of a test file, one at a time, by naive Bayes, with corrections and without.
func BenchmarkPredict(b *testing.B) {
	for _, data := range []string{"20news", "mr", "nsmc", "sms"} {
		list, test := fileExamples(b, data+"/train.csv"), fileExamples(b, data+"/test.csv")
		for _, em := range []bayes.EventModel{bayes.Multinomial{}, bayes.Corrected{Model: bayes.Multinomial{}}, bayes.Corrected{Model: bayes.Multinomial{}, Trust: 0.5}} {
			b.Run(fmt.Sprintf("data=%s/%s", data, strings.ReplaceAll(em.String(), " ", ",")), func(b *testing.B) {
				corpus, err := bayes.ReadCorpus(b.Context(), nil, examples(list), nil)
				if err != nil {
					b.Fatal(err)
				}
				if em, err = corpus.Correct(b.Context(), em); err != nil {
					b.Fatal(err)
				}
				m, err := bayes.Fit(corpus.Counts(), em)
				if err != nil {
					b.Fatal(err)
				}
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

// Shares of classes, counted feature by feature and example by example.
func BenchmarkShares(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	const classes, words = 20, 30_000
	labels := make([]string, classes)
	share, weight := make([][]int32, 4_000), make([][]float64, 4_000)
	var list []bayes.Example
	for k := range labels {
		labels[k] = fmt.Sprint("class", k)
	}
	for i := range share {
		var text strings.Builder
		for range 100 { // frequent words and rare ones
			fmt.Fprintf(&text, "w%d ", int(words*math.Pow(random.Float64(), 4)))
		}
		list = append(list, bayes.Example{Label: labels[i%classes], Text: text.String()})
		share[i], weight[i] = []int32{int32(i % classes), int32((i + 1) % classes)}, []float64{.75, .25}
		slices.Sort(share[i])
	}
	c, err := bayes.ReadCorpus(b.Context(), nil, examples(list), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("features", func(b *testing.B) {
		count := c.ShareCounter()
		for b.Loop() {
			count(labels, func(i int) ([]int32, []float64) { return share[i], weight[i] })
		}
	})
	b.Run("examples", func(b *testing.B) {
		for b.Loop() {
			counts := bayes.NewCounts(nil)
			for i := range list {
				c.LearnInto(counts, i, []string{labels[share[i][0]], labels[share[i][1]]}, weight[i])
			}
		}
	})
}

//go:build unix

package store

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
)

// benchmarkLearn measures acknowledged events a second from 64 clients, each of
// which waits for its acknowledgement before it goes on.
func benchmarkLearn(b *testing.B, s *Store, text string) {
	b.Helper()
	const clients = 64
	var next atomic.Int64
	var wg sync.WaitGroup
	waits := make([][]time.Duration, clients)
	b.ResetTimer()
	for c := range clients {
		wg.Go(func() {
			for {
				i := next.Add(1)
				if i > int64(b.N) {
					return
				}
				start := time.Now()
				if _, err := s.Learn(ctx, entry(fmt.Sprint(i), fmt.Sprint(i%4), text)); err != nil {
					b.Error(err)
					return
				}
				waits[c] = append(waits[c], time.Since(start))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	all := slices.Concat(waits...)
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}

var hundredBytes = strings.Repeat("0123456 ab", 10)

func BenchmarkLearn(b *testing.B) {
	b.Run("log=bolt", func(b *testing.B) {
		benchmarkLearn(b, mustOpen(b, b.TempDir(), nil, nil), hundredBytes)
	})
	b.Run("log=bolt/base=20news", func(b *testing.B) {
		benchmarkLearn(b, mustOpen(b, b.TempDir(), nil, &Options{Counts: countsOf(b, "20news/train.csv")}), hundredBytes)
	})
	b.Run("log=redis", func(b *testing.B) {
		benchmarkLearn(b, mustOpen(b, b.TempDir(), startRedis(b).log(), nil), hundredBytes)
	})
}

func countsOf(b *testing.B, name string) *bayes.Counts {
	b.Helper()
	src, err := dataset.Open([]string{testdata.Path(b, name)}, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	c, err := bayes.Count(ctx, nil, src.Examples(), nil)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkVisible measures how long after its acknowledgement a change is in the
// model, with nothing else to do, and while 16 clients learn.
func BenchmarkVisible(b *testing.B) {
	for _, clients := range []int{0, 16} {
		for _, name := range []string{"nsmc/train.csv", "20news/train.csv"} {
			b.Run(fmt.Sprintf("base=%s/clients=%d", path.Dir(name), clients), func(b *testing.B) {
				s := mustOpen(b, b.TempDir(), nil, &Options{Counts: countsOf(b, name)})
				stop := make(chan struct{})
				var wg sync.WaitGroup
				for range clients {
					wg.Go(func() {
						for {
							select {
							case <-stop:
								return
							default:
								s.Learn(ctx, entry("", "a", hundredBytes))
							}
						}
					})
				}
				var waits []time.Duration
				for b.Loop() {
					r, err := s.Learn(ctx, entry("", "a", hundredBytes))
					if err != nil {
						b.Fatal(err)
					}
					start := time.Now()
					for s.model.Load().seq < r.Seq {
						time.Sleep(100 * time.Microsecond)
					}
					waits = append(waits, time.Since(start))
				}
				close(stop)
				wg.Wait()
				slices.Sort(waits)
				b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "median-ms")
				b.ReportMetric(float64(waits[len(waits)-1].Microseconds())/1000, "most-ms")
			})
		}
	}
}

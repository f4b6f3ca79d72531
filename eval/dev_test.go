package eval_test

import (
	"encoding/csv"
	"os"
	"runtime/pprof"
	"syscall"
	"testing"
	"time"
	"fmt"
	"slices"
	"strconv"
	"math/rand/v2"
	"strings"
	"cmp"

	"bayes"
	"bayes/eval"
	"bayes/text"
	"bayes/text/japanese"
	"bayes/text/korean"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func TestDev(t *testing.T) {
	names := strings.Split(os.Getenv("DEV"), ",")
	if names[0] == "" {
		t.Skip()
	}
	seeds, _ := strconv.Atoi(cmp.Or(os.Getenv("DEVSEEDS"), "3"))
	folds, _ := strconv.Atoi(cmp.Or(os.Getenv("DEVFOLDS"), "0"))
	if p := os.Getenv("DEVPROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	for _, name := range names {
		f, err := os.Open("/work/tmp/audit/" + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(f)
		r.LazyQuotes = true
		all, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		all = all[1:]
		classes := map[string]bool{}
		for _, row := range all {
			classes[row[0]] = true
		}
		var list []string
		for c := range classes {
			list = append(list, c)
		}
		slices.Sort(list)
		var space bayes.Space
		spec := "default"
		if name == "nsmc" {
			spec = "ko"
		}
		if name == "livedoor" {
			spec = "ja"
		}
		space.Analyzer, err = text.Parse(spec, japanese.Language(), korean.Language())
		if err != nil {
			t.Fatal(err)
		}
		var area, prec float64
		n := 0
		var took time.Duration
		var out string
		for _, rate := range []float64{0.02, 0.05, 0.1} {
			var ra, rp float64
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(uint64(seed+100), 7))
				wrong := make([]bool, len(all))
				exs := make([]bayes.Example, len(all))
				for i, row := range all {
					exs[i] = bayes.Example{Label: row[0], Text: row[1]}
				}
				m := int(rate * float64(len(all)) + 0.5)
				for _, i := range rng.Perm(len(all))[:m] {
					wrong[i] = true
					for exs[i].Label == all[i][0] {
						exs[i].Label = list[rng.IntN(len(list))]
					}
				}
				c, err := bayes.ReadCorpus(t.Context(), &space, streamed(exs), nil)
				if err != nil {
					t.Fatal(err)
				}
				before := cpu()
				a, err := eval.Audit(t.Context(), c, bayes.Multinomial{}, &eval.AuditOptions{Folds: folds,
					Smoothings: []bayes.Smoothing{bayes.Additive(1), bayes.Additive(0.5), bayes.Additive(0.25), bayes.Additive(0.1)}})
				if err != nil {
					t.Fatal(err)
				}
				took += cpu() - before
				// area by ranks
				hit := 0
				var sum float64
				for rank, d := range a.Doubts {
					if wrong[d.Example] {
						sum += float64(len(all) - rank)
						if rank < m {
							hit++
						}
					}
				}
				ra += (sum - float64(m)*float64(m+1)/2) / float64(m) / float64(len(all)-m)
				rp += float64(hit) / float64(m)
				n++
			}
			out += fmt.Sprintf(" %.4f/%.4f", ra/float64(seeds), rp/float64(seeds))
			area += ra
			prec += rp
		}
		fmt.Printf("%-9s area %.4f prec %.4f  %s  cpu %v\n", name, area/float64(n), prec/float64(n), out, took/time.Duration(n))
	}
}

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bayes"
	"bayes/internal/cli"
)

// Sums of fractions depend on their order in the last place. They agree to 1e-12.
func TestFractions(t *testing.T) {
	dir := t.TempDir()
	table, want, got := filepath.Join(dir, "t.csv"), filepath.Join(dir, "want.nb"), filepath.Join(dir, "got.nb")
	rng := rand.New(rand.NewPCG(1, 2))
	b := []byte("label,text,n,w\n")
	for range 5000 {
		b = fmt.Appendf(b, "c%d,w%d w%d,%g,%g\n", rng.IntN(3), rng.IntN(50), rng.IntN(9), rng.NormFloat64()+1e6, rng.Float64()+0.01)
	}
	if err := os.WriteFile(table, b, 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--text", "text", "--numeric", "n", "--weight-column", "w", "--weighting", "log", "--idf", "--norm", "l2"}
	mustRun(t, "bayes", append([]string{"train", "-q", table, "-o", want}, flags...)...)
	mustRun(t, "bayes-beam", append([]string{"train", "-q", table, "-o", got, "--part-size", "5000"}, flags...)...)
	a, c := load(t, got), load(t, want)
	n := 0
	for f := range c.Features() {
		for _, class := range c.Classes() {
			x, y := a.At(class, f), c.At(class, f)
			if x.Examples != y.Examples || !near(x.Present, y.Present) || !near(x.Sum, y.Sum) || !near(x.Squares, y.Squares) {
				t.Errorf("%s of %s: %+v, want %+v", f, class, x, y)
			}
			n++
		}
	}
	if n < 100 || a.Len() != c.Len() {
		t.Errorf("%d features were compared; there are %d, want %d", n, a.Len(), c.Len())
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-12*math.Abs(y) }

func load(t *testing.T, name string) *bayes.Counts {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, _, err := bayes.Load(f, cli.Languages()...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

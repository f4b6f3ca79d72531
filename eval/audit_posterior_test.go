package eval

import (
	"math"
	"slices"
	"testing"
)

// What is suggested is right as the shares say by which labels are drawn at random, and by one in all at least.
func TestAuditPosterior(t *testing.T) {
	for _, of := range []struct {
		wrong    float64
		examples int
		p        []float64 // of the label, of what is suggested, and of others
		want     float64
	}{
		{0, 10, []float64{.1, .6, .2, .1}, .025 * .6 / (.9*.1 + .025)},
		{.2, 1000, []float64{.1, .9}, .1 * .9 / (.8*.1 + .1)},
		{.5, 1000, []float64{.25, .5, .25}, (.5 / 3 * .5) / (.5*.25 + .5/3)},
		{.1, 1000, []float64{0, 1}, 1},
	} {
		a := &auditor{wrong: of.wrong, truth: make([]int, of.examples), classes: make([]string, len(of.p))}
		logP := make([]float64, len(of.p))
		for k, p := range of.p {
			logP[k] = math.Log(p)
		}
		if got := a.posterior(logP, 0, 1); math.Abs(got-of.want) > 1e-12 {
			t.Errorf("%+v: %v", of, got)
		}
	}
}

// Of changes those are taken that are certain enough, which need not be the most doubtful by the text.
func TestSetDoubtWith(t *testing.T) {
	d := SetDoubt{Labels: []string{"a", "b"}, Changes: []LabelDoubt{{"b", true, 6, -8}, {"c", false, 4, -1}, {"a", true, 3, -8}}}
	for p, want := range map[float64][]string{0: {"c"}, .1: {"a", "c"}, .9: {"a", "b", "c"}, .99: {"a", "b"}} {
		if got := d.With(p); !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

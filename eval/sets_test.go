package eval_test

import (
	"math"
	"slices"
	"testing"

	"bayes"
	"bayes/eval"

	"pgregory.net/rapid"
)

// decided returns a prediction over labels a to e with these probabilities, which gives those from one half on.
func decided(p ...float64) bayes.Prediction {
	d := bayes.Prediction{Labels: []string{}}
	for k, p := range p {
		label := string(rune('a' + k))
		d.Classes = append(d.Classes, bayes.Prob{Class: label, P: p, LogP: math.Log(p)})
		if p >= .5 {
			d.Labels = append(d.Labels, label)
		}
	}
	return d
}

// Tallies of parts add up to that of all, in any order, and figures agree with their definitions.
func TestSetTallyAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts [2]eval.SetTally
		var all eval.SetTally
		decisions, confused := int64(0), map[[2]string]int64{}
		for range rapid.IntRange(0, 12).Draw(t, "documents") {
			p := decided(rapid.SliceOfN(rapid.Float64Range(.01, .99), 3, 3).Draw(t, "p")...)
			truth := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c", "unmet", ""}), rapid.ID).Draw(t, "truth")
			all.Observe(p, truth)
			parts[rapid.IntRange(0, 1).Draw(t, "part")].Observe(p, truth)
			decisions += int64(len(p.Classes))
			for _, missed := range truth {
				for _, given := range p.Labels {
					if !slices.Contains(p.Labels, missed) && !slices.Contains(truth, given) {
						confused[[2]string{missed, given}]++
					}
				}
			}
		}
		parts[1].Add(&parts[0])
		sum := &parts[1]
		if !slices.Equal(sum.Confused(), all.Confused()) || len(all.Confused()) != len(confused) {
			t.Fatalf("confused %v, of parts %v, want %v", all.Confused(), sum.Confused(), confused)
		}
		for _, c := range all.Confused() {
			if confused[[2]string{c.Label, c.Predicted}] != c.Documents {
				t.Fatalf("confused %v, want %v", c, confused)
			}
		}
		for i, b := range sum.Reliability() {
			decisions -= b.Documents
			of := all.Reliability()[i]
			if b.Documents != of.Documents || b.Accuracy != of.Accuracy || math.Abs(b.Confidence-of.Confidence) > 1e-12 {
				t.Fatalf("bin %d: %v, of parts %v", i, of, b)
			}
		}
		if decisions != 0 || math.Abs(sum.ECE()-all.ECE()) > 1e-12 || math.Abs(sum.Confidence()-all.Confidence()) > 1e-12 {
			t.Fatalf("%d decisions are in no bin, calibration error %v and %v", decisions, sum.ECE(), all.ECE())
		}
		opts := &eval.BootstrapOptions{Draws: 40}
		intervals := all.Bootstrap(opts)
		for _, i := range append(intervals.F1, intervals.MicroF1, intervals.MacroF1) {
			if !(0 <= i.Low && i.Low <= i.High && i.High <= 1) {
				t.Fatalf("interval %v", i)
			}
		}
		again := sum.Bootstrap(opts)
		if intervals.MicroF1 != again.MicroF1 || !slices.Equal(intervals.F1, again.F1) {
			t.Fatalf("%v, of parts %v", intervals, again)
		}
		if math.Abs(intervals.MicroF1.Value-all.MicroF1()) > 1e-12 || math.Abs(intervals.MacroF1.Value-all.MacroF1()) > 1e-12 {
			t.Fatalf("%v, want %v and %v", intervals, all.MicroF1(), all.MacroF1())
		}
		for i, c := range all.Classes() {
			if right, wrong, missed := all.Decisions(c.Label); right+missed != c.Support || intervals.F1[i].Value != c.F1 || wrong < 0 {
				t.Fatalf("%v: %d right, %d wrong, %d missed, F1 %v", c, right, wrong, missed, intervals.F1[i])
			}
		}
	})
}

// With one label each, intervals and precision are those of a Tally, up to the draws.
func TestSetBootstrap(t *testing.T) {
	var sets eval.SetTally
	var one eval.Tally
	for i := range 400 {
		p := decided(.9, .1)
		if i%4 == 0 {
			p = decided(.1, .9)
		}
		truth := "a"
		if i%5 == 0 {
			truth = "b"
		}
		sets.Observe(p, []string{truth})
		if i%4 == 0 {
			slices.Reverse(p.Classes)
		}
		one.Observe(p, truth)
	}
	got, want := sets.Bootstrap(nil), one.Bootstrap(nil)
	for _, pair := range [][2]eval.Interval{{got.MicroF1, want.Accuracy}, {got.MacroF1, want.MacroF1}, {got.F1[0], want.F1[0]}} {
		if g, w := pair[0], pair[1]; g.Value != w.Value || math.Abs(g.Low-w.Low) > .02 || math.Abs(g.High-w.High) > .02 {
			t.Errorf("interval %v, want %v", g, w)
		}
	}
	p, low, high := sets.Precision()
	if q, l, h := one.Accuracy(); p != q || low != l || high != h {
		t.Errorf("precision %v from %v to %v, want %v from %v to %v", p, low, high, q, l, h)
	}
	if got, want := sets.Confidence(), one.Confidence(); math.Abs(got-want) > 1e-12 {
		t.Errorf("confidence %v, want %v", got, want)
	}
}

package bayes_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"bayes"
)

// The most probable classes are the first of all classes, with the same probabilities.
func TestPredictTop(t *testing.T) {
	c := bayes.NewCounts(nil)
	for i := range 300 { // many classes are equally probable
		c.Learn(bayes.Example{Label: fmt.Sprint("class", i), Text: fmt.Sprint("common word", i%40)})
	}
	for _, em := range []bayes.EventModel{bayes.Multinomial{}, bayes.Multinomial{Smoothing: bayes.Additive(0)}, bayes.Calibrated{Temperature: 3}} {
		m, err := bayes.Fit(c, em)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"common word7", "word12 word13", "nothing known", ""} {
			d := bayes.Document{Text: text}
			all := m.Predict(d)
			if !slices.IsSortedFunc(all.Classes, func(a, b bayes.Prob) int {
				if a.LogP != b.LogP {
					return -int(math.Copysign(1, a.LogP-b.LogP))
				}
				return slices.Index(m.Classes(), a.Class) - slices.Index(m.Classes(), b.Class)
			}) {
				t.Errorf("%v: the classes of %q are not in order", em, text)
			}
			for _, most := range []int{0, 1, 2, 5, 37, 38, 299, 300, 1000} {
				var p bayes.Prediction
				m.PredictTop(&p, d, most)
				n := min(max(1, most), 300)
				if !slices.Equal(p.Classes, all.Classes[:n]) || p.LeftOut != 300-n || p.Known != all.Known || p.Unknown != all.Unknown {
					t.Errorf("%v: the %d most probable classes of %q are %+v, want %+v", em, most, text, p, all.Classes[:n])
				}
			}
		}
	}
}

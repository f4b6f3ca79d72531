package eval

import (
	"math"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// two returns the prediction of two classes with scores, which are far beyond what probabilities tell
// apart.
func two(ham, spam float64) bayes.Prediction {
	classes := []bayes.Prob{{Class: "ham", LogJoint: ham}, {Class: "spam", LogJoint: spam}}
	if spam > ham {
		classes[0], classes[1] = classes[1], classes[0]
	}
	classes[0].P = 1
	classes[1].LogP = math.Inf(-1)
	return bayes.Prediction{Classes: classes}
}

// 1-ROCA is the share of pairs that are ranked the wrong way, by log-odds whose probabilities are all
// 0 or 1, and a Tally is found in any order.
func TestRanking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			tally, other Tally
			odds         = map[string][]float64{}
		)
		for range rapid.IntRange(2, 40).Draw(t, "n") {
			label := rapid.SampledFrom([]string{"ham", "spam"}).Draw(t, "label")
			v := 1000 * float64(rapid.IntRange(-5, 5).Draw(t, "odds"))
			odds[label] = append(odds[label], v)
			into := &tally
			if rapid.Bool().Draw(t, "other") {
				into = &other
			}
			into.Observe(two(-5000, -5000+v), label)
		}
		tally.Add(&other)
		r, ok := tally.Ranking()
		if want := len(odds["ham"]) > 0 && len(odds["spam"]) > 0; ok != want {
			t.Fatalf("defined %v, want %v", ok, want)
		}
		if !ok {
			return
		}
		var wrong float64
		none, one := 0, 0
		for _, spam := range odds["spam"] {
			above := 0 // hams that are no lower
			for _, ham := range odds["ham"] {
				switch {
				case ham > spam:
					wrong++
				case ham == spam:
					wrong += 0.5
				}
				if ham >= spam {
					above++
				}
			}
			if above == 0 {
				none++
			}
			if above <= 1 {
				one++
			}
		}
		want := 100 * wrong / float64(len(odds["ham"])*len(odds["spam"]))
		if math.Abs(r.OneMinusROCA-want) > 1e-9 || r.NoneLost != none || r.OneLost != one || r.Label != "spam" || r.Documents != len(odds["spam"]) {
			t.Fatalf("%+v, want %v %%, %d and %d", r, want, none, one)
		}
	})
}

// An impossible document is ranked by the prior; spam is what is to be found, wherever it is sorted.
func TestRankingEdges(t *testing.T) {
	var tally Tally
	inf := math.Inf(-1)
	impossible := bayes.Prediction{Classes: []bayes.Prob{
		{Class: "wanted", P: 0.75, LogP: math.Log(0.75), LogJoint: inf}, {Class: "spam", P: 0.25, LogP: math.Log(0.25), LogJoint: inf},
	}}
	tally.Observe(impossible, "wanted")
	if _, ok := tally.Ranking(); ok {
		t.Error("a ranking of one class")
	}
	tally.Observe(bayes.Prediction{Classes: []bayes.Prob{{Class: "spam", P: 1}}}, "spam") // of a model of one class
	if r, ok := tally.Ranking(); !ok || r.OneMinusROCA != 0 || r.Label != "spam" || r.NoneLost != 1 {
		t.Errorf("%+v, %v", r, ok)
	}
	tally.Observe(impossible, "news")
	if _, ok := tally.Ranking(); ok {
		t.Error("a ranking of three labels")
	}
}

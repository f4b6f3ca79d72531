package report

import (
	"fmt"
	"math"

	"bayes/eval"
)

// Progressive makes r the report of a model that predicted each example before it learned it: its
// predictions are those tested, and how it went on is drawn.
func (r *Report) Progressive(p *eval.Progress) {
	r.tally, r.progress = *p.Tally, p
}

// A progressLine is one of the figures of a chart.
type progressLine struct {
	label string
	value func(p eval.ProgressPoint) (v float64, ok bool)
	last  string
}

// progressCharts draws the mistakes of each class, of many classes those of all, and of two classes
// the 1-ROCA %.
func progressCharts(p *eval.Progress) []curveChart {
	if p == nil || len(p.Curve) == 0 {
		return nil
	}
	last := p.Curve[len(p.Curve)-1]
	var wrong []progressLine
	if len(p.Labels) <= mostColours {
		for k, name := range p.Labels {
			wrong = append(wrong, progressLine{name, func(p eval.ProgressPoint) (float64, bool) { return float64(p.Wrong[k]), true }, count(last.Wrong[k])})
		}
	} else {
		all := func(p eval.ProgressPoint) (float64, bool) {
			var sum int64
			for _, n := range p.Wrong {
				sum += n
			}
			return float64(sum), true
		}
		n, _ := all(last)
		wrong = append(wrong, progressLine{"all classes", all, count(int64(n))})
	}
	charts := []curveChart{newProgressChart(p, "Mistakes", "How many documents of a class were predicted wrongly, of those before.", "predicted wrongly", wrong)}
	if last.HasROCA {
		roca := []progressLine{{"1-ROCA %", func(p eval.ProgressPoint) (float64, bool) { return p.OneMinusROCA, p.HasROCA }, fmt.Sprintf("%.4f", last.OneMinusROCA)}}
		charts = append(charts, newProgressChart(p, "1-ROCA %", "(1 − the area under the ROC curve)·100, of all predictions before: 0 is best.", "1-ROCA %", roca))
	}
	return charts
}

func newProgressChart(p *eval.Progress, name, meaning, y string, lines []progressLine) curveChart {
	c := curveChart{Name: name, Meaning: meaning, Plot: &plot{Class: "chart", Title: name + " by documents learned", Width: 420, Height: 400}}
	most := 0.0
	for _, line := range lines {
		for _, point := range p.Curve {
			if v, ok := line.value(point); ok {
				most = max(most, v)
			}
		}
	}
	all := float64(p.Curve[len(p.Curve)-1].Documents)
	f := frame{left: 56, top: 10, width: 352, height: 342}
	top := roundUp(most)
	documents := func(v float64) string { return count(int64(math.Round(v * all))) }
	f.scaledAxes(c.Plot, "documents learned", y, documents, func(v float64) string { return number(v * top) })
	for i, l := range lines {
		class := fmt.Sprintf("c%d", i)
		line := trace{frame: f}
		for _, point := range p.Curve {
			if v, ok := l.value(point); ok {
				line.to(float64(point.Documents)/all, v/top)
			}
		}
		c.Plot.path("curve "+class, line.path(), label(l.label)+", in the end "+l.last)
		c.Legend = append(c.Legend, legendEntry{class, l.label, l.last})
	}
	return c
}

// roundUp returns the first of 1, 2 and 5 times a power of ten that is not less than v; 1 for 0.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 5} {
		if n*unit >= v {
			return n * unit
		}
	}
	return 10 * unit
}

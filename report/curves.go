package report

import (
	"cmp"
	"fmt"
	"slices"

	"bayes/eval"
)

// A curveChart is a plot with a curve for each class and one for their mean.
type curveChart struct {
	Name, Meaning, Measure string // Measure names the figure of the legend
	Plot                   *plot
	Legend                 []legendEntry
}

type legendEntry struct{ Class, Label, Value string }

// Of up to mostColours classes each has a colour. Of more, the worstColours with the
// least average precision have one, and the others are grey.
const (
	mostColours  = 6
	worstColours = 3
	mostGrey     = 100 // curves that are drawn without a colour: those of the least average precision
)

// curveCharts returns the ROC and precision-recall curves of the classes that
// have both documents of their own and others, and none where there is no such
// class.
func curveCharts(t *eval.Tally, all []eval.Areas) []curveChart {
	defined := slices.DeleteFunc(slices.Clone(all), func(a eval.Areas) bool { return !a.HasAUC })
	if len(defined) == 0 {
		return nil
	}
	slices.SortStableFunc(defined, func(a, b eval.Areas) int { return cmp.Compare(a.AveragePrecision, b.AveragePrecision) })
	grey := 0
	if len(defined) > mostColours {
		grey = len(defined) - worstColours
	}
	named, others := defined[:len(defined)-grey], defined[len(defined)-grey:]
	roc := &curveChart{
		Name: "ROC", Measure: "area",
		Meaning: "How many documents of a class are found, by how many of the others are taken for it. The dashed line is chance.",
	}
	roc.draw(rocCurve, t, named, others, t.MeanROC(100), "false positive rate", "true positive rate", func(a eval.Areas) float64 { return a.AUC })
	pr := &curveChart{
		Name: "Precision and recall", Measure: "average precision",
		Meaning: "How many of the documents taken for a class are right, by how many of the class are found.",
	}
	pr.draw(precisionCurve, t, named, others, t.MeanPrecisionRecall(100), "recall", "precision", func(a eval.Areas) float64 { return a.AveragePrecision })
	return []curveChart{*roc, *pr}
}

// A curve writes points as a path. A nil mean is a class's.
type curve func(f frame, t *eval.Tally, label string, mean []eval.Point) string

func rocCurve(f frame, t *eval.Tally, label string, points []eval.Point) string {
	if points == nil {
		points = t.ROC(label)
	}
	line := trace{frame: f}
	line.to(0, 0)
	for _, p := range points {
		line.to(p.FalsePositiveRate, p.TruePositiveRate)
	}
	return line.path()
}

func precisionCurve(f frame, t *eval.Tally, label string, points []eval.Point) string {
	line := trace{frame: f}
	if points == nil {
		points, line.stepped = t.PrecisionRecall(label), true
	}
	line.to(0, points[0].Precision)
	for _, p := range points {
		line.to(p.TruePositiveRate, p.Precision)
	}
	return line.path()
}

func (c *curveChart) draw(path curve, t *eval.Tally, named, others []eval.Areas, mean []eval.Point, x, y string, value func(eval.Areas) float64) {
	c.Plot = &plot{Class: "chart", Title: c.Name + " curves", Width: 420, Height: 400}
	f := frame{left: 56, top: 10, width: 352, height: 342}
	f.axes(c.Plot, x, y)
	if x != "recall" {
		c.Plot.line("chance", f.x(0), f.y(0), f.x(1), f.y(1))
	}
	title := func(a eval.Areas) string { return label(a.Label) + ", " + c.Measure + " " + figure(value(a)) }
	for _, a := range others[:min(len(others), mostGrey)] {
		c.Plot.path("curve other", path(f, t, a.Label, nil), title(a))
	}
	sum := 0.0
	for i, a := range named {
		class := fmt.Sprintf("c%d", i)
		c.Plot.path("curve "+class, path(f, t, a.Label, nil), title(a))
		c.Legend = append(c.Legend, legendEntry{class, a.Label, figure(value(a))})
		sum += value(a)
	}
	for _, a := range others {
		sum += value(a)
	}
	average := figure(sum / float64(len(named)+len(others)))
	c.Plot.path("curve mean", path(f, t, "", mean), "mean of the classes, "+c.Measure+" "+average)
	c.Legend = append([]legendEntry{{"mean", "mean of the classes", average}}, c.Legend...)
	if len(others) > 0 {
		least := slices.MinFunc(others, func(a, b eval.Areas) int { return cmp.Compare(value(a), value(b)) })
		most := slices.MaxFunc(others, func(a, b eval.Areas) int { return cmp.Compare(value(a), value(b)) })
		name := plural(int64(len(others)), "other class", "other classes")
		if len(others) > mostGrey {
			name += fmt.Sprintf(", %d drawn", mostGrey)
		}
		c.Legend = append(c.Legend, legendEntry{"other", name, figure(value(least)) + " to " + figure(value(most))})
	}
}

package report

import (
	"fmt"
	"math"
	"strings"

	"bayes/eval"
)

// A reliability is a diagram of how often predictions are right, by how confident
// they are, over how many of them there are.
type reliability struct {
	Plot *plot
	Bins []reliabilityBin
	ECE  float64
	Bias string // what the diagram says, in words, and what to do about it
	reliabilityWords
}

// reliabilityWords are how a diagram calls what it shows.
type reliabilityWords struct {
	Title, Level         string
	Confidence, Accuracy string // the axes
	Meaning              string // of the confidence
	Counted              string // what bins hold
	LogCounts            bool   // whether those are drawn by their logarithms
}

// ofDocuments are the words where each document has one label.
var ofDocuments = reliabilityWords{"Accuracy by confidence", "how many are right", "confidence", "accuracy", "confidence, the probability of the predicted class", "documents", false}

type reliabilityBin struct {
	From, To float64 // of the confidence
	eval.Bin
}

func newReliability(bins []eval.Bin, ece float64, bias string, words reliabilityWords) *reliability {
	r := &reliability{ECE: ece, Bias: bias, reliabilityWords: words, Plot: &plot{Class: "chart", Title: "reliability diagram", Width: 420, Height: 500}}
	var most int64
	for i, b := range bins {
		r.Bins = append(r.Bins, reliabilityBin{float64(i) / float64(len(bins)), float64(i+1) / float64(len(bins)), b})
		most = max(most, b.Documents)
	}
	f := frame{left: 56, top: 10, width: 352, height: 342}
	f.axes(r.Plot, "", r.Accuracy)
	counts := frame{left: 56, top: 394, width: 352, height: 64}
	for _, b := range r.Bins {
		r.bar(f, b)
		r.countBar(counts, b, most)
	}
	r.Plot.line("chance", f.x(0), f.y(0), f.x(1), f.y(1))
	r.Plot.line("grid", counts.x(0), counts.y(0), counts.x(1), counts.y(0))
	r.Plot.upright("axis", "middle", counts.x(0)-42, counts.y(.5), r.Counted)
	r.Plot.text("axis", "middle", counts.x(.5), counts.y(0)+30, r.Meaning)
	return r
}

// Advice says in a sentence or two whether the probabilities of t can be believed, by their
// mean confidence beside the accuracy, and what to do if not. It is empty if t is.
func Advice(t *eval.Tally) string {
	if t.Documents() == 0 {
		return ""
	}
	accuracy, low, high := t.Accuracy()
	return advice(t.Confidence(), accuracy, low, high)
}

// advice is that for a mean confidence and an accuracy, from low to high. What lies within
// that may be chance.
func advice(confidence, accuracy, low, high float64) string {
	const remedy = " For honest probabilities, train on data like this with --calibrate temperature."
	verdict, more := "about as sure as it is right", ""
	switch {
	case confidence > high:
		verdict, more = "surer than it is right", remedy
	case confidence < low:
		verdict, more = "less sure than it could be", remedy
	case math.Abs(confidence-accuracy) > .02:
		more = " The difference may be chance."
	}
	return fmt.Sprintf("The model is %s: mean confidence %s, accuracy %s.%s", verdict, figure(confidence), figure(accuracy), more)
}

// bar draws how often a bin is right, and how far that is from its confidence.
func (r *reliability) bar(f frame, b reliabilityBin) {
	if b.Documents == 0 {
		return
	}
	title := fmt.Sprintf("%s %s, %s %s, %s", r.Confidence, figure(b.Confidence), r.Accuracy, figure(b.Accuracy), r.counted(b.Documents))
	x, w := f.x(b.From)+1, (b.To-b.From)*f.width-2
	low, high := min(b.Accuracy, b.Confidence), max(b.Accuracy, b.Confidence)
	r.Plot.rect("bar", x, f.y(low), w, f.y(0)-f.y(low), title)
	r.Plot.rect("gap", x, f.y(high), w, f.y(low)-f.y(high), title)
	r.Plot.line("level", x, f.y(b.Accuracy), x+w, f.y(b.Accuracy))
}

// countBar draws how many documents a bin has.
func (r *reliability) countBar(f frame, b reliabilityBin, most int64) {
	x, w := f.x(b.From)+1, (b.To-b.From)*f.width-2
	share := float64(b.Documents) / float64(most)
	if r.LogCounts {
		share = math.Log1p(float64(b.Documents)) / math.Log1p(float64(most))
	}
	r.Plot.rect("documents", x, f.y(share), w, f.y(0)-f.y(share), r.counted(b.Documents))
	if b.Documents > 0 {
		r.Plot.text("tiny", "middle", x+w/2, f.y(share)-4, short(b.Documents))
	}
}

// counted returns n of what bins hold.
func (r *reliability) counted(n int64) string {
	return plural(n, strings.TrimSuffix(r.Counted, "s"), r.Counted)
}

// short returns a count in at most four characters, as 123, 4.5k or 67k.
func short(n int64) string {
	v, unit := float64(n), ""
	for _, u := range []string{"k", "M", "G"} {
		if v < 999.5 {
			break
		}
		v, unit = v/1000, u
	}
	if unit != "" && v < 9.95 {
		return fmt.Sprintf("%.1f%s", v, unit)
	}
	return fmt.Sprintf("%.0f%s", v, unit)
}

package report

import (
	"math"
	"strconv"
	"strings"

	"bayes/eval"
)

// A plot is a drawing, which the template "plot" writes as SVG. Colours are CSS
// classes, so that they follow light and dark.
type plot struct {
	Class         string
	Title         string // for those who cannot see it
	Width, Height float64
	Shapes        []shape
}

// A shape is a path, a rectangle or a text, told by which of its fields
// are set.
type shape struct {
	Class  string
	D      string // of a path
	X, Y   string
	W, H   string // of a rectangle
	Anchor string // of a text: start, middle or end
	Turn   string // of a text: how to turn it
	Text   string
	Title  string // shown to who points at it
}

func (p *plot) path(class, d, title string) {
	p.Shapes = append(p.Shapes, shape{Class: class, D: d, Title: title})
}

func (p *plot) line(class string, x1, y1, x2, y2 float64) {
	p.path(class, "M"+coordinates(x1, y1)+"L"+coordinates(x2, y2), "")
}

func (p *plot) rect(class string, x, y, w, h float64, title string) {
	p.Shapes = append(p.Shapes, shape{Class: class, X: coordinate(x), Y: coordinate(y), W: coordinate(w), H: coordinate(h), Title: title})
}

func (p *plot) text(class, anchor string, x, y float64, s string) {
	p.Shapes = append(p.Shapes, shape{Class: class, X: coordinate(x), Y: coordinate(y), Anchor: anchor, Text: s})
}

// upright writes a text from below to above.
func (p *plot) upright(class, anchor string, x, y float64, s string) {
	p.text(class, anchor, x, y, s)
	p.Shapes[len(p.Shapes)-1].Turn = "rotate(-90 " + coordinate(x) + " " + coordinate(y) + ")"
}

// coordinate returns v to a tenth of a unit.
func coordinate(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	if s = strings.TrimSuffix(s, ".0"); s == "-0" {
		return "0"
	}
	return s
}

func coordinates(x, y float64) string { return coordinate(x) + " " + coordinate(y) }

// A frame is the part of a plot that shows the unit square, or a part of it.
type frame struct{ left, top, width, height float64 }

func (f frame) x(v float64) float64 { return f.left + v*f.width }
func (f frame) y(v float64) float64 { return f.top + (1-v)*f.height }

// axes draws a grid, its numbers and the names of the axes, which go from 0 to 1.
func (f frame) axes(p *plot, xName, yName string) {
	tick := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	f.scaledAxes(p, xName, yName, tick, tick)
}

// scaledAxes is axes with other numbers for places from 0 to 1.
func (f frame) scaledAxes(p *plot, xName, yName string, xTick, yTick func(v float64) string) {
	for i := range 6 {
		v := float64(i) / 5
		p.line("grid", f.x(v), f.y(0), f.x(v), f.y(1))
		p.line("grid", f.x(0), f.y(v), f.x(1), f.y(v))
		p.text("tick", "middle", f.x(v), f.y(0)+18, xTick(v))
		p.text("tick", "end", f.x(0)-7, f.y(v)+4.5, yTick(v))
	}
	p.text("axis", "middle", f.x(.5), f.y(0)+38, xName)
	p.upright("axis", "middle", f.x(0)-42, f.y(.5), yName)
}

// A trace is the path of a curve, without points that the eye cannot tell apart.
type trace struct {
	frame
	b            strings.Builder
	x0, y0       float64 // the last point drawn
	x1, y1       float64 // the last point
	stepped, any bool
}

// to goes on to a point of the unit square.
func (t *trace) to(x, y float64) {
	t.x1, t.y1 = t.frame.x(x), t.frame.y(y)
	if !t.any || math.Abs(t.x1-t.x0) >= 1 || math.Abs(t.y1-t.y0) >= 1 {
		t.draw()
	}
}

func (t *trace) draw() {
	switch {
	case !t.any:
		t.b.WriteString("M" + coordinates(t.x1, t.y1))
	case t.stepped:
		t.b.WriteString("V" + coordinate(t.y1) + "H" + coordinate(t.x1))
	default:
		t.b.WriteString("L" + coordinates(t.x1, t.y1))
	}
	t.x0, t.y0, t.any = t.x1, t.y1, true
}

// path returns the path, to the last point.
func (t *trace) path() string {
	if t.any && (t.x0 != t.x1 || t.y0 != t.y1) {
		t.draw()
	}
	return t.b.String()
}

// intervalPlot draws a figure and its interval on a scale from least to 1.
func intervalPlot(i eval.Interval, least, width float64) *plot {
	const height, middle, margin = 14, 7, 3
	f := frame{left: margin, width: width - 2*margin}
	x := func(v float64) float64 { return f.x((v - least) / (1 - least)) }
	p := &plot{Class: "interval", Title: figure(i.Value) + ", 95 % interval " + figure(i.Low) + " to " + figure(i.High), Width: width, Height: height}
	p.line("track", f.x(0), middle, f.x(1), middle)
	p.line("reach", x(i.Low), middle, x(i.High), middle)
	p.line("value", x(i.Value), 1, x(i.Value), height-1)
	return p
}

package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A drawing is a picture in SVG that is read on white and on black paper: it has a ground of its own, and
// colours for either. Places are in pixels, from the upper left corner.
type drawing struct {
	width, height float64
	b             strings.Builder
}

const style = `<style>
svg{font:14px system-ui,sans-serif;--ground:#fff;--ink:#24292f;--soft:#57606a;--line:#d0d7de;--a:#2f6fcf;--b:#c2570c;--c:#2c7a45}
@media(prefers-color-scheme:dark){svg{--ground:#0d1117;--ink:#e6edf3;--soft:#9aa4af;--line:#3d444d;--a:#6ba4ff;--b:#f59352;--c:#5fc27e}}
.ground{fill:var(--ground)}text{fill:var(--ink)}.soft{fill:var(--soft)}.small{font-size:12px}.strong{font-weight:600}.on{fill:var(--ground)}
.axis{stroke:var(--line);stroke-width:1}.mark{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 4}
.a{fill:var(--a)}.b{fill:var(--b)}.c{fill:var(--c)}.pale{fill-opacity:.25}
.la,.lb,.lc,.ld{fill:none;stroke-width:2.5}.la{stroke:var(--a)}.lb{stroke:var(--b)}.lc{stroke:var(--c)}.ld{stroke:var(--soft)}
</style>
`

func newDrawing(width, height float64) *drawing { return &drawing{width: width, height: height} }

// svg returns the file. What the picture shows is said in words, too.
func (d *drawing) svg(title string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img">
<title>%s</title>
%s<rect class="ground" width="100%%" height="100%%" rx="8"/>
%s</svg>
`, d.width, d.height, d.width, d.height, html.EscapeString(title), style, d.b.String())
}

// px is a number of pixels as it is written: a hundredth is more than can be seen.
func px(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

func (d *drawing) rect(x, y, width, height float64, class string) {
	fmt.Fprintf(&d.b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\"/>\n", px(x), px(y), px(width), px(height), class)
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&d.b, "<path d=\"M%s %sL%s %s\" class=\"%s\"/>\n", px(x1), px(y1), px(x2), px(y2), class)
}

func (d *drawing) ellipse(x, y, rx, ry float64, class string) {
	fmt.Fprintf(&d.b, "<ellipse cx=\"%s\" cy=\"%s\" rx=\"%s\" ry=\"%s\" class=\"%s\"/>\n", px(x), px(y), px(rx), px(ry), class)
}

// The anchors of texts: where the place is that they are written at.
const (
	start  = "start"
	middle = "middle"
	end    = "end"
)

func (d *drawing) text(x, y float64, anchor, class, s string) {
	fmt.Fprintf(&d.b, "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", px(x), px(y), anchor, class, html.EscapeString(s))
}

// Axes are a rectangle of a drawing whose places are numbers of the data.
type axes struct {
	*drawing
	left, top, right, bottom float64 // of the rectangle, in pixels
	x0, x1, y0, y1           float64 // of the data, from left to right and from the bottom to the top
}

func (a axes) x(x float64) float64 { return a.left + (x-a.x0)/(a.x1-a.x0)*(a.right-a.left) }
func (a axes) y(y float64) float64 { return a.bottom - (y-a.y0)/(a.y1-a.y0)*(a.bottom-a.top) }

// ground draws the lower line, marks of numbers below it, and what they are.
func (a axes) ground(name string, marks ...float64) {
	a.line(a.left, a.bottom, a.right, a.bottom, "axis")
	for _, m := range marks {
		a.line(a.x(m), a.bottom, a.x(m), a.bottom+5, "axis")
		a.text(a.x(m), a.bottom+19, middle, "soft small", fmt.Sprint(m))
	}
	a.text((a.left+a.right)/2, a.bottom+38, middle, "soft small", name)
}

// curve draws a function.
func (a axes) curve(class string, f func(x float64) float64) {
	const steps = 120
	var path strings.Builder
	command := 'M'
	for i := range steps + 1 {
		x := a.x0 + (a.x1-a.x0)*float64(i)/steps
		y := f(x)
		if math.IsInf(y, 0) || math.IsNaN(y) {
			continue
		}
		fmt.Fprintf(&path, "%c%s %s", command, px(a.x(x)), px(a.y(min(max(y, a.y0), a.y1))))
		command = 'L'
	}
	fmt.Fprintf(&a.b, "<path d=\"%s\" class=\"%s\"/>\n", path.String(), class)
}

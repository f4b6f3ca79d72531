package main

import (
	"fmt"
	"math"
	"slices"

	"bayes"
	"bayes/dataset"
)

// weather reads the two numbers of the weather.
func weather(data source, shared bool) (*bayes.Parameters, []bayes.Example, error) {
	opts := &dataset.Options{Label: "play", Numeric: []string{"temperature", "humidity"}}
	list, err := data.examples("weather-numbers.csv", opts)
	if err != nil {
		return nil, nil, err
	}
	counts, err := data.counts("weather-numbers.csv", "", opts)
	if err != nil {
		return nil, nil, err
	}
	m, err := bayes.Fit(counts, bayes.Mixed{Number: bayes.Gaussian{Shared: shared}})
	if err != nil {
		return nil, nil, err
	}
	return m.Parameters(), list, nil
}

func normal(x, mean, variance float64) float64 {
	return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// number returns an attribute of an example.
func number(ex bayes.Example, name string) float64 {
	for _, a := range ex.Attrs {
		if a.Name == name {
			if v, ok := a.Value(); ok {
				return v
			}
		}
	}
	return math.NaN()
}

var ofPlay = map[string]string{"yes": "a", "no": "b"}

// The bell curves of the temperature, and the days that they were made of.
func drawNormal(data source) (string, error) {
	p, list, err := weather(data, false)
	if err != nil {
		return "", err
	}
	d := newDrawing(720, 330)
	a := axes{drawing: d, left: 40, right: 690, top: 40, bottom: 250, x0: 50, x1: 98, y1: .078}
	a.ground("temperature, °F", 50, 60, 70, 80, 90)
	at := slices.Index(p.Numbers, "temperature")
	const today = 66
	d.line(a.x(today), a.top, a.x(today), a.bottom, "mark")
	d.text(a.x(today)-8, a.top+12, end, "small", fmt.Sprintf("today %d", today))
	for i, label := range p.Labels {
		mean, variance := p.Mean[i][at], p.Variance[i][at]
		class := ofPlay[label]
		a.curve("l"+class, func(x float64) float64 { return normal(x, mean, variance) })
		density := normal(today, mean, variance)
		d.ellipse(a.x(today), a.y(density), 4.5, 4.5, class)
		d.text(a.x(today)-10, a.y(density)+4, end, "small", fmt.Sprintf("%s %.4f", label, density))
		d.text(a.x(80), a.top+12+20*float64(i), start, "small", fmt.Sprintf("%s: mean %.1f, variance %.1f", label, mean, variance))
		d.rect(a.x(80)-20, a.top+2+20*float64(i), 12, 12, class)
	}
	for _, ex := range list {
		y := a.bottom - 6
		if ex.Label == "no" {
			y -= 10
		}
		d.ellipse(a.x(number(ex, "temperature")), y, 3.5, 3.5, ofPlay[ex.Label])
	}
	return d.svg("Two bell curves of the temperature, on days of play and without"), nil
}

// Where one deviation reaches, with a variance of each number and with one that they share.
func drawVariance(data source) (string, error) {
	d := newDrawing(720, 390)
	for i, shared := range []bool{false, true} {
		p, list, err := weather(data, shared)
		if err != nil {
			return "", err
		}
		left := 40 + float64(i)*345
		a := axes{drawing: d, left: left, right: left + 300, top: 50, bottom: 328.6, x0: 54, x1: 96, y0: 60, y1: 99}
		a.ground("temperature across, humidity up", 60, 70, 80, 90)
		d.text(left, 34, start, "strong", map[bool]string{false: "a variance for each number", true: "one variance for both"}[shared])
		t, h := slices.Index(p.Numbers, "temperature"), slices.Index(p.Numbers, "humidity")
		for c, label := range p.Labels {
			rx, ry := math.Sqrt(p.Variance[c][t]), math.Sqrt(p.Variance[c][h])
			x, y := a.x(p.Mean[c][t]), a.y(p.Mean[c][h])
			rx, ry = a.x(a.x0+rx)-a.left, a.bottom-a.y(a.y0+ry)
			d.ellipse(x, y, rx, ry, ofPlay[label]+" pale")
			d.ellipse(x, y, rx, ry, "l"+ofPlay[label])
			d.text(x, y+4, middle, "strong small", label)
		}
		for _, ex := range list {
			d.ellipse(a.x(number(ex, "temperature")), a.y(number(ex, "humidity")), 3.5, 3.5, ofPlay[ex.Label])
		}
	}
	return d.svg("Days in the plane of temperature and humidity, and one deviation around the means"), nil
}

// beta is the density of the Dirichlet distribution of two probabilities.
func beta(x, a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return math.Exp(lab - la - lb + (a-1)*math.Log(x) + (b-1)*math.Log(1-x))
}

// What is believed of a share before and after four mints of five sweets.
func drawDirichlet(source) (string, error) {
	d := newDrawing(720, 320)
	const mint, other = 4, 1
	for i, side := range []struct {
		title       string
		mint, other float64
	}{{"before", 0, 0}, {fmt.Sprintf("after %d mints of %d sweets", mint, mint+other), mint, other}} {
		left := 40 + float64(i)*345
		a := axes{drawing: d, left: left, right: left + 300, top: 50, bottom: 240, x1: 1, y1: 4.2}
		d.text(left, 34, start, "strong", side.title)
		a.ground("share of mint", 0, .5, 1)
		for j, alpha := range []float64{.5, 1, 2, 10} {
			class := []string{"la", "ld", "lb", "lc"}[j]
			inner := a
			inner.left, inner.right, inner.x0, inner.x1 = a.x(.005), a.x(.995), .005, .995
			inner.curve(class, func(x float64) float64 { return beta(x, alpha+side.mint, alpha+side.other) })
			if i == 0 {
				y := 312.
				x := 60 + float64(j)*160
				d.line(x, y-4, x+26, y-4, class)
				d.text(x+34, y, start, "small", fmt.Sprintf("α = %g, %[1]g", alpha))
			}
		}
	}
	return d.svg("Densities of a share, before and after five sweets, for four parameters"), nil
}

// urn is the logarithm of the evidence: each count is drawn one by one from an urn that gains what was drawn.
func urn(alpha float64, counts [][]float64) float64 {
	sum := 0.
	for _, bag := range counts {
		drawn := 0.
		for _, count := range bag {
			for n := range int(count) {
				sum += math.Log((float64(n) + alpha) / (drawn + alpha*float64(len(bag))))
				drawn++
			}
		}
	}
	return sum
}

// The evidence of the sweets, and where the program finds its maximum.
func drawEvidence(data source) (string, error) {
	m, err := data.fit("sweets.csv", "", bayes.Multinomial{Smoothing: bayes.Evidence{}})
	if err != nil {
		return "", err
	}
	p := m.Parameters()
	var counts [][]float64
	for _, label := range p.Labels {
		var bag []float64
		for _, term := range p.Terms {
			stats, _ := m.Term(term)
			i := slices.IndexFunc(stats, func(s bayes.TermStats) bool { return s.Class == label })
			bag = append(bag, stats[i].Moments.Sum)
		}
		counts = append(counts, bag)
	}
	// P = (count + α)/(total + α·|V|) of any cell with a count gives the smoothing that was found.
	var total float64
	for _, n := range counts[0] {
		total += n
	}
	prob, size := math.Exp(p.TermLogProb[0][0]), float64(len(p.Terms))
	found := (prob*total - counts[0][0]) / (1 - prob*size)

	d := newDrawing(720, 330)
	a := axes{drawing: d, left: 60, right: 690, top: 40, bottom: 250, x0: -2, x1: 2, y0: -32, y1: -15}
	d.line(a.left, a.bottom, a.right, a.bottom, "axis")
	for _, alpha := range []float64{.01, .1, 1, 10, 100} {
		x := a.x(math.Log10(alpha))
		d.line(x, a.bottom, x, a.bottom+5, "axis")
		d.text(x, a.bottom+19, middle, "soft small", fmt.Sprint(alpha))
	}
	d.text((a.left+a.right)/2, a.bottom+40, middle, "soft small", "α")
	for _, y := range []float64{-30, -25, -20} {
		d.text(a.left-8, a.y(y)+4, end, "soft small", fmt.Sprint(y))
		d.line(a.left, a.y(y), a.right, a.y(y), "axis")
	}
	d.text(a.left, 26, start, "soft small", "ln of the evidence")
	a.curve("la", func(x float64) float64 { return urn(math.Pow(10, x), counts) })
	best := urn(found, counts)
	x := a.x(math.Log10(found))
	d.line(x, a.y(best), x, a.bottom, "mark")
	d.ellipse(x, a.y(best), 5, 5, "b")
	d.text(x, a.y(best)-12, middle, "strong", fmt.Sprintf("α = %.4f, ln evidence %.3f", found, best))
	return d.svg("The evidence of nineteen sweets for each smoothing, with its maximum"), nil
}

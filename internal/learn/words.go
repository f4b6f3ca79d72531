package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"bayes"
	"bayes/dataset"
)

// maximumLikelihood are counts as they are.
var maximumLikelihood = bayes.Multinomial{Smoothing: bayes.Additive(0)}

// A column of a square is as wide as the prior of its class and as high as the likelihood.
func drawPrior(data source) (string, error) {
	const note = "bread and soup"
	d := newDrawing(720, 330)
	for i, happy := range []float64{.5, .3} {
		em := maximumLikelihood
		em.Prior = bayes.GivenPrior{"happy": happy, "sad": 1 - happy}
		m, err := data.fit("cafe.csv", "", em)
		if err != nil {
			return "", err
		}
		p := m.Predict(bayes.Document{Text: note})
		left := 40 + float64(i)*350
		d.text(left, 34, start, "strong", fmt.Sprintf("priors %g and %g: %s", happy, 1-happy, p.Best().Class))
		a := axes{drawing: d, left: left, right: left + 290, top: 72, bottom: 270, x1: 1, y1: .002}
		d.line(a.left, a.bottom, a.right, a.bottom, "axis")
		x := 0.
		slices.SortFunc(p.Classes, func(c, d bayes.Prob) int { return strings.Compare(c.Class, d.Class) })
		for i, c := range p.Classes {
			class, prior := []string{"a", "b"}[i], []float64{happy, 1 - happy}[i]
			likelihood := math.Exp(c.LogJoint) / prior
			d.rect(a.x(x)+1, a.y(likelihood), a.x(x+prior)-a.x(x)-2, a.bottom-a.y(likelihood), class)
			d.text(a.x(x+prior/2), a.y(likelihood)-8, middle, "small", fmt.Sprintf("%.3f", likelihood))
			d.text(a.x(x+prior/2), a.bottom+19, middle, "small", c.Class)
			d.text(a.x(x+prior/2), a.bottom+38, middle, "soft small", fmt.Sprintf("posterior %.3f", c.P))
			x += prior
		}
	}
	return d.svg("How probable the words are in each mood, times how common the mood is"), nil
}

// The more smoothing, the more alike are the words of a bag.
func drawSmoothing(data source) (string, error) {
	d := newDrawing(720, 330)
	alphas := []float64{0, 1, 10}
	var words []string
	for i, alpha := range alphas {
		m, err := data.fit("cafe.csv", "", bayes.Multinomial{Smoothing: bayes.Additive(alpha)})
		if err != nil {
			return "", err
		}
		p := m.Parameters()
		row := p.TermLogProb[slices.Index(p.Labels, "happy")]
		if i == 0 {
			words = slices.Clone(p.Terms)
			slices.SortStableFunc(words, func(v, w string) int {
				return cmp.Compare(row[slices.Index(p.Terms, w)], row[slices.Index(p.Terms, v)])
			})
		}
		left := 40 + float64(i)*230
		a := axes{drawing: d, left: left, right: left + 200, top: 60, bottom: 250, x1: float64(len(words)), y1: .3}
		d.text(left, 34, start, "strong", fmt.Sprintf("α = %g", alpha))
		d.line(a.left, a.bottom, a.right, a.bottom, "axis")
		for j, w := range words {
			share := math.Exp(row[slices.Index(p.Terms, w)])
			d.rect(a.x(float64(j))+1.5, a.y(share), 200/a.x1-3, a.bottom-a.y(share), "a")
			x, y := a.x(float64(j)+.5)+4, a.bottom+8
			fmt.Fprintf(&d.b, "<text class=\"soft small\" text-anchor=\"end\" transform=\"translate(%s %s)rotate(-60)\">%s</text>\n", px(x), px(y), w)
		}
		d.line(a.left, a.y(1/a.x1), a.right, a.y(1/a.x1), "mark")
		if i == 0 {
			d.text(a.right, a.y(1/a.x1)-6, end, "soft small", "1/12")
		}
	}
	return d.svg("The probabilities of words in the happy bag for three smoothings"), nil
}

// Texts are rows of counts.
func drawCounts(data source) (string, error) {
	list, err := data.examples("waves.csv", nil)
	if err != nil {
		return "", err
	}
	m, err := data.fit("waves.csv", "", bayes.Multinomial{})
	if err != nil {
		return "", err
	}
	terms := m.Parameters().Terms
	d := newDrawing(720, 40+float64(len(list)+1)*44)
	const left, width, high = 300., 64., 44.
	for j, term := range terms {
		d.text(left+(float64(j)+.5)*width, 34, middle, "soft small", term)
	}
	for i, ex := range list {
		class, y := "a", 48+float64(i)*high
		if ex.Label == "land" {
			class = "b"
		}
		d.text(24, y+25, start, "", ex.Text)
		d.text(left-70, y+25, start, "soft small", ex.Label)
		words := strings.Fields(ex.Text)
		for j, term := range terms {
			n := 0
			for _, w := range words {
				if w == term {
					n++
				}
			}
			if n > 0 {
				fmt.Fprintf(&d.b, "<g fill-opacity=\"%g\">\n", .3*float64(n))
				d.rect(left+float64(j)*width+3, y, width-6, high-6, class)
				d.b.WriteString("</g>\n")
			}
			d.text(left+(float64(j)+.5)*width, y+25, middle, map[bool]string{true: "strong", false: "soft"}[n > 0], fmt.Sprint(n))
		}
	}
	return d.svg("Four texts as rows of counts"), nil
}

// One text, and what event models say.
func drawEvents(data source) (string, error) {
	const message = "wave wave wave road dust"
	d := newDrawing(720, 250)
	d.text(24, 34, start, "strong", message)
	d.text(220, 62, start, "soft small", "sea")
	d.text(680, 62, end, "soft small", "land")
	a := axes{drawing: d, left: 220, right: 680, top: 72, bottom: 240, x1: 1, y1: 4}
	for i, em := range []struct {
		name string
		bayes.EventModel
	}{
		{"multinomial", bayes.Multinomial{}}, {"multinomial, uniform prior", bayes.Multinomial{Prior: bayes.UniformPrior{}}},
		{"complement", bayes.Complement{}}, {"Bernoulli", bayes.Bernoulli{}},
	} {
		m, err := data.fit("waves.csv", "", em.EventModel)
		if err != nil {
			return "", err
		}
		p := m.Predict(bayes.Document{Text: message})
		sea := p.Classes[slices.IndexFunc(p.Classes, func(c bayes.Prob) bool { return c.Class == "sea" })].P
		y := a.top + float64(i)*42
		d.text(24, y+20, start, "", em.name)
		d.rect(a.x(0), y, a.x(sea)-a.x(0)-1, 30, "a")
		d.rect(a.x(sea)+1, y, a.x(1)-a.x(sea)-1, 30, "b")
		d.text(a.x(0)+8, y+20, start, "strong on", fmt.Sprintf("%.2f", sea))
		d.text(a.x(1)-8, y+20, end, "strong on", fmt.Sprintf("%.2f", 1-sea))
	}
	d.line(a.x(.5), a.top-6, a.x(.5), a.bottom-4, "mark")
	return d.svg("The probability of sea and land for one text by four event models"), nil
}

// bars draws the parts of an explanation: those for its best class to the right, the others to the left.
// Those below least are left out of the picture, and not of the sum. It returns where the bars end.
func bars(d *drawing, left, right, top float64, ex *bayes.Explanation, classes map[string]string, least, most float64) float64 {
	const high = 24.
	a := axes{drawing: d, left: left, right: right, top: top, x0: -most, x1: most}
	row := func(name string, value float64, strong string) {
		class := classes[ex.Class]
		if value < 0 {
			class = classes[ex.Against]
		}
		d.text(left-10, top+16, end, "small "+strong, name)
		d.rect(min(a.x(0), a.x(value)), top+2, math.Abs(a.x(value)-a.x(0)), high-6, class)
		if value < 0 {
			d.text(a.x(value)-6, top+16, end, "soft small", fmt.Sprintf("%+.2f", value))
		} else {
			d.text(a.x(value)+6, top+16, start, "soft small", fmt.Sprintf("%+.2f", value))
		}
		top += high
	}
	upper, sum := top, ex.Prior
	for _, f := range ex.Features {
		if sum += f.LogOdds; math.Abs(f.LogOdds) >= least {
			row(f.Name(), f.LogOdds, "")
		}
	}
	top += 6
	row("together", sum, "strong")
	d.line(a.x(0), upper-2, a.x(0), top, "axis")
	return top
}

// What cures "not happy": the words, and the words with marks.
func drawNegation(data source) (string, error) {
	const sentence = "I am not happy to see this movie !"
	d := newDrawing(720, 220)
	for i, c := range []struct{ name, analyzer string }{{"words", ""}, {"words with marks", "default negation=true"}, {"words and pairs", "default ngrams=1-2"}} {
		m, err := data.fit("films.csv", c.analyzer, bayes.Multinomial{})
		if err != nil {
			return "", err
		}
		ex := m.ExplainAgainst(bayes.Document{Text: sentence}, "good", "bad")
		left := 24 + float64(i)*232
		d.text(left, 34, start, "strong", fmt.Sprintf("%s: %s", c.name, m.Predict(bayes.Document{Text: sentence}).Best().Class))
		bars(d, left+92, left+226, 56, ex, map[string]string{"good": "a", "bad": "b"}, .1, 2.6)
	}
	d.text(24, 200, start, "soft small", "“"+sentence+"” Left is bad, right is good; below 0.1 is not shown.")
	return d.svg("The log-odds of a sentence, by words, by words with marks of negation, and by pairs of words"), nil
}

// Why the sentence of README.md is billing.
func drawExplain(data source) (string, error) {
	const question = "my card was charged twice"
	src, err := dataset.Open([]string{filepath.Join(string(data), "internal", "cli", "sample.csv")}, nil, nil)
	if err != nil {
		return "", err
	}
	counts := bayes.NewCounts(nil)
	for ex, err := range src.Examples() {
		if err != nil {
			return "", err
		}
		counts.Learn(ex)
	}
	m, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		return "", err
	}
	ex := m.Explain(bayes.Document{Text: question})
	d := newDrawing(720, 250)
	d.text(24, 34, start, "strong", fmt.Sprintf("“%s”: %s, %.1f %%", question, ex.Class, 100*ex.Best().P))
	d.text(24, 56, start, "soft small", fmt.Sprintf("log-odds of each word, %s (right) against %s (left)", ex.Class, ex.Against))
	bars(d, 96, 650, 76, ex, map[string]string{ex.Class: "a", ex.Against: "b"}, 0, 6.4)
	return d.svg("Why a message goes to billing: the log-odds of its words"), nil
}

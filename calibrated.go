package bayes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bayes/internal/calibration"
	"bayes/internal/specgrammar"
	"bayes/internal/vecmath"
)

var _ EventModel = Calibrated{}

// Calibrated predicts the classes in the order in which Model does, with
// probabilities that come true as often as they say. Naive Bayes counts words
// that go together as if each were news, so that its own are too near 0 and 1.
// Calibrated raises them to a power that depends on nothing but themselves:
//
//	P'(c|d) = P(c|d)^s / Σ P(k|d)^s
//
// The power is learned from examples that were held out; package eval does that.
// It goes on to be used as the counts learn more.
type Calibrated struct {
	Model EventModel // nil means Multinomial{}

	// Temperature is 1/s, the same for all documents: 0 and 1 leave Model's
	// probabilities as they are, more makes them less certain (Guo et al. 2017,
	// "On calibration of modern neural networks").
	Temperature float64

	// Isotonic, if not nil, says in place of Temperature which probability the
	// best class gets, given the log-odds that Model gives it: linear between
	// the points and constant beyond them. Both coordinates rise.
	Isotonic []Point

	// Coverage says how the probability of the right class is distributed: X is
	// ln P'(label|d), and Y the share of documents that have less, in (0,1).
	// Both rise. [Model.Cover] rests on it.
	Coverage []Point

	// Cutoffs are the log-odds against all other classes, as Model gives them, that a class
	// needs to be the answer. A prediction whose best class has less is [Prediction.Unsure].
	Cutoffs map[string]float64
}

// A Point is a place on a curve.
type Point struct{ X, Y float64 }

func parseCalibrated(o *options) EventModel {
	m := Calibrated{Model: o.model("model"), Temperature: o.number("temperature")}
	o.each("isotonic", func(value string) (err error) { m.Isotonic, err = calibration.ParsePoints[Point](value); return err })
	o.each("coverage", func(value string) (err error) { m.Coverage, err = calibration.ParsePoints[Point](value); return err })
	o.each("cutoffs", func(value string) (err error) { m.Cutoffs, err = specgrammar.ParseShares(value); return err })
	return m
}

func (m Calibrated) String() string {
	words := []string{"calibrated"}
	if m.temperature() != 1 {
		words = append(words, "temperature="+formatFloat(m.temperature()))
	}
	if len(m.Isotonic) > 0 {
		words = append(words, "isotonic="+calibration.JoinPoints(m.Isotonic))
	}
	if len(m.Coverage) > 0 {
		words = append(words, "coverage="+calibration.JoinPoints(m.Coverage))
	}
	if len(m.Cutoffs) > 0 {
		words = append(words, "cutoffs="+specgrammar.JoinShares(m.Cutoffs))
	}
	return strings.Join(words, " ") + fmt.Sprintf(" model=(%v)", m.model())
}

func (m Calibrated) model() EventModel { return cmp.Or[EventModel](m.Model, Multinomial{}) }

func (m Calibrated) temperature() float64 {
	if m.Temperature == 0 {
		return 1
	}
	return m.Temperature
}

func (m Calibrated) prior() Prior { return m.model().prior() }

func (m Calibrated) models(kind attrKind) bool { return m.model().models(kind) }

func (m Calibrated) fit(blocks []*statistics) ([]likelihood, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return m.model().fit(blocks)
}

// check reports what cannot be a calibration.
func (m Calibrated) check() error {
	if t := m.temperature(); !(t >= 1/maxNumber && t <= maxNumber) {
		return fmt.Errorf("calibrated: temperature %v: want more than 0, from 1e-150 to 1e150", t)
	}
	for _, curve := range [][]Point{m.Isotonic, m.Coverage} {
		if err := calibration.CheckPoints(curve); err != nil {
			return fmt.Errorf("calibrated: %w", err)
		}
	}
	for class, v := range m.Cutoffs {
		if math.IsNaN(v) {
			return fmt.Errorf("calibrated: the cutoff of %q is no number", class)
		}
	}
	return nil
}

// cutoff returns the log-odds that a class needs, -Inf if any will do.
func (m Calibrated) cutoff(class string) float64 {
	if v, ok := m.Cutoffs[class]; ok {
		return v
	}
	return math.Inf(-1)
}

// Apply replaces ln P(c|d) of each class, as Model gives it, by ln P'(c|d), and
// returns the power s.
func (m Calibrated) Apply(logP []float64) (s float64) {
	s = m.power(logP)
	if s == 1 {
		return s
	}
	for k := range logP {
		logP[k] *= s
	}
	vecmath.Posterior(logP)
	return s
}

func (m Calibrated) power(logP []float64) float64 {
	if len(m.Isotonic) == 0 && len(logP) != 1 {
		return 1 / m.temperature()
	}
	if len(logP) < 2 {
		return 1
	}
	odds := calibration.LogOdds(logP)
	if math.IsInf(odds, 0) || odds == 0 {
		return 1
	}
	p := calibration.Interpolate(m.Isotonic, odds)
	return calibration.Power(logP, math.Log(p)-math.Log1p(-p))
}

// ErrNoCoverage is returned by [Model.Cover] of a model that was not calibrated
// for it.
var ErrNoCoverage = errors.New("bayes: the model does not know how often it is right: it was not calibrated")

// Cover returns the classes that d may have, most probable first, so that the
// right one is among them in at least the share coverage of documents like the
// examples: a conformal prediction set (Vovk et al. 2005; Sadinle et al. 2019,
// "Least ambiguous set-valued classifiers"). There is always one class at least.
//
// The error is [ErrNoCoverage], or says that so much cannot be promised: of n
// examples held out, at most n/(n+1).
func (m *Model) Cover(p Prediction, coverage float64) ([]Prob, error) {
	c, ok := m.event.(Calibrated)
	if !ok || len(c.Coverage) == 0 {
		return nil, ErrNoCoverage
	}
	if !(coverage > 0 && coverage < 1) {
		return nil, fmt.Errorf("bayes: coverage %v: want a share between 0 and 1", coverage)
	}
	// Of the points that leave out at most the rest, the last has the highest threshold, and so gives
	// the smallest set.
	i, _ := slices.BinarySearchFunc(c.Coverage, 1-coverage, func(p Point, y float64) int {
		if p.Y <= y*(1+1e-9) {
			return -1
		}
		return 1
	})
	if i == 0 {
		return nil, fmt.Errorf("bayes: coverage %v: the examples held out allow at most %.4g", coverage, 1-c.Coverage[0].Y)
	}
	n := 1
	for n < len(p.Classes) && p.Classes[n].LogP >= c.Coverage[i-1].X {
		n++
	}
	return p.Classes[:n], nil
}

package bayes

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"bayes/internal/calibration"
	"bayes/internal/decision"
	"bayes/internal/specgrammar"
	"bayes/internal/typicality"
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
	// needs to be the answer: a prediction that would be a class with less is [Prediction.Unsure]. From those of Overrides on a
	// class is the answer, whatever is more probable. Where a document may have several labels and none reaches its cutoff,
	// the label that is nearest to it is given, if it is below it by no more than the cutoff of the empty label.
	Cutoffs, Overrides map[string]float64

	// Promises are the rates that these were set for, by class: of Cutoffs the largest share of documents of other classes
	// that are given it, of Overrides the least share of its own.
	Promises map[string]float64

	// Costs are what an answer costs, by true class and answer, where pairs that are missing cost what they do in
	// [Costs], and Reject what none costs, by true class. If there are any, the answer is the least expected cost's.
	Costs  map[[2]string]float64
	Reject map[string]float64

	// Known is the share of documents of the known classes, by predicted class, that are not to be
	// called foreign: see [Prediction.Foreign]. 0: no document is.
	Known float64

	// Typical says, by class, how many of the documents held out that were given it have a lower score
	// than X: Y is the p-value of a document with less. Both rise. The score is how far the best class is ahead of
	// the mean of the others, as Model has them, per token (for the whole document where values have length one),
	// less Unfamiliar times the share of features that are not known. A class without points has those of the empty label.
	Typical    map[string][]Point
	Unfamiliar float64
}

// A Point is a place on a curve.
type Point struct{ X, Y float64 }

func parseCalibrated(o *options) EventModel {
	m := Calibrated{
		Model: o.model("model"), Temperature: o.Number("temperature"), Known: o.Number("known"),
		Typical: make(map[string][]Point), Unfamiliar: o.Number("unfamiliar"),
	}
	o.Each("isotonic", func(value string) (err error) { m.Isotonic, err = calibration.ParsePoints[Point](value); return err })
	o.Each("coverage", func(value string) (err error) { m.Coverage, err = calibration.ParsePoints[Point](value); return err })
	for key, rates := range m.rates() {
		o.Each(key, func(value string) (err error) { *rates, err = specgrammar.ParseShares(value); return err })
	}
	o.Each("costs", func(value string) (err error) { m.Costs, err = specgrammar.ParsePairs(value); return err })
	o.Each("typical", m.table().Add)
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
	if len(m.Costs) > 0 {
		words = append(words, "costs="+specgrammar.JoinPairs(m.Costs))
	}
	for key, rates := range m.rates() {
		if len(*rates) > 0 {
			words = append(words, key+"="+specgrammar.JoinShares(*rates))
		}
	}
	if m.Known != 0 {
		words = append(words, "known="+formatFloat(m.Known), "unfamiliar="+formatFloat(m.Unfamiliar))
	}
	for _, word := range m.table().Words() {
		words = append(words, "typical="+word)
	}
	return strings.Join(words, " ") + fmt.Sprintf(" model=(%v)", m.model())
}

func (m Calibrated) model() EventModel { return cmp.Or[EventModel](m.Model, Multinomial{}) }

func (m Calibrated) temperature() float64 { return cmp.Or(m.Temperature, 1) }

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
	if err := cmp.Or(calibration.CheckPoints(m.Isotonic), calibration.CheckPoints(m.Coverage), m.table().Check()); err != nil {
		return fmt.Errorf("calibrated: %w", err)
	}
	if !(m.Known >= 0 && m.Known < 1) || !(math.Abs(m.Unfamiliar) <= maxNumber) {
		return fmt.Errorf("calibrated: known %v, unfamiliar %v: want a share from 0 to less than 1, and a number", m.Known, m.Unfamiliar)
	}
	return m.settings().Check()
}

// Calibration returns what makes the probabilities and the answers of m, zero if they are those of its scores.
func (m *Model) Calibration() Calibrated {
	c, _ := m.event.(Calibrated)
	return c
}

func (m Calibrated) settings() decision.Settings {
	return decision.Settings{Cutoffs: m.Cutoffs, Overrides: m.Overrides, Costs: m.Costs, Reject: m.Reject}
}

// rates yields what descriptions have by class, in their order.
func (m *Calibrated) rates() iter.Seq2[string, *map[string]float64] {
	return func(yield func(string, *map[string]float64) bool) {
		_ = yield("reject", &m.Reject) && yield("cutoffs", &m.Cutoffs) && yield("overrides", &m.Overrides) && yield("promises", &m.Promises)
	}
}

func (m Calibrated) table() typicality.Table[Point] { return m.Typical }

func (m Calibrated) known() float64 { return m.Known }

// typical returns the p-value of a document that is given a class, and whether it is foreign.
func (m Calibrated) typical(class string, e typicality.Evidence) (p float64, foreign bool) {
	p = m.table().P(class, e.Score(m.Unfamiliar))
	return p, typicality.Foreign(p, m.Known)
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
	return calibration.PowerBy(m.Isotonic, m.temperature(), logP)
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
	c := m.Calibration()
	if len(c.Coverage) == 0 {
		return nil, ErrNoCoverage
	}
	if !(coverage > 0 && coverage < 1) {
		return nil, fmt.Errorf("bayes: coverage %v: want a share between 0 and 1", coverage)
	}
	least, ok := calibration.Threshold(c.Coverage, 1-coverage)
	if !ok {
		return nil, fmt.Errorf("bayes: coverage %v: the examples held out allow at most %.4g", coverage, 1-c.Coverage[0].Y)
	}
	n := 1
	for n < len(p.Classes) && p.Classes[n].LogP >= least {
		n++
	}
	return p.Classes[:n], nil
}

package bayes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bayes/feature"
	"bayes/internal/calibration"
	"bayes/internal/decision"
	"bayes/internal/sparse"
	"bayes/internal/typicality"
	"bayes/internal/vecmath"
)

// A Model is the frozen form of Counts. It does not change, and may be used by
// many goroutines at once.
type Model struct {
	space      *Space
	event      EventModel
	stats      []*statistics // by block; the first is the main text's
	logPrior   []float64
	priorScore []float64 // by class: what the prior and the bias add to the score; nil if nothing
	bias       []float64 // by class: what is part of priorScore and not the prior's; nil if nothing
	trust      float64   // with a bias: what the prior's part is multiplied by
	priorless  bool      // whether the prior is no part of the score
	parts      []likelihood
	rule       *decision.Rule // which class is the answer; nil: the best
	extractors *sync.Pool     // apart from the Model: the runtime holds on to a used pool for two collections
	origin
}

// WithPrior returns a model that differs from m in the prior alone, for documents that
// come from elsewhere than the examples: a barracks is not a street. The error says
// what is wrong with the prior, or that a correction has learned biases in its place.
func (m *Model) WithPrior(p Prior) (*Model, error) {
	if m.bias != nil && m.trust == 0 {
		return nil, errors.New("bayes: prior: none is part of the score, since the correction, without trust in naive Bayes, has biases in its place")
	}
	logPrior, err := p.logPrior(m.stats[0])
	if err != nil {
		return nil, fmt.Errorf("bayes: prior: %w", err)
	}
	return newModel(m.space, m.origin, m.event, m.stats, logPrior, m.parts), nil
}

func newModel(s *Space, from origin, em EventModel, all []*statistics, logPrior []float64, parts []likelihood) *Model {
	m := &Model{space: s, origin: from, event: em, stats: all, logPrior: logPrior, priorScore: logPrior, parts: parts}
	if p, ok := unwrapTo[priorScorer](em); ok {
		m.priorScore = p.scorePrior(logPrior)
	}
	if s.LabelSeparator != "" {
		m.priorScore = vecmath.LogOdds(logPrior)
	}
	m.priorless = m.priorScore == nil
	if b, ok := unwrapTo[biased](em); ok {
		m.addBias(b.biases(m.labels(), m.priorScore, parts))
	}
	if c, ok := em.(calibrator); ok {
		m.rule = decision.New(c.settings(), m.labels())
	}
	m.extractors = &sync.Pool{New: func() any { return newExtractor(s) }}
	return m
}

// addBias adds the bias of each class, if there is one, to what the prior adds times a trust.
func (m *Model) addBias(bias []float64, trust float64) {
	if bias == nil {
		return
	}
	scores := slices.Clone(bias)
	for k, v := range m.priorScore {
		if trust != 0 { // a prior of zero has no logarithm to multiply
			scores[k] += trust * v
		}
	}
	m.priorScore, m.bias, m.trust, m.priorless = scores, bias, trust, m.priorless || trust == 0
}

// Space returns the Space that documents are read in.
func (m *Model) Space() *Space { return m.space }

// AnalyzerVersion returns which version of the analyzer cut the texts that m was fitted
// to, empty if there are none or it is not known: see [Counts.AnalyzerVersion].
func (m *Model) AnalyzerVersion() string {
	hasTerms := slices.ContainsFunc(m.stats, func(s *statistics) bool { return s.id.kind == textAttr && s.size > 0 })
	return analyzerVersion(m.space, m.cut, hasTerms)
}

// EventModel returns what the model was fitted as.
func (m *Model) EventModel() EventModel { return m.event }

// LabelTree returns what separates the parts of the labels, if the model reads them as paths of a tree: see
// [Multinomial]. It is empty if it does not.
func (m *Model) LabelTree() string { return treeOf(m.event) }

// Classes returns the classes, sorted: the order used by
// [Model.AppendLogJoint].
func (m *Model) Classes() []string { return slices.Clone(m.labels()) }

func (m *Model) labels() []string { return m.stats[0].classes }

// Class returns how many examples of a class the model was fitted to and their
// weight, zero if there were none. One without a label is of each class in which it has a share.
func (m *Model) Class(label string) (examples int64, weight float64) {
	k, ok := slices.BinarySearch(m.labels(), label)
	if !ok {
		return 0, 0
	}
	return m.stats[0].examples[k], m.stats[0].weight[k]
}

// LogPrior returns ln P(c) for each class, in the order of [Model.Classes].
func (m *Model) LogPrior() []float64 { return slices.Clone(m.logPrior) }

// Attributes returns the names of the further texts, the numbers and the
// categories, each sorted.
func (m *Model) Attributes() (texts, numbers, categories []string) {
	var l attributes
	for _, s := range m.stats {
		l.add(s.id)
	}
	return l[textAttr], l[numberAttr], l[categoryAttr]
}

// Examples returns how many examples the model was fitted to.
func (m *Model) Examples() int64 {
	var n int64
	for _, examples := range m.stats[0].whole().examples {
		n += examples
	}
	return n
}

// ReadsText reports whether the model knows terms of the main text.
func (m *Model) ReadsText() bool { return m.stats[0].id == (blockID{}) && m.stats[0].size > 0 }

// Len returns how many features the model knows.
func (m *Model) Len() int {
	n := 0
	for _, part := range m.parts {
		n += part.data().size
	}
	return n
}

// Predict returns the probability of each class given d, and where a document may have several labels,
// those it is given. There each class has a probability of its own, by the log-odds LogJoint. Features that the
// model does not know are ignored. A document that is impossible in every class
// says nothing: its probabilities are those of the prior.
func (m *Model) Predict(d Document) Prediction {
	p := Prediction{Classes: make([]Prob, 0, len(m.logPrior))}
	m.PredictInto(&p, d)
	return p
}

// PredictInto makes p what Predict returns, in the memory that p.Classes has. If
// that has room for all classes, predicting a text allocates nothing.
func (m *Model) PredictInto(p *Prediction, d Document) {
	m.PredictTop(p, d, len(m.logPrior))
}

// PredictTop makes p what PredictInto does, but with the most probable classes alone, at most
// this many and at least one, which takes less time where classes are many.
func (m *Model) PredictTop(p *Prediction, d Document, most int) {
	e := m.extractors.Get().(*extractor)
	m.predict(p, e, e.extract(d), most)
	m.extractors.Put(e)
}

// predict makes p what PredictTop does of what e has extracted.
func (m *Model) predict(p *Prediction, e *extractor, x *features, most int) {
	e.joint, p.Known = m.appendJoint(e.joint[:0], x)
	p.Unknown = x.len() - p.Known
	e.logP = append(e.logP[:0], e.joint...)
	m.posterior(e.logP)
	e.order = vecmath.Largest(e.order[:0], e.logP, max(1, most))
	if p.Chosen, p.Unsure, p.Reason = 0, false, ""; m.space.LabelSeparator != "" {
		p.Labels = m.given(p.Labels, e.joint)
	} else {
		p.Labels = nil
		m.choose(p, e)
	}
	p.Classes, p.LeftOut = slices.Grow(p.Classes[:0], len(e.order)), len(e.joint)-len(e.order)
	for _, k := range e.order {
		logP := e.logP[k]
		p.Classes = append(p.Classes, Prob{Class: m.labels()[k], P: math.Exp(logP), LogP: logP, LogJoint: e.joint[k]})
	}
	p.Typicality, p.Foreign = 0, false
	if c, ok := m.event.(calibrator); ok && c.known() > 0 {
		p.Typicality, p.Foreign = c.typical(p.Best().Class, m.evidence(m.space, e.joint, int(e.order[0]), x, p.Known))
	}
}

// evidence returns what x, which was read in s, and some of whose features m knows, shows of its being of class k, the best.
func (m *Model) evidence(s *Space, joint []float64, k int, x *features, known int) typicality.Evidence {
	length := 0.0 // of the texts, in tokens; a number or a value counts 1
	for i := range x.bags[:x.n] {
		b := &x.bags[i]
		for _, t := range b.Terms {
			if b.id.kind != textAttr {
				t.Value = 1
			}
			length += math.Abs(t.Value)
		}
	}
	if s.Norm != "" || CorrectionOf(m.event) != nil {
		length = 1 // that of the values
	}
	return typicality.Of(joint, k, length, known, x.len()-known)
}

// choose sets which class is the answer, and adds it to the classes that are predicted.
func (m *Model) choose(p *Prediction, e *extractor) {
	answer, reason := m.rule.Decide(e.joint, e.logP, int(e.order[0]))
	p.Unsure, p.Reason = answer == decision.None, reason
	if !p.Unsure && !slices.Contains(e.order, int32(answer)) {
		e.order = append(e.order, int32(answer))
	}
	p.Chosen = max(0, slices.Index(e.order, int32(answer)))
}

// given returns the labels whose log-odds reach their cutoff, else that which is near enough to it, in the memory of list,
// and not nil.
func (m *Model) given(list []string, odds []float64) []string {
	list = sparse.Lengthen(list, 1)[:0]
	for k, label := range m.labels() {
		if calibration.Reaches(odds[k], m.cutoff(k)) {
			list = append(list, label)
		}
	}
	if len(list) == 0 {
		if k := m.rule.Nearest(odds); k != decision.None {
			list = append(list, m.labels()[k])
		}
	}
	return list
}

// Cutoff returns the log-odds against all others that a class needs to be the answer, -Inf if any will
// do: see [Calibrated]. Where a document may have several labels, it is 0 of a label that has none.
func (m *Model) Cutoff(class string) float64 {
	return m.cutoff(slices.Index(m.labels(), class))
}

func (m *Model) cutoff(k int) float64 {
	if m.space.LabelSeparator != "" {
		return m.rule.LabelCutoff(k)
	}
	return m.rule.Cutoff(k)
}

// Known returns the share of documents of known classes that are not to be foreign, in [0,1); 0 if none is: see
// [Calibrated].
func (m *Model) Known() float64 {
	if c, ok := m.event.(calibrator); ok {
		return c.known()
	}
	return 0
}

// AppendLogJoint appends ln P(class, x) for each class to dst. It is what
// Predict is made of. The names in x must differ.
func (m *Model) AppendLogJoint(dst []float64, x []feature.Feature) []float64 {
	e := m.extractors.Get().(*extractor)
	defer m.extractors.Put(e)
	dst, _ = m.appendJoint(dst, e.named(x))
	return dst
}

func (m *Model) appendJoint(dst []float64, x *features) (joint []float64, known int) {
	// The score of a class begins with its prior. Each block adds its log-likelihood; a block that
	// the document lacks adds nothing.
	start := len(dst)
	dst = append(dst, m.priorScore...)
	for len(dst) < start+len(m.logPrior) {
		dst = append(dst, 0)
	}
	for _, part := range m.parts {
		if b := x.of(part.data().id); b != nil {
			known += part.add(dst[start:], b)
		}
	}
	decide(dst[start:])
	return dst, known
}

// decide makes classes impossible that are certain too: ∞ - ∞.
func decide(joint []float64) {
	for k, j := range joint {
		if math.IsNaN(j) {
			joint[k] = math.Inf(-1)
		}
	}
}

// posterior makes ln P(c, x) of each class ln P(c|x), and returns the power of
// calibration.
func (m *Model) posterior(joint []float64) (power float64) {
	if m.space.LabelSeparator != "" {
		power = 1
		if c, ok := m.event.(calibrator); ok {
			power = c.power(nil)
		}
		vecmath.LogSigmoids(joint, power)
		return power
	}
	if !vecmath.Posterior(joint) {
		copy(joint, m.logPrior)
		vecmath.Posterior(joint)
	}
	if c, ok := m.event.(calibrator); ok {
		return c.Apply(joint)
	}
	return 1
}

// heldOut makes the scores of classes what is said of an example held out: ln P(class|x), or, where it may have
// several labels, the log-odds that they are.
func (m *Model) heldOut(joint []float64) {
	if m.space.LabelSeparator == "" {
		m.posterior(joint)
	}
}

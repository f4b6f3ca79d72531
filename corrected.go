package bayes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/correction"
	"bayes/internal/intern"
)

var _ EventModel = Corrected{}

// Corrected corrects what Model says of words that go together, which naive Bayes counts as if
// each were news. Its score is
//
//	score(c,d) = b(c) + Σ x(t,d) · (τ·r(t,c) + u(t,c))
//
// where r are the weights of Model, read from the counts as ever, and the corrections u, the
// biases b and the trust τ are learned from labelled examples by [Corpus.Correct]: they are the
// support vector machines, one class against the rest, that need least of u. x(t,d) is
// (1 + ln tf)·idf, and the x of a text have length one; those of its words and of its subwords
// each. The value of a category has an x of 1, and a number that of the interval it is in.
//
// The corners are naive Bayes (no corrections), a linear support vector machine (no trust) and the
// scaling by log-ratios of Wang and Manning 2012, "Baselines and bigrams" (Spread and no trust).
//
// The counts stay what they are, and go on to learn and unlearn. A class that is newer than the
// correction is scored by τ·r alone. Without a Correction it is Model.
type Corrected struct {
	Model      EventModel  // nil means Multinomial{}
	Strength   float64     // C, how freely corrections move: from 1e-6 to 1e6; zero means 1
	Spread     bool        // whether they move more freely the more r differs between classes
	Trust      float64     // the share of τ in what would serve Model best without corrections, from 0 to 1
	Correction *Correction // nil until it is learned
}

func parseCorrected(o *options) EventModel {
	m := Corrected{Model: o.model("model"), Strength: o.number("strength"), Spread: o.flag("spread"), Trust: o.number("trust")}
	o.each("correction", func(hash string) error {
		learned, err := correction.ParseHash(hash)
		m.Correction = &Correction{learned}
		return err
	})
	return m
}

func (m Corrected) String() string {
	s := "corrected strength=" + formatFloat(m.strength())
	if m.Spread {
		s += " spread"
	}
	if m.Trust != 0 {
		s += " trust=" + formatFloat(m.Trust)
	}
	if m.Correction != nil {
		s += " correction=" + m.Correction.String()
	}
	return s + fmt.Sprintf(" model=(%v)", m.model())
}

func (m Corrected) model() EventModel {
	if m.Model == nil {
		return Multinomial{}
	}
	return m.Model
}

func (m Corrected) strength() float64 {
	if m.Strength == 0 {
		return 1
	}
	return m.Strength
}

func (m Corrected) prior() Prior { return m.model().prior() }

func (m Corrected) models(kind attrKind) bool { return m.model().models(kind) }

func (m Corrected) withSmoothing(s Smoothing) EventModel {
	m.Model = WithSmoothing(m.model(), s)
	return m
}

// check reports what cannot be a correction.
func (m Corrected) check() error {
	if c := m.strength(); !(c >= 1e-6 && c <= 1e6) {
		return fmt.Errorf("corrected: strength %v: want a number from 1e-6 to 1e6", c)
	}
	if !(m.Trust >= 0 && m.Trust <= 1) {
		return fmt.Errorf("corrected: trust %v: want a number from 0 to 1", m.Trust)
	}
	if _, ok := unwrapTo[calibrator](m.model()); ok {
		return errors.New("corrected: it cannot have calibrated inside: want it inside calibrated")
	}
	return partOf("corrected", m.model())
}

func (m Corrected) fit(blocks []*statistics) ([]likelihood, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	parts, err := m.model().fit(blocks)
	if err != nil || m.Correction == nil {
		return parts, err
	}
	if err := m.Correction.learned.Here(); err != nil {
		return nil, err
	}
	for i, part := range parts {
		parts[i] = newCorrected(part, m.Correction.learned).as(part)
	}
	return parts, nil
}

// biases returns those of the correction. A class that it does not know has the mean of all.
func (m Corrected) biases(classes []string) (bias []float64, trust float64) {
	if m.Correction == nil || m.Correction.learned.Bias == nil {
		return nil, 1
	}
	return m.Correction.learned.Biases(classes), m.Correction.Trust()
}

// WithoutCorrection returns the event model that em, which is [Corrected] or has it inside, corrects,
// and em itself if it is neither. What is wrapped around it goes too, since a calibration is that of
// corrected scores.
func WithoutCorrection(em EventModel) EventModel {
	if c, ok := unwrapTo[Corrected](em); ok {
		return c.model()
	}
	return em
}

// corrected is the likelihood of a block with corrections.
type corrected struct {
	likelihood
	presence bool // whether the base asks of a term only whether its value exceeds the threshold
	trust    float64
	examples float64 // of the block
	block    *correction.Block
	place    []int32 // by class of the correction: its index here, or -1
	pages    []atomic.Pointer[correctedPage]
	scratch  sync.Pool // of *correctedBag
}

type correctedPage [128]atomic.Pointer[correction.Row]

// A correctedBag is a document as corrections read it.
type correctedBag struct {
	bag
	rows  []*correction.Row // by term; nil if it is not known
	joint []float64
}

func newCorrected(part likelihood, c *correction.Data) *corrected {
	s := part.data()
	l := &corrected{likelihood: part, presence: s.id.kind == textAttr && !part.counted(), trust: c.Trust, place: c.Places(s.classes)}
	l.block = c.Block(blockKinds[s.id.kind], s.id.name)
	for _, n := range s.examples {
		l.examples += float64(n)
	}
	if s.rows.Len() > 0 {
		l.pages = make([]atomic.Pointer[correctedPage], (s.rows.Len()+len(correctedPage{})-1)/len(correctedPage{}))
	}
	l.scratch.New = func() any { return &correctedBag{joint: make([]float64, len(s.classes))} }
	return l
}

// row returns the row of feature i.
func (l *corrected) row(i int) *correction.Row {
	at := &l.pages[i/len(correctedPage{})]
	page := at.Load()
	if page == nil {
		at.CompareAndSwap(nil, new(correctedPage))
		page = at.Load()
	}
	r := page[i%len(correctedPage{})].Load()
	if r == nil {
		r = l.newRow(i)
		page[i%len(correctedPage{})].Store(r)
	}
	return r
}

func (l *corrected) newRow(i int) *correction.Row {
	s := l.data()
	name := s.index.Bytes(i)
	r := &correction.Row{Scale: 1, Weights: l.block.Find(s.index.Key(i), name)}
	if s.id.kind == textAttr {
		var df float64
		for _, c := range s.rows.At(i) {
			df += float64(c.Examples)
		}
		r.Scale = math.Log((1+l.examples)/(1+df)) + 1
		if r.Subword = s.isSubword(name); r.Subword {
			r.Scale /= s.subwords
		}
	}
	return r
}

// values sets b to x with the values that corrections multiply.
func (l *corrected) values(b *correctedBag, x *bag) {
	s := l.data()
	b.id, b.terms, b.rows = x.id, append(b.terms[:0], x.terms...), b.rows[:0]
	if s.id.kind == numberAttr {
		b.rows = append(b.rows, l.block.Interval(x.terms[0].value))
		return
	}
	var (
		n       correction.Lengths
		numbers [intern.Batch]int32
	)
	for terms := range slices.Chunk(b.terms, intern.Batch) {
		s.find(terms, numbers[:len(terms)])
		for j := range terms {
			if numbers[j] < 0 {
				b.rows = append(b.rows, nil)
				continue
			}
			t, r := &terms[j], l.row(int(numbers[j]))
			t.id = numbers[j] + 1
			b.rows = append(b.rows, r)
			if s.id.kind != textAttr {
				continue
			}
			if l.presence && t.value <= s.threshold {
				t.value = 0
				continue
			}
			if r.Subword {
				t.value /= s.subwords
			}
			t.value = n.Add(r.Subword, correction.Dampened(t.value)*r.Scale)
		}
	}
	if s.id.kind != textAttr {
		return
	}
	for j, r := range b.rows {
		if r != nil {
			b.terms[j].value = n.Divide(r.Subword, b.terms[j].value)
		}
	}
}

// read returns what the base reads of x, whose values are in b.
func (l *corrected) read(b *correctedBag, x *bag) *bag {
	if l.presence {
		return x
	}
	return &b.bag
}

func (l *corrected) add(joint []float64, x *bag) (known int) {
	b := l.scratch.Get().(*correctedBag)
	defer l.scratch.Put(b)
	l.values(b, x)
	for _, r := range b.rows {
		if r != nil {
			known++
		}
	}
	if l.trust != 0 {
		clear(b.joint)
		l.likelihood.add(b.joint, l.read(b, x))
		for k, v := range b.joint {
			joint[k] += l.trust * v
		}
	}
	for j, r := range b.rows {
		if r != nil && r.Weights != nil {
			l.addRow(joint, r.Weights, l.valueOf(&b.terms[j]))
		}
	}
	return known
}

// valueOf returns what the corrections of a feature are multiplied by.
func (l *corrected) valueOf(t *term) float64 {
	if l.data().id.kind != textAttr {
		return 1
	}
	return t.value
}

// addRow adds v times the corrections of a feature. Of two classes there is one machine, half of it
// for the second and half against the first.
func (l *corrected) addRow(joint []float64, weights []float32, v float64) {
	if len(l.place) == 2 {
		half := v * float64(weights[0]) / 2
		for k, sign := range []float64{-1, 1} {
			if at := l.place[k]; at >= 0 {
				joint[at] += sign * half
			}
		}
		return
	}
	for k, w := range weights {
		if at := l.place[k]; at >= 0 {
			joint[at] += v * float64(w)
		}
	}
}

func (l *corrected) valued(x *bag) *bag {
	b := new(correctedBag)
	l.values(b, x)
	return &b.bag
}

func (l *corrected) weigh(f term) ([]float64, bool) {
	base := f
	if l.presence && f.value != 0 { // and so it is present
		base.value = math.Inf(1)
	}
	scores, ok := l.likelihood.weigh(base)
	if !ok {
		return nil, false
	}
	l.distrust(scores)
	for k, v := range l.correctionOf(f) {
		scores[k] += v
	}
	return scores, true
}

// correctionOf returns what the corrections of a known feature add to the score of each class.
func (l *corrected) correctionOf(f term) []float64 {
	scores := make([]float64, len(l.data().classes))
	l.addRow(scores, l.corrections(f), l.valueOf(&f))
	return scores
}

// corrections returns the corrections of a known feature, zeros if it has none.
func (l *corrected) corrections(f term) []float32 {
	var r *correction.Row
	if l.data().id.kind == numberAttr {
		r = l.block.Interval(f.value)
	} else if i, ok := l.data().lookup(f); ok {
		r = l.row(i)
	}
	if r == nil || r.Weights == nil {
		return make([]float32, len(l.place))
	}
	return r.Weights
}

func (l *corrected) rest(x *bag) []float64 {
	if l.trust == 0 {
		return nil
	}
	scores := l.likelihood.rest(x)
	l.distrust(scores)
	return scores
}

// distrust multiplies scores, which may be infinite, by the trust.
func (l *corrected) distrust(scores []float64) {
	for k := range scores {
		if scores[k] *= l.trust; l.trust == 0 {
			scores[k] = 0
		}
	}
}

// as returns l, with what else base can say.
func (l *corrected) as(base likelihood) likelihood {
	switch base := base.(type) {
	case weighted:
		return correctedWeights{l}
	case normal:
		return correctedNormal{l, base}
	}
	return l
}

// correctedWeights are the corrected weights of terms or values.
type correctedWeights struct{ *corrected }

// correctedNormal is a corrected normal distribution, whose parameters are what they are.
type correctedNormal struct {
	*corrected
	normal
}

func (l correctedWeights) weights(weights []float64, i int) {
	clear(weights)
	scores, _ := l.weigh(term{id: int32(i + 1), value: 1})
	copy(weights, scores)
}

func (l *corrected) factors(f term) []Factor {
	factors := l.likelihood.factors(f)
	if l.counted() {
		f.value = 1
	}
	for k, v := range l.correctionOf(f) {
		factors[k].Corrected, factors[k].Trust, factors[k].Correction = true, l.trust, v
	}
	return factors
}

// derive sets what the value of a feature, which occurs in the document as often as raw says, is made of.
func (l *corrected) derive(factors []Factor, f term, raw float64) {
	s := l.data()
	i, ok := s.lookup(f)
	if s.id.kind != textAttr || !ok {
		return
	}
	r, length := l.row(i), 0.0
	occurs, idf := raw, r.Scale
	if r.Subword {
		occurs, idf = raw/s.subwords, idf*s.subwords
	}
	if f.value != 0 {
		length = correction.Dampened(occurs) * idf / f.value
	}
	for k := range factors {
		factors[k].Occurs, factors[k].IDF, factors[k].Length = occurs, idf, length
	}
}

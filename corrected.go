package bayes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bayes/internal/bags"
	"bayes/internal/correction"
	"bayes/internal/intern"
	"bayes/internal/sparse"
	"bayes/internal/tfidf"
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
// correction is answered by Model: its score is the mean of the others', and τ times how far Model has
// it from their mean. In place of a τ of zero stands that with which τ·r would be nearest to u. Without
// a Correction it is Model.
type Corrected struct {
	Model      EventModel  // nil means Multinomial{}
	Strength   float64     // C, how freely corrections move: from 1e-6 to 1e6; zero means 1
	Spread     bool        // whether they move more freely the more r differs between classes
	Trust      float64     // the share of τ in what would serve Model best without corrections, from 0 to 1
	Correction *Correction // nil until it is learned
}

func parseCorrected(o *options) EventModel {
	m := Corrected{Model: o.model("model"), Strength: o.Number("strength"), Spread: o.Flag("spread"), Trust: o.Number("trust")}
	o.Each("correction", func(hash string) error {
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

func (m Corrected) model() EventModel { return cmp.Or[EventModel](m.Model, Multinomial{}) }

func (m Corrected) strength() float64 { return cmp.Or(m.Strength, 1) }

// Freedom returns the strength, which is above 0, and m with a strength of 1: the same of all that differ in strength alone.
func (m Corrected) Freedom() (strength float64, rest EventModel) {
	strength, m.Strength = m.strength(), 1
	return strength, m
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
	all := make([]*corrected, len(parts))
	for i, part := range parts {
		all[i] = newCorrected(part, m.Correction.learned)
	}
	newer := trustInNewer(all)
	for i, part := range parts {
		all[i].classes.TrustInNewer = newer
		parts[i] = all[i].as(part)
	}
	return parts, nil
}

// biases returns those of the correction, and the trust in the prior.
func (m Corrected) biases(classes []string, prior []float64, parts []likelihood) (bias []float64, trust float64) {
	if m.Correction == nil || m.Correction.learned.Bias == nil {
		return nil, 1
	}
	bias = m.Correction.learned.Biases(classes)
	if p, ok := parts[0].(newerBiased); ok {
		p.addBias(bias, prior)
	}
	return bias, m.Correction.Trust()
}

// A newerBiased likelihood adds to the biases of classes that are newer than the correction what it has
// of the prior.
type newerBiased interface{ addBias(bias, prior []float64) }

// WithoutCorrection returns the event model that em, which is [Corrected] or has it inside, corrects,
// and em itself if it is neither. What is wrapped around it goes too, since a calibration is that of
// corrected scores.
func WithoutCorrection(em EventModel) EventModel {
	if c, ok := unwrapTo[Corrected](em); ok {
		return c.model()
	}
	return em
}

// A Correction is what [Corrected] has learned: the trust in naive Bayes, a bias for each class,
// and for features how far their weights are from where naive Bayes has them. It does not change.
type Correction struct{ learned *correction.Data }

// String returns the hash of c, by which an event model names it.
func (c *Correction) String() string { return c.learned.Hash }

// Examples returns how many examples the correction was learned from.
func (c *Correction) Examples() int64 { return c.learned.Examples }

// Trust returns τ, what the weights of naive Bayes are multiplied by.
func (c *Correction) Trust() float64 { return c.learned.Trust }

// Len returns how many features have a correction.
func (c *Correction) Len() int { return c.learned.Len() }

// data returns what was learned; nil if c is nil.
func (c *Correction) data() *correction.Data {
	if c == nil {
		return nil
	}
	return c.learned
}

// CorrectionOf returns the correction of em, which is [Corrected] or has it inside, and nil if it
// has learned none. That of a frozen model knows no features.
func CorrectionOf(em EventModel) *Correction {
	if c, ok := unwrapTo[Corrected](em); ok {
		return c.Correction
	}
	return nil
}

// corrected is the likelihood of a block with corrections.
type corrected struct {
	likelihood
	presence bool    // whether the base asks of a term only whether its value exceeds the threshold
	examples float64 // of the block
	block    *correction.Block
	classes  *correction.Classes
	features *correction.Rows
	rows     func() *sparse.Gains // with the weights of the base, times the trust, and the corrections together; nil if the base has none
	scratch  *sync.Pool           // of *correctedBag; apart, as Model.extractors are
}

// trustInNewer returns with which trust the weights of the base would be nearest to the corrections, as
// some of the features have them: a term is as important as its values are large. It returns zero if no
// class is newer than the correction, or if there is a trust.
func trustInNewer(parts []*corrected) float64 {
	var nearest correction.Nearest
	for _, l := range parts {
		if len(l.classes.Newer) == 0 || l.classes.Trust != 0 {
			return 0
		}
		for j, v := range l.block.Some {
			f, importance := bags.Term{Value: v}, l.examples/float64(len(l.block.Cuts)+1)
			if s := l.data(); s.id.kind != numberAttr {
				i, ok := s.lookup(bags.Term{Key: l.block.Index.Key(j), Name: l.block.Index.Bytes(j)})
				if !ok {
					continue
				}
				times := l.times(i)
				f, importance = bags.Term{ID: int32(i + 1), Value: 1}, times*times*l.documents(i)
			}
			if base, ok := l.naive(f); ok {
				nearest.Add(l.classes, base, l.block.At(int32(j+1)), importance)
			}
		}
	}
	return nearest.Factor()
}

// A correctedBag is a document as corrections read it.
type correctedBag struct {
	bag
	rows  []correction.Row // by term
	joint []float64
}

func newCorrected(part likelihood, c *correction.Data) *corrected {
	s := part.data()
	l := &corrected{likelihood: part, presence: s.id.kind == textAttr && !part.counted(), classes: c.Among(s.classes)}
	l.block = c.Block(blockKinds[s.id.kind], s.id.name)
	for _, n := range s.whole().examples {
		l.examples += float64(n)
	}
	l.features = correction.NewRows(s.rows.Len(), func(i int) correction.Row { return correction.Row{Times: l.times(i), Place: l.place(i)} })
	l.rows = sync.OnceValue(l.together)
	l.scratch = &sync.Pool{New: func() any { return new(correctedBag) }}
	return l
}

// together returns the rows of the base, times the trust, and the corrections together, which are
// worked out as they are read. It returns nil if the base has no rows, or reads other values.
func (l *corrected) together() *sparse.Gains {
	of, ok := l.likelihood.(interface{ base() *linear })
	if !ok || l.presence && l.classes.Trust != 0 {
		return nil
	}
	return sparse.NewGains(l.rule(of.base()))
}

// rule says what features weigh.
func (l *corrected) rule(base *linear) sparse.Weights {
	w := base.rule()
	w.Trust(l.classes.Trust)
	w.Scaling = &sparse.Scaling{Of: l.times, Extra: l.extra, Subwords: l.data().subwords}
	return w
}

// extra adds the corrections of feature i, and what newer classes have of it.
func (l *corrected) extra(weights []float64, i int) {
	l.classes.Add(weights, l.block.At(l.place(i)), 1)
	if l.classes.Centred() {
		of := make([]float64, len(weights))
		l.likelihood.(weighted).weights(of, i)
		l.classes.AddShare(weights, of)
	}
}

// place returns that of the corrections of feature i.
func (l *corrected) place(i int) int32 {
	index := l.data().index
	return l.block.Find(index.Key(i), index.Bytes(i))
}

// times returns what values of feature i are multiplied by: see [tfidf.Value].
func (l *corrected) times(i int) float64 {
	s := l.data()
	if s.id.kind != textAttr {
		return 1
	}
	idf := math.Log((1+l.examples)/(1+l.documents(i))) + 1
	if s.isSubword(s.index.Bytes(i)) {
		return -idf / s.subwords
	}
	return idf
}

// documents returns how many examples have feature i.
func (l *corrected) documents(i int) (n float64) {
	for _, c := range l.data().whole().rows.At(i) {
		n += float64(c.Examples)
	}
	return n
}

// values sets b to x with the values that corrections multiply.
func (l *corrected) values(b *correctedBag, x *bag) {
	s := l.data()
	b.id, b.Terms, b.rows = x.id, append(b.Terms[:0], x.Terms...), b.rows[:0]
	if s.id.kind == numberAttr {
		b.rows = append(b.rows, l.block.Interval(x.Terms[0].Value))
		return
	}
	var (
		lengths = tfidf.Lengths{Weight: s.subwords}
		numbers [intern.Batch]int32
	)
	for terms := range slices.Chunk(b.Terms, intern.Batch) {
		s.find(terms, numbers[:len(terms)])
		for j := range terms {
			if numbers[j] < 0 {
				b.rows = append(b.rows, correction.Row{Place: correction.Unknown})
				continue
			}
			t, r := &terms[j], l.features.At(int(numbers[j]))
			t.ID = numbers[j] + 1
			b.rows = append(b.rows, r)
			if l.presence && t.Value <= s.threshold {
				t.Value = 0
			}
			if s.id.kind == textAttr {
				t.Value = lengths.Add(t.Value, r.Times)
			}
		}
	}
	for j, r := range b.rows {
		if s.id.kind == textAttr && r.Place != correction.Unknown {
			b.Terms[j].Value = lengths.Divide(b.Terms[j].Value, r.Times)
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
	if rows := l.rows(); rows != nil {
		known = l.addRows(rows, x)
		if sums := &x.Batch.Sums; sums.Finite() {
			sums.AddTo(joint, rows.AddEach)
			return known
		}
	}
	return l.addParts(joint, x)
}

// addRows adds up the rows of x, each read once.
func (l *corrected) addRows(rows *sparse.Gains, x *bag) (known int) {
	s, b := l.data(), &x.Batch
	b.Sums.Reset(len(s.classes))
	for from := 0; from < len(x.Terms); from += intern.Batch {
		terms := x.Terms[from:min(from+intern.Batch, len(x.Terms))]
		s.find(terms, b.Numbers[:len(terms)])
		for j := range terms {
			b.Values[j] = terms[j].Value
			known += 1 + int(b.Numbers[j]>>31) // negative numbers are of no feature
			if l.presence && b.Values[j] <= s.threshold {
				b.Values[j] = 0
			}
		}
		rows.Add(nil, b, len(terms))
	}
	return known
}

// addParts is add of a base that has no rows, or of weights that are infinite.
func (l *corrected) addParts(joint []float64, x *bag) (known int) {
	b := l.scratch.Get().(*correctedBag)
	defer l.scratch.Put(b)
	l.values(b, x)
	if l.classes.Trust != 0 || l.classes.Centred() {
		clear(sparse.Reuse(&b.joint, len(joint)))
		l.likelihood.add(b.joint, l.read(b, x))
		l.classes.AddShare(joint, b.joint)
	}
	for j, r := range b.rows {
		if r.Place != correction.Unknown {
			known++
			l.classes.Add(joint, l.block.At(r.Place), l.valueOf(&b.Terms[j]))
		}
	}
	return known
}

// valueOf returns what the corrections of a feature are multiplied by.
func (l *corrected) valueOf(t *bags.Term) float64 {
	if l.data().id.kind != textAttr {
		return 1
	}
	return t.Value
}

func (l *corrected) valued(x *bag) *bag {
	b := new(correctedBag)
	l.values(b, x)
	return &b.bag
}

func (l *corrected) weigh(f bags.Term) ([]float64, bool) {
	scores, ok := l.naive(f)
	if !ok {
		return nil, false
	}
	l.classes.Distrust(scores)
	for k, v := range l.correctionOf(f) {
		scores[k] += v
	}
	return scores, true
}

// naive returns what the base says of f.
func (l *corrected) naive(f bags.Term) ([]float64, bool) {
	base := f
	if l.presence && f.Value != 0 { // and so it is present
		base.Value = math.Inf(1)
	}
	scores, ok := l.likelihood.weigh(base)
	for k := range scores {
		scores[k] *= l.share(f)
	}
	return scores, ok
}

// share returns what the weights of the base are multiplied by where it reads other values: those of
// corrections, if it is of newer classes alone.
func (l *corrected) share(f bags.Term) float64 {
	if l.presence && l.classes.Trust == 0 {
		return f.Value
	}
	return 1
}

// correctionOf returns what the corrections of a known feature add to the score of each class.
func (l *corrected) correctionOf(f bags.Term) []float64 {
	scores := make([]float64, len(l.data().classes))
	l.classes.Add(scores, l.corrections(f), l.valueOf(&f))
	return scores
}

// corrections returns the corrections of a known feature, nil if it has none.
func (l *corrected) corrections(f bags.Term) []float32 {
	if l.data().id.kind == numberAttr {
		return l.block.At(l.block.Interval(f.Value).Place)
	}
	if i, ok := l.data().lookup(f); ok {
		return l.block.At(l.features.At(i).Place)
	}
	return nil
}

// addBias adds to the biases of newer classes what Model has of their prior, where it is not part of the score.
func (l *corrected) addBias(bias, prior []float64) {
	if prior != nil && l.classes.Centred() {
		l.classes.AddShare(bias, slices.Clone(prior))
	}
}

func (l *corrected) rest(x *bag) []float64 {
	if l.classes.Trust == 0 {
		return nil
	}
	scores := l.likelihood.rest(x)
	l.classes.Distrust(scores)
	return scores
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
	scores, _ := l.weigh(bags.Term{ID: int32(i + 1), Value: 1})
	copy(weights, scores)
}

func (l *corrected) factors(f bags.Term) []Factor {
	factors := l.likelihood.factors(f)
	if l.counted() {
		f.Value = 1
	}
	for k, v := range l.correctionOf(f) {
		factors[k].Corrected, factors[k].Trust, factors[k].Correction = true, l.classes.TrustIn(k)*l.share(f), v
	}
	if l.classes.Centred() { // what is taken off naive Bayes' part
		base, _ := l.naive(f)
		of := slices.Clone(base)
		l.classes.Distrust(of)
		for k, v := range of {
			factors[k].Correction += v - l.classes.TrustIn(k)*base[k]
		}
	}
	return factors
}

// derive sets what the value of a feature, which occurs in the document as often as raw says, is made of.
func (l *corrected) derive(factors []Factor, f bags.Term, raw float64) {
	s := l.data()
	i, ok := s.lookup(f)
	if s.id.kind != textAttr || !ok {
		return
	}
	r, length := l.features.At(i), 0.0
	occurs, idf := raw, r.Times
	if idf < 0 {
		occurs, idf = raw/s.subwords, -idf*s.subwords
	}
	if f.Value != 0 {
		length = tfidf.Dampened(occurs) * idf / f.Value
	}
	for k := range factors {
		factors[k].Occurs, factors[k].IDF, factors[k].Length = occurs, idf, length
	}
}

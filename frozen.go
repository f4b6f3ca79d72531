package bayes

import (
	"fmt"
	"math"
	"slices"

	"bayes/internal/bags"
	"bayes/internal/mmap"
	"bayes/internal/modelfile"
	"bayes/internal/weightfile"
	"bayes/internal/wire"
	"bayes/text"
)

// Err returns nil, or, of a model whose file [OpenModel] mapped, an error if that file has
// been written to since. What m said until Err was called may then be right for
// neither the old file nor the new one; where parts of the file were gone, m has
// answered with the prior. To ask once after the last of many predictions is enough.
func (m *Model) Err() error {
	for _, part := range m.parts {
		if f, ok := part.(*frozen); ok {
			if err := f.file.Err(); err != nil {
				return fmt.Errorf("bayes: %w", err)
			}
		}
	}
	return nil
}

// Frozen reports whether m holds weights alone.
func (m *Model) Frozen() bool {
	if len(m.parts) == 0 {
		return false
	}
	_, ok := m.parts[0].(*frozen)
	return ok
}

var _ likelihood = (*frozen)(nil)

// frozen is the likelihood of a file of weights.
type frozen struct {
	*statistics
	file    *mmap.File
	weights *weightfile.Block
}

// parseFrozen reads a frozen file. Whether it looks at the whole of it is for the caller
// to say.
func parseFrozen(file *mmap.File, whole bool, langs []*text.Language) (*Model, error) {
	m, err := parseWeights(file, whole, langs)
	return m, formatError(err)
}

func parseWeights(file *mmap.File, whole bool, langs []*text.Language) (*Model, error) {
	h, err := modelfile.ParseHeader(file.Data)
	if err != nil {
		return nil, err
	}
	fail := func(err error) error { return modelfile.Errorf("header", 0, "%v", err) }
	space, err := ParseSpace(h.Space, langs...)
	if err != nil {
		return nil, fail(err)
	}
	em, err := ParseEventModel(h.Event)
	if err != nil {
		return nil, fail(err)
	}
	if m, ok := em.(checked); ok { // of other models Fit has checked the options
		if err := m.check(); err != nil {
			return nil, fail(err)
		}
	}
	decoder := wire.NewUncheckedDecoder
	if whole {
		decoder = wire.NewDecoder
	}
	p := &parser{Reader: modelfile.Reader{Decoder: decoder(file.Data, 0)}}
	p.Bytes(uint64(h.Size))
	main := &statistics{threshold: space.Threshold, subwords: space.subwords()}
	correction := CorrectionOf(em)
	if err := main.readHead(p, space, correction, h); err != nil {
		return nil, err
	}
	m := &Model{stats: []*statistics{main}}
	if err := m.readFrozen(p, file, h.Features, correction != nil, whole); err != nil {
		return nil, err
	}
	return newModel(space, origin{&p.AnalyzerVersion, p.Columns}, em, m.stats, m.logPrior, m.parts), nil
}

// readFrozen reads the texts: the main one alone, or each behind a section that names it.
func (m *Model) readFrozen(p *parser, file *mmap.File, features int64, scaled, whole bool) error {
	for first := true; first || p.Tag == modelfile.Block; first = false {
		s := *m.stats[0]
		s.size = int(features)
		if p.Tag == modelfile.Block {
			if err := p.Step(modelfile.Block, func() { s.size, s.id.name = int(p.Payload.Uvarint()), string(p.Payload.Rest()) }); err != nil {
				return err
			}
			if s.size < 0 || int64(s.size) > features || len(m.parts) > 0 && m.parts[len(m.parts)-1].data().id.name >= s.id.name {
				return modelfile.Errorf(modelfile.Block, p.Payload.Offset(), "texts do not rise, or have other terms than the header counts")
			}
		}
		weights, err := weightfile.ReadBlock(&p.Reader, len(s.classes), s.size, scaled, whole)
		if err != nil {
			return err
		}
		weights.Threshold, weights.Subwords = s.threshold, s.subwords
		f := &frozen{&s, file, weights}
		if features -= int64(s.size); s.id == (blockID{}) {
			m.stats[0] = &s
		} else {
			m.stats = append(m.stats, &s)
		}
		m.parts, m.logPrior = append(m.parts, f), weights.Prior
	}
	if features != 0 {
		return modelfile.Errorf("header", 0, "the sections hold another number of features")
	}
	return p.End()
}

// readHead reads the sections before those that stay in the mapped file.
func (s *statistics) readHead(p *parser, space *Space, correction *Correction, h *modelfile.Header) error {
	if err := p.Next(); err != nil {
		return err
	}
	if p.Tag == modelfile.IDF {
		if err := p.Step(modelfile.IDF, func() { space.IDF = p.Weights() }); err != nil {
			return err
		}
	}
	if err := s.readClasses(p); err != nil {
		return err
	}
	if int64(len(s.classes)) != h.Classes || h.Classes == 0 {
		return modelfile.Errorf("header", 0, "the sections hold another number of classes")
	}
	if space.LabelSeparator != "" { // of the sets it is known how many examples they are
		s.sets = &statistics{examples: []int64{h.Examples}, weight: []float64{float64(h.Examples)}}
	}
	if correction == nil {
		return nil
	}
	return p.Step(modelfile.Correction, func() { correction.learned.DecodeHead(p.Payload) })
}

// readClasses reads the classes, which are written as in a file of counts.
func (s *statistics) readClasses(p *parser) error {
	c := NewCounts(nil)
	c.classes = nil
	if err := p.Step(modelfile.Classes, func() { p.classes(c) }); err != nil {
		return err
	}
	for _, cl := range c.classes {
		if err := cl.checkLaws(); err != nil {
			return modelfile.Errorf(modelfile.Classes, 0, "%v", err)
		}
		s.classes = append(s.classes, cl.label)
		s.examples = append(s.examples, cl.examples)
		s.weight = append(s.weight, cl.weight)
		s.sortedIndex = append(s.sortedIndex, len(s.sortedIndex))
	}
	return nil
}

func (f *frozen) data() *statistics { return f.statistics }

func (f *frozen) add(joint []float64, x *bag) (known int) {
	defer f.spoil(joint, &known)
	defer f.file.Done(mmap.Guard())
	return f.weights.Score(joint, &x.Bag)
}

// addBias adds what a correction's biases lack.
func (f *frozen) addBias(bias, _ []float64) {
	for k := range bias {
		bias[k] += f.weights.Bias[k]
	}
}

// valued returns x itself, unless the model has a correction.
func (f *frozen) valued(x *bag) *bag {
	if !f.weights.Scaled {
		return x
	}
	defer f.file.Done(mmap.Guard())
	b := &bag{id: x.id}
	b.Terms = slices.Clone(x.Terms)
	f.weights.ScaleValues(b.Terms)
	return b
}

// spoil leaves no score, and so the prior, where parts of the file were gone.
func (f *frozen) spoil(joint []float64, known *int) {
	if !f.file.Faulted() {
		return
	}
	*known = 0
	for k := range joint {
		joint[k] = math.NaN()
	}
}

// weigh returns scores, all zero, of a term that is not known too.
func (f *frozen) weigh(t bags.Term) (scores []float64, ok bool) {
	scores = make([]float64, len(f.classes))
	defer f.file.Done(mmap.Guard())
	ok = f.weights.ScoreTerm(scores, &t)
	return scores, ok
}

func (f *frozen) rest(*bag) []float64 {
	if !f.weights.Presence {
		return nil
	}
	return append([]float64(nil), f.weights.Bias...)
}

func (f *frozen) counted() bool { return !f.weights.Presence }

// factors gives the weights: the estimates behind them are not known.
func (f *frozen) factors(t bags.Term) (list []Factor) {
	scores, _ := f.weigh(t)
	for _, v := range scores {
		list = append(list, Factor{Log: v})
	}
	return list
}

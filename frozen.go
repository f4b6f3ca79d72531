package bayes

import (
	"fmt"
	"math"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/mmap"
	"bayes/internal/modelfile"
	"bayes/internal/tfidf"
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
	if len(m.parts) != 1 {
		return false
	}
	_, ok := m.parts[0].(*frozen)
	return ok
}

var _ likelihood = (*frozen)(nil)

// frozen is the likelihood of a file of weights,
//
//	ln P(x|c) = bias(c) + Σ v(f) · weight(f, c),
//
// where with a correction v(f) is what the corrections of f are multiplied by: see [Corrected].
type frozen struct {
	*statistics
	file     *mmap.File
	presence bool
	bias     []float64
	weights  *weightfile.Table
	scaled   bool // whether the model has a correction
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
	f := &frozen{file: file, statistics: &statistics{size: int(h.Features), threshold: space.Threshold, subwords: space.subwords()}}
	decoder := wire.NewUncheckedDecoder
	if whole {
		decoder = wire.NewDecoder
	}
	p := &parser{Reader: modelfile.Reader{Decoder: decoder(file.Data, 0)}}
	p.Bytes(uint64(h.Size))
	logPrior, err := f.read(p, space, CorrectionOf(em), h, whole)
	if err != nil {
		return nil, err
	}
	return newModel(space, origin{&p.AnalyzerVersion, p.Columns}, em, []*statistics{f.statistics}, logPrior, []likelihood{f}), nil
}

// read reads the sections, and the head of a correction that is not nil. Of weights and index it looks
// at the whole if asked to.
func (f *frozen) read(p *parser, space *Space, correction *Correction, h *modelfile.Header, whole bool) (logPrior []float64, err error) {
	if err := f.readHead(p, space, correction, h); err != nil {
		return nil, err
	}
	// Scales, bias, weights and index stay in the mapped file. Their lengths are checked, and their bytes only
	// where the whole is asked for: opening takes no longer for a larger file.
	f.weights = weightfile.New(len(f.classes), int(h.Features))
	for _, s := range []struct {
		tag   string
		read  func(payload []byte) error
		check func() error
	}{
		{modelfile.Scales, f.weights.SetScales, f.weights.CheckScales},
		{modelfile.Bias, func(b []byte) error { logPrior, err = f.readBias(b); return err }, func() error { return nil }},
		{modelfile.Weights, func(b []byte) error { return f.weights.Set(p.Tag, b) }, f.weights.CheckWeights},
		{modelfile.Index, f.weights.SetIndex, f.weights.CheckIndex},
	} {
		if s.tag == modelfile.Scales && correction == nil {
			continue
		}
		offset := p.Payload.Offset()
		if p.Tag != s.tag && (p.Tag != modelfile.Gains || s.tag != modelfile.Weights) {
			return nil, modelfile.Errorf(modelfile.SectionName(p.Tag), offset, "where section %s is due", s.tag)
		}
		err := s.read(p.Payload.Rest())
		if err == nil && whole {
			err = s.check()
		}
		if err != nil {
			return nil, modelfile.Errorf(p.Tag, offset, "%v", err)
		}
		if err := p.Next(); err != nil {
			return nil, err
		}
	}
	return logPrior, p.End()
}

// readHead reads the sections before those that stay in the mapped file.
func (f *frozen) readHead(p *parser, space *Space, correction *Correction, h *modelfile.Header) error {
	if err := p.Next(); err != nil {
		return err
	}
	if p.Tag == modelfile.IDF {
		if err := p.Step(modelfile.IDF, func() { space.IDF = p.idf() }); err != nil {
			return err
		}
	}
	if err := f.readClasses(p); err != nil {
		return err
	}
	if int64(len(f.classes)) != h.Classes || h.Classes == 0 {
		return modelfile.Errorf("header", 0, "the sections hold another number of classes")
	}
	if correction == nil {
		return nil
	}
	f.scaled = true
	return p.Step(modelfile.Correction, func() { correction.learned.DecodeHead(p.Payload) })
}

// readClasses reads the classes, which are written as in a file of counts.
func (f *frozen) readClasses(p *parser) error {
	c := NewCounts(nil)
	c.classes = nil
	if err := p.Step(modelfile.Classes, func() { p.classes(c) }); err != nil {
		return err
	}
	for _, cl := range c.classes {
		if err := cl.checkLaws(); err != nil {
			return modelfile.Errorf(modelfile.Classes, 0, "%v", err)
		}
		f.classes = append(f.classes, cl.label)
		f.statistics.examples = append(f.statistics.examples, cl.examples)
		f.statistics.weight = append(f.statistics.weight, cl.weight)
		f.sortedIndex = append(f.sortedIndex, len(f.sortedIndex))
	}
	return nil
}

func (f *frozen) readBias(b []byte) (logPrior []float64, err error) {
	classes := len(f.classes)
	if len(b) != 1+16*classes || b[0] > 1 {
		return nil, fmt.Errorf("%d bytes", len(b))
	}
	f.presence = b[0] == 1
	if logPrior, err = weightfile.Floats(b[1:], classes); err != nil {
		return nil, err
	}
	if top := slices.Max(logPrior); top > 1e-9 {
		return nil, fmt.Errorf("the prior of a class is above 1: its logarithm is %v", top)
	}
	f.bias, err = weightfile.Floats(b[1+8*classes:], classes)
	return logPrior, err
}

// value returns what a term's weights are multiplied by.
func (f *frozen) value(t *term) float64 {
	if !f.presence {
		return t.value
	}
	if t.value > f.threshold {
		return 1
	}
	return 0
}

func (f *frozen) data() *statistics { return f.statistics }

func (f *frozen) add(joint []float64, x *bag) (known int) {
	defer f.spoil(joint, &known)
	defer f.file.Done(mmap.Guard())
	if f.scaled {
		return f.addScaled(joint, x)
	}
	for k, b := range f.bias {
		joint[k] += b
	}
	var n, all float64 // Σ v, and Σ v of what a term adds to every class
	var hashes [intern.Batch]uint64
	for terms := range slices.Chunk(x.terms, intern.Batch) {
		f.ask(&hashes, terms)
		for j := range terms {
			t := &terms[j]
			number, ok := f.weights.Find(hashes[j], t.name)
			if !ok {
				continue
			}
			known++
			if v := f.value(t); v != 0 {
				n, all = n+v, all+v*f.weights.AddRow(joint, number, v)
			}
		}
	}
	f.weights.AddEach(joint, n, all)
	return known
}

// ask sets the hashes of as many as [intern.Batch] terms, by which they are looked up. The slots of all are
// prefetched, so that the processor waits for many reads at once.
func (f *frozen) ask(hashes *[intern.Batch]uint64, terms []term) {
	for j := range terms {
		hashes[j] = weightfile.Hash(terms[j].name)
	}
	f.weights.Prefetch(hashes[:len(terms)])
}

// addScaled adds the scores of terms whose values have length one, each read once.
func (f *frozen) addScaled(joint []float64, x *bag) (known int) {
	sums := &x.batch.Sums
	sums.Reset(len(joint))
	var hashes [intern.Batch]uint64
	for terms := range slices.Chunk(x.terms, intern.Batch) {
		f.ask(&hashes, terms)
		for j := range terms {
			t := &terms[j]
			if number, ok := f.weights.Find(hashes[j], t.name); ok {
				known++
				times := f.times(t, number)
				v, sum := tfidf.Value(t.value, times, f.subwords), sums.Of(times)
				sum.Add(v, f.weights.AddRow(sum.Scores, number, v))
			}
		}
	}
	sums.AddTo(joint, f.weights.AddEach)
	return known
}

// times returns what the value of a term with this number is multiplied by: see [tfidf.Value].
func (f *frozen) times(t *term, number int) float64 {
	if f.isSubword(t.name) {
		return -f.weights.Scale(number)
	}
	return f.weights.Scale(number)
}

// addBias adds what a correction's biases lack.
func (f *frozen) addBias(bias, _ []float64) {
	for k := range bias {
		bias[k] += f.bias[k]
	}
}

// valued returns x itself, unless the model has a correction.
func (f *frozen) valued(x *bag) *bag {
	if !f.scaled {
		return x
	}
	defer f.file.Done(mmap.Guard())
	var (
		b       = &bag{id: x.id, terms: slices.Clone(x.terms)}
		times   = make([]float64, len(b.terms))
		lengths = tfidf.Lengths{Weight: f.subwords}
	)
	for j := range b.terms {
		t := &b.terms[j]
		if number, ok := f.weights.Find(weightfile.Hash(t.name), t.name); ok {
			times[j] = f.times(t, number)
			t.value = lengths.Add(t.value, times[j])
		}
	}
	for j := range b.terms {
		if times[j] != 0 {
			b.terms[j].value = lengths.Divide(b.terms[j].value, times[j])
		}
	}
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
func (f *frozen) weigh(t term) (scores []float64, ok bool) {
	scores = make([]float64, len(f.classes))
	defer f.file.Done(mmap.Guard())
	number, found := f.weights.Find(weightfile.Hash(t.name), t.name)
	v := f.value(&t)
	if !found || v == 0 {
		return scores, false
	}
	f.weights.AddEach(scores, v, v*f.weights.AddRow(scores, number, v))
	return scores, true
}

func (f *frozen) rest(*bag) []float64 {
	if !f.presence {
		return nil
	}
	return append([]float64(nil), f.bias...)
}

func (f *frozen) counted() bool { return !f.presence }

// factors gives the weights: the estimates behind them are not known.
func (f *frozen) factors(t term) (list []Factor) {
	scores, _ := f.weigh(t)
	for _, v := range scores {
		list = append(list, Factor{Log: v})
	}
	return list
}

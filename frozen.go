package bayes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/mapped"
	"bayes/internal/memory"
	"bayes/internal/wire"
	"bayes/text"
)

// Open opens the model in the file called name. One that [Model.Freeze] wrote is
// mapped into memory and searched in place, so that the first prediction does not
// wait for the whole of it; of its checksums those of the header and of short
// sections are looked at, and `bayes check` looks at all. Any other is read and
// fitted, as by [LoadModel].
//
// A frozen model predicts, and explains by weights alone: [Model.Telling],
// [Model.Derive] and [Model.Term] know nothing of it. Its file must not be written over
// while it is in use, but replaced by a rename, as the command does it: see [Model.Err].
func Open(name string, langs ...*text.Language) (*Model, error) {
	file, err := mapped.Open(name)
	if err != nil {
		return nil, err
	}
	m, err := parseMapped(file, langs)
	if changed := file.Err(); changed != nil {
		return nil, fmt.Errorf("bayes: %w", changed)
	}
	return m, err
}

func parseMapped(file *mapped.File, langs []*text.Language) (m *Model, err error) {
	defer runtime.KeepAlive(file)
	defer file.Done(mapped.Guard())
	if !isFrozen(file.Data) {
		return LoadModel(bytes.NewReader(file.Data), langs...)
	}
	return parseFrozen(file, false, langs)
}

// Err returns nil, or, of a model whose file [Open] mapped, an error if that file has
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

func isFrozen(data []byte) bool { return bytes.HasPrefix(data, []byte("bayes frozen ")) }

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
//	ln P(x|c) = bias(c) + Σ v(f) · weight(f, c).
type frozen struct {
	*sums
	file     *mapped.File
	presence bool
	bias     []float64
	low      []float64 // of 8-bit weights
	step     []float64
	weights  []byte
	slots    []byte
	ends     []byte
	arena    []byte
}

// parseFrozen reads a frozen file. Whether it looks at the whole of it is for the caller
// to say.
func parseFrozen(file *mapped.File, whole bool, langs []*text.Language) (*Model, error) {
	h, err := parseHeader(file.Data)
	if err != nil {
		return nil, err
	}
	fail := func(err error) error { return &FormatError{"header", 0, err.Error()} }
	space, err := ParseSpace(h.space, langs...)
	if err != nil {
		return nil, fail(err)
	}
	em, err := ParseEventModel(h.event)
	if err != nil {
		return nil, fail(err)
	}
	if c, ok := em.(Calibrated); ok {
		if err := c.check(); err != nil {
			return nil, fail(err)
		}
	}
	f := &frozen{file: file, sums: &sums{size: int(h.features), binarize: space.Threshold}}
	decoder := wire.NewUncheckedDecoder
	if whole {
		decoder = wire.NewDecoder
	}
	p := &parser{Decoder: decoder(file.Data, 0)}
	p.Bytes(uint64(h.size))
	logPrior, err := f.read(p, space, h)
	if err == nil && whole {
		err = f.check()
	}
	if err != nil {
		return nil, err
	}
	return newModel(space, em, []*sums{f.sums}, logPrior, []likelihood{f}), nil
}

// read reads the sections.
func (f *frozen) read(p *parser, space *Space, h *header) (logPrior []float64, err error) {
	if err := p.next(); err != nil {
		return nil, err
	}
	if p.tag == idfSection {
		if err := p.step(idfSection, func() { space.IDF = p.idf() }); err != nil {
			return nil, err
		}
	}
	c := NewCounts(nil)
	c.classes = nil
	if err := p.step(classSection, func() { p.classes(c) }); err != nil {
		return nil, err
	}
	for _, cl := range c.classes {
		if err := cl.lawful(); err != nil {
			return nil, &FormatError{classSection, 0, err.Error()}
		}
		f.classes = append(f.classes, cl.label)
		f.sums.examples = append(f.sums.examples, cl.examples)
		f.sums.weight = append(f.sums.weight, cl.weight)
		f.position = append(f.position, len(f.position))
	}
	if int64(len(f.classes)) != h.classes || h.classes == 0 {
		return nil, &FormatError{"header", 0, "the sections hold another number of classes"}
	}
	for _, s := range []struct {
		tag  string
		read func(payload []byte, classes, features int) error
	}{
		{biasSection, func(b []byte, classes, _ int) error { logPrior, err = f.readBias(b, classes); return err }},
		{weightSection, f.readWeights},
		{indexSection, f.readIndex},
	} {
		offset := p.payload.Offset()
		if p.tag != s.tag {
			return nil, &FormatError{sectionName(p.tag), int64(offset), "where section " + s.tag + " is due"}
		}
		if err := s.read(p.payload.Rest(), len(f.classes), int(h.features)); err != nil {
			return nil, &FormatError{s.tag, int64(offset), err.Error()}
		}
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	return logPrior, p.end()
}

// check looks at all weights, and looks each term up.
func (f *frozen) check() error {
	fail := func(tag, format string, args ...any) error { return &FormatError{tag, 0, fmt.Sprintf(format, args...)} }
	for i := 0; f.low == nil && i < len(f.weights); i += 4 {
		if w := math.Float32frombits(binary.LittleEndian.Uint32(f.weights[i:])); math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
			return fail(weightSection, "a weight is not finite")
		}
	}
	for number := range f.size {
		name := f.name(number)
		if found, ok := f.find(frozenHash(name), name); !ok || found != number {
			return fail(indexSection, "a term is not in its slot")
		}
	}
	return nil
}

func (f *frozen) readBias(b []byte, classes int) (logPrior []float64, err error) {
	if len(b) != 1+16*classes || b[0] > 1 {
		return nil, fmt.Errorf("%d bytes", len(b))
	}
	f.presence = b[0] == 1
	logPrior, f.bias = floats(b[1:], classes), floats(b[1+8*classes:], classes)
	for _, v := range logPrior {
		if v > 1e-9 {
			return nil, fmt.Errorf("the prior of a class is above 1: its logarithm is %v", v)
		}
	}
	return logPrior, finite(logPrior, f.bias)
}

func finite(lists ...[]float64) error {
	for _, v := range slices.Concat(lists...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a number is not finite")
		}
	}
	return nil
}

func floats(b []byte, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return list
}

func (f *frozen) readWeights(b []byte, classes, features int) error {
	size := classes * features
	switch {
	case len(b) == 1+4*size && b[0] == 32:
		f.weights = b[1:]
	case len(b) == 1+16*classes+size && b[0] == 8:
		f.low, f.step, f.weights = floats(b[1:], classes), floats(b[1+8*classes:], classes), b[1+16*classes:]
		return finite(f.low, f.step)
	default:
		return fmt.Errorf("%d bytes for %d features of %d classes", len(b), features, classes)
	}
	return nil
}

func (f *frozen) readIndex(b []byte, _, features int) error {
	if len(b) < 8 {
		return fmt.Errorf("%d bytes", len(b))
	}
	slots := binary.LittleEndian.Uint64(b)
	b = b[8:]
	if slots == 0 || slots&(slots-1) != 0 || slots > uint64(len(b))/slotBytes || uint64(features) >= slots {
		return fmt.Errorf("%d slots", slots)
	}
	f.slots, b = b[:slots*slotBytes], b[slots*slotBytes:]
	if len(b) < 8*features {
		return fmt.Errorf("%d features do not fit", features)
	}
	f.ends, f.arena = b[:8*features], b[8*features:]
	return nil
}

// find returns the number of a term whose hash is h, and whether it has one. Whatever a
// damaged file says, it ends.
func (f *frozen) find(h uint64, name []byte) (int, bool) {
	mask := len(f.slots)/slotBytes - 1
	for i, n := int(h)&mask, 0; n <= mask; i, n = (i+1)&mask, n+1 {
		number := int(binary.LittleEndian.Uint32(f.slots[i*slotBytes+4:])) - 1
		if number < 0 || number >= f.size {
			return 0, false
		}
		if binary.LittleEndian.Uint32(f.slots[i*slotBytes:]) == uint32(h>>32) && string(f.name(number)) == string(name) {
			return number, true
		}
	}
	return 0, false
}

// expect sets hashes to those of up to a stage of terms, and asks for what find and addRow
// will mostly read of them.
func (f *frozen) expect(terms []term, hashes []uint64) {
	var list [intern.Stage]uint32
	at, mask := list[:len(terms)], len(f.slots)/slotBytes-1
	for j := range terms {
		hashes[j] = frozenHash(terms[j].name)
		at[j] = uint32(int(hashes[j]) & mask)
	}
	memory.PrefetchRows(f.slots, slotBytes, at)
	for j, i := range at {
		at[j] = max(1, binary.LittleEndian.Uint32(f.slots[int(i)*slotBytes+4:])) - 1
	}
	memory.PrefetchRows(f.ends, 8, at)
	memory.PrefetchRows(f.weights, len(f.weights)/max(1, f.size), at)
	for j, number := range at {
		at[j] = 0
		if 0 < number && int(number) <= f.size {
			at[j] = uint32(binary.LittleEndian.Uint64(f.ends[8*(number-1):]))
		}
	}
	memory.Prefetch(f.arena, at)
}

// name returns a term.
func (f *frozen) name(number int) []byte {
	start := uint64(0)
	if number > 0 {
		start = binary.LittleEndian.Uint64(f.ends[8*(number-1):])
	}
	end := binary.LittleEndian.Uint64(f.ends[8*number:])
	if start > end || end > uint64(len(f.arena)) {
		return nil
	}
	return f.arena[start:end]
}

// value returns what a term's weights are multiplied by.
func (f *frozen) value(t *term) float64 {
	if !f.presence {
		return t.value
	}
	if t.value > f.binarize {
		return 1
	}
	return 0
}

// addRow adds v times the weights of a term.
func (f *frozen) addRow(joint []float64, number int, v float64) {
	if f.low == nil {
		row := f.weights[4*number*len(joint):]
		for k := range joint {
			joint[k] += v * float64(math.Float32frombits(binary.LittleEndian.Uint32(row[4*k:])))
		}
		return
	}
	row := f.weights[number*len(joint):]
	for k := range joint {
		joint[k] += v * (f.low[k] + f.step[k]*float64(row[k]))
	}
}

func (f *frozen) data() *sums { return f.sums }

func (f *frozen) add(joint []float64, x *bag) (known int) {
	defer f.spoil(joint, &known)
	defer f.file.Done(mapped.Guard())
	for k, b := range f.bias {
		joint[k] += b
	}
	var hashes [intern.Stage]uint64
	for terms := range slices.Chunk(x.terms, intern.Stage) {
		f.expect(terms, hashes[:len(terms)])
		for j := range terms {
			t := &terms[j]
			number, ok := f.find(hashes[j], t.name)
			if !ok {
				continue
			}
			known++
			if v := f.value(t); v != 0 {
				f.addRow(joint, number, v)
			}
		}
	}
	return known
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
	defer f.file.Done(mapped.Guard())
	number, found := f.find(frozenHash(t.name), t.name)
	v := f.value(&t)
	if !found || v == 0 {
		return scores, false
	}
	f.addRow(scores, number, v)
	return scores, true
}

func (f *frozen) rest(*bag) []float64 {
	if !f.presence {
		return nil
	}
	return append([]float64(nil), f.bias...)
}

func (f *frozen) counted() bool { return !f.presence }

// factor gives the weight: the estimate behind it is not known.
func (f *frozen) factor(t term, k int) Factor {
	scores, _ := f.weigh(t)
	return Factor{Log: scores[k]}
}

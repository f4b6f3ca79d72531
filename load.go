package bayes

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"bayes/internal/labelset"
	"bayes/internal/modelfile"
	"bayes/internal/sparse"
	"bayes/internal/specgrammar"
	"bayes/internal/wire"
	"bayes/text"
)

// A FormatError reports where a file departs from the format.
type FormatError struct {
	Section string // such as "TERM", or "header"
	Offset  int64  // from the start of the file, in bytes
	Msg     string
}

func (e *FormatError) Error() string { return (*modelfile.Error)(e).Error() }

// formatError makes an error of package modelfile a FormatError.
func formatError(err error) error {
	if e, ok := err.(*modelfile.Error); ok {
		return (*FormatError)(e)
	}
	return err
}

// Load reads what [Save] wrote. Languages not given cannot be analysed. What is
// wrong with the file is told by a [*FormatError].
func Load(r io.Reader, langs ...*text.Language) (*Counts, EventModel, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	c, em, err := parseFile(data, langs)
	if err == nil && em == nil {
		err = &FormatError{"header", 0, "counts without an event model"}
	}
	return c, em, err
}

// ErrFrozen is returned by [Load] of what [Model.Freeze] wrote.
var ErrFrozen = errors.New("bayes: a frozen model, which predicts, and has no counts to learn, merge or show (hint: take the file it was frozen from, or train again)")

// UnmarshalBinary replaces c by the Counts in data. The error is a
// [*FormatError]; c is then unchanged. It implements
// [encoding.BinaryUnmarshaler].
func (c *Counts) UnmarshalBinary(data []byte) error {
	d, _, err := parseFile(data, nil)
	if err != nil {
		return err
	}
	c.space, c.vocabulary, c.classes, c.classIndex, c.blocks, c.origin = d.space, d.vocabulary, d.classes, d.classIndex, d.blocks, d.origin
	c.extractor = nil
	return nil
}

// parseFile reads a whole file.
func parseFile(data []byte, langs []*text.Language) (*Counts, EventModel, error) {
	c, em, err := parseCounts(data, langs)
	return c, em, formatError(err)
}

func parseCounts(data []byte, langs []*text.Language) (*Counts, EventModel, error) {
	h, err := modelfile.ParseHeader(data)
	if err != nil {
		return nil, nil, err
	}
	if h.Kind == modelfile.Frozen {
		return nil, nil, ErrFrozen
	}
	space, err := ParseSpace(h.Space, langs...)
	if err != nil {
		return nil, nil, modelfile.Errorf("header", 0, "%v", err)
	}
	var em EventModel
	if h.Kind == modelfile.Model {
		if em, err = ParseEventModel(h.Event); err != nil {
			return nil, nil, modelfile.Errorf("header", 0, "%v", err)
		}
	}
	p := &parser{modelfile.Reader{Decoder: wire.NewDecoder(data, 0)}, h.Features}
	p.Bytes(uint64(h.Size))
	c, err := p.counts(space, CorrectionOf(em))
	if err != nil {
		return nil, nil, err
	}
	// Without texts there is nothing that another version of the analyzer would cut otherwise.
	if c.columns = p.Columns; c.hasTerms() {
		c.cut = &p.AnalyzerVersion
	}
	if int64(len(c.classes)) != h.Classes || int64(c.Len()) != h.Features || c.Examples() != h.Examples {
		return nil, nil, modelfile.Errorf("header", 0, "the sections hold other numbers of classes, features or examples")
	}
	return c, em, nil
}

// A parser reads the sections of a file.
type parser struct {
	modelfile.Reader
	features int64 // how many there are, if the header is right
}

// counts reads the sections from the first one on, and the correction that the header names, if it
// names one.
func (p *parser) counts(space *Space, correction *Correction) (*Counts, error) {
	if err := p.declarations(space); err != nil {
		return nil, err
	}
	// NewCounts has the declared classes already. The section has all classes in its order.
	c := NewCounts(space)
	c.classes = nil
	clear(c.classIndex)
	if err := p.Expect(modelfile.Classes, func() { p.classes(c) }); err != nil {
		return nil, err
	}
	if err := p.Next(); err != nil {
		return nil, err
	}
	if err := p.table(c.blocks[0], len(c.classes)); err != nil {
		return nil, err
	}
	for p.Tag == modelfile.Block {
		if err := p.block(c); err != nil {
			return nil, err
		}
	}
	if correction != nil {
		if err := p.Step(modelfile.Correction, func() { correction.learned.Decode(p.Payload) }); err != nil {
			return nil, err
		}
	}
	return c, p.End()
}

// declarations reads what a space declares, and stops at the section after it.
func (p *parser) declarations(space *Space) error {
	if err := p.Next(); err != nil {
		return err
	}
	for _, declared := range []struct {
		tag   string
		begin func()
		name  func(name []byte)
	}{
		{modelfile.Labels, func() { space.Labels = []string{} }, func(name []byte) { space.Labels = append(space.Labels, string(name)) }},
		{modelfile.Vocabulary, func() { space.Vocabulary = []string{} }, func(name []byte) { space.Vocabulary = append(space.Vocabulary, string(name)) }},
		{modelfile.Values, func() { space.Values = map[string][]string{} }, func(b []byte) {
			name, value, ok := modelfile.SplitValue(b)
			if !ok {
				p.Payload.Fail("no valid value of a category")
			}
			space.Values[name] = append(space.Values[name], value)
		}},
	} {
		// The sections come in this order, and any may be absent.
		if p.Tag != declared.tag {
			continue
		}
		declared.begin()
		if err := p.Step(declared.tag, func() { p.Names(declared.name) }); err != nil {
			return err
		}
	}
	if space.IDF == nil {
		return nil
	}
	return p.Step(modelfile.IDF, func() { space.IDF = p.Weights() })
}

// table reads the sections of a table, side by side: terms touches its index alone,
// moments all but that.
func (p *parser) table(b *block, classes int) error {
	t := b.table
	if err := p.Expect(modelfile.Terms, func() {}); err != nil {
		return err
	}
	// The names need only the index, and the rows only the rest, so both are read at once. A section
	// is independent of the one before it.
	terms := &parser{modelfile.Reader{Tag: p.Tag, Payload: p.Payload}, p.features}
	p.Payload = nil // is no longer this one's
	var wg sync.WaitGroup
	wg.Go(func() { terms.terms(b) })
	err := p.Next()
	if err == nil {
		err = p.Expect(modelfile.Moments, func() { t.DecodeRows(p.Payload, classes, p.features) })
	}
	wg.Wait()
	if failed := terms.Failed(); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	if len(t.Rows) != t.Index.Len() {
		return modelfile.Errorf(modelfile.Moments, p.Payload.Offset(), "%d rows for %d features", len(t.Rows), t.Index.Len())
	}
	return p.Next()
}

func (p *parser) terms(b *block) {
	size := p.Payload.Len()
	n := int(max(0, min(p.features, int64(size/2)))) // a name takes two bytes at least
	b.table.Index.Extend(n, size, func(add func([]byte)) {
		p.Names(func(name []byte) {
			if !b.id.kind.names(name) {
				p.Payload.Fail("%.100q names no feature of %s", name, b.id)
				return
			}
			add(name)
		})
	})
}

// names reports whether a row of a block of kind k can be called name.
func (k attrKind) names(name []byte) bool {
	switch k {
	case numberAttr:
		return specgrammar.IsFloat(name)
	case histogramBlock:
		from := 1 // behind lengthKey
		if len(name) > 0 && name[0] == termKey {
			from = bytes.LastIndexByte(name, 0) + 1
		}
		return from > 0 && len(name) > from && (name[0] == termKey || name[0] == lengthKey) && specgrammar.IsFloat(name[from:])
	}
	return true
}

// block reads the sections of a block.
func (p *parser) block(c *Counts) error {
	var b *block
	if err := p.Step(modelfile.Block, func() { b = p.blockID(c) }); err != nil {
		return err
	}
	d := p.Payload
	// How many examples of each class have the block; of numbers also the sums, with 32 digits.
	err := p.Step(modelfile.Seen, func() {
		for k := range c.classes {
			b.see(k, tally{wire.Unzigzag(d.Uvarint()), d.Number()}, +1)
		}
	})
	if err == nil && b.id.kind == numberAttr {
		d = p.Payload
		err = p.Step(modelfile.Number, func() {
			for range c.classes {
				var n sparse.Numbers
				n.Decode(d)
				b.numbers = append(b.numbers, n)
			}
		})
	}
	if err != nil {
		return err
	}
	return p.table(b, len(c.classes))
}

// blockID reads what a block is called, and adds it to c. Blocks come sorted.
func (p *parser) blockID(c *Counts) *block {
	kind, ok := kindOf(p.Payload.Bytes(1))
	if !ok {
		p.Payload.Fail("unknown kind of block")
		return nil
	}
	b := newBlock(blockID{kind, string(p.Payload.Rest())})
	if c.blocks[len(c.blocks)-1].id.compare(b.id) >= 0 {
		p.Payload.Fail("blocks do not rise")
	}
	c.blocks = append(c.blocks, b)
	return b
}

func (p *parser) classes(c *Counts) {
	d := p.Payload
	prev := ""
	for d.Len() > 0 {
		label := string(d.Bytes(d.Uvarint()))
		cl := class{label, tally{wire.Unzigzag(d.Uvarint()), d.Number()}}
		if d.Err() != nil {
			return
		}
		if s := c.space.LabelSeparator; s != "" && labelset.Canonical(label, s) != label {
			d.Fail("a set of labels is not in order")
			return
		}
		if len(c.classes) > 0 && label <= prev {
			d.Fail("labels do not rise")
			return
		}
		prev = label
		c.classes[c.class(label)] = cl
	}
}

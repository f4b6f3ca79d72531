package bayes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"bayes/feature"
	"bayes/internal/doubledouble"
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

func (e *FormatError) Error() string {
	return fmt.Sprintf("bayes: model file: section %s, byte %d: %s", e.Section, e.Offset, e.Msg)
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
var ErrFrozen = errors.New("bayes: the file holds weights alone: it predicts, and cannot learn")

// UnmarshalBinary replaces c by the Counts in data. The error is a
// [*FormatError]; c is then unchanged. It implements
// [encoding.BinaryUnmarshaler].
func (c *Counts) UnmarshalBinary(data []byte) error {
	d, _, err := parseFile(data, nil)
	if err != nil {
		return err
	}
	c.space, c.vocabulary, c.classes, c.classIndex, c.blocks, c.cut = d.space, d.vocabulary, d.classes, d.classIndex, d.blocks, d.cut
	c.extractor = nil
	c.shared.Store(false)
	return nil
}

// header is what the lines at the front of a file say.
type header struct {
	kind                        string
	space, event                string
	classes, features, examples int64
	size                        int // in bytes, the empty line included
}

// parseHeader reads and checks the header of a file.
func parseHeader(data []byte) (*header, error) {
	fail := func(offset int, format string, args ...any) error {
		return &FormatError{"header", int64(offset), fmt.Sprintf(format, args...)}
	}
	h := new(header)
	first, _, _ := strings.Cut(string(data[:min(len(data), 64)]), "\n")
	var version int
	if n, _ := fmt.Sscanf(first, "bayes %s %d", &h.kind, &version); n != 2 || h.kind != "model" && h.kind != "counts" && h.kind != "frozen" {
		return nil, fail(0, "not a model file")
	}
	if version > formatVersion {
		return nil, fail(0, "version %d is newer than this program, which reads version %d", version, formatVersion)
	}
	if version != formatVersion {
		return nil, fail(0, "there is no version %d", version)
	}
	for h.size < len(data) {
		n := bytes.IndexByte(data[h.size:], '\n')
		if n < 0 {
			break
		}
		line := string(data[h.size : h.size+n])
		key, value, _ := strings.Cut(line, " ")
		if key == "checksum" {
			if want := fmt.Sprintf("%08x", wire.Checksum(data[:h.size])); value != want {
				return nil, fail(h.size, "checksum does not match")
			}
			h.size += len(line) + 1
			if h.size == len(data) || data[h.size] != '\n' {
				return nil, fail(h.size, "no empty line after the header")
			}
			h.size++
			return h, nil
		}
		if err := h.set(key, value); err != nil {
			return nil, fail(h.size, "%v", err)
		}
		h.size += len(line) + 1
	}
	return nil, fail(len(data), "cut short")
}

func (h *header) set(key, value string) (err error) {
	switch key {
	case "bayes":
	case "space":
		h.space = value
	case "event":
		h.event = value
	case "classes":
		h.classes, err = strconv.ParseInt(value, 10, 64)
	case "features":
		h.features, err = strconv.ParseInt(value, 10, 64)
	case "examples":
		h.examples, err = strconv.ParseInt(value, 10, 64)
	default:
		err = fmt.Errorf("unknown line %.40q", key)
	}
	return err
}

// parseFile reads a whole file.
func parseFile(data []byte, langs []*text.Language) (*Counts, EventModel, error) {
	h, err := parseHeader(data)
	if err != nil {
		return nil, nil, err
	}
	if h.kind == "frozen" {
		return nil, nil, ErrFrozen
	}
	space, err := ParseSpace(h.space, langs...)
	if err != nil {
		return nil, nil, &FormatError{"header", 0, err.Error()}
	}
	var em EventModel
	if h.kind == "model" {
		if em, err = ParseEventModel(h.event); err != nil {
			return nil, nil, &FormatError{"header", 0, err.Error()}
		}
	}
	p := &parser{Decoder: wire.NewDecoder(data, 0), features: h.features}
	p.Bytes(uint64(h.size))
	c, err := p.counts(space)
	if err != nil {
		return nil, nil, err
	}
	if c.hasTerms() {
		c.cut = &p.version
	}
	if int64(len(c.classes)) != h.classes || int64(c.Len()) != h.features || c.Examples() != h.examples {
		return nil, nil, &FormatError{"header", 0, "the sections hold other numbers of classes, features or examples"}
	}
	return c, em, nil
}

// A parser reads the sections of a file.
type parser struct {
	*wire.Decoder
	tag      string
	payload  *wire.Decoder
	features int64 // how many there are, if the header is right
	version  string
}

// next moves on to the next section that must be understood.
func (p *parser) next() error {
	for {
		if p.payload != nil && p.payload.Len() > 0 {
			return &FormatError{p.tag, int64(p.payload.Offset()), "bytes left over"}
		}
		tag, payload := p.Section()
		if err := p.Err(); err != nil {
			return &FormatError{sectionName(tag), int64(err.Offset), err.Msg}
		}
		if tag == versionSection {
			if err := p.readVersion(payload); err != nil {
				return err
			}
		}
		if tag[0] < 'a' || tag[0] > 'z' {
			p.tag, p.payload = tag, payload
			return nil
		}
	}
}

// maxVersion is the most bytes that the version of an analyzer can have.
const maxVersion = 4096

// readVersion reads the version of the analyzer: printable ASCII, since it is shown.
func (p *parser) readVersion(payload *wire.Decoder) error {
	at := int64(payload.Offset())
	version := payload.Rest()
	switch {
	case p.version != "":
		return &FormatError{versionSection, at, "stands twice"}
	case len(version) == 0 || len(version) > maxVersion:
		return &FormatError{versionSection, at, fmt.Sprintf("%d bytes, where 1 to %d are due", len(version), maxVersion)}
	case bytes.ContainsFunc(version, func(r rune) bool { return r < ' ' || r > '~' }):
		return &FormatError{versionSection, at, "not printable ASCII"}
	}
	p.version = string(version)
	return nil
}

// sectionName returns tag if it is one, so that no control character of a
// damaged file reaches a terminal.
func sectionName(tag string) string {
	switch tag {
	case versionSection, labelSection, vocabularySection, valueSection, idfSection, classSection, blockSection, seenSection, numberSection,
		termSection, momentSection, biasSection, weightSection, indexSection, endSection:
		return tag
	}
	return "unknown"
}

// failed returns the error of the current section, if there is one.
func (p *parser) failed() error {
	if err := p.payload.Err(); err != nil {
		return &FormatError{p.tag, int64(err.Offset), err.Msg}
	}
	return nil
}

// counts reads the sections from the first one on.
func (p *parser) counts(space *Space) (*Counts, error) {
	if err := p.declarations(space); err != nil {
		return nil, err
	}
	c := NewCounts(space)
	c.classes = nil
	clear(c.classIndex)
	if err := p.expect(classSection, func() { p.classes(c) }); err != nil {
		return nil, err
	}
	if err := p.next(); err != nil {
		return nil, err
	}
	if err := p.table(c.blocks[0], len(c.classes)); err != nil {
		return nil, err
	}
	for p.tag == blockSection {
		if err := p.block(c); err != nil {
			return nil, err
		}
	}
	return c, p.end()
}

// end reads the last section.
func (p *parser) end() error {
	if err := p.expect(endSection, func() {}); err != nil {
		return err
	}
	if p.Len() > 0 || p.payload.Len() > 0 {
		return &FormatError{endSection, int64(p.Offset()), "bytes after the end"}
	}
	return nil
}

// expect reads the current section, which must be the one called tag.
func (p *parser) expect(tag string, read func()) error {
	if p.tag != tag {
		return &FormatError{sectionName(p.tag), int64(p.payload.Offset()), "where section " + tag + " is due"}
	}
	read()
	return p.failed()
}

// step reads the current section and moves on to the next.
func (p *parser) step(tag string, read func()) error {
	if err := p.expect(tag, read); err != nil {
		return err
	}
	return p.next()
}

// declarations reads what a space declares, and stops at the section after it.
func (p *parser) declarations(space *Space) error {
	if err := p.next(); err != nil {
		return err
	}
	for _, declared := range []struct {
		tag   string
		begin func()
		name  func(name []byte)
	}{
		{labelSection, func() { space.Labels = []string{} }, func(name []byte) { space.Labels = append(space.Labels, string(name)) }},
		{vocabularySection, func() { space.Vocabulary = []string{} }, func(name []byte) { space.Vocabulary = append(space.Vocabulary, string(name)) }},
		{valueSection, func() { space.Values = map[string][]string{} }, func(b []byte) {
			name, value, ok := splitValue(b)
			if !ok {
				p.payload.Fail("no valid value of a category")
			}
			space.Values[name] = append(space.Values[name], value)
		}},
	} {
		if p.tag != declared.tag {
			continue
		}
		declared.begin()
		if err := p.step(declared.tag, func() { p.names(declared.name) }); err != nil {
			return err
		}
	}
	if space.IDF == nil {
		return nil
	}
	return p.step(idfSection, func() { space.IDF = p.idf() })
}

// idf reads terms and their weights.
func (p *parser) idf() *feature.IDF {
	weights := make(map[string]float64)
	var name []byte
	for first := true; p.payload.Len() > 0; first = false {
		name = p.payload.Name(name, first)
		w := p.payload.Number()
		if p.payload.Err() != nil {
			break
		}
		weights[string(name)] = w
	}
	return feature.WeightsIDF(weights)
}

// table reads the sections of a table, side by side: terms touches its index alone,
// moments all but that.
func (p *parser) table(b *block, classes int) error {
	t := b.table
	if err := p.expect(termSection, func() {}); err != nil {
		return err
	}
	terms := &parser{tag: p.tag, payload: p.payload, features: p.features}
	p.payload = nil // is no longer this one's
	var wg sync.WaitGroup
	wg.Go(func() { terms.terms(b) })
	err := p.next()
	if err == nil {
		err = p.expect(momentSection, func() { t.DecodeRows(p.payload, classes, p.features) })
	}
	wg.Wait()
	if failed := terms.failed(); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	if len(t.Rows) != t.Index.Len() {
		return &FormatError{momentSection, int64(p.payload.Offset()), fmt.Sprintf("%d rows for %d features", len(t.Rows), t.Index.Len())}
	}
	return p.next()
}

func (p *parser) terms(b *block) {
	size := p.payload.Len()
	n := int(max(0, min(p.features, int64(size/2)))) // a name takes two bytes at least
	b.table.Index.Extend(n, size, func(add func([]byte)) {
		p.names(func(name []byte) {
			if !b.id.kind.names(name) {
				p.payload.Fail("%.100q names no feature of %s", name, b.id)
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
	if err := p.step(blockSection, func() { b = p.blockID(c) }); err != nil {
		return err
	}
	d := p.payload
	err := p.step(seenSection, func() {
		for k := range c.classes {
			b.see(k, tally{wire.Unzigzag(d.Uvarint()), d.Number()}, +1)
		}
	})
	if err == nil && b.id.kind == numberAttr {
		d = p.payload
		err = p.step(numberSection, func() {
			for range c.classes {
				var n numberSums
				for _, part := range []*doubledouble.Number{&n.sum, &n.squares, &n.plainSum, &n.plainSquares} {
					part.Hi, part.Lo = d.Number(), d.Number()
				}
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
	kind, name := p.payload.Bytes(1), p.payload.Bytes(uint64(p.payload.Len()))
	for k, letter := range blockKinds {
		if len(kind) == 1 && kind[0] == letter {
			b := newBlock(blockID{k, string(name)})
			if c.blocks[len(c.blocks)-1].id.compare(b.id) >= 0 {
				p.payload.Fail("blocks do not rise")
			}
			c.blocks = append(c.blocks, b)
			return b
		}
	}
	p.payload.Fail("unknown kind of block")
	return nil
}

// names reads names to the end of the section.
func (p *parser) names(yield func(name []byte)) {
	var name []byte
	for first := true; p.payload.Len() > 0; first = false {
		if name = p.payload.Name(name, first); p.payload.Err() != nil {
			return
		}
		yield(name)
	}
}

func (p *parser) classes(c *Counts) {
	d := p.payload
	prev := ""
	for d.Len() > 0 {
		label := string(d.Bytes(d.Uvarint()))
		cl := class{label, tally{wire.Unzigzag(d.Uvarint()), d.Number()}}
		if d.Err() != nil {
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

// splitValue is the inverse of joinValues for one value.
func splitValue(b []byte) (name, value string, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return "", "", false
	}
	return string(b[size:][:n]), string(b[size:][n:]), true
}

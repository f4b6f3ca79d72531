package bayes

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"bayes/internal/wire"
	"bayes/text"
)

// formatVersion is the version of the file format that this package writes. It
// reads that one alone.
const formatVersion = 1

// The tags of the sections of a file, in the order of the file.
const (
	labelSection      = "LABL"
	vocabularySection = "VOCA"
	classSection      = "CLAS"
	termSection       = "TERM"
	momentSection     = "MOME"
	endSection        = "END."
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

// Save writes c, and how it is to be fitted, to w in the format of
// docs/format.md. Equal Counts and event models give equal bytes.
func Save(w io.Writer, c *Counts, em EventModel) error {
	b := c.appendFile(nil, em)
	_, err := w.Write(b)
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

// LoadModel reads what [Save] wrote and fits it.
func LoadModel(r io.Reader, langs ...*text.Language) (*Model, error) {
	c, em, err := Load(r, langs...)
	if err != nil {
		return nil, err
	}
	return Fit(c, em)
}

// AppendBinary appends c in the format of docs/format.md, without an event
// model. Equal Counts append equal bytes. It implements
// [encoding.BinaryAppender].
func (c *Counts) AppendBinary(b []byte) ([]byte, error) { return c.appendFile(b, nil), nil }

// MarshalBinary implements [encoding.BinaryMarshaler].
func (c *Counts) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// UnmarshalBinary replaces c by the Counts in data. The error is a
// [*FormatError]; c is then unchanged. It implements
// [encoding.BinaryUnmarshaler].
func (c *Counts) UnmarshalBinary(data []byte) error {
	d, _, err := parseFile(data, nil)
	if err != nil {
		return err
	}
	c.space, c.vocabulary, c.classes, c.classIndex, c.terms = d.space, d.vocabulary, d.classes, d.classIndex, d.terms
	c.extractor = nil
	c.shared.Store(false)
	return nil
}

// appendFile appends c and em, which may be nil, as a file.
func (c *Counts) appendFile(b []byte, em EventModel) []byte {
	order, rows := c.order(), c.terms.sorted()
	b = c.appendHeader(b, em, len(order), len(rows))
	if c.space.Labels != nil {
		b = wire.AppendSection(b, labelSection, func(b []byte) []byte { return appendNames(b, c.space.Labels) })
	}
	if c.space.Vocabulary != nil {
		b = wire.AppendSection(b, vocabularySection, func(b []byte) []byte { return appendNames(b, c.space.Vocabulary) })
	}
	b = wire.AppendSection(b, classSection, func(b []byte) []byte { return c.appendClasses(b, order) })
	b = wire.AppendSection(b, termSection, func(b []byte) []byte { return c.terms.appendTerms(b, rows) })
	b = wire.AppendSection(b, momentSection, func(b []byte) []byte { return c.appendMoments(b, order, rows) })
	return wire.AppendSection(b, endSection, func(b []byte) []byte { return b })
}

func (c *Counts) appendHeader(b []byte, em EventModel, classes, features int) []byte {
	start := len(b)
	if em == nil {
		b = fmt.Appendf(b, "bayes counts %d\nspace %s\n", formatVersion, c.space)
	} else {
		b = fmt.Appendf(b, "bayes model %d\nspace %s\nevent %s\n", formatVersion, c.space, em)
	}
	b = fmt.Appendf(b, "classes %d\nfeatures %d\nexamples %d\n", classes, features, c.Examples())
	return fmt.Appendf(b, "checksum %08x\n\n", wire.Checksum(b[start:]))
}

func appendNames(b []byte, names []string) []byte {
	var prev []byte
	for _, name := range sortedSet(names) {
		b = wire.AppendName(b, prev, []byte(name))
		prev = []byte(name)
	}
	return b
}

func (c *Counts) appendClasses(b []byte, order []int) []byte {
	for _, k := range order {
		cl := c.classes[k]
		b = wire.AppendUvarint(b, uint64(len(cl.label)))
		b = append(b, cl.label...)
		b = wire.AppendUvarint(b, wire.Zigzag(cl.examples))
		b = wire.AppendNumber(b, cl.weight)
	}
	return b
}

func (t *table) appendTerms(b []byte, rows []int) []byte {
	var prev []byte
	for _, i := range rows {
		name := t.index.Bytes(i)
		b = wire.AppendName(b, prev, name)
		prev = name
	}
	return b
}

func (c *Counts) appendMoments(b []byte, order, rows []int) []byte {
	position := make([]int, len(c.classes))
	for p, k := range order {
		position[k] = p
	}
	sorted := make([]*Moments, len(order)) // one row, by position
	for _, i := range rows {
		row := c.terms.rows[i]
		b = wire.AppendUvarint(b, uint64(len(row)))
		for j := range row {
			sorted[position[row[j].class]] = &row[j].Moments
		}
		next := 0
		for p, m := range sorted {
			if m != nil {
				b = appendCell(b, p-next, m)
				next = p + 1
				sorted[p] = nil
			}
		}
	}
	return b
}

// appendCell appends a cell that stands gap classes behind the one expected.
func appendCell(b []byte, gap int, m *Moments) []byte {
	var flags uint64
	if m.Present != float64(m.Examples) {
		flags |= presentFollows
	}
	if m.Sum != m.Present {
		flags |= sumFollows
	}
	b = wire.AppendUvarint(b, uint64(gap))
	b = wire.AppendUvarint(b, wire.Zigzag(m.Examples)<<2|flags)
	if flags&presentFollows != 0 {
		b = wire.AppendNumber(b, m.Present)
	}
	if flags&sumFollows != 0 {
		b = wire.AppendNumber(b, m.Sum)
	}
	return b
}

const (
	presentFollows = 1
	sumFollows     = 2
)

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
	if n, _ := fmt.Sscanf(first, "bayes %s %d", &h.kind, &version); n != 2 || h.kind != "model" && h.kind != "counts" {
		return nil, fail(0, "not a model file")
	}
	if version > formatVersion {
		return nil, fail(0, "version %d is newer than this program, which reads version %d", version, formatVersion)
	}
	if version != formatVersion {
		return nil, fail(0, "there is no version %d", version)
	}
	const maxLine = 1 << 20
	for h.size < len(data) {
		line, _, whole := strings.Cut(string(data[h.size:min(len(data), h.size+maxLine)]), "\n")
		if !whole {
			break
		}
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
	p := &parser{Decoder: wire.NewDecoder(data[h.size:], h.size)}
	c, err := p.counts(space)
	if err != nil {
		return nil, nil, err
	}
	if int64(len(c.classes)) != h.classes || int64(c.terms.live) != h.features || c.Examples() != h.examples {
		return nil, nil, &FormatError{"header", 0, "the sections hold other numbers of classes, features or examples"}
	}
	return c, em, nil
}

// A parser reads the sections of a file.
type parser struct {
	*wire.Decoder
	tag     string
	payload *wire.Decoder
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
		if tag[0] < 'a' || tag[0] > 'z' {
			p.tag, p.payload = tag, payload
			return nil
		}
	}
}

// sectionName returns tag if it is one, so that no control character of a
// damaged file reaches a terminal.
func sectionName(tag string) string {
	switch tag {
	case labelSection, vocabularySection, classSection, termSection, momentSection, endSection:
		return tag
	}
	return "unknown"
}

// want moves on to the section called tag.
func (p *parser) want(tag string) error {
	if err := p.next(); err != nil {
		return err
	}
	if p.tag != tag {
		return &FormatError{sectionName(p.tag), int64(p.payload.Offset()), "where section " + tag + " is due"}
	}
	return nil
}

// failed returns the error of the current section, if there is one.
func (p *parser) failed() error {
	if err := p.payload.Err(); err != nil {
		return &FormatError{p.tag, int64(err.Offset), err.Msg}
	}
	return nil
}

func (p *parser) counts(space *Space) (*Counts, error) {
	if err := p.next(); err != nil {
		return nil, err
	}
	for _, declared := range []struct {
		tag  string
		list *[]string
	}{{labelSection, &space.Labels}, {vocabularySection, &space.Vocabulary}} {
		if p.tag != declared.tag {
			continue
		}
		*declared.list = []string{}
		p.names(func(name []byte) { *declared.list = append(*declared.list, string(name)) })
		if err := p.failed(); err != nil {
			return nil, err
		}
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	c := NewCounts(space)
	c.classes = nil
	clear(c.classIndex)
	if p.tag != classSection {
		return nil, &FormatError{sectionName(p.tag), int64(p.payload.Offset()), "where section " + classSection + " is due"}
	}
	p.classes(c)
	if err := p.failed(); err != nil {
		return nil, err
	}
	if err := p.want(termSection); err != nil {
		return nil, err
	}
	p.names(func(name []byte) { c.terms.index.Append(name) })
	if err := p.failed(); err != nil {
		return nil, err
	}
	if err := p.want(momentSection); err != nil {
		return nil, err
	}
	p.moments(c)
	if err := p.failed(); err != nil {
		return nil, err
	}
	if err := p.want(endSection); err != nil {
		return nil, err
	}
	if p.Len() > 0 || p.payload.Len() > 0 {
		return nil, &FormatError{endSection, int64(p.Offset()), "bytes after the end"}
	}
	return c, nil
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
		cl := class{label: label, examples: wire.Unzigzag(d.Uvarint()), weight: d.Number()}
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

func (p *parser) moments(c *Counts) {
	d, t := p.payload, c.terms
	t.rows = make([][]cell, t.index.Len())
	for i := range t.rows {
		n := d.Uvarint()
		if d.Err() == nil && (n == 0 || n > uint64(len(c.classes)) || n > uint64(d.Len())) {
			d.Fail("a row of %d cells", n)
		}
		if d.Err() != nil {
			return
		}
		row := t.cut(int(n))
		next := uint64(0)
		for range n {
			k := next + d.Uvarint()
			m := decodeCell(d)
			if d.Err() == nil && (k < next || k >= uint64(len(c.classes)) || m.gone()) {
				d.Fail("no valid cell")
			}
			if d.Err() != nil {
				return
			}
			row = append(row, cell{int32(k), m})
			t.tally(int(k), +1)
			next = k + 1
		}
		t.rows[i] = row
		t.live++
	}
}

func decodeCell(d *wire.Decoder) Moments {
	head := d.Uvarint()
	m := Moments{Examples: wire.Unzigzag(head >> 2)}
	m.Present = float64(m.Examples)
	if head&presentFollows != 0 {
		m.Present = d.Number()
	}
	m.Sum = m.Present
	if head&sumFollows != 0 {
		m.Sum = d.Number()
	}
	return m
}

// Package modelfile reads and writes the frame of a model's file, as docs/format.md describes
// it: the lines of its header, and the sections after it. What is in the sections is for the
// caller.
package modelfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"bayes/internal/wire"
)

// Version is the version of the format that this package writes. It reads that one alone.
const Version = 1

// The tags of the sections, in the order of the file. One that begins with a small letter may
// be passed over.
const (
	AnalyzerVersion = "anlz"
	Columns         = "cols"
	Labels          = "LABL"
	Vocabulary      = "VOCA"
	Values          = "VALS"
	IDF             = "IDFW"
	Classes         = "CLAS"
	Block           = "BLCK" // repeated with the four below it
	Seen            = "SEEN"
	Number          = "NUMB"
	Terms           = "TERM"
	Moments         = "MOME"
	Correction      = "CORR" // of a model that has one; in frozen files its head
	Scales          = "SCAL" // this and the next four in frozen files only; of a model with a correction
	Bias            = "BIAS"
	Weights         = "WGHT"
	Gains           = "GAIN" // in place of Weights, where that takes fewer bytes
	Index           = "INDX"
	End             = "END."
)

// SectionName returns tag if it is the tag of a section, so that no control character of a
// damaged file reaches a terminal.
func SectionName(tag string) string {
	switch tag {
	case AnalyzerVersion, Columns, Labels, Vocabulary, Values, IDF, Classes, Block, Seen, Number, Terms, Moments, Correction, Scales, Bias, Weights, Gains, Index, End:
		return tag
	}
	return "unknown"
}

// An Error says where a file departs from the format.
type Error struct {
	Section string // such as Terms, or "header"
	Offset  int64  // from the start of the file, in bytes
	Msg     string
}

func (e *Error) Error() string {
	if e.Msg == notModel {
		return "bayes: " + notModel // which has no sections
	}
	return fmt.Sprintf("bayes: model file: section %s, byte %d: %s", e.Section, e.Offset, e.Msg)
}

// notModel is of a file that has not the first line of a model.
const notModel = "not a model file"

// Errorf returns an [*Error].
func Errorf(section string, offset int, format string, args ...any) error {
	return &Error{section, int64(offset), fmt.Sprintf(format, args...)}
}

// The kinds of files.
const (
	Model  = "model"
	Counts = "counts"
	Frozen = "frozen"
)

// IsFrozen reports whether data begins like a frozen file.
func IsFrozen(data []byte) bool { return bytes.HasPrefix(data, []byte("bayes "+Frozen+" ")) }

// A Header is what the lines at the front of a file say.
type Header struct {
	Kind         string // Model, Counts or Frozen
	Space, Event string // their descriptions; of Counts there is no event model
	Classes      int64
	Features     int64
	Examples     int64
	Size         int // in bytes, with the empty line behind it; of a header that was read
}

// Append appends the header's lines and their checksum.
func (h *Header) Append(b []byte) []byte {
	start := len(b)
	b = fmt.Appendf(b, "bayes %s %d\nspace %s\n", h.Kind, Version, h.Space)
	if h.Event != "" {
		b = fmt.Appendf(b, "event %s\n", h.Event)
	}
	b = fmt.Appendf(b, "classes %d\nfeatures %d\nexamples %d\n", h.Classes, h.Features, h.Examples)
	return fmt.Appendf(b, "checksum %08x\n\n", wire.Checksum(b[start:]))
}

// ParseHeader reads and checks the header of a file.
func ParseHeader(data []byte) (*Header, error) {
	fail := func(offset int, format string, args ...any) error {
		return Errorf("header", offset, format, args...)
	}
	h := new(Header)
	first, _, _ := strings.Cut(string(data[:min(len(data), 64)]), "\n")
	var version int
	if n, _ := fmt.Sscanf(first, "bayes %s %d", &h.Kind, &version); n != 2 || h.Kind != Model && h.Kind != Counts && h.Kind != Frozen {
		return nil, fail(0, notModel)
	}
	if version > Version {
		return nil, fail(0, "version %d is newer than this program, which reads version %d", version, Version)
	}
	if version != Version {
		return nil, fail(0, "there is no version %d", version)
	}
	for h.Size < len(data) {
		n := bytes.IndexByte(data[h.Size:], '\n')
		if n < 0 {
			break
		}
		line := string(data[h.Size : h.Size+n])
		key, value, _ := strings.Cut(line, " ")
		if key == "checksum" {
			// The last line. Its checksum is of those before it.
			if want := fmt.Sprintf("%08x", wire.Checksum(data[:h.Size])); value != want {
				return nil, fail(h.Size, "checksum does not match")
			}
			h.Size += len(line) + 1
			if h.Size == len(data) || data[h.Size] != '\n' {
				return nil, fail(h.Size, "no empty line after the header")
			}
			h.Size++
			return h, nil
		}
		if err := h.set(key, value); err != nil {
			return nil, fail(h.Size, "%v", err)
		}
		h.Size += len(line) + 1
	}
	return nil, fail(len(data), "cut short")
}

func (h *Header) set(key, value string) (err error) {
	switch key {
	case "bayes":
	case "space":
		h.Space = value
	case "event":
		h.Event = value
	case "classes":
		h.Classes, err = strconv.ParseInt(value, 10, 64)
	case "features":
		h.Features, err = strconv.ParseInt(value, 10, 64)
	case "examples":
		h.Examples, err = strconv.ParseInt(value, 10, 64)
	default:
		err = fmt.Errorf("unknown line %.40q", key)
	}
	return err
}

// AppendOrigin appends the sections of an analyzer's version and of columns. What is empty has
// none.
func AppendOrigin(b []byte, version, columns string) []byte {
	for _, s := range []struct{ tag, payload string }{{AnalyzerVersion, version}, {Columns, columns}} {
		if s.payload != "" {
			b = wire.AppendSection(b, s.tag, func(b []byte) []byte { return append(b, s.payload...) })
		}
	}
	return b
}

// A Reader reads the sections of a file, one after the other.
type Reader struct {
	*wire.Decoder                 // of the file
	Tag             string        // of the current section
	Payload         *wire.Decoder // of the current section
	AnalyzerVersion string        // once its section was read
	Columns         string        // once their section was read: JSON
}

// Next moves on to the next section that must be understood. All of the current one must have
// been read.
func (r *Reader) Next() error {
	for {
		if r.Payload != nil && r.Payload.Len() > 0 {
			return Errorf(r.Tag, r.Payload.Offset(), "bytes left over")
		}
		tag, payload := r.ReadSection()
		if err := r.Err(); err != nil {
			return Errorf(SectionName(tag), err.Offset, "%s", err.Msg)
		}
		if err := r.readOrigin(tag, payload); err != nil {
			return err
		}
		if tag[0] < 'a' || tag[0] > 'z' {
			r.Tag, r.Payload = tag, payload
			return nil
		}
	}
}

// readOrigin reads a section that may be passed over, if it is known.
func (r *Reader) readOrigin(tag string, payload *wire.Decoder) error {
	switch {
	case tag == AnalyzerVersion:
		return r.readVersion(payload)
	case tag == Columns:
		return r.readColumns(payload)
	}
	return nil
}

// mostVersion is the most bytes that the version of an analyzer can have.
const mostVersion = 4096

// readVersion reads the version of the analyzer: printable ASCII, since it is shown.
func (r *Reader) readVersion(payload *wire.Decoder) error {
	at := payload.Offset()
	version := payload.Rest()
	switch {
	case r.AnalyzerVersion != "":
		return Errorf(AnalyzerVersion, at, "stands twice")
	case len(version) == 0 || len(version) > mostVersion:
		return Errorf(AnalyzerVersion, at, "%d bytes, where 1 to %d are due", len(version), mostVersion)
	case bytes.ContainsFunc(version, func(r rune) bool { return r < ' ' || r > '~' }):
		return Errorf(AnalyzerVersion, at, "not printable ASCII")
	}
	r.AnalyzerVersion = string(version)
	return nil
}

// readColumns reads what columns there were.
func (r *Reader) readColumns(payload *wire.Decoder) error {
	at := payload.Offset()
	columns := payload.Rest()
	switch {
	case r.Columns != "":
		return Errorf(Columns, at, "stands twice")
	case !json.Valid(columns):
		return Errorf(Columns, at, "not JSON")
	}
	r.Columns = string(columns)
	return nil
}

// Failed returns the error of the current section, if there is one.
func (r *Reader) Failed() error {
	if err := r.Payload.Err(); err != nil {
		return Errorf(r.Tag, err.Offset, "%s", err.Msg)
	}
	return nil
}

// Expect reads the current section, which must be the one called tag.
func (r *Reader) Expect(tag string, read func()) error {
	if r.Tag != tag {
		return Errorf(SectionName(r.Tag), r.Payload.Offset(), "where section %s is due", tag)
	}
	read()
	return r.Failed()
}

// Step reads the current section, which must be the one called tag, and moves on.
func (r *Reader) Step(tag string, read func()) error {
	if err := r.Expect(tag, read); err != nil {
		return err
	}
	return r.Next()
}

// End reads the last section, behind which there must be nothing.
func (r *Reader) End() error {
	if err := r.Expect(End, func() {}); err != nil {
		return err
	}
	if r.Len() > 0 || r.Payload.Len() > 0 {
		return Errorf(End, r.Offset(), "bytes after the end")
	}
	return nil
}

// Names calls yield for each name of the current section, to its end.
func (r *Reader) Names(yield func(name []byte)) {
	var name []byte
	for first := true; r.Payload.Len() > 0; first = false {
		if name = r.Payload.Name(name, first); r.Payload.Err() != nil {
			return
		}
		yield(name)
	}
}

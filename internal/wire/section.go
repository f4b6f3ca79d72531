package wire

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// Checksum returns the CRC-32C of b.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// AppendSection appends a section whose payload is appended by payload.
func AppendSection(b []byte, tag string, payload func(b []byte) []byte) []byte {
	start := len(b)
	b = append(b, tag...)
	b = append(b, make([]byte, 8)...)
	body := len(b)
	b = payload(b)
	binary.LittleEndian.PutUint64(b[body-8:], uint64(len(b)-body))
	return binary.LittleEndian.AppendUint32(b, Checksum(b[start:]))
}

// SectionPieces returns the pieces of a section whose payload is in parts.
func SectionPieces(tag string, parts [][]byte) [][]byte {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	head := binary.LittleEndian.AppendUint64([]byte(tag), uint64(size))
	sum := Checksum(head)
	for _, part := range parts {
		sum = crc32.Update(sum, castagnoli, part)
	}
	return slices.Concat([][]byte{head}, parts, [][]byte{binary.LittleEndian.AppendUint32(nil, sum)})
}

// Essential returns a model file without the sections whose tags begin with a small
// letter, which a reader may skip. Files whose essence is the same hold the same counts;
// what else they say depends on the release that wrote them.
func Essential(file []byte) []byte {
	_, sections, ok := bytes.Cut(file, []byte("\n\n"))
	if !ok {
		return file
	}
	kept := bytes.Clone(file[:len(file)-len(sections)])
	for d := NewUncheckedDecoder(sections, 0); d.Len() > 0; {
		from := len(sections) - d.Len()
		tag, _ := d.ReadSection()
		if d.Err() != nil {
			return file
		}
		if tag[0] < 'a' || tag[0] > 'z' {
			kept = append(kept, sections[from:len(sections)-d.Len()]...)
		}
	}
	return kept
}

// ReadSection reads the frame of a section and returns its tag and a Decoder of its
// payload, whose checksum has been verified if d does that.
func (d *Decoder) ReadSection() (tag string, payload *Decoder) {
	start, whole := d.offset, d.data
	tag = string(d.Bytes(4))
	size := d.Bytes(8)
	if d.err != nil {
		return tag, nil
	}
	n := binary.LittleEndian.Uint64(size)
	at := d.offset
	body := d.Bytes(n)
	sum := d.Bytes(4)
	if d.err != nil {
		return tag, nil
	}
	if (!d.unchecked || n < unverified) && Checksum(whole[:at-start+int(n)]) != binary.LittleEndian.Uint32(sum) {
		d.err = &Error{start, "checksum does not match"}
		d.data = nil
		return tag, nil
	}
	return tag, &Decoder{data: body, offset: at, file: d}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

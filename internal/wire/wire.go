// Package wire reads and writes the parts that model files are made of:
// checksummed sections, variable-length numbers and sorted names. The format is
// described in docs/format.md.
package wire

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AppendUvarint appends a whole number from 0 up.
func AppendUvarint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// Zigzag maps small integers of either sign to small unsigned ones.
func Zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

// Unzigzag is the inverse of [Zigzag].
func Unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// AppendNumber appends a float64, briefly if it is whole.
func AppendNumber(b []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return binary.AppendUvarint(b, Zigzag(int64(v))<<1)
	}
	return binary.LittleEndian.AppendUint64(append(b, 1), math.Float64bits(v))
}

// AppendName appends a name that follows prev in rising order.
func AppendName(b []byte, prev, name []byte) []byte {
	shared := 0
	for shared < len(prev) && shared < len(name) && prev[shared] == name[shared] {
		shared++
	}
	b = binary.AppendUvarint(b, uint64(shared))
	b = binary.AppendUvarint(b, uint64(len(name)-shared))
	return append(b, name[shared:]...)
}

// An Error says where bytes depart from the format.
type Error struct {
	Offset int // from the start of the bytes
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg) }

// A Decoder reads bytes from front to back. The first error stays, and every
// later read returns zero.
type Decoder struct {
	data      []byte
	offset    int // of data's first byte
	err       *Error
	unchecked bool
	names     int      // how many bytes of names there may still be
	file      *Decoder // whose section this is, if it is one: its names count
}

// NewDecoder returns a Decoder of data, which begins at offset of a file.
func NewDecoder(data []byte, offset int) *Decoder {
	return &Decoder{data: data, offset: offset, names: nameBytes(len(data))}
}

// NewUncheckedDecoder returns a Decoder that does not verify the checksums of
// sections beyond 64 KiB, and so need not look at all of them.
func NewUncheckedDecoder(data []byte, offset int) *Decoder {
	d := NewDecoder(data, offset)
	d.unchecked = true
	return d
}

// unverified is the size of a section's payload from which on an unchecked Decoder
// takes it as it is.
const unverified = 64 << 10

// A name that begins as the name before it takes few bytes, however long it is. So
// that a file cannot hold names far larger than itself, the length of all of its
// names together is bounded:
const (
	perByte = 16      // bytes of names for each byte of the file,
	spare   = 1 << 20 // and these besides, which short files need
)

// nameBytes returns how many bytes of names a file of size bytes may hold.
func nameBytes(size int) int { return spare + perByte*size }

// fillSection is the tag of a section of zeros, which readers skip.
const fillSection = "fill"

// Fill returns the section that a file of size bytes needs, before its end, so
// that it may hold names bytes of names; nil if it needs none, as nearly all do.
func Fill(size, names int) []byte {
	missing := (names - nameBytes(size) + perByte - 1) / perByte
	if missing <= 0 {
		return nil
	}
	return AppendSection(nil, fillSection, func(b []byte) []byte { return append(b, make([]byte, missing)...) })
}

// Rest reads all that is left.
func (d *Decoder) Rest() []byte { return d.Bytes(uint64(len(d.data))) }

// Err returns the first error, or nil.
func (d *Decoder) Err() *Error { return d.err }

// Len returns how many bytes are left, zero after an error.
func (d *Decoder) Len() int { return len(d.data) }

// Offset returns where in the file the next byte stands.
func (d *Decoder) Offset() int { return d.offset }

// Fail notes an error at the next byte, if it is the first.
func (d *Decoder) Fail(format string, args ...any) {
	if d.err == nil {
		d.err = &Error{d.offset, fmt.Sprintf(format, args...)}
	}
	d.data = nil
}

// Bytes reads n bytes, which are part of the Decoder's data.
func (d *Decoder) Bytes(n uint64) []byte {
	if n > uint64(len(d.data)) {
		if d.err == nil {
			d.Fail("cut short: %d bytes are missing", n-uint64(len(d.data)))
		}
		return nil
	}
	b := d.data[:n:n]
	d.data, d.offset = d.data[n:], d.offset+int(n)
	return b
}

// Uvarint reads a number that [AppendUvarint] wrote.
func (d *Decoder) Uvarint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		if d.err == nil {
			d.Fail("no valid variable-length number")
		}
		return 0
	}
	d.Bytes(uint64(size))
	return n
}

// Number reads a number that [AppendNumber] wrote.
func (d *Decoder) Number() float64 {
	if len(d.data) > 0 && d.data[0] == 1 {
		d.Bytes(1)
		b := d.Bytes(8)
		if b == nil {
			return 0
		}
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			d.Fail("not a finite number")
		}
		return v
	}
	n := d.Uvarint()
	if n&1 != 0 {
		d.Fail("no valid number")
	}
	return float64(Unzigzag(n >> 1))
}

// Name reads a name that [AppendName] wrote after prev, and appends it to
// buf[:0], which may be prev itself. first says that there is no prev.
func (d *Decoder) Name(prev []byte, first bool) []byte {
	shared := d.Uvarint()
	suffix := d.Bytes(d.Uvarint())
	if d.err != nil {
		return nil
	}
	if shared > uint64(len(prev)) {
		d.Fail("shares %d bytes with a name of %d", shared, len(prev))
		return nil
	}
	file := d
	if d.file != nil {
		file = d.file
	}
	if file.names -= int(shared) + len(suffix); file.names < 0 {
		d.Fail("names of more than %d times the size of the file", perByte)
		return nil
	}
	rises := first || len(suffix) > 0 && (shared == uint64(len(prev)) || suffix[0] > prev[shared])
	if !rises {
		d.Fail("names do not rise")
		return nil
	}
	return append(prev[:shared], suffix...)
}

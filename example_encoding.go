package bayes

import (
	"encoding/binary"
	"fmt"
	"math"

	"bayes/internal/wire"
)

// attrKinds are the bytes that stand for the kinds of attributes in an encoded
// example; their order here is the one of attrKind.
const attrKinds = "tnck"

// AppendBinary appends ex to b, as a log of examples keeps it. Equal examples
// append equal bytes. It implements [encoding.BinaryAppender].
//
// The bytes are the label and the text, each behind its length, a uvarint; the
// weight, the eight bytes of a float64, little-endian, a weight of zero being
// written as 1; and for each attribute a byte for its kind (t a text, n a
// number, c a category, k a term and its count), its name behind its length, and
// its value: a string behind its length, or the eight bytes of a float64.
func (ex Example) AppendBinary(b []byte) ([]byte, error) {
	b = appendString(b, ex.Label)
	b = appendString(b, ex.Text)
	b = appendFloat(b, ex.weight())
	for _, a := range ex.Attrs {
		b = appendString(append(b, attrKinds[a.kind]), a.Name)
		if a.kind == numberAttr || a.kind == termAttr {
			b = appendFloat(b, a.num)
		} else {
			b = appendString(b, a.str)
		}
	}
	return b, nil
}

// MarshalBinary implements [encoding.BinaryMarshaler].
func (ex Example) MarshalBinary() ([]byte, error) { return ex.AppendBinary(nil) }

// UnmarshalBinary replaces ex by the example that [Example.AppendBinary] wrote.
// On an error ex is unchanged. It implements [encoding.BinaryUnmarshaler].
func (ex *Example) UnmarshalBinary(data []byte) error {
	d := wire.NewDecoder(data, 0)
	read := Example{Label: decodeString(d), Text: decodeString(d), Weight: decodeFloat(d)}
	for d.Len() > 0 {
		read.Attrs = append(read.Attrs, decodeAttr(d))
	}
	if err := d.Err(); err != nil {
		return fmt.Errorf("bayes: encoded example: %w", err)
	}
	*ex = read
	return nil
}

func decodeAttr(d *wire.Decoder) Attr {
	kind := d.Bytes(1)
	a := Attr{Name: decodeString(d)}
	if d.Err() != nil {
		return a
	}
	switch kind[0] {
	case attrKinds[textAttr]:
		a.kind, a.str = textAttr, decodeString(d)
	case attrKinds[numberAttr]:
		a.kind, a.num = numberAttr, decodeFloat(d)
	case attrKinds[categoryAttr]:
		a.kind, a.str = categoryAttr, decodeString(d)
	case attrKinds[termAttr]:
		a.kind, a.num = termAttr, decodeFloat(d)
	default:
		d.Fail("unknown kind of attribute %q", kind)
	}
	return a
}

func appendString(b []byte, s string) []byte {
	return append(wire.AppendUvarint(b, uint64(len(s))), s...)
}

func decodeString(d *wire.Decoder) string { return string(d.Bytes(d.Uvarint())) }

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func decodeFloat(d *wire.Decoder) float64 {
	if b := d.Bytes(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

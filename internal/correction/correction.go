// Package correction holds what is learned beside counts: the trust in naive Bayes, a bias for each
// class, and for features how far their weights are from where naive Bayes has them; and its payload
// in a model file, as docs/format.md describes it.
package correction

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"bayes/internal/intern"
	"bayes/internal/svm"
	"bayes/internal/wire"
)

// Data are what was learned. They do not change once they are encoded.
type Data struct {
	Hash     string // of the payload
	Payload  []byte // nil of a correction that is not here
	Examples int64
	Trust    float64
	Classes  []string  // sorted
	Bias     []float64 // by machine
	Blocks   []*Block  // sorted
}

// A Block are the corrections of the features of a block: of a number the intervals that
// it is cut into, of all others the terms or values.
type Block struct {
	Kind    byte // a letter of kinds
	Name    string
	Cuts    []float64 // of a number: rising; a value belongs to the interval below the first cut that is larger
	Index   intern.Table
	Weights []float32 // by feature or interval, and machine
	Width   int       // how many machines there are
}

// kinds are the kinds of blocks, in their order: a text, a number, a category.
const (
	kinds  = "tnc"
	number = 'n'
)

// Len returns how many features have a correction.
func (c *Data) Len() (n int) {
	for _, b := range c.Blocks {
		n += len(b.Weights) / b.Width
	}
	return n
}

// Here returns an error if nothing but the hash of c is known, which may be nil.
func (c *Data) Here() error {
	if c != nil && c.Payload == nil {
		return fmt.Errorf("corrected: correction %s is not here: it is part of the model's file", c.Hash)
	}
	return nil
}

// NameBytes returns how long the names of features are together.
func (c *Data) NameBytes() (n int) {
	if c == nil {
		return 0
	}
	for _, b := range c.Blocks {
		n += b.Index.Size()
	}
	return n
}

// Block returns the corrections of a block, nil if it has none.
func (c *Data) Block(kind byte, name string) *Block {
	for _, b := range c.Blocks {
		if b.Kind == kind && b.Name == name {
			return b
		}
	}
	return nil
}

// Find returns the place of a feature, plus 1; zero if it has no corrections.
func (b *Block) Find(key intern.Key, name []byte) (place int32) {
	if b == nil {
		return 0
	}
	if i, ok := b.Index.Lookup(key, name); ok {
		return int32(i + 1)
	}
	return 0
}

// Interval returns the row of the interval that a value is in.
func (b *Block) Interval(v float64) Row {
	if b == nil {
		return Row{Times: 1}
	}
	return Row{Times: 1, Place: int32(IntervalOf(b.Cuts, v) + 1)}
}

// At returns the corrections at a place, plus 1, and nil if there are none.
func (b *Block) At(place int32) []float32 {
	if place <= 0 {
		return nil
	}
	return b.Weights[int(place-1)*b.Width:][:b.Width]
}

// Some yields the numbers of features, of very many some, and of the intervals of a number, each with a
// value that is in it.
func (b *Block) Some(yield func(i int, v float64) bool) {
	if b == nil {
		return
	}
	const most = 1 << 14
	n := len(b.Weights) / b.Width
	for i := 0; i < n; i += 1 + n/most {
		if !yield(i, b.within(i)) {
			return
		}
	}
}

// within returns a value of interval i, and zero if there is no other.
func (b *Block) within(i int) float64 {
	switch n := len(b.Cuts); {
	case n == 0:
		return 0
	case i == 0:
		return math.Nextafter(b.Cuts[0], math.Inf(-1))
	case i == n:
		return b.Cuts[n-1]
	}
	return b.Cuts[i-1]/2 + b.Cuts[i]/2
}

// IntervalOf returns the number of the interval between cuts that a value is in.
func IntervalOf(cuts []float64, v float64) int {
	return sort.Search(len(cuts), func(i int) bool { return cuts[i] > v })
}

// AppendHead appends all of c but its blocks.
func (c *Data) AppendHead(b []byte) []byte {
	b = wire.AppendUvarint(b, uint64(c.Examples))
	b = wire.AppendNumber(b, c.Trust)
	b = wire.AppendUvarint(b, uint64(len(c.Classes)))
	for _, label := range c.Classes {
		b = appendString(b, label)
	}
	for _, v := range c.Bias {
		b = wire.AppendNumber(b, v)
	}
	return b
}

// Encode sets the payload of c and its hash.
func (c *Data) Encode() *Data {
	b := c.AppendHead(nil)
	for _, bl := range c.Blocks {
		b = append(b, bl.Kind)
		b = appendString(b, bl.Name)
		b = wire.AppendUvarint(b, uint64(len(bl.Weights)/bl.Width))
		if bl.Kind == number {
			for _, cut := range bl.Cuts {
				b = wire.AppendNumber(b, cut)
			}
		} else {
			var prev []byte
			for i := range bl.Index.Len() {
				name := bl.Index.Bytes(i)
				b, prev = wire.AppendName(b, prev, name), name
			}
		}
		b = slices.Grow(b, 4*len(bl.Weights))
		for _, w := range bl.Weights {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
		}
	}
	c.Payload, c.Hash = b, hashOf(b)
	return c
}

// MostTrust bounds the trust in scores of documents whose length is one.
const MostTrust = 100

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// ParseHash returns a correction that nothing but the hash is known of.
func ParseHash(s string) (*Data, error) {
	if b, err := hex.DecodeString(s); err != nil || len(b) != 8 {
		return nil, fmt.Errorf("bayes: correction %.40q: want 16 hexadecimal digits", s)
	}
	return &Data{Hash: s}, nil
}

// Compare orders blocks as a file has them.
func (b *Block) Compare(o *Block) int {
	return cmp.Or(strings.IndexByte(kinds, b.Kind)-strings.IndexByte(kinds, o.Kind), strings.Compare(b.Name, o.Name))
}

func appendString(b []byte, s string) []byte {
	return append(wire.AppendUvarint(b, uint64(len(s))), s...)
}

// Decode makes c, whose hash is known, the correction in a payload.
func (c *Data) Decode(d *wire.Decoder) {
	at := *d
	data := at.Rest()
	if hashOf(data) != c.Hash {
		d.Fail("another correction than %s, which the header names", c.Hash)
		return
	}
	c.DecodeHead(d)
	for d.Err() == nil && d.Len() > 0 {
		c.Blocks = append(c.Blocks, decodeBlock(d, len(c.Bias)))
		if n := len(c.Blocks); n > 1 && d.Err() == nil && c.Blocks[n-2].Compare(c.Blocks[n-1]) >= 0 {
			d.Fail("blocks do not rise")
		}
	}
	if d.Err() == nil {
		c.Payload = data
	}
}

// DecodeHead reads what AppendHead appended.
func (c *Data) DecodeHead(d *wire.Decoder) {
	c.Examples, c.Trust = int64(d.Uvarint()), d.Number()
	classes := d.Uvarint()
	if c.Examples < 0 || !(c.Trust >= 0 && c.Trust <= MostTrust) {
		d.Fail("no valid number of examples or trust")
	}
	for k := uint64(0); k < classes && d.Err() == nil; k++ {
		label := string(d.Bytes(d.Uvarint()))
		if k > 0 && label <= c.Classes[k-1] {
			d.Fail("labels do not rise")
		}
		c.Classes = append(c.Classes, label)
	}
	if d.Err() == nil && classes < 2 {
		d.Fail("%d classes", classes)
	}
	if d.Err() != nil {
		return
	}
	for range svm.Machines(len(c.Classes)) {
		c.Bias = append(c.Bias, d.Number())
	}
}

// decodeBlock reads the corrections of a block.
func decodeBlock(d *wire.Decoder, width int) *Block {
	b := &Block{Width: width}
	if letter := d.Bytes(1); len(letter) == 1 && strings.IndexByte(kinds, letter[0]) >= 0 {
		b.Kind = letter[0]
	} else {
		d.Fail("unknown kind of block")
	}
	b.Name = string(d.Bytes(d.Uvarint()))
	n := d.Uvarint()
	if n > uint64(d.Len())/uint64(4*width) {
		d.Fail("%d features in %d bytes", n, d.Len())
		return b
	}
	if b.Kind == number {
		for i := 1; i < int(n); i++ {
			b.Cuts = append(b.Cuts, d.Number())
			if i > 1 && !(b.Cuts[i-1] > b.Cuts[i-2]) {
				d.Fail("cuts do not rise")
			}
		}
	} else {
		var name []byte
		b.Index.Extend(int(n), d.Len(), func(add func([]byte)) {
			for i := range int(n) {
				if name = d.Name(name, i == 0); d.Err() != nil {
					return
				}
				add(name)
			}
		})
	}
	data := d.Bytes(n * uint64(4*width))
	for ; len(data) > 0; data = data[4:] {
		w := math.Float32frombits(binary.LittleEndian.Uint32(data))
		if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
			d.Fail("a correction is no finite number")
			return b
		}
		b.Weights = append(b.Weights, w)
	}
	if b.Kind == number && n == 0 {
		d.Fail("a number without an interval")
	}
	return b
}

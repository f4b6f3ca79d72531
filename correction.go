package bayes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"sort"

	"bayes/internal/intern"
	"bayes/internal/svm"
	"bayes/internal/wire"
)

// A Correction is what [Corrected] has learned: the trust in naive Bayes, a bias for each class,
// and for features how far their weights are from where naive Bayes has them. It does not change.
type Correction struct {
	hash     string // of data
	data     []byte // the payload of its section; nil of a correction that is not here
	examples int64
	trust    float64
	classes  []string  // sorted
	bias     []float64 // by machine
	blocks   []*correctedBlock
}

// A correctedBlock are the corrections of the features of a block: of a number the intervals that
// it is cut into, of all others the terms or values.
type correctedBlock struct {
	id      blockID
	cuts    []float64 // of a number: rising; a value belongs to the interval below the first cut that is larger
	index   intern.Table
	weights []float32       // by feature or interval, and machine
	bins    []*correctedRow // of a number, by interval
	width   int             // how many machines there are
}

// A correctedRow is what is known of a feature beside what the base says.
type correctedRow struct {
	scale   float64   // what a value is multiplied by: its inverse document frequency, and one over the weight of subwords
	subword bool      // whether it is one of a word's
	weights []float32 // its corrections by machine; nil if it has none
}

// String returns the hash of c, by which an event model names it.
func (c *Correction) String() string { return c.hash }

// Examples returns how many examples the correction was learned from.
func (c *Correction) Examples() int64 { return c.examples }

// Trust returns τ, what the weights of naive Bayes are multiplied by.
func (c *Correction) Trust() float64 { return c.trust }

// Len returns how many features have a correction.
func (c *Correction) Len() (n int) {
	for _, b := range c.blocks {
		n += len(b.weights) / b.width
	}
	return n
}

// here returns an error if nothing but the hash of c is known.
func (c *Correction) here() error {
	if c != nil && c.data == nil {
		return fmt.Errorf("corrected: correction %s is not here: it is part of the model's file", c.hash)
	}
	return nil
}

// nameBytes returns how long the names of features are together.
func (c *Correction) nameBytes() (n int) {
	if c == nil {
		return 0
	}
	for _, b := range c.blocks {
		n += b.index.Size()
	}
	return n
}

// block returns the corrections of a block, nil if it has none.
func (c *Correction) block(id blockID) *correctedBlock {
	for _, b := range c.blocks {
		if b.id == id {
			return b
		}
	}
	return nil
}

// places returns the index of each class of the correction among classes, and -1 of one that is
// not there.
func (c *Correction) places(classes []string) []int32 {
	places := make([]int32, len(c.classes))
	for k, label := range c.classes {
		places[k] = -1
		if i, ok := slices.BinarySearch(classes, label); ok {
			places[k] = int32(i)
		}
	}
	return places
}

// biases returns the bias of each of some classes; the mean of all where a class is unknown.
func (c *Correction) biases(classes []string) []float64 {
	known := c.bias
	if len(c.classes) == 2 {
		known = []float64{-c.bias[0] / 2, c.bias[0] / 2}
	}
	var mean float64
	for _, b := range known {
		mean += b / float64(len(known))
	}
	all := slices.Repeat([]float64{mean}, len(classes))
	for k, i := range c.places(classes) {
		if i >= 0 {
			all[i] = known[k]
		}
	}
	return all
}

// find returns the corrections of a feature, nil if it has none.
func (b *correctedBlock) find(key intern.Key, name []byte) []float32 {
	if b == nil {
		return nil
	}
	if i, ok := b.index.Lookup(key, name); ok {
		return b.weights[i*b.width:][:b.width]
	}
	return nil
}

// interval returns the row of the interval that a value is in.
func (b *correctedBlock) interval(v float64) *correctedRow {
	if b == nil {
		return uncorrected
	}
	return b.bins[intervalOf(b.cuts, v)]
}

// uncorrected is the row of a number that has no corrections.
var uncorrected = &correctedRow{scale: 1}

// bin makes the rows of the intervals.
func (b *correctedBlock) bin() {
	for at := 0; at < len(b.weights); at += b.width {
		b.bins = append(b.bins, &correctedRow{scale: 1, weights: b.weights[at:][:b.width]})
	}
}

// intervalOf returns the number of the interval between cuts that a value is in.
func intervalOf(cuts []float64, v float64) int {
	return sort.Search(len(cuts), func(i int) bool { return cuts[i] > v })
}

// appendHead appends all of c but its blocks.
func (c *Correction) appendHead(b []byte) []byte {
	b = wire.AppendUvarint(b, uint64(c.examples))
	b = wire.AppendNumber(b, c.trust)
	b = wire.AppendUvarint(b, uint64(len(c.classes)))
	for _, label := range c.classes {
		b = appendString(b, label)
	}
	for _, v := range c.bias {
		b = wire.AppendNumber(b, v)
	}
	return b
}

// encode sets the payload of c and its hash.
func (c *Correction) encode() *Correction {
	b := c.appendHead(nil)
	for _, bl := range c.blocks {
		b = append(b, blockKinds[bl.id.kind])
		b = appendString(b, bl.id.name)
		b = wire.AppendUvarint(b, uint64(len(bl.weights)/bl.width))
		if bl.id.kind == numberAttr {
			for _, cut := range bl.cuts {
				b = wire.AppendNumber(b, cut)
			}
		} else {
			var prev []byte
			for i := range bl.index.Len() {
				name := bl.index.Bytes(i)
				b, prev = wire.AppendName(b, prev, name), name
			}
		}
		for _, w := range bl.weights {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
		}
	}
	c.data, c.hash = b, hashOf(b)
	return c
}

// mostTrust bounds the trust in scores of documents whose length is one.
const mostTrust = 100

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// parseHash returns a correction that nothing but the hash is known of.
func parseHash(s string) (*Correction, error) {
	if b, err := hex.DecodeString(s); err != nil || len(b) != 8 {
		return nil, fmt.Errorf("bayes: correction %.40q: want 16 hexadecimal digits", s)
	}
	return &Correction{hash: s}, nil
}

// decode makes c, whose hash is known, the correction in a payload.
func (c *Correction) decode(d *wire.Decoder) {
	at := *d
	data := at.Rest()
	if hashOf(data) != c.hash {
		d.Fail("another correction than %s, which the header names", c.hash)
		return
	}
	c.decodeHead(d)
	for d.Err() == nil && d.Len() > 0 {
		c.blocks = append(c.blocks, decodeBlock(d, len(c.bias)))
		if n := len(c.blocks); n > 1 && d.Err() == nil && c.blocks[n-2].id.compare(c.blocks[n-1].id) >= 0 {
			d.Fail("blocks do not rise")
		}
	}
	if d.Err() == nil {
		c.data = data
	}
}

// decodeHead reads what appendHead appended.
func (c *Correction) decodeHead(d *wire.Decoder) {
	c.examples, c.trust = int64(d.Uvarint()), d.Number()
	classes := d.Uvarint()
	if c.examples < 0 || !(c.trust >= 0 && c.trust <= mostTrust) {
		d.Fail("no valid number of examples or trust")
	}
	for k := uint64(0); k < classes && d.Err() == nil; k++ {
		label := decodeString(d)
		if k > 0 && label <= c.classes[k-1] {
			d.Fail("labels do not rise")
		}
		c.classes = append(c.classes, label)
	}
	if d.Err() == nil && classes < 2 {
		d.Fail("%d classes", classes)
	}
	if d.Err() != nil {
		return
	}
	for range svm.Machines(len(c.classes)) {
		c.bias = append(c.bias, d.Number())
	}
}

// decodeBlock reads the corrections of a block.
func decodeBlock(d *wire.Decoder, width int) *correctedBlock {
	b := &correctedBlock{width: width}
	kind, ok := kindOf(d.Bytes(1))
	if !ok || kind == histogramBlock {
		d.Fail("unknown kind of block")
	}
	b.id = blockID{kind, decodeString(d)}
	n := d.Uvarint()
	if n > uint64(d.Len())/uint64(4*width) {
		d.Fail("%d features in %d bytes", n, d.Len())
		return b
	}
	if b.id.kind == numberAttr {
		for i := 1; i < int(n); i++ {
			b.cuts = append(b.cuts, d.Number())
			if i > 1 && !(b.cuts[i-1] > b.cuts[i-2]) {
				d.Fail("cuts do not rise")
			}
		}
	} else {
		var name []byte
		b.index.Extend(int(n), d.Len(), func(add func([]byte)) {
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
		b.weights = append(b.weights, w)
	}
	if b.id.kind == numberAttr {
		if n == 0 {
			d.Fail("a number without an interval")
		}
		b.bin()
	}
	return b
}

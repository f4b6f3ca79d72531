package weightfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
)

// gains are read from what appendGains appended.
type gains struct {
	layout
	terms       int
	bias, scale []float64 // by class
	classMask   uint64    // of the bytes of the number of a class
	startBytes  int       // of where a row starts
	startMask   uint64    // of these bytes
	starts      []byte    // where each row starts and the last one ends, and all that follows
	rows        []byte    // and the padding
}

// setGains makes t read the weights from b, what appendGains appended.
func (t *Table) setGains(b []byte) error {
	if len(b) < 2 || b[0] != 8 && b[0] != 32 || b[1] < 1 || b[1] > 8 {
		return fmt.Errorf("%d bytes", len(b))
	}
	g := &gains{layout: newLayout(t.classes, int(b[0])), terms: t.terms, startBytes: int(b[1])}
	g.classMask, g.startMask = 1<<(8*g.class)-1, 1<<(8*g.startBytes)-1
	rest := b[2:]
	lists := []*[]float64{&g.bias, &g.scale}
	sizes := []int{t.classes, t.classes}
	if g.gain == 1 {
		lists, sizes = append(lists, &t.low, &t.step), append(sizes, t.classes+1, t.classes+1)
	}
	for i, list := range lists {
		var err error
		if len(rest)/8 < sizes[i] {
			return fmt.Errorf("%d bytes for %d classes", len(b), t.classes)
		}
		if *list, err = Floats(rest, sizes[i]); err != nil {
			return err
		}
		rest = rest[8*sizes[i]:]
	}
	if len(rest) < padding || t.terms < 0 || (len(rest)-padding)/g.startBytes <= t.terms || g.class > 4 {
		return fmt.Errorf("%d bytes for %d features of %d classes", len(b), t.terms, t.classes)
	}
	g.starts, g.rows = rest, rest[g.startBytes*(t.terms+1):]
	t.gains, t.packed = g, true
	return nil
}

// start returns where a row starts, which is where the one before it ends.
func (g *gains) start(n int) uint64 {
	return binary.LittleEndian.Uint64(g.starts[g.startBytes*n:]) & g.startMask
}

// prefetch prefetches the rows of these numbers: where they start, and then what is there.
func (g *gains) prefetch(numbers []uint32) {
	prefetch.Rows(g.starts, g.startBytes, numbers)
	var list [intern.Batch]uint32
	starts := list[:len(numbers)]
	for j, n := range numbers {
		if int(n) <= g.terms { // else the file is damaged
			starts[j] = uint32(g.start(int(n)))
		}
	}
	prefetch.Elements(g.rows, starts)
}

// row returns a row and its number of bytes, which others follow; 0 if the file is damaged.
func (g *gains) row(n int) (row []byte, size int) {
	start, end := g.start(n), g.start(n+1)
	if start > end || end > uint64(len(g.rows)-padding) || end-start < uint64(g.gain) || end-start > uint64(g.ofAll()) {
		return nil, 0
	}
	return g.rows[start:], int(end - start)
}

// addGains adds v times the gains of a term to sums, and returns what the term adds to every class.
func (t *Table) addGains(sums []float64, n int, v float64) (unseen float64) {
	g := t.gains
	row, size := g.row(n)
	switch {
	case size == 0:
		return 0
	case g.gain == 1:
		return t.addSteps(sums, row, size, v)
	}
	unseen = float64(Float32At(row))
	if size == g.ofAll() {
		row := row[4 : 4+4*len(sums)]
		for k := range sums {
			sums[k] += v * float64(Float32At(row[4*k:]))
		}
		return unseen
	}
	step, mask, shift := g.cell(), g.classMask, 8*g.class&63
	for at := 4; at < size; at += step {
		cell := binary.LittleEndian.Uint64(row[at:])
		if k := cell & mask; k < uint64(len(sums)) {
			sums[k] += v * float64(math.Float32frombits(uint32(cell>>shift)))
		}
	}
	return unseen
}

// addSteps is addGains of 8-bit gains.
func (t *Table) addSteps(sums []float64, row []byte, size int, v float64) (unseen float64) {
	g := t.gains
	unseen = t.low[g.classes] + t.step[g.classes]*float64(row[0])
	if size == g.ofAll() {
		t.addQuanta(sums, row[1:], v)
		return unseen
	}
	for at := 1; at < size; at += g.cell() {
		if k := g.classAt(row[at:]); k < uint64(len(sums)) {
			sums[k] += v * (t.low[k] + t.step[k]*float64(row[at+g.class]))
		}
	}
	return unseen
}

// classAt returns the number of a class that b begins with.
func (g *gains) classAt(b []byte) uint64 { return binary.LittleEndian.Uint64(b) & g.classMask }

// checkGains returns an error unless the rows follow one another to the end, their cells are of
// classes that exist, in rising order, and all gains are finite.
func (t *Table) checkGains() error {
	g := t.gains
	for n := range t.terms {
		if err := g.checkRow(n); err != nil {
			return err
		}
	}
	if g.start(0) != 0 || g.start(t.terms) != uint64(len(g.rows)-padding) {
		return errors.New("bytes are left over")
	}
	return nil
}

func (g *gains) checkRow(n int) error {
	row, size := g.row(n)
	if size == 0 {
		return fmt.Errorf("the row of term %d is out of bounds", n)
	}
	if !g.finite(row) {
		return errNotFinite
	}
	step, skip := g.cell(), g.class
	if size == g.ofAll() {
		step, skip = g.gain, 0
	}
	if (size-g.gain)%step != 0 {
		return fmt.Errorf("the row of term %d is cut", n)
	}
	next := uint64(0) // the least class that the next cell may be of
	for at := g.gain; at < size; at += step {
		if k := g.classAt(row[at:]); skip > 0 {
			if k < next || k >= uint64(g.classes) {
				return fmt.Errorf("the classes of term %d do not rise", n)
			}
			next = k + 1
		}
		if !g.finite(row[at+skip:]) {
			return errNotFinite
		}
	}
	return nil
}

// finite reports whether the gain that b begins with is a finite number, as all of 8 bits are.
func (g *gains) finite(b []byte) bool {
	return g.gain == 1 || Finite(float64(Float32At(b)))
}

package pipeline

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"

	"bayes"
)

// A rowWriter writes what a Tally needs of a prediction: the length of the true
// label and the label, then the number and the probability of each class, most
// probable first.
type rowWriter struct {
	number map[string]uint64
	buf    []byte
}

func newRowWriter(classes []string) *rowWriter {
	w := &rowWriter{number: make(map[string]uint64)}
	for k, class := range classes {
		w.number[class] = uint64(k)
	}
	return w
}

func (w *rowWriter) write(out *bytes.Buffer, pr bayes.Prediction, label string) {
	b := binary.AppendUvarint(w.buf[:0], uint64(len(label)))
	b = append(b, label...)
	for _, c := range pr.Classes {
		b = binary.AppendUvarint(b, w.number[c.Class])
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.P))
	}
	w.buf = b
	out.Write(b)
}

// rows returns the predictions that a rowWriter wrote, and the true labels. Of a
// prediction there are the probabilities alone.
func rows(b []byte, classes []string) iter.Seq2[bayes.Prediction, string] {
	uvarint := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	return func(yield func(bayes.Prediction, string) bool) {
		for len(b) > 0 {
			n := uvarint()
			label := string(b[:n])
			b = b[n:]
			pr := bayes.Prediction{Classes: make([]bayes.Prob, len(classes))}
			for i := range pr.Classes {
				class := classes[uvarint()]
				pr.Classes[i] = bayes.Prob{Class: class, P: math.Float64frombits(binary.LittleEndian.Uint64(b))}
				b = b[8:]
			}
			if !yield(pr, label) {
				return
			}
		}
	}
}

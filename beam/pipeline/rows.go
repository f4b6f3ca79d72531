package pipeline

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"

	"bayes"
)

// A rowWriter writes what a Tally needs of a prediction: the length of the true
// label and the label, 1 if the prediction is unsure and else 0, then of each class, most
// probable first, the number, the probability, its logarithm and the score.
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
	answer := 2 * uint64(pr.Chosen) // and 1 more if there is none
	if pr.Unsure {
		answer++
	}
	b = binary.AppendUvarint(b, answer)
	for _, c := range pr.Classes {
		b = binary.AppendUvarint(b, w.number[c.Class])
		for _, v := range []float64{c.P, c.LogP, c.LogJoint} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	w.buf = b
	out.Write(b)
}

// rows returns the predictions that a rowWriter wrote, and the true labels. How many features of
// a document are known is not among them.
func rows(b []byte, classes []string) iter.Seq2[bayes.Prediction, string] {
	uvarint := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	number := func() float64 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
		return v
	}
	return func(yield func(bayes.Prediction, string) bool) {
		for len(b) > 0 {
			n := uvarint()
			label := string(b[:n])
			b = b[n:]
			answer := uvarint()
			pr := bayes.Prediction{Classes: make([]bayes.Prob, len(classes)), Chosen: int(answer / 2), Unsure: answer%2 == 1}
			for i := range pr.Classes {
				class := classes[uvarint()]
				pr.Classes[i] = bayes.Prob{Class: class, P: number(), LogP: number(), LogJoint: number()}
			}
			if !yield(pr, label) {
				return
			}
		}
	}
}

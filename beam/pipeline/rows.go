package pipeline

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"slices"

	"bayes"
)

// A rowWriter writes what a Tally needs of a prediction: the length of the true
// label and the label, 1 if the prediction is unsure plus 2 if it is foreign, then of each class, most
// probable first, twice the number, and 1 more if it is one of several labels that are given, the probability, its
// logarithm and the score.
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
	answer := 4 * uint64(pr.Chosen) // and 1 more if there is none, 2 if it is foreign
	if pr.Unsure {
		answer++
	}
	if pr.Foreign {
		answer += 2
	}
	b = binary.AppendUvarint(b, answer)
	for _, c := range pr.Classes {
		number := 2 * w.number[c.Class]
		if slices.Contains(pr.Labels, c.Class) {
			number++
		}
		b = binary.AppendUvarint(b, number)
		for _, v := range []float64{c.P, c.LogP, c.LogJoint} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	w.buf = b
	out.Write(b)
}

// rows returns the predictions of m that a rowWriter wrote, and the true labels. How many features of
// a document are known is not among them.
func rows(b []byte, m *bayes.Model) iter.Seq2[bayes.Prediction, string] {
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
	classes, several := m.Classes(), m.Space().LabelSeparator != ""
	return func(yield func(bayes.Prediction, string) bool) {
		for len(b) > 0 {
			n := uvarint()
			label := string(b[:n])
			b = b[n:]
			answer := uvarint()
			pr := bayes.Prediction{Classes: make([]bayes.Prob, len(classes)), Chosen: int(answer / 4), Unsure: answer&1 != 0, Foreign: answer&2 != 0}
			for i := range pr.Classes {
				n := uvarint()
				class := classes[n/2]
				pr.Classes[i] = bayes.Prob{Class: class, P: number(), LogP: number(), LogJoint: number()}
				if n%2 != 0 {
					pr.Labels = append(pr.Labels, class)
				}
			}
			if slices.Sort(pr.Labels); several && pr.Labels == nil {
				pr.Labels = []string{}
			}
			if !yield(pr, label) {
				return
			}
		}
	}
}

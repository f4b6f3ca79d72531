package sparse

import (
	"unsafe"

	"bayes/internal/tfidf"
)

// A Scaling is of weights that multiply values of length one. The value of a feature that occurs n times
// is (1 + ln n) times a number of its row, over the length of all such values; a subword occurs as often
// as it counts, and the lengths of words and of subwords are their own.
type Scaling struct {
	Of       func(i int) float64            // the number of row i; negative of a subword, whose number is the opposite
	Extra    func(weights []float64, i int) // adds what row i weighs beside the rest, by class
	Subwords float64                        // what a subword counts
}

// Sums are what was added up of a document, before it is divided by the lengths: of words and of
// subwords. They are kept, so that they need not be allocated.
type Sums struct {
	Words, Subwords Sum
}

// A Sum is that of values times weights.
type Sum struct {
	Scores  []float64 // by class
	Squares float64   // of the values
	Values  float64   // each class has a multiple of them, its bias
	Unseen  float64   // each class has a multiple of it, its scale
}

// Reset makes all sums zero.
func (s *Sums) Reset(classes int) {
	s.Words.reset(classes)
	s.Subwords.reset(classes)
}

func (s *Sum) reset(classes int) {
	clear(Reuse(&s.Scores, classes))
	s.Squares, s.Values, s.Unseen = 0, 0, 0
}

// Of returns the sum that a value with this times is part of: see [tfidf.Value].
func (s *Sums) Of(times float64) *Sum {
	if times < 0 {
		return &s.Subwords
	}
	return &s.Words
}

// Finite reports whether no score is infinite.
func (s *Sums) Finite() bool {
	zero := 0.0
	for _, s := range []*Sum{&s.Words, &s.Subwords} {
		for _, v := range s.Scores {
			zero += 0 * v
		}
		zero += 0 * s.Unseen
	}
	return zero == 0
}

// Add adds a value whose weights were added to the scores, and what they leave out.
func (s *Sum) Add(v, unseen float64) {
	s.Squares, s.Values, s.Unseen = s.Squares+v*v, s.Values+v, s.Unseen+v*unseen
}

// AddTo adds the sums over their lengths to the scores. What features have in common is added by each.
func (s *Sums) AddTo(scores []float64, each func(scores []float64, values, unseen float64)) {
	s.Words.addTo(scores, each)
	if s.Subwords.Squares > 0 {
		s.Subwords.addTo(scores, each)
	}
}

func (s *Sum) addTo(scores []float64, each func(scores []float64, values, unseen float64)) {
	each(s.Scores, s.Values, s.Unseen)
	length := tfidf.Root(s.Squares)
	for k, v := range s.Scores {
		scores[k] += v / length
	}
}

// AddEach adds to the scores what features have in common: values is the sum of the values that their
// rows were multiplied by, and unseen that of the values times unseen.
func (g *Gains) AddEach(scores []float64, values, unseen float64) {
	if g.dense != nil {
		return
	}
	for k, bias := range g.Bias {
		if g.Scale != nil {
			bias = values*bias + unseen*g.Scale[k]
		} else {
			bias = values*bias + unseen
		}
		scores[k] += bias
	}
}

// Trust multiplies all weights by a trust.
func (w *Weights) Trust(trust float64) {
	gains, biasOf := w.Gains, w.BiasOf
	w.Bias = times(trust, w.Bias)
	if biasOf != nil {
		w.BiasOf = func(i int) []float64 { return times(trust, biasOf(i)) }
	}
	w.Gains = func(list []float64, i int, row []Cell) (unseen float64) {
		if trust == 0 { // of what is infinite too
			clear(list)
			return 0
		}
		unseen = trust * gains(list, i, row)
		for j := range list {
			list[j] *= trust
		}
		return unseen
	}
}

// Each yields what row i adds to classes beside what it adds to every class, which it returns. A class may
// come several times.
func (w *Weights) Each(i int, yield func(class int, gain float64)) (unseen float64) {
	row := w.Rows.At(i)
	gains := make([]float64, len(row))
	if unseen = w.Gains(gains, i, row); len(row) == len(w.Bias) {
		unseen = Finite(unseen) // no class lacks the feature
	}
	for j, c := range row {
		if gains[j] != 0 || w.Scaling == nil {
			yield(w.Position[c.Class], gains[j])
		}
	}
	if w.BiasOf != nil {
		for k, v := range w.BiasOf(i) {
			yield(k, v)
		}
	}
	if w.Scaling != nil {
		extra := make([]float64, len(w.Bias))
		w.Scaling.Extra(extra, i)
		for k, v := range extra {
			if v != 0 {
				yield(k, v)
			}
		}
	}
	return unseen
}

// times returns a list multiplied by v, which makes all of it zero if it is zero.
func times(v float64, list []float64) []float64 {
	product := make([]float64, len(list))
	for k := range list {
		if v != 0 {
			product[k] = v * list[k]
		}
	}
	return product
}

// addScaled adds to the sums of b what rows weigh whose features occur as often as values say.
func (g *Gains) addScaled(b *Batch, rows []gainsRow, values []float64) {
	if g.classes == 2 {
		g.addPairs(&b.Sums, rows, values)
		return
	}
	values = values[:len(rows)]
	for j, r := range rows {
		if r.first == nil {
			continue
		}
		times, v := *r.times(), values[j]
		sum := &b.Sums.Words
		if times < 0 {
			v, sum = tfidf.Value(v, times, g.Scaling.Subwords), &b.Sums.Subwords
		} else {
			v = tfidf.Dampened(v) * times // as Value, but inlined
		}
		sum.Squares += v * v
		if g.dense != nil {
			row := unsafe.Slice(r.first, len(sum.Scores))
			for k := range sum.Scores {
				sum.Scores[k] += v * row[k]
			}
			continue
		}
		sum.Values += v
		sum.Unseen += v * *r.first
		r.addTo(sum.Scores, v)
	}
}

// addPairs is addScaled of two classes, whose sums stay in registers.
func (g *Gains) addPairs(sums *Sums, rows []gainsRow, values []float64) {
	words, subwords := &sums.Words, &sums.Subwords
	x, y, squares := words.Scores[0], words.Scores[1], words.Squares
	values = values[:len(rows)]
	for j, r := range rows {
		row := (*[3]float64)(unsafe.Pointer(r.times()))
		times, v := row[0], values[j]
		if times < 0 {
			v = tfidf.Value(v, times, g.Scaling.Subwords)
			subwords.Squares += v * v
			subwords.Scores[0] += v * row[1]
			subwords.Scores[1] += v * row[2]
			continue
		}
		v = tfidf.Dampened(v) * times
		squares += v * v
		x += v * row[1]
		y += v * row[2]
	}
	words.Scores[0], words.Scores[1], words.Squares = x, y, squares
}

// addTo adds v times the gains of a row, where classes are many.
func (r gainsRow) addTo(scores []float64, v float64) {
	cells := *(*uint64)(unsafe.Add(unsafe.Pointer(r.first), 8))
	if cells == ofAll {
		r.addAll(scores, v)
		return
	}
	gains, classes := r.cells(int(cells))
	for j, k := range classes {
		scores[k] += v * gains[j]
	}
}

// times returns what the values of a row are multiplied by, with a [Scaling]. It is before the weights.
func (r gainsRow) times() *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(r.first), -8))
}

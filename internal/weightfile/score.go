package weightfile

import (
	"slices"

	"bayes/internal/bags"
	"bayes/internal/intern"
	"bayes/internal/tfidf"
	"bayes/text"
)

// Score adds ln P(x|c) of a document to joint for each class c,
//
//	ln P(x|c) = bias(c) + Σ v(t) · weight(t, c),
//
// where v(t) is the value of a term or, of a model with a correction, what its corrections are multiplied by; the
// bias is then left out. It returns how many terms are known, and numbers them.
func (b *Block) Score(joint []float64, x *bags.Bag) (known int) {
	if b.Scaled {
		return b.scoreScaled(joint, x)
	}
	for k, bias := range b.Bias {
		joint[k] += bias
	}
	var n, all float64 // Σ v, and Σ v of what a term adds to every class
	var hashes [intern.Batch]uint64
	for terms := range slices.Chunk(x.Terms, intern.Batch) {
		b.ask(&hashes, terms)
		for j := range terms {
			t := &terms[j]
			number, ok := b.Find(hashes[j], t.Name)
			if !ok {
				continue
			}
			known, t.ID = known+1, int32(number+1)
			if v := b.value(t); v != 0 {
				n, all = n+v, all+v*b.AddRow(joint, number, v)
			}
		}
	}
	b.AddEach(joint, n, all)
	return known
}

// scoreScaled scores terms whose values have length one, each read once.
func (b *Block) scoreScaled(joint []float64, x *bags.Bag) (known int) {
	sums := &x.Batch.Sums
	sums.Reset(len(joint))
	var hashes [intern.Batch]uint64
	for terms := range slices.Chunk(x.Terms, intern.Batch) {
		b.ask(&hashes, terms)
		for j := range terms {
			t := &terms[j]
			if number, ok := b.Find(hashes[j], t.Name); ok {
				known, t.ID = known+1, int32(number+1)
				times := b.times(t, number)
				v, sum := tfidf.Value(t.Value, times, b.Subwords), sums.Of(times)
				sum.Add(v, b.AddRow(sum.Scores, number, v))
			}
		}
	}
	sums.AddTo(joint, b.AddEach)
	return known
}

// ScoreTerm adds what one term adds to joint, and reports whether the term is known and counts.
func (b *Block) ScoreTerm(joint []float64, t *bags.Term) bool {
	number, ok := b.number(t)
	v := b.value(t)
	if !ok || v == 0 {
		return false
	}
	b.AddEach(joint, v, v*b.AddRow(joint, number, v))
	return true
}

// ScaleValues makes the values of terms those that corrections are multiplied by.
func (b *Block) ScaleValues(terms []bags.Term) {
	times, lengths := make([]float64, len(terms)), tfidf.Lengths{Weight: b.Subwords}
	for j := range terms {
		t := &terms[j]
		if number, ok := b.number(t); ok {
			times[j] = b.times(t, number)
			t.Value = lengths.Add(t.Value, times[j])
		}
	}
	for j := range terms {
		if times[j] != 0 {
			terms[j].Value = lengths.Divide(terms[j].Value, times[j])
		}
	}
}

// ask sets the hashes of as many as [intern.Batch] terms, by which they are looked up. The slots of all are
// prefetched, so that the processor waits for many reads at once.
func (b *Block) ask(hashes *[intern.Batch]uint64, terms []bags.Term) {
	for j := range terms {
		hashes[j] = Hash(terms[j].Name)
	}
	b.Prefetch(hashes[:len(terms)])
}

// value returns what a term's weights are multiplied by.
func (b *Block) value(t *bags.Term) float64 {
	if !b.Presence {
		return t.Value
	}
	if t.Value > b.Threshold {
		return 1
	}
	return 0
}

// number returns the number of a term, and whether it has one. Terms that were scored know theirs.
func (b *Block) number(t *bags.Term) (int, bool) {
	if t.ID > 0 {
		return int(t.ID - 1), true
	}
	return b.Find(Hash(t.Name), t.Name)
}

// times returns what the value of a term with this number is multiplied by: see [tfidf.Value].
func (b *Block) times(t *bags.Term, number int) float64 {
	if b.Subwords > 0 && text.IsSubword(t.Name) {
		return -b.Scale(number)
	}
	return b.Scale(number)
}

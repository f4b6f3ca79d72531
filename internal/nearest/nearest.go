// Package nearest finds the texts that are most like others, by the words that they share.
package nearest

import (
	"math"
	"slices"
	"sort"

	"bayes/internal/parallel"
)

// An Entry is a term of a text, or a text of a term, and the term's value there, above 0.
type Entry struct {
	ID    int32
	Value float64
}

// Vectors are the weighted counts of texts, and some of these texts are a sample: a term with value v that n of N texts of the sample have weighs ln(1 + v)·ln(N/n).
type Vectors struct {
	Lengths []float64 // by text

	terms    [][]Entry // by text
	idf      []float64 // by term: 0 for those that one text of a sample has, or too many have
	sample   []int     // texts
	postings [][]Entry // by term: texts of the sample, by their numbers in it, with the weight of the term there, as a part of √(|i|² + ShortLength²)
}

// A Neighbour is a text of a sample, by its number there, and how near another is to it.
type Neighbour struct {
	Text int32
	Near float64
}

const (
	// ShortLength is the length of a vector that takes away as much as the length of the text gives: a text with it is 1/√2 times as near as its cosine says.
	// With counts it is that of about thirty words; where texts are scaled to a length of 1, all are short, and alike.
	ShortLength = 20.0

	// Terms of more than a tenth of the texts, which do not tell what a text is about, are left out, but none that ten or fewer texts have.
	commonShare, commonTexts = 0.1, 10
)

// NewVectors returns those of texts, whose terms are numbered from 0 up to a number of terms. If the pool is stopped they are incomplete, and its Wait says so.
func NewVectors(pool *parallel.Pool, texts [][]Entry, terms int, sample []int) *Vectors {
	v := &Vectors{make([]float64, len(texts)), texts, make([]float64, terms), sample, make([][]Entry, terms)}
	for _, i := range sample {
		for _, e := range v.terms[i] {
			v.idf[e.ID]++
		}
	}
	all := float64(len(sample))
	most := min(max(commonTexts, all*commonShare), all-1) // that may have a term: one of all texts has no weight
	for t, n := range v.idf {
		v.idf[t] = 0
		if n >= 2 && n <= most {
			v.idf[t] = math.Log(all / n)
		}
	}
	pool.Part(len(v.terms), 256, func(from, to int) {
		for i := from; i < to; i++ {
			squares := 0.0
			for _, e := range v.terms[i] {
				w := v.weight(e)
				squares += w * w
			}
			v.Lengths[i] = math.Sqrt(squares)
		}
	})
	for n, i := range sample {
		if v.Lengths[i] == 0 { // also of values whose squares are too small for a float64
			continue
		}
		whole := math.Hypot(v.Lengths[i], ShortLength)
		for _, e := range v.terms[i] {
			if w := v.weight(e); w > 0 {
				v.postings[e.ID] = append(v.postings[e.ID], Entry{int32(n), w / whole})
			}
		}
	}
	return v
}

// weight returns that of a term in a text.
func (v *Vectors) weight(e Entry) float64 {
	if v.idf[e.ID] == 0 {
		return 0
	}
	return math.Log1p(e.Value) * v.idf[e.ID]
}

// To returns the texts of the sample that are nearest to text j, at most most of them, nearest first, besides itself: those with the largest cosine of the angle between the vectors of both, times |i|/√(|i|² + [ShortLength]²), with |i| for the length of the vector of that
// in the sample, since of a text of few words little is learned, whatever it is like. sums are 0, by text of the sample, and 0 again afterwards.
func (v *Vectors) To(j, most int, sums []float64) []Neighbour {
	list := make([]Neighbour, 0, most+1)
	for _, i := range v.add(j, sums) {
		if v.sample[i] != j {
			list = insert(list, most, Neighbour{i, sums[i]})
		}
		sums[i] = 0
	}
	return slices.Clip(list)
}

// ToBy is To for another measure of how near a text is, which near returns for the number of each text of the sample, and what To goes by: 0 if it shares no term with text j. Texts for which it returns nothing above 0 are left out. Of one that is no nearer than least near may return just that: most are told so at a glance.
func (v *Vectors) ToBy(j, most int, sums []float64, near func(i int, cosine, least float64) float64) []Neighbour {
	v.add(j, sums)
	list, least := make([]Neighbour, 0, most+1), 0.0
	for i, cosine := range sums {
		if v.sample[i] != j {
			if n := near(i, cosine, least); n > least {
				if list = insert(list, most, Neighbour{int32(i), n}); len(list) == most {
					least = list[most-1].Near
				}
			}
		}
		sums[i] = 0
	}
	return slices.Clip(list)
}

// add adds to sums, by text of the sample, what To goes by for text j, and returns the texts that share a term with it.
func (v *Vectors) add(j int, sums []float64) (met []int32) {
	if v.Lengths[j] == 0 {
		return nil
	}
	for _, e := range v.terms[j] {
		w := v.weight(e)
		if w == 0 {
			continue
		}
		w /= v.Lengths[j]
		for _, x := range v.postings[e.ID] {
			if sums[x.ID] == 0 {
				met = append(met, x.ID)
			}
			sums[x.ID] += w * x.Value
		}
	}
	return met
}

// insert puts a neighbour into a list that stays sorted, and no longer than most, so that most are dropped after one comparison. Of those that are as near the first stays.
func insert(list []Neighbour, most int, x Neighbour) []Neighbour {
	if len(list) == most && x.Near <= list[most-1].Near {
		return list
	}
	at := sort.Search(len(list), func(n int) bool { return list[n].Near < x.Near })
	list = slices.Insert(list, at, x)
	return list[:min(len(list), most)]
}

// Mutual leaves of the neighbours of each text of a sample, by its number there, those that it is a neighbour of, too, in their order. Texts that need only be among the nearest of others are hubs, near to many of all kinds (Radovanović, Nanopoulos and Ivanović 2010, "Hubs in space").
func Mutual(lists [][]Neighbour) {
	of := make([][]int32, len(lists)) // by text: those whose neighbour it is
	for n, list := range lists {
		for _, near := range list {
			of[near.Text] = append(of[near.Text], int32(n))
		}
	}
	mark := make([]int, len(lists)) // the last text that is a neighbour of each, and one more
	for n, list := range lists {
		for _, other := range of[n] {
			mark[other] = n + 1
		}
		lists[n] = slices.DeleteFunc(list, func(near Neighbour) bool { return mark[near.Text] != n+1 })
	}
}

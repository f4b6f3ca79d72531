package nearest

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bayes/internal/parallel"
)

// Latent are texts of a sample by what they are about, also where they share no word: latent semantic analysis (Deerwester, Dumais, Furnas, Landauer and
// Harshman 1990, "Indexing by latent semantic analysis"). Each is projected on the directions in which the vectors of all, scaled to a length of 1, differ most.
type Latent struct {
	q      [][]float64 // by text of the sample: its row of an orthonormal basis Q
	scaled [][]float64 // by text: of QΛ, for the Λ by which QΛQᵀ is nearest to the cosines of all
	length []float64   // by text: of its projection
	enough []float64   // by text: |i|/√(|i|² + ShortLength²), for the length |i| of its vector
}

const (
	// There is a direction for each twentyfold of texts, and no more than fifty: with the messages of 20news, 25 to 50 have neighbours that are most often of the same class.
	latentTexts, latentDirections = 20, 50

	// latentRounds is how often directions drawn at random are turned towards those in which texts differ most: subspace iteration (Halko, Martinsson and Tropp 2011, "Finding
	// structure with randomness").
	latentRounds = 5
)

// NewLatent returns those of the sample of v, nil if there are too few for two directions. It takes time in proportion to the terms of the sample times the directions, and is the same whatever the number of cores.
func NewLatent(pool *parallel.Pool, v *Vectors) *Latent {
	n := len(v.sample)
	directions := min(n/latentTexts, latentDirections)
	if directions < 2 {
		return nil
	}
	x, random := newUnits(pool, v), rand.New(rand.NewPCG(1, 1))
	q := newRows(n, directions)
	for _, row := range q {
		for c := range row {
			row[c] = random.NormFloat64()
		}
	}
	for range latentRounds {
		q = x.turned(pool, q)
		orthonormalize(q)
	}
	// Λ is QᵀXXᵀQ, with X for the vectors.
	turned, lambda := x.turned(pool, q), newRows(directions, directions)
	for i, row := range q {
		for c, value := range row {
			floats.AddScaled(lambda[c], value, turned[i])
		}
	}
	l := &Latent{q, newRows(n, directions), make([]float64, n), make([]float64, n)}
	for i, row := range q {
		length := v.Lengths[v.sample[i]]
		l.enough[i] = length / math.Hypot(length, ShortLength)
		for c, value := range row {
			floats.AddScaled(l.scaled[i], value, lambda[c])
		}
		l.length[i] = math.Sqrt(max(0, floats.Dot(row, l.scaled[i])))
	}
	return l
}

// Cosine returns that of the angle between the projections of two texts, by their numbers in the sample: 0 of a text none of whose terms weighs anything.
func (l *Latent) Cosine(a, b int) float64 {
	if lengths := l.length[a] * l.length[b]; lengths > 0 {
		return floats.Dot(l.q[a], l.scaled[b]) / lengths
	}
	return 0
}

// To returns the texts that are nearest to text j, by its number in the sample, at most most of them, nearest first, besides itself: those with the largest Cosine, if it is above 0, times what
// takes from those of few words, as [Vectors.To] does.
func (l *Latent) To(j, most int) []Neighbour {
	list := newNearestList(most)
	for i := range l.q {
		if near := l.Cosine(i, j) * l.enough[i]; i != j && near > 0 {
			list.add(Neighbour{int32(i), near})
		}
	}
	return slices.Clip(list.Neighbours)
}

// newRows returns a matrix of zeros, by its rows.
func newRows(rows, columns int) [][]float64 {
	all, list := make([]float64, rows*columns), make([][]float64, rows)
	for i := range list {
		list[i] = all[i*columns:][:columns:columns]
	}
	return list
}

// units are the vectors of a sample, scaled to a length of 1.
type units struct {
	terms [][]Entry // by text of the sample
	texts [][]Entry // by term
}

func newUnits(pool *parallel.Pool, v *Vectors) *units {
	x := &units{terms: make([][]Entry, len(v.sample)), texts: make([][]Entry, len(v.idf))}
	for n, i := range v.sample {
		for _, e := range v.terms[i] {
			if w := v.weight(e); w > 0 {
				w /= v.Lengths[i]
				x.terms[n], x.texts[e.ID] = append(x.terms[n], Entry{e.ID, w}), append(x.texts[e.ID], Entry{int32(n), w})
			}
		}
	}
	return x
}

// turned returns XXᵀq, for the matrix X whose rows are the vectors.
func (x *units) turned(pool *parallel.Pool, q [][]float64) [][]float64 {
	columns := len(q[0])
	return product(pool, x.terms, product(pool, x.texts, q, columns), columns)
}

// product returns the product of a sparse matrix, by its rows, and another.
func product(pool *parallel.Pool, sparse [][]Entry, other [][]float64, columns int) [][]float64 {
	result := newRows(len(sparse), columns)
	pool.Part(len(sparse), 256, func(from, to int) {
		for i := from; i < to; i++ {
			for _, e := range sparse[i] {
				floats.AddScaled(result[i], e.Value, other[e.ID])
			}
		}
	})
	return result
}

// orthonormalize makes columns orthogonal to each other, and of length 1: Gram and Schmidt's way, twice, since once leaves what is lost in rounding.
func orthonormalize(rows [][]float64) {
	columns := newRows(len(rows[0]), len(rows))
	for i, row := range rows {
		for c, value := range row {
			columns[c][i] = value
		}
	}
	for c, column := range columns {
		for range 2 {
			for _, before := range columns[:c] {
				floats.AddScaled(column, -floats.Dot(before, column), before)
			}
		}
		if length := floats.Norm(column, 2); length > 0 {
			floats.Scale(1/length, column)
		}
	}
	for i, row := range rows {
		for c := range row {
			row[c] = columns[c][i]
		}
	}
}

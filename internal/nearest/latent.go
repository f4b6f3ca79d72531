package nearest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"bayes/internal/parallel"
)

// Latent is what texts of a sample are about, by latent semantic analysis (Deerwester, Dumais, Furnas, Landauer and Harshman 1990): a row for each text, its vector projected on the first right singular vectors of all, which are the directions that keep most of them. Vectors have a length of 1 before and after. Texts that share no term are near each other there
// if other texts have the terms of both. A row is 0 if hardly anything of its text is left, as where none of its terms has a weight.
type Latent [][]float64

const (
	latentDirections = 50

	// latentRounds is how often directions that were drawn at random are turned towards the first ones (subspace iteration: Halko, Martinsson and Tropp 2011, "Finding structure with randomness"). The last of the fifty are not those of a singular value decomposition to many digits, and need not be.
	// That takes 0.1 to 0.6 s for 5,000 texts; gonum's decomposition is of a dense matrix, which takes 1 GB if they have 30,000 terms.
	latentRounds = 5

	// leastLatent is the least part of the square of its length that a text keeps. What is left of other texts is rounding, and scaled to a length of 1 it would be near anything.
	leastLatent = 1e-3
)

// Cosine returns that of the angle between two texts, 0 if one has no vector.
func (l Latent) Cosine(i, j int) float64 { return floats.Dot(l[i], l[j]) }

// Latent returns what the texts of the sample are about. If the pool is stopped it is of no use, and its Wait says so.
func (v *Vectors) Latent(pool *parallel.Pool) Latent {
	// The matrix A has a row for each text of the sample and a column for each term that has a weight there. Most terms of a large pile have none.
	var used []int32
	number := make([]int32, len(v.postings)) // by term: that among used
	for t, list := range v.postings {
		if len(list) > 0 {
			number[t] = int32(len(used))
			used = append(used, int32(t))
		}
	}
	texts := len(v.sample)
	k := min(latentDirections, texts, len(used))
	q, b := rows(texts, k), rows(len(used), k)
	random := rand.New(rand.NewPCG(1, 1))
	for _, row := range q {
		for d := range row {
			row[d] = random.NormFloat64()
		}
	}
	// Each product with AAᵀ turns the columns of q towards the first left singular vectors of A. Without the orthonormalization all of them would turn towards the first one.
	for range latentRounds {
		orthonormalize(pool, q)
		v.sumByTerm(pool, used, q, b)
		v.sumByText(pool, number, b, q)
	}
	orthonormalize(pool, q)
	v.sumByTerm(pool, used, q, b)
	// The projected texts are the rows of qqᵀA = qbᵀ, whose products with each other are qbᵀbqᵀ. With LLᵀ = bᵀb these are those of the rows of qL, which have k numbers.
	l := cholesky(gram(b, k))
	pool.Part(texts, 256, func(from, to int) {
		for _, row := range q[from:to] {
			timesLower(row, l)
			if squares := floats.Dot(row, row); squares < leastLatent {
				clear(row)
			} else {
				floats.Scale(1/math.Sqrt(squares), row)
			}
		}
	})
	return q
}

// timesLower multiplies a row by a lower triangular matrix, in its place: number d is of those from d on, which are set later.
func timesLower(row []float64, l [][]float64) {
	for d := range row {
		sum := 0.0
		for c := d; c < len(row); c++ {
			sum += row[c] * l[c][d]
		}
		row[d] = sum
	}
}

// rows returns n rows of k numbers.
func rows(n, k int) [][]float64 {
	list, all := make([][]float64, n), make([]float64, n*k)
	for i := range list {
		list[i] = all[i*k:][:k]
	}
	return list
}

// sumByTerm sets b, which has a row for each of the given terms, to Aᵀq.
func (v *Vectors) sumByTerm(pool *parallel.Pool, used []int32, q, b [][]float64) {
	pool.Part(len(b), 256, func(from, to int) {
		for n := from; n < to; n++ {
			clear(b[n])
			for _, x := range v.postings[used[n]] {
				floats.AddScaled(b[n], v.unit(x), q[x.ID])
			}
		}
	})
}

// unit returns the weight of a term in a text of the sample that is scaled to a length of 1.
func (v *Vectors) unit(x Entry) float64 {
	length := v.Lengths[v.sample[x.ID]]
	return x.Value * math.Hypot(length, ShortLength) / length
}

// sumByText sets q to Ab, by the number of each term's row.
func (v *Vectors) sumByText(pool *parallel.Pool, number []int32, b, q [][]float64) {
	pool.Part(len(q), 64, func(from, to int) {
		for n := from; n < to; n++ {
			clear(q[n])
			i := v.sample[n]
			for _, e := range v.terms[i] {
				if w := v.weight(e); w > 0 && v.Lengths[i] > 0 {
					floats.AddScaled(q[n], w/v.Lengths[i], b[number[e.ID]])
				}
			}
		}
	})
}

// orthonormalize makes the columns of q orthonormal: it becomes qL⁻ᵀ, with LLᵀ = qᵀq. A column that depends on those before it becomes 0.
func orthonormalize(pool *parallel.Pool, q [][]float64) {
	if len(q) == 0 {
		return
	}
	l := cholesky(gram(q, len(q[0])))
	pool.Part(len(q), 256, func(from, to int) {
		for _, row := range q[from:to] {
			for d := range row {
				row[d] = divide(row[d]-floats.Dot(l[d][:d], row[:d]), l[d][d])
			}
		}
	})
}

// gram returns the products of the k columns of q with each other, those on and below the diagonal.
func gram(q [][]float64, k int) [][]float64 {
	g := rows(k, k)
	for _, row := range q {
		for d, x := range row {
			if x != 0 {
				floats.AddScaled(g[d][:d+1], x, row[:d+1])
			}
		}
	}
	return g
}

// cholesky turns a positive semidefinite matrix g, in its place, into the lower triangular L with LLᵀ = g. A column that depends on those before it is 0, as where texts are the same; gonum's Cholesky refuses such a matrix.
func cholesky(g [][]float64) [][]float64 {
	for d, row := range g {
		was := row[d]
		for c := range d {
			row[c] = divide(row[c]-floats.Dot(row[:c], g[c][:c]), g[c][c])
			row[d] -= row[c] * row[c]
		}
		const least = 1e-12 // of what it was: less is rounding
		if row[d] <= least*was {
			row[d] = 0
		}
		row[d] = math.Sqrt(row[d])
	}
	return g
}

// divide returns a/b, or 0 where b is.
func divide(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

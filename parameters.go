package bayes

// A Parameters is the whole of a fitted model as plain numbers, for comparison with other
// programs. It is large: classes × terms numbers. Lists by class are in the order of Labels.
type Parameters struct {
	Labels        []string    // sorted
	ClassLogPrior []float64   // ln P(c)
	Terms         []string    // of the main text, in byte order
	TermLogProb   [][]float64 // by class, then by term; of Complement and OneVersusRest, the weights
	Numbers       []string    // in byte order; of Gaussian only
	Mean          [][]float64 // by class, then by number
	Variance      [][]float64
	Categories    []CategoryParameters // in byte order
}

// A CategoryParameters is the fitted table of one category.
type CategoryParameters struct {
	Name    string
	Values  []string    // in byte order
	LogProb [][]float64 // by class, then by value
}

// Parameters returns the parameters of m.
func (m *Model) Parameters() *Parameters {
	d := &Parameters{Labels: m.Classes(), ClassLogPrior: m.LogPrior(), Terms: []string{}}
	d.TermLogProb = make([][]float64, len(d.Labels))
	d.Mean, d.Variance = make([][]float64, len(d.Labels)), make([][]float64, len(d.Labels))
	for _, part := range m.parts {
		s := part.data()
		if normal, ok := part.(normal); ok {
			d.Numbers = append(d.Numbers, s.id.name)
			mean, variance := normal.parameters()
			for k := range d.Labels {
				d.Mean[k] = append(d.Mean[k], mean[k])
				d.Variance[k] = append(d.Variance[k], variance[k])
			}
		}
		// Terms and categories have weights. Numbers have none.
		l, ok := part.(weighted)
		switch {
		case !ok:
		case s.id == blockID{}:
			d.Terms, d.TermLogProb = weights(l)
		case s.id.kind == categoryAttr:
			values, logProb := weights(l)
			d.Categories = append(d.Categories, CategoryParameters{s.id.name, values, logProb})
		}
	}
	return d
}

// weights returns the names of the features of l, sorted, and their weights by class.
func weights(l weighted) (names []string, weights [][]float64) {
	s := l.data()
	numbers, row := s.sorted(), make([]float64, len(s.classes))
	names = []string{}
	for range s.classes {
		weights = append(weights, make([]float64, len(numbers)))
	}
	for j, i := range numbers {
		names = append(names, string(s.index.Bytes(i)))
		l.weights(row, i)
		for k, w := range row {
			weights[k][j] = w + 0 // no negative zero
		}
	}
	return names, weights
}

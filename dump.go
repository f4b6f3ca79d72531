package bayes

// A Dump is the whole of a fitted model as plain numbers, for comparison with
// other programs. It is large: classes × terms numbers.
type Dump struct {
	Labels        []string    `json:"labels"`          // sorted
	ClassLogPrior []float64   `json:"class_log_prior"` // ln P(c), in the order of Labels
	Terms         []string    `json:"terms"`           // in byte order
	TermLogProb   [][]float64 `json:"term_log_prob"`   // by class, then by term; for Complement, the weights
}

// Dump returns the parameters of m.
func (m *Model) Dump() *Dump {
	d := &Dump{Labels: m.Classes(), ClassLogPrior: m.LogPrior(), Terms: []string{}}
	var numbers []int
	for i := range m.sums.rows {
		if m.sums.has(i) {
			numbers = append(numbers, i)
		}
	}
	m.sums.sortByName(numbers)
	for _, i := range numbers {
		d.Terms = append(d.Terms, string(m.sums.index.Bytes(i)))
	}
	for k := range m.classes {
		row := make([]float64, len(numbers))
		for j, i := range numbers {
			row[j] = m.terms.weight(i, k)
		}
		d.TermLogProb = append(d.TermLogProb, row)
	}
	return d
}

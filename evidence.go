package bayes

import (
	"bytes"
	"errors"
	"fmt"

	"bayes/internal/bags"
	"bayes/internal/dirichlet"
	"bayes/internal/doubledouble"
	"bayes/internal/intern"
)

var _ Smoothing = Evidence{}

// Evidence chooses the smoothing that makes the counts themselves most probable:
// empirical Bayes. The counts are taken for draws of a Dirichlet-multinomial
// distribution, and the parameters of its Dirichlet are those that maximise the
// marginal likelihood, the evidence (Minka 2000, Estimating a Dirichlet
// distribution). By default the draws are the classes' totals, and all features
// have the same parameter.
//
// Where the evidence goes on rising, the parameters stop at 1e-10 or 1e10. It is
// for Multinomial, Complement, OneVersusRest and Categorical.
type Evidence struct {
	PerTerm   bool // a parameter for each feature
	Documents bool // the draws are single documents, with a parameter for each term; the [Space] must keep Histograms, and values be whole
}

func (e Evidence) String() string {
	switch {
	case e.Documents:
		return "evidence-documents"
	case e.PerTerm:
		return "evidence-terms"
	}
	return "evidence"
}

func (e Evidence) pseudocounts(s *statistics) (pseudocounts, error) {
	if s.size == 0 {
		return pseudocounts{}, nil
	}
	numbers := s.existing()
	// data sums up, over what the evidence is taken, how often each count occurs. That is all the
	// likelihood of α depends on.
	data, err := e.data(s, numbers)
	if err != nil {
		return pseudocounts{}, err
	}
	if !e.PerTerm && !e.Documents {
		alpha, _ := data.Symmetric()
		return pseudocounts{each: alpha, total: alpha * float64(s.size)}, nil
	}
	// One α for each feature. Features that do not exist keep 0.
	alpha, _ := data.Maximize()
	p := pseudocounts{of: make([]float64, s.rows.Len())}
	var total doubledouble.Sum
	for j, i := range numbers {
		p.of[i] = alpha[j]
		total.Add(alpha[j])
	}
	p.total = total.Float()
	return p, nil
}

// data returns what was drawn of the features of these numbers.
func (e Evidence) data(s *statistics, numbers []int) (*dirichlet.Data, error) {
	if e.Documents {
		return s.drawnByDocuments(numbers)
	}
	d := &dirichlet.Data{Features: make([][]dirichlet.Count, len(numbers))}
	for j, i := range numbers {
		for _, c := range s.rows.At(i) {
			if c.Sum > 0 {
				d.Features[j] = append(d.Features[j], dirichlet.Count{N: c.Sum, Rows: 1})
			}
		}
	}
	for _, n := range s.totalSums() {
		d.Lengths = append(d.Lengths, dirichlet.Count{N: n, Rows: 1})
	}
	return d, nil
}

// drawnByDocuments reads the histograms that were kept of a text.
func (s *statistics) drawnByDocuments(numbers []int) (*dirichlet.Data, error) {
	if s.histogram == nil {
		return nil, errors.New("evidence-documents needs the histograms of documents, which were not kept")
	}
	column := make(map[int]int)
	for j, i := range numbers {
		column[i] = j
	}
	d := &dirichlet.Data{Features: make([][]dirichlet.Count, len(numbers))}
	for _, h := range s.histogram.Sorted() {
		var count dirichlet.Count
		for _, c := range s.histogram.Rows[h] {
			count.Rows += c.Present
		}
		// A row is called by its kind, the term, and how often it occurs: see [block.countHistogram].
		key := s.histogram.Index.Bytes(h)
		name, number := key[1:], key[1:]
		if key[0] == termKey {
			at := bytes.LastIndexByte(key, 0)
			name, number = key[1:at], key[at+1:]
		}
		if count.N = parseValue(number); count.N <= 0 {
			continue
		}
		if key[0] == lengthKey {
			d.Lengths = append(d.Lengths, count)
		} else if i, ok := s.lookup(bags.Term{Key: intern.KeyOf(name), Name: name}); ok {
			d.Features[column[i]] = append(d.Features[column[i]], count)
		}
	}
	return d, nil
}

// noEvidence returns an error if a smoothing is by evidence, for a model whose
// distribution is another one.
func noEvidence(model string, s Smoothing) error {
	if _, ok := s.(Evidence); ok {
		return fmt.Errorf("%s: smoothing by evidence is for multinomial, complement, one-versus-rest and categorical", model)
	}
	return nil
}

package label

import (
	"errors"

	"bayes"
	"bayes/eval"
)

// Measure judges the model by the texts that were drawn at random: each by a model of all other answers and of the
// seeds. So it is what the model is expected to do on texts like those of the pile. The accuracy of the tally has an interval.
// Where a text may have several labels, the classes of the tally are sets, so its accuracy is the share of the texts that are given
// just the labels that they have.
//
// Drawn are the first texts of the reserve, as far as anybody has come with them, without those that were skipped. No
// other text was chosen by what these told.
//
// It takes a fit for each text. Others may go on using p meanwhile.
func (p *Pile) Measure() (*eval.Tally, error) {
	p.mu.Lock()
	counts := p.counts.Clone()
	var drawn []bayes.Example
	for _, i := range p.drawnAnswers() {
		drawn = append(drawn, p.example(i))
	}
	p.mu.Unlock()
	tally := new(eval.Tally)
	for _, ex := range drawn {
		counts.Unlearn(ex)
		m, err := fit(counts, p.event)
		if err == nil {
			tally.Observe(p.observed(m.Predict(ex.Document())), ex.Label)
		} else if !errors.Is(err, bayes.ErrEmpty) {
			return nil, err
		}
		counts.Learn(ex)
	}
	return tally, nil
}

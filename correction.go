package bayes

import "bayes/internal/correction"

// A Correction is what [Corrected] has learned: the trust in naive Bayes, a bias for each class,
// and for features how far their weights are from where naive Bayes has them. It does not change.
type Correction struct{ learned *correction.Data }

// String returns the hash of c, by which an event model names it.
func (c *Correction) String() string { return c.learned.Hash }

// Examples returns how many examples the correction was learned from.
func (c *Correction) Examples() int64 { return c.learned.Examples }

// Trust returns τ, what the weights of naive Bayes are multiplied by.
func (c *Correction) Trust() float64 { return c.learned.Trust }

// Len returns how many features have a correction.
func (c *Correction) Len() int { return c.learned.Len() }

// data returns what was learned; nil if c is nil.
func (c *Correction) data() *correction.Data {
	if c == nil {
		return nil
	}
	return c.learned
}

// CorrectionOf returns the correction of em, which is [Corrected] or has it inside, and nil if it
// has learned none. That of a frozen model knows no features.
func CorrectionOf(em EventModel) *Correction {
	if c, ok := unwrapTo[Corrected](em); ok {
		return c.Correction
	}
	return nil
}

package label

import (
	"math"

	"bayes/internal/nearest"
)

// Where a text may have several labels, each is a question by itself, and what is read is its log-odds against its rest.
// With c(t,l) the count of term t in the learned texts that have label l, c(t) that in all, and a text's values v(t) of
// terms, the part of the counts is
//
//	Σ_t v(t) · (ln(c(t,l) + 1) - ln(c(t) - c(t,l) + 1)) = gains of l - gains of all,
//
//	gains of all = Σ_t v(t) · ln(c(t) + 1),
//	gains of l   = Σ_t v(t) · (ln(c(t,l) + 1) - ln(c(t) - c(t,l) + 1) + ln(c(t) + 1)).
//
// What a term adds to the gains of l is 0 while no text with l has it. So an answer changes few labels, although it
// belongs to the rest of nearly all.

// odds returns what a term adds to the gains of a label, by how often it and all texts have it.
func odds(own, all float64) float64 { return math.Log((own + 1) * (all + 1) / (all - own + 1)) }

// addToOdds learns a term, n times, of a text that has the labels in has.
func (s *scores) addToOdds(e nearest.Entry, has map[*class]bool, n float64) {
	texts, value := s.texts[e.ID], n*e.Value
	all := s.all.counts[e.ID]
	s.all.add(texts, e.ID, value)
	for _, c := range s.list {
		was := c.counts[e.ID]
		is := was
		if has[c] {
			is += value
			c.counts[e.ID], c.total = is, c.total+value
		}
		if was != 0 || is != 0 {
			c.gain(texts, odds(is, all+value)-odds(was, all))
		}
	}
}

// prepareOdds has what all texts share of a label's log-odds worked out. The prior is left out where all texts have the label.
func (s *scores) prepareOdds(c *class) {
	c.prior, c.norm = 0, 0
	if s.size > 0 {
		c.norm = math.Log((c.total + s.size) / (s.all.total - c.total + s.size))
	}
	if rest := s.learned - c.texts; rest > 0 {
		c.prior = math.Log(c.texts / rest)
	}
}

// nearest returns how far the log-odds of a label are from 0, from which on it is given, and which label, the one nearest to it:
// the least sure decision about text i. It is 0, and there is none, without a label.
func (s *scores) nearest(i int) (margin float64, label *class) {
	for _, c := range s.list {
		if c.texts <= 0 {
			continue
		}
		odds := math.Abs(c.prior + c.gains[i] - s.all.gains[i] - s.known[i]*c.norm)
		if label == nil || odds < margin {
			margin, label = odds, c
		}
	}
	return margin, label
}

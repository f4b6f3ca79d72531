package label

import (
	"context"
	"errors"

	"bayes"
	"bayes/eval"
)

// Curve judges the models of the first of order, a list of texts as they were answered: of as many as each of sizes
// says, which are sorted. All are judged by the same texts, those of [Pile.Measure], so points differ by what was
// learned alone, and [eval.CompareTallies] tells whether the next one is better. Seeds are learned at every point.
//
// While nothing is known, a text counts as wrong; Measure leaves such a text out.
//
// It takes a fit for each size and each text that measures. Others may go on using p meanwhile. The error is ctx's, or
// that of [bayes.Fit].
func (p *Pile) Curve(ctx context.Context, order, sizes []int) ([]*eval.Tally, error) {
	p.mu.Lock()
	c := curve{event: p.event, counts: bayes.NewCounts(p.space), learned: make(map[int]bayes.Example)}
	for label, s := range p.seeds {
		c.counts.Learn(bayes.Example{Label: label, Text: s.words})
	}
	examples := make(map[int]bayes.Example)
	for _, i := range order {
		if p.answers[i].label != "" {
			examples[i] = p.example(i)
		}
	}
	for _, i := range p.drawnAnswers() {
		c.drawn = append(c.drawn, i)
		c.truth = append(c.truth, p.answers[i].label)
	}
	p.mu.Unlock()
	var tallies []*eval.Tally
	n := 0
	for _, size := range sizes {
		for ; n < min(size, len(order)); n++ {
			if ex, ok := examples[order[n]]; ok {
				c.counts.Learn(ex)
				c.learned[order[n]] = ex
				delete(examples, order[n]) // that stands twice in order
			}
		}
		t, err := c.judge(ctx, p)
		if err != nil {
			return nil, err
		}
		tallies = append(tallies, t)
	}
	return tallies, nil
}

// A curve is what has been learned up to one of its points.
type curve struct {
	event   bayes.EventModel
	counts  *bayes.Counts
	learned map[int]bayes.Example // by text
	drawn   []int                 // the texts that measure
	truth   []string              // their labels
}

// judge predicts each text that measures.
func (c *curve) judge(ctx context.Context, p *Pile) (*eval.Tally, error) {
	t := new(eval.Tally)
	for k, i := range c.drawn {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own, learned := c.learned[i]
		if learned {
			c.counts.Unlearn(own)
		}
		m, err := fit(c.counts, c.event)
		switch {
		case err == nil:
			t.Observe(p.observed(m.Predict(p.texts[i])), c.truth[k])
		case errors.Is(err, bayes.ErrEmpty): // nothing is known yet, and so nothing right
			t.Observe(bayes.Prediction{Classes: []bayes.Prob{{P: 1}}}, c.truth[k])
		default:
			return nil, err
		}
		if learned {
			c.counts.Learn(own)
		}
	}
	return t, nil
}

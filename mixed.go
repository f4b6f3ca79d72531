package bayes

import (
	"cmp"
	"fmt"
)

var _ EventModel = Mixed{}

// Mixed models texts, numbers and categories each by an event model of its own.
// Given the class, the blocks are independent, which is the naive assumption
// itself: their log-likelihoods add up, and the prior is added once,
//
//	ln P(c,d) = ln P(c) + Σ ln P(block|c).
//
// The priors of the models inside are not looked at. Complement's score takes
// part as it is.
type Mixed struct {
	Prior    Prior      // nil means EmpiricalPrior
	Text     EventModel // nil means Multinomial{}
	Number   EventModel // nil means Gaussian{}
	Category EventModel // nil means Categorical{}
}

func parseMixed(o *options) EventModel {
	return Mixed{Prior: o.prior(), Text: o.model("text"), Number: o.model("number"), Category: o.model("category")}
}

func (m Mixed) String() string {
	m = m.filled()
	return fmt.Sprintf("mixed prior=%v text=(%v) number=(%v) category=(%v)", orEmpirical(m.Prior), m.Text, m.Number, m.Category)
}

// filled returns m with what nil means put in.
func (m Mixed) filled() Mixed {
	m.Text = cmp.Or[EventModel](m.Text, Multinomial{})
	m.Number = cmp.Or[EventModel](m.Number, Gaussian{})
	m.Category = cmp.Or[EventModel](m.Category, Categorical{})
	return m
}

func (m Mixed) prior() Prior { return m.Prior }

func (m Mixed) tree() string { return treeOf(m.Text) }

func (m Mixed) withSmoothing(s Smoothing) EventModel {
	m = m.filled()
	m.Text, m.Number, m.Category = WithSmoothing(m.Text, s), WithSmoothing(m.Number, s), WithSmoothing(m.Category, s)
	return m
}

func (m Mixed) models(attrKind) bool { return true }

func (m Mixed) fit(blocks []*statistics) ([]likelihood, error) {
	m = m.filled()
	var all []likelihood
	for _, group := range []struct {
		kind  attrKind
		model EventModel
	}{{textAttr, m.Text}, {numberAttr, m.Number}, {categoryAttr, m.Category}} {
		if !group.model.models(group.kind) {
			return nil, fmt.Errorf("mixed: %s is not for %s", name(group.model), group.kind)
		}
		if err := partOf("mixed", group.model); err != nil {
			return nil, err
		}
		// A model is fitted to all blocks of its kind at once: Gaussian smooths by the largest variance
		// among them.
		var own []*statistics
		for _, s := range blocks {
			if s.id.kind == group.kind {
				own = append(own, s)
			}
		}
		if len(own) == 0 {
			continue
		}
		parts, err := group.model.fit(own)
		if err != nil {
			return nil, err
		}
		all = append(all, parts...)
	}
	return all, nil
}

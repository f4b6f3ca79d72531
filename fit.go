package bayes

import "fmt"

// Fit freezes c into a Model. It leaves c as it was, and later changes of c do
// not reach the Model. A nil em is Multinomial{}.
//
// The error is [ErrEmpty] or [ErrNegative], names the law that c breaks, or says what em cannot
// make of c.
func Fit(c *Counts, em EventModel) (*Model, error) {
	if em == nil {
		em = Multinomial{}
	}
	s, err := collect(c)
	if err != nil {
		return nil, err
	}
	logPrior, err := orEmpirical(em.prior()).logPrior(s[0])
	if err != nil {
		return nil, fmt.Errorf("bayes: prior: %w", err)
	}
	parts, err := fitBlocks(em, s)
	if err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	return newModel(c.space, c.origin, em, s, logPrior, parts), nil
}

// fitBlocks fits em to the blocks. It is an error if em is not for one of them. A main text
// without a term is left out if there are other blocks.
func fitBlocks(em EventModel, blocks []*statistics) ([]likelihood, error) {
	if blocks[0].size == 0 && len(blocks) > 1 {
		blocks = blocks[1:]
	}
	if _, ok := unwrapTo[labelFitter](em); !ok && blocks[0].sets != nil {
		return nil, fmt.Errorf("%s is for documents with one label each: of several, want multinomial or one-versus-rest", name(em))
	}
	for _, s := range blocks {
		if !em.models(s.id.kind) && s.size > 0 {
			return nil, notModelled(em, s.id)
		}
	}
	return em.fit(blocks)
}

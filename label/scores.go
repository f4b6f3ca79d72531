package label

import (
	"context"
	"math"

	"bayes"
	"bayes/internal/nearest"
)

// scores are what multinomial naive Bayes says of all texts of a pile, and what else orders read. An answer changes what is
// known of the terms of one text. So only texts that have one of these terms change: they are found by an inverted index.
// That takes about a millisecond for 20,000 texts, whatever the number of classes, where predicting all of them anew
// would take their length times the classes.
type scores struct {
	*index
	classes map[string]*class // by label
	list    []*class          // in the order of their first texts
	seen    []float64         // by term: how many learned texts had it
	size    float64           // how many terms were seen
	learned float64           // how many texts
	live    float64           // how many classes have one
	known   []float64         // by text: the sum of the values of terms that were seen
	novelty []float64         // by text: Σ commonness/(1 + seen) of its terms
	sure    []certainty       // by text: of a model that has learned from texts without an answer too, see trust; nil if none has
	cover   *cover            // nil if the order reads none
	all     *class            // where a text may have several labels: every learned text once; else nil
}

// A class has the counts of naive Bayes, and what they add to the score of each text.
type class struct {
	texts  float64
	total  float64           // of counts
	counts map[int32]float64 // by term
	gains  []float64         // by text: Σ value · ln(count + 1), or where it may have several labels, see odds

	prior, norm float64 // ln texts and ln(total + size), of the scores that are being read, or those of the log-odds
}

// newScores reads texts.
func newScores(ctx context.Context, space *bayes.Space, texts []bayes.Document) (*scores, error) {
	x, err := newIndex(ctx, space, texts)
	if err != nil {
		return nil, err
	}
	s := &scores{
		index: x, classes: make(map[string]*class), seen: make([]float64, len(x.texts)),
		known: make([]float64, len(texts)), novelty: make([]float64, len(texts)),
	}
	if space.LabelSeparator != "" {
		s.all = s.newClass()
	}
	s.countNovelty()
	return s, nil
}

// trust has margins be those of a model that has learned from texts without an answer too, or if sure is nil those of the answers alone.
func (s *scores) trust(sure []certainty) {
	was := s.sure
	s.sure = sure
	if (was == nil) != (sure == nil) { // as commonness is another
		s.countNovelty()
	}
}

// countNovelty counts the novelty of all texts anew.
func (s *scores) countNovelty() {
	clear(s.novelty)
	for t, list := range s.texts {
		news := s.commonness(list) / (1 + s.seen[t])
		for _, x := range list {
			s.novelty[x.ID] += news
		}
	}
}

// commonness returns how much it is worth to know a term, by the number of texts that have it: 0 if one has, else its root, or
// its fourth root once texts without an answer have been learned, which tell most of frequent terms.
func (s *scores) commonness(texts []nearest.Entry) float64 {
	if len(texts) < 2 {
		return 0
	}
	root := math.Sqrt(float64(len(texts)))
	if s.sure != nil {
		return math.Sqrt(root)
	}
	return root
}

// add learns text i as an example of each of labels, n times: 1 or -1. Where it may not have several, it has one.
func (s *scores) add(i int, labels []string, n float64) {
	if s.cover != nil {
		s.cover.add(i, n)
	}
	s.addEntries(s.terms[i], labels, n)
}

// addText learns a text that is not of the pile. Terms that no text has tell nothing.
func (s *scores) addText(space *bayes.Space, text string, labels []string, n float64) {
	var list []nearest.Entry
	for _, f := range appendTerms(nil, space, bayes.Document{Text: text}) {
		if t, ok := s.number[f.Name]; ok {
			list = append(list, nearest.Entry{ID: t, Value: f.Value})
		}
	}
	s.addEntries(list, labels, n)
}

func (s *scores) newClass() *class {
	return &class{counts: make(map[int32]float64), gains: make([]float64, len(s.terms))}
}

func (s *scores) addEntries(list []nearest.Entry, labels []string, n float64) {
	s.learned += n
	has := make(map[*class]bool)
	for _, label := range labels {
		c := s.classes[label]
		if c == nil {
			c = s.newClass()
			s.classes[label] = c
			s.list = append(s.list, c)
		}
		c.texts += n
		has[c] = true
	}
	for _, e := range list {
		if s.all != nil {
			s.addToOdds(e, has, n)
		} else {
			for c := range has {
				c.add(s.texts[e.ID], e.ID, n*e.Value)
			}
		}
		s.see(e.ID, n)
	}
}

// add adds to the count of a term, which texts have.
func (c *class) add(texts []nearest.Entry, term int32, value float64) {
	was := c.counts[term]
	is := was + value
	c.counts[term], c.total = is, c.total+value
	c.gain(texts, math.Log((is+1)/(was+1)))
}

// gain adds to the gains of the texts that have a term.
func (c *class) gain(texts []nearest.Entry, gain float64) {
	if gain == 0 {
		return
	}
	for _, x := range texts {
		c.gains[x.ID] += x.Value * gain
	}
}

// see notes that n more learned texts had a term.
func (s *scores) see(term int32, n float64) {
	was, texts := s.seen[term], s.texts[term]
	is := was + n
	s.seen[term] = is
	known := 0.0
	switch {
	case was == 0:
		known = 1
	case is == 0:
		known = -1
	}
	s.size += known
	novelty := s.commonness(texts) * (1/(1+is) - 1/(1+was))
	for _, x := range texts {
		s.known[x.ID] += known * x.Value
		s.novelty[x.ID] += novelty
	}
}

// prepare has what all texts share of each class worked out once, after answers.
func (s *scores) prepare() {
	if s.cover != nil {
		s.cover.prepare()
	}
	s.live = 0
	for _, c := range s.list {
		if c.texts > 0 {
			s.live++
		}
		if s.all != nil {
			s.prepareOdds(c)
			continue
		}
		c.prior, c.norm = math.Log(c.texts), math.Log(c.total+s.size)
	}
}

// margin returns how much more probable the best class of text i is than the second, as the difference of their
// logarithms, by Multinomial{}, or by what sure has; and which is the best. It is 0, and there is none, with fewer than two classes. Where a
// text may have several labels, see nearest.
func (s *scores) margin(i int) (margin float64, best *class) {
	if s.sure != nil {
		return s.sure[i].margin, s.classes[s.sure[i].best]
	}
	if s.all != nil {
		return s.nearest(i)
	}
	first, second := math.Inf(-1), math.Inf(-1)
	for _, c := range s.list {
		if c.texts <= 0 {
			continue
		}
		score := c.prior + c.gains[i] - s.known[i]*c.norm
		switch {
		case score > first:
			best, first, second = c, score, first
		case score > second:
			second = score
		}
	}
	if math.IsInf(second, -1) {
		return 0, nil
	}
	return first - second, best
}

package store

import (
	"fmt"
	"math"

	"bayes"
)

// Limits of events. An ID is a key of bbolt, and an event a value. The sums of
// weight × value² must not overflow, however many there are, or what was added
// could not be subtracted.
const (
	maxID     = 1 << 10
	maxEvent  = 16 << 20
	maxWeight = 1e6
	maxValue  = 1e15
)

// check returns the size of an event in bytes, or what is wrong with it. An event
// that passes can be counted and taken out again, and does not keep the counts
// from being fitted.
func (s *Store) check(e *Event) (size int, err error) {
	switch {
	case e.Op != OpLearn && e.Op != OpUnlearn && e.Op != OpRelabel:
		return 0, fmt.Errorf("unknown %v", e.Op)
	case e.Op != OpLearn && e.ID == "":
		return 0, fmt.Errorf("%v without an id", e.Op)
	case len(e.ID) > maxID:
		return 0, fmt.Errorf("an id of %d bytes, of at most %d", len(e.ID), maxID)
	case e.Op != OpUnlearn && e.Example.Label == "":
		return 0, fmt.Errorf("%v without a label", e.Op)
	}
	if err := s.checkAnalyzer(e); err != nil {
		return 0, err
	}
	if e.Op != OpUnlearn {
		if err := checkExample(&e.Example); err != nil {
			return 0, err
		}
		if err := bayes.Accepts(s.state.model, e.Example); err != nil {
			return 0, err
		}
	}
	b, err := e.MarshalBinary()
	if err == nil && len(b) > maxEvent {
		err = fmt.Errorf("an event of %d bytes, of at most %d", len(b), maxEvent)
	}
	return len(b), err
}

func checkExample(ex *bayes.Example) error {
	if !(ex.Weight >= 0 && ex.Weight <= maxWeight) {
		return fmt.Errorf("a weight of %v, of at most %v", ex.Weight, float64(maxWeight))
	}
	for _, a := range ex.Attrs {
		if n, ok := a.Count(); ok && !(n >= 0 && n <= maxValue) {
			return fmt.Errorf("%q %v times", a.Name, n)
		}
		if v, ok := a.Value(); ok && math.Abs(v) > maxValue {
			return fmt.Errorf("a number %q of %v, of at most %v", a.Name, v, float64(maxValue))
		}
	}
	return nil
}

// otherAnalyzer returns an error if it was another version of the analyzer than this
// program has that cut the texts of c.
func otherAnalyzer(c *bayes.Counts) error {
	was, is := c.AnalyzerVersion(), c.Space().AnalyzerVersion()
	if was == "" || was == is {
		return nil
	}
	return fmt.Errorf("the texts were cut by version %q of the analyzer, and %q would take out other terms than were put in:"+
		" replace the model by one that is trained anew, or open it with AnyVersion (serve --any-version)", was, is)
}

// checkAnalyzer returns an error if an event may take a document out of counts that
// another version of the analyzer put it into. What is in the log already is applied
// whatever its version, since a log has one meaning.
func (s *Store) checkAnalyzer(e *Event) error {
	if s.analyzerErr == nil || s.opts.AnyVersion {
		return nil
	}
	takes := e.Op != OpLearn || !s.opts.Window.open()
	if !takes && e.ID != "" {
		s.mu.Lock()
		seq, _, err := s.state.find(e.ID)
		s.mu.Unlock()
		if takes = seq > 0; err != nil {
			return err
		}
	}
	if !takes {
		return nil
	}
	return fmt.Errorf("%v: %w", e.Op, s.analyzerErr)
}

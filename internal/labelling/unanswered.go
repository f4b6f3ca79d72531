package labelling

import (
	"context"
	"errors"

	"bayes"
)

// Unanswered is what texts without an answer add to the model, by the texts that were drawn at random; the zero value is that they have not
// been learned.
type Unanswered struct {
	Learned             bool    // whether they have been learned
	Answers             int     // that there were when they were
	Helps               bool    // whether the model rests on texts without one
	Measured            int     // texts by which the accuracy is measured, whose labels the model does not know
	Accuracy, Low, High float64 // with its 95 % interval
	Alone               float64 // the accuracy of a model that knows the same answers and no other text
	Err                 error   // why they could not be learned
	version             int     // of answers and words
	worded              int     // of words
}

const (
	fewestAnswers  = 10     // before which texts without one are not learned, unless classes have words
	fewestNamed    = 2      // classes with words, from which on they are
	mostUnanswered = 20_000 // of these texts are learned while people answer
)

// enough reports whether what is known is enough to learn from texts without an answer: some answers, or before the first of them words of classes, such as their names, which say more than those do.
func (s *Session) enough() bool {
	return len(s.words) >= fewestNamed || s.pile.Answered() >= fewestAnswers
}

// known is the version of what is known: of answers and words.
func (s *Session) known() int { return s.version - s.skips }

// due reports whether texts without an answer should be learned again: whether as much has changed as a tenth of the answers, or words that they were learned by with few answers, or
// whether too little is known to have learned from them.
func (s *Session) due() bool {
	switch {
	case s.separator != "":
		return false
	case !s.enough():
		return s.unanswered.Learned
	case s.pile.Answered() < fewestAnswers: // which say less than words
		return !s.unanswered.Learned || s.unanswered.worded != s.worded
	}
	return 10*(s.known()-s.unanswered.version) >= max(1, s.unanswered.Answers)
}

// Propagate has the order read how far few answers reach, see [label.Pile.Propagate], if there are others than the last time.
func (s *Session) Propagate(ctx context.Context) {
	s.mu.Lock()
	version, due := s.known(), s.reachesFurther()
	s.mu.Unlock()
	if !due {
		return
	}
	_ = s.pile.Propagate(ctx, mostUnanswered) // what is wrong LearnUnanswered tells, too
	s.mu.Lock()
	defer s.mu.Unlock()
	s.propagated = version
}

// reachesFurther reports whether there are other answers than those that have been propagated last.
func (s *Session) reachesFurther() bool { return s.separator == "" && s.propagated != s.known() }

// LearnUnanswered has the model learn from texts without an answer too, see [label.Pile.LearnUnanswered], where that is due. It waits
// for another one that is under way.
func (s *Session) LearnUnanswered(ctx context.Context) {
	s.learning.Lock()
	defer s.learning.Unlock()
	s.mu.Lock()
	u, due, most := Unanswered{Learned: s.enough(), Answers: s.pile.Answered(), version: s.known(), worded: s.worded}, s.due(), mostUnanswered
	s.mu.Unlock()
	if !due {
		return
	}
	if !u.Learned {
		u.Answers, most = 0, 0
	}
	found, err := s.pile.LearnUnanswered(ctx, most)
	switch {
	case ctx.Err() != nil:
		return
	case err == nil:
		u.Helps, u.Measured = found.Helps(), int(found.Measured.Documents())
		u.Accuracy, u.Low, u.High = found.Measured.Accuracy()
		u.Alone, _, _ = found.Alone.Accuracy()
	case errors.Is(err, bayes.ErrEmpty):
		u.Learned = false
	default:
		u.Err = err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.Err != nil && u.Answers < fewestAnswers { // as where too few answers are held out for all classes of a given prior: what was learned before stays
		version, worded := u.version, u.worded
		u = s.unanswered
		u.version, u.worded = version, worded
	}
	s.unanswered = u
}

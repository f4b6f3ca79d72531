package labelling

import (
	"context"
	"errors"

	"bayes"
)

// Unanswered is what texts without an answer add to the model, by the texts that were drawn at random; the zero value is that they have not
// been learned.
type Unanswered struct {
	Answers             int     // that there were when they were last learned
	Helps               bool    // whether the model rests on texts without one
	Measured            int     // texts by which the accuracy is measured, whose labels the model does not know
	Accuracy, Low, High float64 // with its 95 % interval
	Alone               float64 // the accuracy of a model that knows the same answers and no other text
}

const (
	fewestAnswers  = 20     // before which texts without one are not learned
	mostUnanswered = 20_000 // of these texts are learned while people answer
)

// due reports whether texts without an answer should be learned again: whether there are a tenth more answers, or fewer.
func (s *Session) due() bool {
	answers, then := s.pile.Answered(), s.unanswered.Answers
	return s.separator == "" && answers >= fewestAnswers && (10*answers >= 11*then || 11*answers < 10*then)
}

// LearnUnanswered has the model learn from texts without an answer too, see [label.Pile.LearnUnanswered], where that is due.
func (s *Session) LearnUnanswered(ctx context.Context) error {
	s.learning.Lock()
	defer s.learning.Unlock()
	s.mu.Lock()
	answers, due := s.pile.Answered(), s.due()
	s.mu.Unlock()
	if !due {
		return nil
	}
	found, err := s.pile.LearnUnanswered(ctx, mostUnanswered)
	if err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return err
	}
	u := Unanswered{Answers: answers}
	if err == nil {
		u.Helps, u.Measured = found.Helps(), int(found.Measured.Documents())
		u.Accuracy, u.Low, u.High = found.Measured.Accuracy()
		u.Alone, _, _ = found.Alone.Accuracy()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unanswered = u
	return nil
}

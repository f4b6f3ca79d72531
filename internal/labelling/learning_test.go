package labelling

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"bayes"
	"bayes/label"
)

// beginTopics begins with texts of topics.
func beginTopics(t *testing.T, space *bayes.Space) *Session {
	t.Helper()
	return beginIn(t, space, inFile(t), topics())
}

// topics returns texts of two topics, three of whose forty words each has. The topic of text i is that of "ab"[i%2].
func topics() (list []Text) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 400 {
		topic := "ab"[i%2]
		text := fmt.Sprintf("%c%d %c%d %c%d", topic, rng.IntN(40), topic, rng.IntN(40), topic, rng.IntN(40))
		list = append(list, Text{Text: text, Row: fmt.Sprint(i + 1)})
	}
	return list
}

// answerTopics answers questions.
func answerTopics(t *testing.T, s *Session, n int) {
	t.Helper()
	for range n {
		q, ok := s.Ask("ann")
		if !ok {
			t.Fatal("nothing is left")
		}
		if _, err := s.Answer("ann", []int{q.Text}, "ab"[q.Text%2:q.Text%2+1]); err != nil {
			t.Fatal(err)
		}
	}
}

// The order reads how far answers reach while nobody asks it to, and whatever is taken back.
func TestWatchPropagates(t *testing.T) {
	s := beginTopics(t, new(bayes.Space))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go s.WatchUnanswered(ctx)
	settled := func(when string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if p := s.Progress(); !p.Reading && !p.Learning {
				return
			}
			if time.Now().After(end) {
				t.Fatal(when + ": the order does not read how far answers reach")
			}
		}
	}
	settled("at the beginning")
	for range 12 {
		answerTopics(t, s, 1)
		settled("after an answer")
	}
	for range 4 { // to less than ten
		if err := s.Undo("ann"); err != nil {
			t.Fatal(err)
		}
		settled("after one less")
	}
}

// What few answers reach is read once after each, and not where a text may have several labels.
func TestPropagateIsDue(t *testing.T) {
	s := beginTopics(t, new(bayes.Space))
	defer s.Close()
	for range 3 {
		answerTopics(t, s, 2)
		if !s.Progress().Reading {
			t.Fatal("not due after an answer")
		}
		if s.Propagate(t.Context()); s.Progress().Reading {
			t.Fatal("due after it was done")
		}
	}
	if err := s.Undo("ann"); err != nil || !s.Progress().Reading {
		t.Errorf("not due after an answer was taken back: %v", err)
	}
	sets := beginTopics(t, &bayes.Space{LabelSeparator: ";"})
	defer sets.Close()
	answerTopics(t, sets, 2)
	if sets.Progress().Reading {
		t.Error("due where a text may have several labels")
	}
}

// Texts without an answer are learned with ten answers, and again when there are a tenth more or fewer.
func TestUnansweredIsDue(t *testing.T) {
	s := beginTopics(t, new(bayes.Space))
	defer s.Close()
	learned := func() int {
		t.Helper()
		if s.LearnUnanswered(t.Context()); s.Progress().Unanswered.Err != nil {
			t.Fatal(s.Progress().Unanswered.Err)
		}
		return s.Progress().Unanswered.Answers
	}
	answerTopics(t, s, 9)
	if n := learned(); n != 0 || s.Progress().Learning {
		t.Errorf("learned with %d answers of 9", n)
	}
	answerTopics(t, s, 1)
	if !s.Progress().Learning {
		t.Error("not due with 10 answers")
	}
	if n := learned(); n != 10 || s.Progress().Learning {
		t.Errorf("learned with %d answers of 10", n)
	}
	if err := s.Undo("ann"); err != nil {
		t.Fatal(err)
	}
	if n := learned(); n != 0 || s.Progress().Unanswered.Helps || s.Progress().Learning {
		t.Errorf("with 9 answers it is known what %d taught", n)
	}
	answerTopics(t, s, 11)
	if n := learned(); n != 20 || s.Progress().Learning {
		t.Errorf("learned with %d answers of 20", n)
	}
	u := s.Progress().Unanswered
	if !u.Helps || u.Measured != 4 || u.Accuracy < u.Alone || u.Low > u.Accuracy || u.High < u.Accuracy {
		t.Errorf("%+v", u)
	}
	answerTopics(t, s, 1)
	if n := learned(); n != 20 {
		t.Errorf("learned again with %d answers", n)
	}
	answerTopics(t, s, 1)
	if n := learned(); n != 22 {
		t.Errorf("learned with %d answers of 22", n)
	}
	for range 2 {
		if err := s.Undo("ann"); err != nil {
			t.Fatal(err)
		}
	}
	if n := learned(); n != 22 { // 20 are a tenth more than 18
		t.Errorf("learned again with %d answers", n)
	}
	done := s.Recent("ann", 3)
	for _, i := range done { // none is more, and some are others
		if _, err := s.Answer("ann", []int{i}, "c"); err != nil {
			t.Fatal(err)
		}
	}
	if !s.Progress().Learning {
		t.Error("not due with other answers")
	}
	sets := beginTopics(t, &bayes.Space{LabelSeparator: ";"})
	defer sets.Close()
	answerTopics(t, sets, 30)
	if sets.LearnUnanswered(t.Context()); sets.Progress().Learning || sets.Progress().Unanswered.Answers != 0 {
		t.Errorf("several labels: %+v", sets.Progress().Unanswered)
	}
}

// Where classes have words, texts without an answer are learned before the first question, whose guess rests on them. Words of one class are too few.
func TestUnansweredByWords(t *testing.T) {
	s := beginTopics(t, new(bayes.Space))
	defer s.Close()
	learn := func() Unanswered {
		t.Helper()
		if s.LearnUnanswered(t.Context()); s.Progress().Unanswered.Err != nil || s.Progress().Learning {
			t.Fatalf("%+v", s.Progress())
		}
		return s.Progress().Unanswered
	}
	if err := s.AddClass("ann", "a", "a1 a2 a3"); err != nil {
		t.Fatal(err)
	}
	if u := learn(); u.Learned || u.Helps {
		t.Errorf("by words of one class: %+v", u)
	}
	if err := s.AddClass("ann", "b", "b1 b2 b3"); err != nil {
		t.Fatal(err)
	}
	if !s.Progress().Learning {
		t.Error("not due by words of two")
	}
	if u := learn(); !u.Learned || !u.Helps || u.Answers != 0 || u.Measured != 0 {
		t.Errorf("by words of two: %+v", u)
	}
	right := 0
	for i := range s.Len() {
		p, err := s.pile.Predict(i)
		if err != nil {
			t.Fatal(err)
		}
		if p.Classes[0].Class == "ab"[i%2:i%2+1] {
			right++
		}
	}
	if right < s.Len()*9/10 { // a fifth has one of the six words
		t.Errorf("%d of %d guesses are right", right, s.Len())
	}
	answerTopics(t, s, 1)
	if u := learn(); u.Answers != 0 || !u.Helps {
		t.Errorf("with an answer more: %+v", u)
	}
	if err := s.AddClass("ann", "b", "b4 b5 b6"); err != nil || !s.Progress().Learning {
		t.Errorf("not due by other words: %v", err)
	}
	if u := learn(); u.Answers != 1 || !u.Helps {
		t.Errorf("with other words: %+v", u)
	}
	s.Propagate(t.Context())
	q, _ := s.Ask("ann")
	if err := s.Skip("ann", q.Text); err != nil || s.Progress().Learning || s.Progress().Reading {
		t.Errorf("due for a text that is skipped: %v", err)
	}
	if err := s.Undo("ann"); err != nil || s.Progress().Learning || s.Progress().Reading {
		t.Errorf("due for one that no longer is: %v", err)
	}
	if err := s.Undo("ann"); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveClass("b"); err != nil || !s.Progress().Learning {
		t.Errorf("not due after words were taken back: %v", err)
	}
	if u := learn(); u.Learned || u.Helps {
		t.Errorf("by words that were left: %+v", u)
	}
}

// With a given prior, what is held out may leave no text of a class, which is an error. With fewer than ten answers nobody is told, since one more may do, and what words have added stays.
func TestUnansweredByWordsWithPrior(t *testing.T) {
	texts, space := topics(), new(bayes.Space)
	documents := make([]bayes.Document, len(texts))
	for i := range texts {
		documents[i].Text = texts[i].Text
	}
	pile, err := label.New(t.Context(), space, bayes.Multinomial{Prior: bayes.GivenPrior{"a": .5, "b": .5}}, documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := label.OpenAnswers(inFile(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(pile, answers, texts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, topic := range []string{"a", "b"} {
		if err := s.AddClass("ann", topic, fmt.Sprintf("%[1]s1 %[1]s2 %[1]s3", topic)); err != nil {
			t.Fatal(err)
		}
	}
	var wrong error
	for answered := range 4 {
		if s.LearnUnanswered(t.Context()); !s.Progress().Unanswered.Helps || s.Progress().Unanswered.Err != nil || s.Progress().Learning {
			t.Errorf("%d answers: %+v", answered, s.Progress())
		}
		if _, err := pile.LearnUnanswered(t.Context(), mostUnanswered); err != nil {
			wrong = err
		}
		i := 2 * answered // of the first topic: the other has its words alone
		if _, err := s.Answer("ann", []int{i}, "a"); err != nil {
			t.Fatal(err)
		}
		if err := s.AddClass("ann", "a", fmt.Sprintf("a1 a2 a%d", answered+4)); err != nil || !s.Progress().Learning {
			t.Fatalf("not due by other words: %v", err)
		}
	}
	if wrong == nil {
		t.Error("nothing went wrong")
	}
}

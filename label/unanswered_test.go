package label

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"bayes"
	"bayes/eval"
)

// drawnTopics returns texts of four topics, three of whose forty words each has, and one that any may have; and the topics.
func drawnTopics(n int) (texts []bayes.Document, labels []string) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		topic := "abcd"[i%4]
		words := []string{fmt.Sprint("any", rng.IntN(10))}
		for range 3 {
			words = append(words, fmt.Sprintf("%c%d", topic, rng.IntN(40)))
		}
		texts, labels = append(texts, bayes.Document{Text: strings.Join(words, " ")}), append(labels, string(topic))
	}
	return texts, labels
}

// topicsPile returns a pile of topics with answers.
func topicsPile(t *testing.T, answers int) (*Pile, []string) {
	t.Helper()
	texts, labels := drawnTopics(600)
	p := pile(t, texts, nil)
	for range answers {
		q, _ := p.Next("")
		if err := p.Answer("", q.Text, labels[q.Text]); err != nil {
			t.Fatal(err)
		}
	}
	return p, labels
}

func learnUnanswered(t *testing.T, p *Pile) *Unanswered {
	t.Helper()
	u, err := p.LearnUnanswered(t.Context(), p.Len())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// accuracy returns that of the guesses at all texts.
func accuracy(t *testing.T, p *Pile, labels []string) float64 {
	t.Helper()
	right := 0
	for i, label := range labels {
		guess, err := p.Predict(i)
		if err != nil {
			t.Fatal(err)
		}
		if guess.Answer().Class == label {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}

// Words that no answer has are learned from the texts without one, and answers go on to be learned exactly.
func TestLearnUnanswered(t *testing.T) {
	p, labels := topicsPile(t, 25)
	before := accuracy(t, p, labels)
	u := learnUnanswered(t, p)
	after := accuracy(t, p, labels)
	t.Logf("%.3f, was %.3f: weight %v, %d rounds", after, before, u.Weight, u.Rounds)
	if u.Weight == 0 || after < before+.1 {
		t.Errorf("accuracy %.3f, was %.3f: %+v", after, before, u.Trials)
	}
	if u.Labelled+int(u.Measured.Documents()) != 25 || u.Unlabelled != p.Len()-u.Labelled {
		t.Errorf("%d labelled, %d measure, %d are unlabelled", u.Labelled, u.Measured.Documents(), u.Unlabelled)
	}
	want := p.sum.Clone()
	q, _ := p.Next("")
	p.Answer("", q.Text, "e")
	want.Learn(bayes.Example{Label: "e", Text: p.Text(q.Text).Text})
	p.Seed("f", "words of it")
	want.Learn(bayes.Example{Label: "f", Text: "words of it"})
	if m, err := p.Model(); err != nil || !slices.Contains(m.Classes(), "e") || !p.sum.Equal(want) {
		t.Errorf("an answer and words are not learned: %v", err)
	}
	p.Seed("f", "")
	p.Answer("", q.Text, "")
	if p.sum.Sub(u.Counts); !p.sum.Equal(p.counts) {
		t.Error("what is taken back has left something")
	}
}

// What texts add by words of some classes is not taken once another class has come, which would never be guessed; with all of them it is.
func TestClassComesMeanwhile(t *testing.T) {
	texts, labels := drawnTopics(600)
	p := pile(t, texts, nil)
	seed := func(topic string) {
		t.Helper()
		if err := p.Seed(topic, fmt.Sprintf("%[1]s1 %[1]s2 %[1]s3", topic)); err != nil {
			t.Fatal(err)
		}
	}
	seed("a")
	seed("b")
	k, err := p.split(p.Len())
	if err != nil {
		t.Fatal(err)
	}
	found, err := eval.SemiSupervised(t.Context(), p.space, p.event, examples(k.labelled), examples(k.others), nil)
	if err != nil {
		t.Fatal(err)
	}
	seed("c")
	seed("d")
	u := &Unanswered{SemiSupervision: found, Measured: new(eval.Tally), Alone: new(eval.Tally)}
	if err := p.take(u, k, nil); err != nil || p.sum != nil {
		t.Errorf("%v: texts are learned in two classes of four", err)
	}
	before := accuracy(t, p, labels)
	if u := learnUnanswered(t, p); !u.Helps() || p.sum == nil {
		t.Errorf("%+v: texts are not learned in all classes", u)
	}
	if after := accuracy(t, p, labels); after < before+.2 || after < .8 {
		t.Errorf("%.3f of the guesses are right, %.3f by words alone", after, before)
	}
	seed("e") // is learned beside what texts have added
	if p.sum == nil {
		t.Error("what texts have added is forgotten")
	}
}

// A guess is right about as often as its probability says, where naive Bayes is surer, since words come in threes.
func TestUnansweredProbabilities(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var texts []bayes.Document
	var labels []string
	for i := range 600 {
		label, words := "abcd"[i%4], []string(nil)
		for range 6 {
			topic := label
			if rng.IntN(2) == 0 {
				topic = "abcd"[rng.IntN(4)]
			}
			word := fmt.Sprintf("%c%d", topic, rng.IntN(20))
			words = append(words, word, word+"x", word+"y")
		}
		texts, labels = append(texts, bayes.Document{Text: strings.Join(words, " ")}), append(labels, string(label))
	}
	p := pile(t, texts, nil)
	for range 60 {
		q, _ := p.Next("")
		p.Answer("", q.Text, labels[q.Text])
	}
	p.Seed("a", "a1 a2 a3") // which says nothing of how often guesses at texts are right
	u := learnUnanswered(t, p)
	if folds := u.HeldOut.Fold; folds[len(folds)-1] >= 0 || slices.Index(folds, -1) != len(folds)-1 || len(folds) != 48+1 {
		t.Errorf("folds %v: want those of 48 answers that do not measure, and words left out", folds)
	}
	if em, err := u.calibrated(29); err != nil || em.String() != u.Model.String() {
		t.Errorf("%v, %v: 29 answers and words are too few", em, err)
	}
	surer, err := bayes.Fit(p.sum, u.Model)
	if err != nil {
		t.Fatal(err)
	}
	var before, after eval.Tally
	for i, label := range labels {
		guess, err := p.Predict(i)
		if err != nil {
			t.Fatal(err)
		}
		before.Observe(surer.Predict(texts[i]), label)
		after.Observe(guess, label)
	}
	t.Logf("log loss %.3f, was %.3f; calibration error %.3f, was %.3f", after.LogLoss(), before.LogLoss(), after.ECE(), before.ECE())
	if after.LogLoss() > before.LogLoss()/2 || after.ECE() > .7*before.ECE() {
		t.Error("hardly nearer to what is right")
	}
}

// What measures has no part in the shares and the order: whatever it is answered with, they and the next text are the same.
func TestUnansweredIsNotMeasured(t *testing.T) {
	p, labels := topicsPile(t, 25)
	u := learnUnanswered(t, p)
	q, _ := p.Next("bob") // who has not answered: the first that measures
	if !q.Measured {
		t.Fatal("the first question does not measure")
	}
	next := func() Question {
		p.mu.Lock()
		defer p.mu.Unlock()
		one := p.person("")
		one.asked = -1
		q, _ := p.next(one)
		return q
	}
	before := next()
	for _, i := range p.drawnAnswers() {
		p.Answer("", i, map[string]string{"a": "b", "b": "c", "c": "d", "d": "a"}[labels[i]])
	}
	again := learnUnanswered(t, p)
	if !u.Counts.Equal(again.Counts) || before != next() {
		t.Error("other answers that measure change what is learned")
	}
	right, _, _ := u.Measured.Accuracy()
	if wrong, _, _ := again.Measured.Accuracy(); wrong >= right || u.Measured.Documents() != again.Measured.Documents() {
		t.Errorf("accuracy %.3f of right answers, %.3f of wrong ones", right, wrong)
	}
}

// The order reads the model that has learned from texts without an answer, until they do not help.
func TestOrderReadsUnanswered(t *testing.T) {
	p, _ := topicsPile(t, 50)
	u := learnUnanswered(t, p)
	counts := u.Counts.Clone() // the model that the order reads knows no answer that measures
	for i := range p.texts {
		if ex := p.example(i); ex.Label != "" && !p.kept[i] {
			counts.Learn(ex)
		}
	}
	m, err := bayes.Fit(counts, u.Model)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.texts {
		c := m.Predict(p.texts[i]).Classes
		want := c[0].LogP - c[1].LogP
		if margin, best := p.scores.margin(i); math.Abs(margin-want) > 1e-9 || best != p.scores.classes[c[0].Class] {
			t.Fatalf("text %d: a margin of %v to %v, want %v to %s", i, margin, best, want, c[0].Class)
		}
	}
	for i := range p.texts {
		if p.Label(i) != "" { // one class, of which nothing can be told
			p.Answer("", i, "a")
		}
	}
	if u := learnUnanswered(t, p); u.Weight != 0 || p.scores.sure != nil || p.sum != nil {
		t.Errorf("weight %v of texts without an answer: %+v", u.Weight, u.Trials)
	}
}

// propagate has the order read how far answers reach.
func propagate(t *testing.T, p *Pile) {
	t.Helper()
	if err := p.Propagate(t.Context(), p.Len()); err != nil {
		t.Fatal(err)
	}
}

// oneRound is a model of what is known and of one round of EM.
func oneRound(t *testing.T, p *Pile) *bayes.Model {
	t.Helper()
	k, err := p.split(p.Len())
	if err != nil {
		t.Fatal(err)
	}
	found, err := eval.SemiSupervised(t.Context(), p.space, p.event, examples(k.labelled), examples(k.others), &eval.SemiSupervisedOptions{Asked: true, Untried: true, Rounds: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, ex := range k.labelled {
		found.Counts.Learn(ex)
	}
	m, err := bayes.Fit(found.Counts, found.Model)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// readsModel reports whether the order reads how sure m is.
func readsModel(p *Pile, m *bayes.Model) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scores.prepare()
	for i := range p.texts {
		c := m.Predict(p.texts[i]).Classes
		if margin, best := p.scores.margin(i); math.Abs(margin-(c[0].LogP-c[1].LogP)) > 1e-9 || best != p.scores.classes[c[0].Class] {
			return false
		}
	}
	return true
}

// Of few answers the order reads one round of EM, until the model of many rounds has 30 answers that do not measure. What the model says stays as it is.
func TestPropagate(t *testing.T) {
	p, labels := topicsPile(t, 16)
	answer := func(unmeasured int) {
		t.Helper()
		for k, err := p.split(0); err != nil || k.answers < unmeasured; k, err = p.split(0) {
			q, _ := p.Next("")
			p.Answer("", q.Text, labels[q.Text])
		}
	}
	before := accuracy(t, p, labels)
	propagate(t, p)
	if after := accuracy(t, p, labels); after != before {
		t.Errorf("the model says %v, and said %v", after, before)
	}
	first := oneRound(t, p)
	if !readsModel(p, first) {
		t.Error("the order does not read one round of EM")
	}
	if u := learnUnanswered(t, p); !u.Helps() || !readsModel(p, first) || accuracy(t, p, labels) < before+.1 {
		t.Errorf("the order reads many rounds of 16 answers: %+v", u.SemiTrial)
	}
	answer(29)
	learnUnanswered(t, p) // which reads it itself
	if !readsModel(p, oneRound(t, p)) {
		t.Error("the order does not read one round of 29 answers")
	}
	answer(30)
	propagate(t, p)
	if !readsModel(p, oneRound(t, p)) {
		t.Error("the order does not read one round of 30 answers before they are learned")
	}
	learnUnanswered(t, p)
	was := p.scores.sure
	answer(31)
	propagate(t, p)
	if &p.scores.sure[0] != &was[0] || readsModel(p, oneRound(t, p)) {
		t.Error("the order reads one round after more of 30 answers")
	}
}

// One answer of each class says too little for the order to read, and enough to learn the others by.
func TestPropagateOneOfEach(t *testing.T) {
	texts, labels := drawnTopics(300)
	p := pile(t, texts, &Options{Measured: -1})
	answered := make(map[string]bool)
	for i, label := range labels {
		if !answered[label] {
			answered[label] = true
			if err := p.Answer("", i, label); err != nil {
				t.Fatal(err)
			}
		}
	}
	if propagate(t, p); p.scores.sure != nil {
		t.Error("the order reads one answer of each class")
	}
	before := accuracy(t, p, labels)
	if u := learnUnanswered(t, p); !u.Helps() || len(u.Trials) != 1 || accuracy(t, p, labels) < before+.1 {
		t.Errorf("%+v: %v, was %v", u.SemiTrial, accuracy(t, p, labels), before)
	}
}

// What is taken back is not read, and who asks at random reads nothing.
func TestPropagateTakenBack(t *testing.T) {
	p, labels := topicsPile(t, 16)
	propagate(t, p)
	if u, err := p.LearnUnanswered(t.Context(), 0); err != nil || u.Helps() || p.scores.sure == nil {
		t.Errorf("the order forgets what it has read, when the model learns no other texts: %v", err)
	}
	old, err := p.split(p.Len())
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.texts {
		if p.Label(i) == "b" {
			p.Answer("", i, "")
		}
	}
	if p.scores.sure != nil {
		t.Error("the order reads of a class that has no answer any more")
	}
	if err := p.propagate(t.Context(), old); err != nil || p.scores.sure != nil {
		t.Errorf("the order reads what was known before: %v", err)
	}
	propagate(t, p)
	now := oneRound(t, p)
	if !readsModel(p, now) {
		t.Error("the order does not read three classes")
	}
	older, err := p.split(p.Len())
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		q, _ := p.Next("")
		p.Answer("", q.Text, labels[q.Text])
	}
	propagate(t, p)
	now = oneRound(t, p)
	if err := p.propagate(t.Context(), older); err != nil || !readsModel(p, now) {
		t.Errorf("the order reads of fewer answers than before: %v", err)
	}
	for i := range p.texts {
		p.Answer("", i, "")
	}
	if err := p.Propagate(t.Context(), p.Len()); !errors.Is(err, bayes.ErrEmpty) || p.scores.sure != nil {
		t.Errorf("without an answer: %v", err)
	}
	for _, order := range orders {
		p := pile(t, p.texts, &Options{Order: order, Measured: -1})
		for i, label := range []string{"a", "b", "c", "d", "a", "b"} {
			p.Answer("", i, label)
		}
		if propagate(t, p); (p.scores.sure != nil) != (order != Random) {
			t.Errorf("%s: sure of %d texts", order, len(p.scores.sure))
		}
	}
}

// Answers to what an order asks for are told from those to texts that are drawn: from 75 a class on, texts without an answer count twice as much beside them.
func TestUnansweredIsToldWhatIsAskedFor(t *testing.T) {
	for order, want := range map[Order]float64{Informative: 1. / 2, Uncertain: 1. / 2, Random: 1. / 4} {
		texts, labels := drawnTopics(600)
		p := pile(t, texts, &Options{Order: order, Measured: -1})
		for range 4 * 75 {
			q, _ := p.Next("")
			p.Answer("", q.Text, labels[q.Text])
		}
		if u := learnUnanswered(t, p); u.Trials[1].Weight != want {
			t.Errorf("%s: a weight of %v, want %v", order, u.Trials[1].Weight, want)
		}
	}
}

// Once all answers but those that measure are taken back, texts still have an order.
func TestOrderWithoutSteeringAnswers(t *testing.T) {
	p, labels := topicsPile(t, 25)
	for i, measured := range p.drawnAnswers() {
		p.Answer("", measured, string(rune('a'+i%4))) // so each class has one, and none is forgotten
	}
	learnUnanswered(t, p)
	for i := range labels {
		if p.Label(i) != "" && !p.kept[i] {
			p.Answer("", i, "")
		}
	}
	p.scores.prepare()
	if p.scores.sure == nil || p.scores.learned != 0 {
		t.Fatalf("the order reads %v answers", p.scores.learned)
	}
	for i := range labels {
		if worth := Informative.worth(p.scores, i, math.Inf(-1)); !(worth > 0) {
			t.Fatalf("text %d is worth %v", i, worth)
		}
	}
}

// Once a class has no answer any more, nothing of it is left.
func TestUnansweredIsForgotten(t *testing.T) {
	p, labels := topicsPile(t, 25)
	learnUnanswered(t, p)
	p.Seed("e", "words")
	p.Seed("e", "")
	if p.sum == nil {
		t.Error("words of another class take away what texts have added")
	}
	p.Seed("e", "words")
	if u := learnUnanswered(t, p); !u.Helps() {
		t.Fatal("texts without an answer do not help")
	}
	if p.Seed("e", "other words"); p.sum == nil {
		t.Error("other words of a class take away what texts have added")
	}
	p.Seed("e", "")
	learnUnanswered(t, p)
	for i, label := range labels {
		if p.Label(i) != "" && label == "a" {
			p.Answer("", i, "A")
		}
	}
	m, err := p.Model()
	if err != nil || slices.Contains(m.Classes(), "a") || p.scores.sure != nil {
		t.Errorf("a class without an answer is guessed: %q, %v", m.Classes(), err)
	}
	learnUnanswered(t, p)
	for i := range labels {
		p.Answer("", i, "")
	}
	if _, err := p.Model(); !errors.Is(err, bayes.ErrEmpty) {
		t.Errorf("a model of no answer: %v", err)
	}
	if _, err := p.LearnUnanswered(t.Context(), p.Len()); !errors.Is(err, bayes.ErrEmpty) {
		t.Errorf("no answer: %v", err)
	}
}

func TestLearnUnansweredRefuses(t *testing.T) {
	texts, _ := drawnTopics(20)
	p := pile(t, texts, nil)
	if _, err := p.LearnUnanswered(t.Context(), 10); !errors.Is(err, bayes.ErrEmpty) {
		t.Errorf("no answer: %v", err)
	}
	p.Answer("", p.shuffled[len(p.shuffled)-1], "a")
	if u, err := p.LearnUnanswered(t.Context(), 10); err != nil || u.Weight != 0 || u.Unlabelled != 10 {
		t.Errorf("one answer: %+v, %v", u, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := p.LearnUnanswered(ended, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	sets, err := New(t.Context(), &bayes.Space{LabelSeparator: ";"}, nil, texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sets.LearnUnanswered(t.Context(), 10); err == nil || !strings.Contains(err.Error(), "several labels") {
		t.Errorf("several labels: %v", err)
	}
}

// People answer while texts are learned. The race detector has its say here.
func TestAnswersWhileLearning(t *testing.T) {
	p, labels := topicsPile(t, 25)
	var learning sync.WaitGroup
	learning.Go(func() {
		for range 3 {
			if _, err := p.LearnUnanswered(t.Context(), p.Len()); err != nil {
				t.Error(err)
			}
		}
	})
	for range 60 {
		q, _ := p.Next("")
		p.Answer("", q.Text, labels[q.Text])
		if _, err := p.Explain(q.Text); err != nil {
			t.Error(err)
		}
	}
	learning.Wait()
	u := learnUnanswered(t, p)
	if p.sum == nil || p.Answered() != 85 {
		t.Fatalf("%d answers, %+v", p.Answered(), u.Trials)
	}
	if p.sum.Sub(u.Counts); !p.sum.Equal(p.counts) {
		t.Error("what is learned is not the answers and the shares")
	}
}

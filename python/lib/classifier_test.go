package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bayes"
)

// Examples that are made up have the sums and weights that they are made up of, and keep the laws.
func TestMadeUpExamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		s := sums{space: "sklearn", event: "multinomial smoothing=1 prior=empirical", labels: []string{"a", "b", "c"}}
		for i := range 1 + rng.IntN(20) {
			s.terms = append(s.terms, fmt.Sprintf("term%02d", i))
		}
		whole := round%2 == 0
		draw := func(most int) float64 {
			v := float64(rng.IntN(most))
			if !whole {
				v *= rng.Float64()
			}
			return v
		}
		for range s.labels {
			weight := draw(30)
			s.weights = append(s.weights, weight)
			for range s.terms {
				v := 0.0
				if weight > 0 && rng.IntN(3) > 0 {
					v = draw(100)
				}
				s.matrix = append(s.matrix, v)
			}
		}
		s.weights[0] += 0.5 // one class there is
		k, err := importSums(s)
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range s.labels {
			examples, weight := k.counts.Class(label)
			if math.Abs(weight-s.weights[i]) > 1e-12*s.weights[i] || whole && i > 0 && float64(examples) != weight {
				t.Errorf("round %d: %d examples of weight %v, want %v", round, examples, weight, s.weights[i])
			}
			for j, term := range s.terms {
				got, want := k.counts.At(label, term), s.matrix[i*len(s.terms)+j]
				if math.Abs(got.Sum-want) > 1e-12*want || got.Present > weight*(1+1e-9) {
					t.Errorf("round %d: %s of %s: %+v, want a sum of %v and at most %v", round, term, label, got, want, weight)
				}
			}
		}
		d, err := k.describe()
		if err != nil || !d.MadeUp {
			t.Errorf("round %d: %+v, %v", round, d, err)
		}
	}
}

// Flags that were given to one training are those of no other.
func TestTrainingsAreUsedAgain(t *testing.T) {
	for range 3 {
		a, err := newTraining([]string{"--ngrams=1-2", "--alpha=0.5", "--correct=true"})
		if err != nil {
			t.Fatal(err)
		}
		a.release()
		b, err := newTraining(nil)
		if err != nil {
			t.Fatal(err)
		}
		space, err := b.Space(b.cmd)
		if err != nil {
			t.Fatal(err)
		}
		em, err := b.EventModel(b.cmd)
		if err != nil {
			t.Fatal(err)
		}
		if space.String() != "default" || em.String() != "multinomial smoothing=1 prior=empirical" {
			t.Errorf("%v, %v", space, em)
		}
		b.release()
	}
	if len(idle.list) != 1 {
		t.Errorf("%d trainings, want 1", len(idle.list))
	}
	if _, err := newTraining([]string{"--no-such-flag"}); err == nil || len(idle.list) != 1 {
		t.Errorf("%v, %d trainings", err, len(idle.list))
	}
}

// A file that is loaded and saved has its bytes, and what is unlearned in vain is still there.
func TestSaveAndUnlearn(t *testing.T) {
	docs := texts{"win a prizesee you at lunch", []int64{11, 27}}
	k, err := newClassifier(nil, nil, nil, nil, examples(docs, []int32{1, 0}, []string{"ham", "spam"}, nil))
	if err != nil {
		t.Fatal(err)
	}
	file, err := k.save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := loadClassifier(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.unlearn(examples(docs, []int32{0, 1}, []string{"ham", "spam"}, nil)); err == nil {
		t.Error("unlearned what was never learned")
	}
	if b, err := again.save(); err != nil || !bytes.Equal(b, file) {
		t.Errorf("another file, or %v", err)
	}
	if err := again.unlearn(examples(docs, []int32{1, 0}, []string{"ham", "spam"}, nil)); err != nil {
		t.Error(err)
	}
	if _, err := again.fit(); err != bayes.ErrEmpty {
		t.Errorf("%v, want %v", err, bayes.ErrEmpty)
	}
}

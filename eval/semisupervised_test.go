package eval_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
	"bayes/feature"
)

// drawTopics returns texts of a topic each, by its label: three of its 40 words, and one that any topic may have.
func drawTopics(n int, topics string, seed uint64) []bayes.Example {
	return drawTexts(n, topics, seed, func(random *rand.Rand, topic byte) (words []string) {
		for range 3 {
			words = append(words, fmt.Sprintf("%c%d", topic, random.IntN(40)))
		}
		return append(words, fmt.Sprintf("any%d", random.IntN(10)))
	})
}

// drawTriples returns texts of a topic each, half of whose words are of any topic. Words come in threes, so naive Bayes is too sure of them.
func drawTriples(n int, topics string, seed uint64) []bayes.Example {
	return drawTexts(n, topics, seed, func(random *rand.Rand, topic byte) (words []string) {
		for range 6 {
			of := topic
			if random.IntN(2) == 0 {
				of = topics[random.IntN(len(topics))]
			}
			word := fmt.Sprintf("%c%d", of, random.IntN(20))
			words = append(words, word, word+"x", word+"y")
		}
		return words
	})
}

// drawTexts returns texts of a topic each, by its label, with the words that draw returns.
func drawTexts(n int, topics string, seed uint64, draw func(random *rand.Rand, topic byte) []string) (list []bayes.Example) {
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		topic := topics[i%len(topics)]
		list = append(list, bayes.Example{Label: string(topic), Text: strings.Join(draw(random, topic), " ")})
	}
	return list
}

func each(list []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

func semiSupervised(t *testing.T, s *bayes.Space, em bayes.EventModel, labelled, others []bayes.Example, opts *eval.SemiSupervisedOptions) *eval.SemiSupervision {
	t.Helper()
	found, err := eval.SemiSupervised(t.Context(), s, em, each(labelled), each(others), opts)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func countAll(t *testing.T, s *bayes.Space, list []bayes.Example) *bayes.Counts {
	t.Helper()
	c, err := bayes.Count(t.Context(), s, each(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func binary(t *testing.T, c *bayes.Counts, em bayes.EventModel) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := bayes.Save(&b, c, em); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func accuracyOf(t *testing.T, c *bayes.Counts, em bayes.EventModel, tested []bayes.Example) float64 {
	t.Helper()
	m, err := bayes.Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	var tally eval.Tally
	for _, ex := range tested {
		tally.Observe(m.Predict(ex.Document()), ex.Label)
	}
	accuracy, _, _ := tally.Accuracy()
	return accuracy
}

// Words that no labelled text has are learned from texts without a label, whatever the event model and the weighting.
func TestSemiSupervised(t *testing.T) {
	labelled, others, tested := drawTopics(32, "abcd", 1), drawTopics(400, "abcd", 2), drawTopics(200, "abcd", 3)
	for i := range others {
		others[i].Label = []string{"", "wrong", "a"}[i%3] // which is ignored
	}
	for _, of := range []struct {
		s  *bayes.Space
		em bayes.EventModel
	}{{nil, nil}, {nil, bayes.Complement{}}, {&bayes.Space{Binary: true}, bayes.Bernoulli{}}, {&bayes.Space{Log: true, Norm: feature.L2}, nil}} {
		s, em := of.s, of.em
		found := semiSupervised(t, s, em, labelled, others, nil)
		plain := countAll(t, s, labelled)
		before := accuracyOf(t, plain, em, tested)
		all := plain.Clone()
		if found.Weight == 0 {
			t.Errorf("%v, %v: texts without a label are not used: %+v", s, em, found.Trials)
			continue
		}
		if err := all.Add(found.Counts); err != nil {
			t.Fatal(err)
		}
		after := accuracyOf(t, all, found.Model, tested)
		t.Logf("%v, %v: weight %v, %d rounds: %.3f, was %.3f", s, em, found.Weight, found.Rounds, after, before)
		if after < before+.1 {
			t.Errorf("%v, %v: %.3f, was %.3f", s, em, after, before)
		}
		if found.Labelled != 32 || found.Unlabelled != 400 || found.Known < 200 || len(found.Trials) != 1+3*3+2*2 { // of three smoothings and numbers of rounds, and of two and two centred
			t.Errorf("%+v", found)
		}
	}
}

// What is usual is learned without asking folds, the same whatever the number of workers, and as where folds of few texts are level.
func TestSemiSupervisedUntried(t *testing.T) {
	labelled, others, tested := drawTopics(12, "abcd", 1), drawTopics(400, "abcd", 2), drawTopics(200, "abcd", 3)
	plain := countAll(t, nil, labelled)
	before := accuracyOf(t, plain, nil, tested)
	for _, rounds := range [][]int{{1}, {10}, nil} {
		o := &eval.SemiSupervisedOptions{Untried: true, Rounds: rounds, Workers: 1, Progress: func(int, int) { t.Error("something is tried") }}
		found := semiSupervised(t, nil, nil, labelled, others, o)
		o.Workers = 3
		if again := semiSupervised(t, nil, nil, labelled, others, o); !bytes.Equal(binary(t, found.Counts, found.Model), binary(t, again.Counts, again.Model)) {
			t.Errorf("rounds %v: other counts by three workers", rounds)
		}
		if want := 10; len(rounds) == 1 && found.Rounds != rounds[0] || rounds == nil && found.Rounds != want {
			t.Errorf("%d rounds of %v", found.Rounds, rounds)
		}
		if !found.Both || found.Weight != 1./4 || len(found.Trials) != 1 || found.HeldOut != nil || found.Temperature != 0 {
			t.Errorf("rounds %v: %+v", rounds, found)
		}
		all := plain.Clone()
		if err := all.Add(found.Counts); err != nil {
			t.Fatal(err)
		}
		if after := accuracyOf(t, all, found.Model, tested); after < before+.1 {
			t.Errorf("rounds %v: %.3f, was %.3f", rounds, after, before)
		}
	}
	tried := semiSupervised(t, nil, nil, labelled, others, &eval.SemiSupervisedOptions{Rounds: []int{1}})
	untried := semiSupervised(t, nil, nil, labelled, others, &eval.SemiSupervisedOptions{Rounds: []int{1}, Untried: true})
	if !tried.Both || len(tried.Trials) != 3 || !bytes.Equal(binary(t, tried.Counts, tried.Model), binary(t, untried.Counts, untried.Model)) {
		t.Errorf("tried %+v, not tried %+v", tried.SemiTrial, untried.SemiTrial)
	}
	if found := semiSupervised(t, nil, nil, labelled[:1], others, &eval.SemiSupervisedOptions{Untried: true}); found.Weight != 0 {
		t.Errorf("of one class: %+v", found)
	}
}

// oneOfEach draws a text of each class.
func oneOfEach(classes string) (list []bayes.Example) {
	of := make(map[string]bool)
	for _, ex := range drawTopics(40*len(classes), classes, 1) {
		if !of[ex.Label] {
			of[ex.Label] = true
			list = append(list, ex)
		}
	}
	return list
}

// One text of each class, as its name, leaves nothing to hold out: what is usual is learned untried, and helps where classes are topics.
func TestSemiSupervisedOneOfEach(t *testing.T) {
	labelled, others, tested := oneOfEach("abcd"), drawTopics(400, "abcd", 2), drawTopics(200, "abcd", 3)
	found := semiSupervised(t, nil, nil, labelled, others, &eval.SemiSupervisedOptions{Progress: func(int, int) { t.Error("something is tried") }})
	if want := (eval.SemiTrial{Smoothing: bayes.Additive(0.1), Weight: 1. / 4, Rounds: 10, Both: true}); found.SemiTrial != want || len(found.Trials) != 1 || found.HeldOut != nil {
		t.Errorf("%+v", found)
	}
	const classes = "abcdefghij"
	if many := semiSupervised(t, nil, nil, oneOfEach(classes), drawTopics(400, classes, 2), nil); many.Smoothing != bayes.Additive(0.01) || !many.Both {
		t.Errorf("of ten classes: %+v", many.SemiTrial)
	}
	for few, want := range map[string]bayes.Smoothing{classes: bayes.Additive(0.01), classes[:9]: bayes.Additive(0.1)} {
		if found := semiSupervised(t, nil, nil, drawTopics(29, few, 4), drawTopics(400, few, 2), nil); found.Smoothing != want || len(found.Trials) != 3 {
			t.Errorf("29 labels of %d classes: %+v", len(few), found.SemiTrial)
		}
	}
	all := countAll(t, nil, labelled)
	before := accuracyOf(t, all, nil, tested)
	if err := all.Add(found.Counts); err != nil {
		t.Fatal(err)
	}
	if after := accuracyOf(t, all, found.Model, tested); after < before+.1 {
		t.Errorf("%.3f, was %.3f", after, before)
	}
}

// What is said of labelled texts held out is what the best trial is judged by, and probabilities come true by it.
func TestSemiSupervisedHeldOut(t *testing.T) {
	labelled, others, tested := drawTriples(80, "abcd", 1), drawTriples(400, "abcd", 2), drawTriples(1000, "abcd", 3)
	for _, em := range []bayes.EventModel{bayes.Multinomial{}, bayes.Complement{}} {
		found := semiSupervised(t, nil, em, labelled, others, nil)
		held := found.HeldOut
		if accuracy, _, _ := held.Tally().Accuracy(); accuracy != found.Accuracy || held.Len() != 80 {
			t.Errorf("%v: %d held out, accuracy %v, of the trial %v", em, held.Len(), accuracy, found.Accuracy)
		}
		for i, ex := range labelled {
			if label := held.Classes[held.Truth[i]]; label != ex.Label || held.Fold[i] < 0 || held.Fold[i] > 4 {
				t.Errorf("%v: example %d of %s is one of %s in fold %d", em, i, ex.Label, label, held.Fold[i])
			}
		}
		calibrated, err := held.Calibrate(found.Model, eval.Temperature)
		if err != nil {
			t.Fatal(err)
		}
		if ratio := calibrated.Temperature / found.Temperature; ratio < .5 || ratio > 2 {
			t.Errorf("%v: a temperature of %v, of the trial %v", em, calibrated.Temperature, found.Temperature)
		}
		all := countAll(t, nil, labelled)
		all.Add(found.Counts)
		var errors []float64
		for _, em := range []bayes.EventModel{found.Model, calibrated} {
			m, err := bayes.Fit(all, em)
			if err != nil {
				t.Fatal(err)
			}
			var tally eval.Tally
			for _, ex := range tested {
				tally.Observe(m.Predict(ex.Document()), ex.Label)
			}
			errors = append(errors, tally.ECE())
		}
		if t.Logf("%v: calibration error %.3f, was %.3f", em, errors[1], errors[0]); errors[1] > .8*errors[0] {
			t.Error("hardly less")
		}
	}
	// The same where the labelled do better alone, since others have words of all topics.
	var noise []bayes.Example
	for i := range 300 {
		noise = append(noise, bayes.Example{Text: fmt.Sprintf("a%d b%d c%d d%d", i%20, i%19, i%17, i%13)})
	}
	found := semiSupervised(t, nil, nil, labelled, noise, nil)
	if accuracy, _, _ := found.HeldOut.Tally().Accuracy(); found.Weight != 0 || accuracy != found.Trials[0].Accuracy {
		t.Errorf("weight %v, accuracy %v, of the labelled alone %v", found.Weight, accuracy, found.Trials[0].Accuracy)
	}
	if found := semiSupervised(t, nil, nil, labelled[:29], others, nil); found.HeldOut != nil {
		t.Error("29 labelled texts say how often a model is right")
	}
}

// What labels teach and what texts without labels do are apart: each can be taken off again, what labels teach goes on
// to be learned, and a model reads the sum, as of examples with weights.
func TestSemiSupervisedCounts(t *testing.T) {
	labelled, others, more := drawTopics(16, "abcd", 1), drawTopics(300, "abcd", 2), drawTopics(40, "abcd", 4)
	found := semiSupervised(t, nil, nil, labelled, others, nil)
	plain := countAll(t, nil, labelled)
	all := plain.Clone()
	all.Add(found.Counts)
	if all.Equal(plain) || all.Examples() != 16 || !slices.Equal(all.Classes(), plain.Classes()) {
		t.Errorf("%d examples of %q", all.Examples(), all.Classes())
	}
	for _, class := range plain.Classes() {
		n, w := plain.Class(class)
		if gotN, gotW := all.Class(class); n != gotN || w != gotW {
			t.Errorf("%s: %d examples of weight %v, without the others %d of %v", class, gotN, gotW, n, w)
		}
	}
	// A file keeps both.
	file := binary(t, all, found.Model)
	loaded, em, err := bayes.Load(bytes.NewReader(file))
	if err != nil || !bytes.Equal(binary(t, loaded, em), file) {
		t.Fatalf("what is loaded is not what was saved: %v", err)
	}
	for _, ex := range more {
		loaded.Learn(ex)
	}
	for _, ex := range labelled {
		loaded.Unlearn(ex)
	}
	if err := loaded.Sub(found.Counts); err != nil || !loaded.Equal(countAll(t, nil, more)) {
		t.Errorf("counts without the others are not those of the labelled: %v", err)
	}
	// What is unlearned that never was learned is an error, even where the others have more of it.
	wrong := all.Clone()
	wrong.Unlearn(bayes.Example{Label: "a", Text: "any1 any2 any3"})
	if _, err := bayes.Fit(wrong, nil); !errors.Is(err, bayes.ErrNegative) {
		t.Errorf("unlearned what was not learned: %v", err)
	}
	// Classes that are joined join both.
	half := all.Relabel(func(label string) string { return strings.ReplaceAll(label, "b", "a") })
	if n, _ := half.Class("a"); n != 8 || len(half.Classes()) != 3 {
		t.Errorf("%d examples, %q", n, half.Classes())
	}
	if m, err := bayes.Fit(half, nil); err != nil || len(m.Classes()) != 3 {
		t.Errorf("%v", err)
	}
}

// The sum is that of examples with shares for weights, to the last bit, with one worker and with several.
func TestSemiSupervisedIsExact(t *testing.T) {
	testSemiSupervisedIsExact(t, 12)
	testSemiSupervisedIsExact(t, 33)
}

func testSemiSupervisedIsExact(t *testing.T, n int) {
	labelled, others := drawTopics(n, "abc", 1), drawTopics(200, "abc", 2)
	var first []byte
	for _, workers := range []int{1, 4} {
		found := semiSupervised(t, nil, nil, labelled, others, &eval.SemiSupervisedOptions{Workers: workers, Weights: []float64{.5}, Rounds: []int{4}})
		all := countAll(t, nil, labelled)
		all.Add(found.Counts)
		b := binary(t, all, found.Model)
		if first == nil {
			first = b
		} else if !bytes.Equal(first, b) {
			t.Error("other workers, other bytes")
		}
		// Each text counts a half in all by its length, but for rounding, and each sum is a multiple of 2^-17.
		m, err := bayes.Fit(all, found.Model)
		if err != nil {
			t.Fatal(err)
		}
		var weight float64
		for _, class := range m.Classes() {
			_, w := m.Class(class)
			if weight += w; w*(1<<17) != math.Trunc(w*(1<<17)) {
				t.Errorf("class %s has a weight of %v", class, w)
			}
		}
		count := countByLength(labelled, others, found.Centred)
		if found.Both {
			count = (count + countByLength(labelled, others, true)) / 2
		}
		if want := float64(n) + count/2; math.Abs(weight-want) > 200*3/65536. {
			t.Errorf("the weights sum to %v, want about %v", weight, want)
		}
	}
}

// countByLength returns how much texts without a label count, if one of the mean number of words counts 1: of all words in centred trials, and of distinct ones in others.
func countByLength(labelled, others []bayes.Example, all bool) (sum float64) {
	words := func(ex bayes.Example) float64 {
		words := strings.Fields(ex.Text)
		if !all {
			slices.Sort(words)
			words = slices.Compact(words)
		}
		return float64(len(words))
	}
	mean := 0.0
	for _, ex := range slices.Concat(labelled, others) {
		mean += words(ex) / float64(len(labelled)+len(others))
	}
	for _, ex := range others {
		sum += min(2, math.Sqrt(mean/words(ex)))
	}
	return sum
}

// What cannot be, and what cannot help, has an answer.
func TestSemiSupervisedAnswers(t *testing.T) {
	labelled, others := drawTopics(12, "ab", 1), drawTopics(50, "ab", 2)
	none := func(yield func(bayes.Example, error) bool) {}
	if _, err := eval.SemiSupervised(t.Context(), nil, nil, none, each(others), nil); err == nil || !strings.Contains(err.Error(), "no example has a label") {
		t.Errorf("no label: %v", err)
	}
	foreign := []bayes.Example{{Text: "ein anderes Wort"}, {Text: "noch eins"}}
	for name, of := range map[string][2][]bayes.Example{
		"one class":        {drawTopics(12, "a", 1), others},
		"nothing":          {labelled, nil},
		"another language": {labelled, foreign},
	} {
		found := semiSupervised(t, nil, nil, of[0], of[1], nil)
		if found.Weight != 0 || found.Counts.Len() > 0 || len(found.Trials) != 1 || found.Model.String() != (bayes.Multinomial{}).String() {
			t.Errorf("%s: %+v", name, found)
		}
		if name == "another language" && (found.Known != 0 || found.Unlabelled != 2) {
			t.Errorf("%s: %+v", name, found)
		}
	}
	for want, opts := range map[string]*eval.SemiSupervisedOptions{
		"weight 0 ":          {Weights: []float64{0}},
		"weight NaN ":        {Weights: []float64{math.NaN()}},
		"rounds of EM [0]":   {Rounds: []int{0}},
		"rounds of EM []":    {Rounds: []int{}},
		"rounds of EM [3 1]": {Rounds: []int{3, 1}},
		"rounds of EM [2 2]": {Rounds: []int{2, 2}},
		"no weight ":         {Weights: []float64{}},
	} {
		if _, err := eval.SemiSupervised(t.Context(), nil, nil, each(labelled), each(others), opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := eval.SemiSupervised(t.Context(), &bayes.Space{IDF: feature.WeightsIDF(nil)}, nil, each(labelled), each(others), nil); err == nil {
		t.Error("an IDF is taken")
	}
	if _, err := eval.SemiSupervised(t.Context(), &bayes.Space{LabelSeparator: ";"}, nil, each(labelled), each(others), nil); err == nil {
		t.Error("several labels are taken")
	}
	if _, err := eval.SemiSupervised(t.Context(), nil, bayes.Corrected{}, each(labelled), each(others), nil); err == nil {
		t.Error("a correction is taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := eval.SemiSupervised(ctx, nil, nil, each(labelled), each(others), &eval.SemiSupervisedOptions{Progress: func(int, int) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Numbers and categories are learned in shares too.
func TestSemiSupervisedColumns(t *testing.T) {
	draw := func(n int, seed uint64) (list []bayes.Example) {
		random := rand.New(rand.NewPCG(seed, 1))
		for i := range n {
			at, label := float64(10*(i%2)), string("ab"[i%2])
			color := []string{"red", "blue"}[i%2]
			if random.IntN(4) == 0 {
				color = "green"
			}
			list = append(list, bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Number("x", at+random.NormFloat64()), bayes.Category("color", color)}})
		}
		return list
	}
	labelled, others := draw(8, 1), draw(100, 2)
	em := bayes.Mixed{}
	found := semiSupervised(t, nil, em, labelled, others, nil)
	all := countAll(t, nil, labelled)
	if found.Weight == 0 { // they may be as good alone
		found = semiSupervised(t, nil, em, labelled[:4], others, &eval.SemiSupervisedOptions{Weights: []float64{1}, Rounds: []int{2}})
	}
	all.Add(found.Counts)
	if got := accuracyOf(t, all, found.Model, draw(100, 3)); got < .95 {
		t.Errorf("%.3f", got)
	}
}

// Where nothing is smoothed, most of the labelled alone have no probability in any class but their own, or in that either, and others without a label help all the same.
func TestSemiSupervisedWithoutSmoothing(t *testing.T) {
	found := semiSupervised(t, nil, bayes.Multinomial{Smoothing: bayes.Additive(0)}, drawTopics(16, "abcd", 1), drawTopics(400, "abcd", 2), &eval.SemiSupervisedOptions{Smoothing: bayes.Additive(0)})
	if found.Weight == 0 {
		t.Errorf("texts without a label are not used: %+v", found.Trials)
	}
	for _, trial := range found.Trials {
		if !(trial.LogLoss >= 0 && trial.LogLoss <= 3) || trial.Temperature < 1 {
			t.Errorf("%+v", trial)
		}
	}
}

// With few labels, what is usual is learned, or of what the options say that which is nearest to it, whatever held-out labels say: here those which are wrong.
func TestSemiSupervisedByFew(t *testing.T) {
	labelled, others := drawTopics(29, "ab", 1), drawTopics(60, "ab", 2)
	for i := range labelled {
		labelled[i].Label = "ab"[i/2%2 : i/2%2+1]
	}
	for _, of := range []struct {
		opts *eval.SemiSupervisedOptions
		want string // smoothing × weight, rounds
	}{
		{nil, "0.1×0.25 r10"},
		{&eval.SemiSupervisedOptions{Rounds: []int{2, 5}, Weights: []float64{1}}, "0.4×1 r5"},
		{&eval.SemiSupervisedOptions{Rounds: []int{9}, Smoothing: bayes.Additive(2)}, "2×0.25 r9"},
	} {
		done, total := 0, 0
		opts := new(eval.SemiSupervisedOptions)
		if of.opts != nil {
			*opts = *of.opts
		}
		opts.Progress = func(d, all int) { done, total = max(done, d), all }
		found := semiSupervised(t, nil, nil, labelled, others, opts)
		for i, trial := range found.Trials[1:] {
			if got := fmt.Sprintf("%v×%v r%d", trial.Smoothing, trial.Weight, trial.Rounds); got != of.want || len(found.Trials) != 3 || trial.Centred != (i == 1) {
				t.Errorf("%s, want %s; of %+v", got, of.want, found.Trials)
			}
		}
		if !found.Both || found.Centred || found.Rounds != found.Trials[1].Rounds {
			t.Errorf("%+v is learned", found.SemiTrial)
		}
		if done != 2*2*5 || total != done {
			t.Errorf("%d of %d runs", done, total)
		}
	}
	labelled = append(labelled, bayes.Example{Label: "a", Text: "any1"})
	if found := semiSupervised(t, nil, nil, labelled, others, nil); len(found.Trials) < 4 {
		t.Errorf("of 30 labels: %+v", found.Trials)
	}
}

// What is tried is what the options say, and progress ends at its total, which counts the runs.
func TestSemiSupervisedTrials(t *testing.T) {
	labelled, others := drawTopics(32, "abcd", 1), drawTopics(60, "abcd", 2)
	const usual = "0.01×0.25 r2 r5 r10, 0.01×0.25 centred r5 r10, 0.1×0.25 r2 r5 r10, 0.1×0.25 centred r5 r10, 0.3×0.25 r2 r5 r10"
	var alone []eval.SemiTrial // that of the labelled alone, each time
	for _, of := range []struct {
		smoothing bayes.Smoothing
		weights   []float64
		rounds    []int
		want      string // smoothing × weight, and after how many rounds, of each run
	}{
		{nil, nil, nil, usual},
		{nil, []float64{1}, nil, "0.04×1 r2 r5 r10, 0.04×1 centred r5 r10, 0.4×1 r2 r5 r10, 0.4×1 centred r5 r10, 1.2×1 r2 r5 r10"},
		{bayes.Additive(.1), []float64{.5, 2}, []int{1}, "0.1×0.5 r1, 0.1×0.5 centred r1, 0.1×2 r1, 0.1×2 centred r1"},
		{nil, nil, []int{1, 4}, "0.01×0.25 r1 r4, 0.01×0.25 centred r1 r4, 0.1×0.25 r1 r4, 0.1×0.25 centred r1 r4, 0.3×0.25 r1 r4"},
		{bayes.Additive(.5), nil, nil, "0.5×0.25 r2 r5 r10, 0.5×0.25 centred r5 r10"},
		{bayes.Additive(.5), []float64{.25, 1}, []int{2}, "0.5×0.25 r2, 0.5×0.25 centred r2, 0.5×1 r2, 0.5×1 centred r2"},
	} {
		done, total := 0, 0
		found := semiSupervised(t, nil, nil, labelled, others, &eval.SemiSupervisedOptions{
			Smoothing: of.smoothing, Weights: of.weights, Rounds: of.rounds, Progress: func(d, all int) { done, total = max(done, d), all },
		})
		var runs []string
		last := ""
		for _, trial := range found.Trials[1:] {
			run := fmt.Sprintf("%v×%v", trial.Smoothing, trial.Weight)
			if trial.Centred {
				run += " centred"
			}
			if run != last {
				runs = append(runs, run)
			}
			last = run
			runs[len(runs)-1] += fmt.Sprintf(" r%d", trial.Rounds)
		}
		if got := strings.Join(runs, ", "); got != of.want {
			t.Errorf("tried are %s, want %s", got, of.want)
		}
		const folds = 2 * 5 // dealt twice
		if done != len(runs)*folds || total != done {
			t.Errorf("%s: %d of %d runs", of.want, done, total)
		}
		if alone = append(alone, found.Trials[0]); alone[0] != found.Trials[0] {
			t.Errorf("%s: the labelled alone have %v, and %v with other runs", of.want, found.Trials[0], alone[0])
		}
	}
}

// Others count twice as much, with twice the smoothing, beside many examples that were asked for.
func TestSemiSupervisedAsked(t *testing.T) {
	others := drawTopics(60, "ab", 2)
	for _, of := range []struct {
		labelled int
		asked    bool
		weights  []float64
		want     string // the smoothing of the first trial with others, and its weight
	}{
		{150, true, nil, "0.02×0.5"},
		{148, true, nil, "0.01×0.25"},
		{150, false, nil, "0.01×0.25"},
		{150, true, []float64{1}, "0.04×1"},
	} {
		found := semiSupervised(t, nil, nil, drawTopics(of.labelled, "ab", 1), others, &eval.SemiSupervisedOptions{Asked: of.asked, Weights: of.weights})
		first := found.Trials[1]
		if got := fmt.Sprintf("%v×%v", first.Smoothing, first.Weight); got != of.want {
			t.Errorf("%+v: %s", of, got)
		}
	}
}

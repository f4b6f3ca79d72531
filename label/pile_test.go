package label

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"bayes"
	"pgregory.net/rapid"
)

// drawn returns texts of a few words each, of classes a and b, and their labels.
func drawn(n int, seed uint64) (texts []bayes.Document, labels []string) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for range n {
		k := rng.IntN(2)
		var words []string
		for range 3 + rng.IntN(8) {
			words = append(words, fmt.Sprint("w", min(rng.IntN(60), rng.IntN(60))+20*k))
		}
		texts, labels = append(texts, bayes.Document{Text: strings.Join(words, " ")}), append(labels, string(rune('a'+k)))
	}
	return texts, labels
}

func pile(t testing.TB, texts []bayes.Document, opts *Options) *Pile {
	t.Helper()
	p, err := New(t.Context(), new(bayes.Space), bayes.Multinomial{}, texts, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Answers, replaced and taken back in any order, leave the counts of what was answered last.
func TestCountsAreOfLastAnswers(t *testing.T) {
	texts, _ := drawn(12, 1)
	rapid.Check(t, func(r *rapid.T) {
		p := pile(t, texts, nil)
		last := make(map[string]map[int]string)
		for range rapid.IntRange(0, 30).Draw(r, "answers") {
			who := rapid.SampledFrom([]string{"", "ann"}).Draw(r, "who")
			i, label := rapid.IntRange(0, 11).Draw(r, "text"), rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(r, "label")
			if err := p.Answer(who, i, label); err != nil {
				r.Fatal(err)
			}
			if last[who] == nil {
				last[who] = make(map[int]string)
			}
			last[who][i] = label
		}
		want, scores := bayes.NewCounts(p.space), pile(t, texts, nil).scores
		for i := range texts {
			label := p.Label(i)
			a, b := last[""][i], last["ann"][i]
			if label != a && label != b || label == "" && a+b != "" {
				r.Fatalf("text %d: learned %q of %q and %q", i, label, a, b)
			}
			if label != "" {
				want.Learn(p.example(i))
				if !p.kept[i] { // what measures does not steer
					scores.add(i, p.labelsIn(label), 1)
				}
			}
		}
		if !p.counts.Equal(want) {
			r.Fatal("the counts are others")
		}
		p.scores.prepare()
		scores.prepare()
		for i := range texts {
			a, _ := p.scores.margin(i)
			if b, _ := scores.margin(i); math.Abs(a-b) > 1e-9 {
				r.Fatalf("text %d: a margin of %v, %v of the same answers", i, a, b)
			}
			if a, b := p.scores.novelty[i], scores.novelty[i]; math.Abs(a-b) > 1e-9 {
				r.Fatalf("text %d: a novelty of %v, %v of the same answers", i, a, b)
			}
		}
	})
}

// One question in five measures, also where one answer is for many texts that are about the same. The first three a class do not, and then every second does until one in five has.
func TestMeasuredAreOfQuestions(t *testing.T) {
	texts, labels := drawn(100, 2)
	for i := range 60 {
		texts[i].Text, labels[i] = texts[0].Text, labels[0]
	}
	p := pile(t, texts, &Options{Seed: 3})
	var asked []bool
	for q, ok := p.Next(""); ok && len(asked) < 20; q, ok = p.Next("") {
		asked = append(asked, q.Measured)
		for _, i := range append(p.Alike(q.Text), q.Text) {
			if err := p.Answer("", i, labels[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, measured := range asked {
		if want := i == 6 || i == 8 || i >= 10 && i%5 == 0; measured != want {
			t.Fatalf("question %d of %v", i, asked)
		}
	}
	if n := p.Answered(); n < 50 {
		t.Errorf("%d texts answered", n)
	}
}

// The first questions are asked for: three a class, fifty of many classes, or half of few texts. Drawn ones are no better if all are.
func TestFirstAreAskedFor(t *testing.T) {
	for _, c := range []struct {
		texts, classes, measured, want int
		order                          Order
	}{{400, 2, 5, 6, Informative}, {400, 2, 3, 6, Uncertain}, {400, 8, 5, 24, Informative}, {400, 20, 5, 50, Informative}, {40, 20, 5, 16, Informative}, {400, 2, 5, 0, Random}} {
		texts, _ := drawn(c.texts, 2)
		p := pile(t, texts, &Options{Order: c.order, Measured: c.measured})
		first, n, measured := -1, 0, 0
		for q, ok := p.Next(""); ok; q, ok = p.Next("") {
			if q.Measured {
				measured++
				if first < 0 {
					first = n
				}
			}
			if n++; first >= 0 && n >= 4*first && measured*c.measured < n {
				t.Errorf("%+v: %d of %d measure", c, measured, n)
				break
			}
			if err := p.Answer("", q.Text, fmt.Sprint(n%c.classes)); err != nil {
				t.Fatal(err)
			}
		}
		if first != c.want {
			t.Errorf("%+v: the first that measures is question %d", c, first)
		}
	}
}

// Every text is put once, whatever the order, and the same ones again.
func TestNextPutsAll(t *testing.T) {
	texts, labels := drawn(100, 2)
	for _, order := range orders {
		var before []Question
		for range 2 {
			p := pile(t, texts, &Options{Order: order, Seed: 3})
			var list []Question
			seen := make([]int, len(texts))
			measured := 0
			for q, ok := p.Next(""); ok; q, ok = p.Next("") {
				if again, _ := p.Next(""); again != q {
					t.Fatalf("%s: %v, and then %v", order, q, again)
				}
				list = append(list, q)
				seen[q.Text]++
				if q.Measured {
					measured++
				}
				var err error
				if len(list)%7 == 0 {
					err = p.Skip("", q.Text)
				} else {
					err = p.Answer("", q.Text, labels[q.Text])
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
				t.Errorf("%s: texts were put %v times", order, seen)
			}
			if before != nil && !reflect.DeepEqual(before, list) {
				t.Errorf("%s: other questions the second time", order)
			}
			before = list
		}
	}
}

// What one person was asked and has left unanswered is put to another once nothing else is left.
func TestHeldTexts(t *testing.T) {
	texts, labels := drawn(40, 4)
	p := pile(t, texts, nil)
	held, _ := p.Next("ann")
	for held.Measured {
		p.Answer("ann", held.Text, labels[held.Text])
		held, _ = p.Next("ann")
	}
	last := Question{Text: -1}
	for q, ok := p.Next("bob"); ok; q, ok = p.Next("bob") {
		p.Answer("bob", q.Text, labels[q.Text])
		if !q.Measured {
			last = q
		}
	}
	if p.Answered() != 40 || last != held {
		t.Errorf("%d of 40 texts are answered; the last one is %+v, and ann was asked %+v", p.Answered(), last, held)
	}
}

// Two people are asked the same measured texts, and otherwise different ones.
func TestTwoPeople(t *testing.T) {
	texts, labels := drawn(200, 4)
	p := pile(t, texts, nil)
	put := make(map[string][]Question)
	for n := range 120 {
		who := []string{"ann", "bob"}[n%2]
		q, ok := p.Next(who)
		if !ok {
			t.Fatal("no question is left")
		}
		put[who] = append(put[who], q)
		if n%10 > 1 { // each is asked before the other answers
			continue
		}
		for who, list := range put {
			for _, q := range list {
				if err := p.Answer(who, q.Text, labels[q.Text]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var measured [2][]int
	other := make(map[int]string)
	for k, who := range []string{"ann", "bob"} {
		for _, q := range slices.Compact(put[who]) {
			if q.Measured {
				measured[k] = append(measured[k], q.Text)
			} else if other[q.Text] != "" {
				t.Errorf("%s and %s are asked text %d", who, other[q.Text], q.Text)
			} else {
				other[q.Text] = who
			}
		}
	}
	if n := min(len(measured[0]), len(measured[1])); n < 3 || !reflect.DeepEqual(measured[0][:n], measured[1][:n]) {
		t.Errorf("measured are %v", measured)
	}
}

// The accuracy of what was drawn is that of retraining without each text.
func TestMeasure(t *testing.T) {
	texts, labels := drawn(60, 5)
	p := pile(t, texts, nil)
	for range 40 {
		q, _ := p.Next("")
		if err := p.Answer("", q.Text, labels[q.Text]); err != nil {
			t.Fatal(err)
		}
	}
	tally, err := p.Measure()
	if err != nil {
		t.Fatal(err)
	}
	right, n := 0.0, 0.0
	for _, i := range p.shuffled {
		if p.Label(i) == "" {
			break
		}
		counts := bayes.NewCounts(p.space)
		for j := range texts {
			if j != i && p.Label(j) != "" {
				counts.Learn(p.example(j))
			}
		}
		m, err := bayes.Fit(counts, p.event)
		if err != nil {
			t.Fatal(err)
		}
		n++
		if m.Predict(texts[i]).Best().Class == labels[i] {
			right++
		}
	}
	if accuracy, _, _ := tally.Accuracy(); n < 8 || accuracy != right/n {
		t.Errorf("accuracy %v, want %v of %v", accuracy, right/n, n)
	}
}

// The margins that orders read are those of Multinomial{}.
func TestMarginIsOfMultinomial(t *testing.T) {
	texts, labels := drawn(80, 8)
	p := pile(t, texts, &Options{Measured: -1}) // so that the orders know of all answers
	for i := range 30 {
		if err := p.Answer("", i, labels[i]); err != nil {
			t.Fatal(err)
		}
	}
	p.scores.prepare()
	for i := range texts {
		guess, err := p.Predict(i)
		if err != nil {
			t.Fatal(err)
		}
		want := guess.Classes[0].LogJoint - guess.Classes[1].LogJoint
		margin, best := p.scores.margin(i)
		if math.Abs(margin-want) > 1e-9 || best != p.scores.classes[guess.Best().Class] {
			t.Errorf("text %d: a margin of %v, want %v", i, margin, want)
		}
	}
}

// Seeds are taken back without a trace.
func TestSeeds(t *testing.T) {
	texts, _ := drawn(10, 6)
	p := pile(t, texts, nil)
	if _, err := p.Predict(0); err == nil {
		t.Error("a guess without anything learned")
	}
	for _, words := range []string{"w1, w2", "w3 unheard", ""} {
		if err := p.Seed("a", words); err != nil {
			t.Fatal(err)
		}
	}
	if p.Seed("", "w1") == nil || p.Answer("", 10, "a") == nil || p.Skip("", -1) == nil || p.Unskip("", 10) == nil {
		t.Error("no error for a class without a name, or a text that does not exist")
	}
	if !p.counts.Equal(bayes.NewCounts(p.space)) {
		t.Error("seeds left something behind")
	}
	if list, _ := p.Labels(); len(list) > 0 {
		t.Errorf("labels are %v", list)
	}
}

// Several people ask and answer at once, and nothing is lost.
func TestManyPeople(t *testing.T) {
	texts, labels := drawn(120, 10)
	p := pile(t, texts, nil)
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() {
			who := fmt.Sprint("p", n)
			for q, ok := p.Next(who); ok; q, ok = p.Next(who) {
				if err := p.Answer(who, q.Text, labels[q.Text]); err != nil {
					t.Error(err)
				}
			}
			if _, err := p.Measure(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	want := bayes.NewCounts(p.space)
	for i := range texts {
		want.Learn(bayes.Example{Label: labels[i], Text: texts[i].Text})
	}
	if !p.counts.Equal(want) {
		t.Error("the counts are not those of all texts")
	}
}

func BenchmarkNext(b *testing.B) {
	texts, labels := drawn(20_000, 7)
	for _, order := range orders {
		b.Run(string(order), func(b *testing.B) {
			p := pile(b, texts, &Options{Order: order})
			for b.Loop() {
				q, _ := p.Next("")
				if err := p.Answer("", q.Text, labels[q.Text]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Texts that measure are those of the reserve: whatever is answered of them, the order puts the same texts.
func TestReserveDoesNotSteer(t *testing.T) {
	texts, labels := drawn(100, 5)
	var asked [2][]int
	for k := range asked {
		p := pile(t, texts, nil)
		for range 60 {
			q, ok := p.Next("ann")
			if !ok || q.Measured != p.kept[q.Text] {
				t.Fatalf("%+v, %v, and kept is %v", q, ok, p.kept[q.Text])
			}
			label := labels[q.Text]
			if q.Measured && k == 1 {
				label = "a"
			}
			if err := p.Answer("ann", q.Text, label); err != nil {
				t.Fatal(err)
			}
			asked[k] = append(asked[k], q.Text)
		}
	}
	if !slices.Equal(asked[0], asked[1]) {
		t.Errorf("%v, and with other answers to what measures %v", asked[0], asked[1])
	}
	p := pile(t, texts, nil)
	seen := make(map[int]bool)
	for q, ok := p.Next("ann"); ok; q, ok = p.Next("ann") {
		if seen[q.Text] {
			t.Fatalf("text %d is asked twice", q.Text)
		}
		seen[q.Text] = true
		if err := p.Answer("ann", q.Text, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != len(texts) || len(p.drawnAnswers()) != 20 {
		t.Errorf("%d texts were asked, and %d measure", len(seen), len(p.drawnAnswers()))
	}
}

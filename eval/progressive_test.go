package eval

import (
	"context"
	"reflect"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// Progressive validation is a loop of predict and learn.
func TestProgressive(t *testing.T) {
	words := []string{"free", "prize", "lunch", "at", "one", "see you"}
	rapid.Check(t, func(t *rapid.T) {
		var examples []bayes.Example
		for range rapid.IntRange(1, 250).Draw(t, "n") {
			ex := bayes.Example{Label: rapid.SampledFrom([]string{"ham", "spam", "news"}).Draw(t, "label")}
			for range rapid.IntRange(0, 4).Draw(t, "words") {
				ex.Text += rapid.SampledFrom(words).Draw(t, "word") + " "
			}
			examples = append(examples, ex)
		}
		em := rapid.SampledFrom([]bayes.EventModel{bayes.Multinomial{}, bayes.Bernoulli{}, bayes.Calibrated{Cutoffs: map[string]float64{"spam": 1}}}).Draw(t, "model")
		var seen int
		got, err := Progressive(context.Background(), nil, em, examples, func(bayes.Result) { seen++ })
		if err != nil {
			t.Fatal(err)
		}
		var (
			counts = bayes.NewCounts(nil)
			m      *bayes.Model
			want   Tally
			wrong  = map[string]int64{}
			point  = 0
		)
		for i, ex := range examples {
			if m != nil {
				p := m.Predict(ex.Document())
				if want.Observe(p, ex.Label); p.Best().Class != ex.Label {
					wrong[ex.Label]++
				}
			}
			counts.Learn(ex)
			if m, err = bayes.Fit(counts, em); err != nil {
				t.Fatal(err)
			}
			p := got.Curve[point]
			if p.Documents != int64(i+1) {
				continue
			}
			point++
			accuracy, _, _ := want.Accuracy()
			r, ok := want.Ranking()
			if p.Predicted != want.Documents() || p.Accuracy != accuracy || p.HasROCA != ok || p.OneMinusROCA != r.OneMinusROCA {
				t.Fatalf("after %d: %+v, want accuracy %v, %+v", i+1, p, accuracy, r)
			}
			for k, label := range got.Labels {
				if p.Wrong[k] != wrong[label] {
					t.Fatalf("after %d: %v wrong of %v, want %v", i+1, p.Wrong, got.Labels, wrong)
				}
			}
		}
		if point != len(got.Curve) || point > curvePoints || got.Curve[point-1].Documents != int64(len(examples)) {
			t.Fatalf("%d points, of which %d were met", len(got.Curve), point)
		}
		if !reflect.DeepEqual(got.Tally, &want) || seen != len(examples)-1 || got.Model.Examples() != int64(len(examples)) {
			t.Fatalf("%d predictions, %d seen, %d learned", got.Tally.Documents(), seen, got.Model.Examples())
		}
	})
}

// A correction is learned of what came before, again and again; of a single class there is none.
func TestProgressiveCorrected(t *testing.T) {
	examples := messages()
	em := bayes.Corrected{Trust: 1}
	p, err := Progressive(context.Background(), nil, em, examples, nil)
	if err != nil {
		t.Fatal(err)
	}
	if learned := bayes.CorrectionOf(p.Model.EventModel()); learned == nil || learned.Examples() == 0 || learned.Examples() > int64(len(examples)) {
		t.Errorf("the correction is %v", learned)
	}
	if p.Tally.Documents() != int64(len(examples)-1) {
		t.Errorf("%d predictions", p.Tally.Documents())
	}
	one := []bayes.Example{examples[0], {Label: examples[0].Label, Text: "more of it"}}
	if p, err = Progressive(context.Background(), nil, em, one, nil); err != nil || bayes.CorrectionOf(p.Model.EventModel()) != nil {
		t.Errorf("of one class: %v, %v", p, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Progressive(ctx, nil, em, examples, nil); err == nil {
		t.Error("it goes on when it is stopped")
	}
}

// After many examples of a class each of the first of the other one is news: a correction does not wait
// until there are a quarter more of both.
func TestProgressiveRarerClass(t *testing.T) {
	var examples []bayes.Example
	for i := range 103 {
		ex := bayes.Example{Label: "spam", Text: "cheap pills"}
		if i >= 100 {
			ex = bayes.Example{Label: "ham", Text: "lunch at noon"}
		}
		examples = append(examples, ex)
	}
	for n, want := range map[int]int64{101: 101, 102: 102, 103: 103} {
		p, err := Progressive(context.Background(), nil, bayes.Corrected{}, examples[:n], nil)
		if err != nil {
			t.Fatal(err)
		}
		if learned := bayes.CorrectionOf(p.Model.EventModel()); learned == nil || learned.Examples() != want {
			t.Errorf("of %d examples a correction was learned of %v, want %d", n, learned.Examples(), want)
		}
	}
	// Of three classes the examples are counted together.
	examples = append(examples, bayes.Example{Label: "news", Text: "headlines"}, bayes.Example{Label: "news", Text: "headlines"})
	p, err := Progressive(context.Background(), nil, bayes.Corrected{}, examples, nil)
	if err != nil {
		t.Fatal(err)
	}
	if learned := bayes.CorrectionOf(p.Model.EventModel()); learned.Examples() != 103 {
		t.Errorf("of three classes a correction was learned of %d", learned.Examples())
	}
}

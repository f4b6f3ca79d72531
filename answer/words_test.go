package answer_test

import (
	"fmt"
	"testing"

	"bayes"
	"bayes/answer"
)

// People are shown what a model has; what its file says stays whole, and what is shown is read as
// the same model.
func TestEventModel(t *testing.T) {
	const (
		text     = "text=(multinomial smoothing=1 prior=empirical)"
		number   = "number=(gaussian var-smoothing=1e-09 prior=empirical)"
		category = "category=(categorical smoothing=1 prior=empirical)"
	)
	for _, c := range []struct {
		example bayes.Example
		em      bayes.EventModel
		want    string
		word    string
	}{
		{bayes.Example{Label: "a", Text: "free"}, bayes.Multinomial{}, "multinomial smoothing=1 prior=empirical", "term"},
		{bayes.Example{Label: "a"}, bayes.Mixed{}, "mixed prior=empirical " + text + " " + number + " " + category, "term"},
		{bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("age", 1)}}, bayes.Mixed{}, "mixed prior=empirical " + number, "feature"},
		{bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("age", 1)}}, bayes.Gaussian{}, "gaussian var-smoothing=1e-09 prior=empirical", "feature"},
		{bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Category("city", "Rome")}}, bayes.Selected{Model: bayes.Mixed{}, MaxFeatures: 3},
			"selected max-features=3 model=(mixed prior=empirical " + category + ")", "feature"},
		{bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Text("subject", "hi"), bayes.Number("age", 1)}}, bayes.Calibrated{Model: bayes.Mixed{}, Temperature: 2},
			"calibrated temperature=2 model=(mixed prior=empirical " + text + " " + number + ")", "term"},
		{bayes.Example{Label: "a", Text: "free", Attrs: []bayes.Attr{bayes.Category("city", "Rome")}}, bayes.Mixed{},
			"mixed prior=empirical " + text + " " + category, "term"},
	} {
		counts := bayes.NewCounts(nil)
		counts.Learn(c.example)
		got := answer.EventModel(c.em, counts)
		if got != c.want || answer.FeatureWord(counts) != c.word {
			t.Errorf("%v: %q, %ss", c.em, got, answer.FeatureWord(counts))
		}
		if em, err := bayes.ParseEventModel(got); err != nil || em.String() != c.em.String() {
			t.Errorf("%q is read as %v, %v", got, em, err)
		}
	}
}

func ExampleEventModel() {
	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "adult", Attrs: []bayes.Attr{bayes.Number("age", 30)}})
	fmt.Println(answer.EventModel(bayes.Mixed{}, counts))
	fmt.Println(answer.FeatureWord(counts))
	// Output:
	// mixed prior=empirical number=(gaussian var-smoothing=1e-09 prior=empirical)
	// feature
}

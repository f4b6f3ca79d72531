package bayes_test

import (
	"testing"

	"bayes"
)

// What suits an event model it can be fitted to; what does not, it cannot.
func TestSuits(t *testing.T) {
	models := []bayes.EventModel{
		nil, bayes.Multinomial{}, bayes.Bernoulli{}, bayes.Complement{}, bayes.Categorical{}, bayes.Gaussian{},
		bayes.Mixed{}, bayes.Selected{}, bayes.Selected{Model: bayes.Gaussian{}},
	}
	documents := []bayes.Document{
		{Text: "free"},
		{Attrs: []bayes.Attr{bayes.Text("title", "free")}},
		{Attrs: []bayes.Attr{bayes.Number("size", 3)}},
		{Attrs: []bayes.Attr{bayes.Category("from", "bob")}},
		{Attrs: []bayes.Attr{bayes.Term("free", 2)}},
	}
	for _, em := range models {
		for _, d := range documents {
			c := bayes.NewCounts(nil)
			c.Learn(bayes.Example{Label: "a", Text: d.Text, Attrs: d.Attrs})
			_, fitErr := bayes.Fit(c, em)
			if err := bayes.Suits(em, d); (err == nil) != (fitErr == nil) {
				t.Errorf("%v and %v: suits says %v, fit %v", em, d, err, fitErr)
			}
		}
	}
}

package bayes_test

import (
	"testing"

	"bayes"
)

// What suits an event model it can be fitted to; what does not, it cannot.
func TestAccepts(t *testing.T) {
	models := []bayes.EventModel{
		nil, bayes.Multinomial{}, bayes.Bernoulli{}, bayes.Complement{}, bayes.OneVersusRest{}, bayes.Categorical{}, bayes.Gaussian{},
		bayes.Mixed{}, bayes.Corrected{}, bayes.Corrected{Model: bayes.Mixed{}}, bayes.Selected{}, bayes.Selected{Model: bayes.Gaussian{}},
		bayes.Bernoulli{Prior: bayes.GivenPrior{"a": 1}}, bayes.Bernoulli{Prior: bayes.GivenPrior{"b": 1}},
	}
	examples := []bayes.Example{
		{Text: "free"},
		{Attrs: []bayes.Attr{bayes.Text("title", "free")}},
		{Attrs: []bayes.Attr{bayes.Number("size", 3)}},
		{Attrs: []bayes.Attr{bayes.Category("from", "bob")}},
		{Attrs: []bayes.Attr{bayes.Term("free", 2)}},
	}
	for _, em := range models {
		for _, ex := range examples {
			ex.Label = "a"
			c := bayes.NewCounts(nil)
			c.Learn(ex)
			_, fitErr := bayes.Fit(c, em)
			if err := bayes.Accepts(em, ex); (err == nil) != (fitErr == nil) {
				t.Errorf("%v and %v: suits says %v, fit %v", em, ex, err, fitErr)
			}
		}
	}
}

package eval_test

import (
	"context"
	"fmt"
	"math"

	"bayes"
	"bayes/eval"
)

// A model is calibrated by what it says of examples that were held out, of which there must
// be ten or more.
func ExampleScores_Calibrate() {
	var model bayes.Multinomial
	c, err := bayes.ReadCorpus(context.Background(), nil, func(yield func(bayes.Example, error) bool) {
		for _, text := range []string{"free prize", "win a prize", "free entry", "free lunch", "lunch prize"} {
			if !yield(bayes.Example{Label: "spam", Text: text}, nil) || !yield(bayes.Example{Label: "ham", Text: "lunch at one, " + text}, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := eval.CrossValidate(context.Background(), c, nil, model)
	if err != nil {
		fmt.Println(err)
		return
	}
	how, _ := eval.ParseCalibration("temperature")
	calibrated, err := s.Calibrate(model, how)
	fmt.Printf("P(%s) = %.2f, temperature %.2f %v\n", c.Classes()[1], math.Exp(s.LogP(0)[1]), calibrated.Temperature, err)
	// Output: P(spam) = 0.64, temperature 0.59 <nil>
}

package answer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"bayes"
	"bayes/answer"
)

// Below its cutoff a class is no label. Why is said, and a threshold that is asked for comes first.
func TestCutoff(t *testing.T) {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	c.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	m, err := bayes.Fit(c, bayes.Calibrated{Temperature: 2, Cutoffs: map[string]float64{"spam": 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		text      string
		threshold float64
		want      string // of the prediction, its beginning
		words     string // of the explanation
	}{
		{"free prize", 0, `{"label":"spam","probability"`, "spam needs log-odds of 1 against all others, and has 1.38629"},
		{"free", 0, `{"label":"unsure","reason":"cutoff","probability"`, "spam needs log-odds of 1 against all others, and has 0.693147: unsure"},
		{"free", 0.99, `{"label":"?","reason":"threshold","probability"`, "spam needs log-odds of 1 against all others, and has 0.693147: unsure"},
		{"lunch", 0, `{"label":"ham","probability"`, ""},
	} {
		ex := m.Explain(bayes.Document{Text: tc.text})
		b, err := json.Marshal(answer.NewPrediction(ex.Prediction, tc.threshold, 0))
		if err != nil || !strings.HasPrefix(string(b), tc.want) {
			t.Errorf("%s: %s, %v", tc.text, b, err)
		}
		switch c := answer.NewCutoff(ex); {
		case c == nil && tc.words != "", c != nil && c.String() != tc.words:
			t.Errorf("%s: %v, want %q", tc.text, c, tc.words)
		}
	}
}

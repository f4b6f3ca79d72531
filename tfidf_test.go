package bayes_test

import (
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/text"
)

// scikit-learn's TfidfVectorizer, to 1e-12.
func TestTfidf(t *testing.T) {
	var cases []struct {
		Params struct {
			SublinearTF bool `json:"sublinear_tf"`
			Norm        *string
			SmoothIDF   *bool   `json:"smooth_idf"`
			UseIDF      *bool   `json:"use_idf"`
			NGramRange  *[2]int `json:"ngram_range"`
		}
		Docs []string
		Rows []map[string]float64
	}
	var raw []struct{ Params map[string]any }
	readJSON(t, "tfidf.json", &cases)
	readJSON(t, "tfidf.json", &raw)
	for i, tc := range cases {
		s := &bayes.Space{Analyzer: &text.Analyzer{Segmenter: text.SKLearn{}}, Norm: feature.L2, Log: tc.Params.SublinearTF}
		if tc.Params.NGramRange != nil {
			s.Analyzer.NGrams = *tc.Params.NGramRange
		}
		if _, given := raw[i].Params["norm"]; given {
			s.Norm = ""
			if tc.Params.Norm != nil {
				s.Norm = feature.Norm(*tc.Params.Norm)
			}
		}
		if tc.Params.UseIDF == nil || *tc.Params.UseIDF {
			s.IDF = idfOf(s.Analyzer, tc.Docs, tc.Params.SmoothIDF == nil || *tc.Params.SmoothIDF)
		}
		for j, doc := range tc.Docs {
			got := s.AppendFeatures(nil, bayes.Document{Text: doc})
			if len(got) != len(tc.Rows[j]) {
				t.Errorf("%v, document %d: %d terms, want %d", s, j, len(got), len(tc.Rows[j]))
			}
			for _, f := range got {
				if want := tc.Rows[j][f.Name]; !near(f.Value, want, 1e-12) {
					t.Errorf("%v, document %d: %s is %v, want %v", s, j, f.Name, f.Value, want)
				}
			}
		}
	}
}

func idfOf(a *text.Analyzer, docs []string, smooth bool) *feature.IDF {
	df := make(map[string]int64)
	for _, doc := range docs {
		var s = bayes.Space{Analyzer: a}
		for _, f := range s.AppendFeatures(nil, bayes.Document{Text: doc}) {
			df[f.Name]++
		}
	}
	return feature.NewIDF(int64(len(docs)), df, smooth)
}

// Rennie et al.'s transformed, weight-normalised complement classifier is a
// combination of options: log counts, idf, length one, normalised complement. By
// their formulas, computed elsewhere, it chooses Japan, the class of least score;
// scores here have the other sign.
func TestTWCNB(t *testing.T) {
	first := learn(nil, iirTraining...)
	df := make(map[string]int64)
	for f := range first.Features() {
		for _, label := range first.Classes() {
			df[f] += first.At(label, f).Examples
		}
	}
	idf := make(map[string]float64) // the paper's is ln(N/df), without scikit-learn's one more
	for f := range df {
		idf[f] = feature.NewIDF(first.Examples(), df, false).Weight([]byte(f)) - 1
	}
	c := learn(&bayes.Space{Log: true, IDF: feature.WeightsIDF(idf), Norm: feature.L2}, iirTraining...)
	m := fit(t, c, bayes.Complement{Normalize: true})
	p := m.Predict(bayes.Document{Text: iirTest})
	if p.Best().Class != "Japan" {
		t.Errorf("%v", p.Classes)
	}
	b, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back := bayes.NewCounts(nil)
	if err := back.UnmarshalBinary(b); err != nil || !back.Equal(c) || back.Add(c) != nil {
		t.Errorf("the weights are not kept: %v", err)
	}
	if err := back.Add(first); err == nil {
		t.Error("counts with and without weights add")
	}
}

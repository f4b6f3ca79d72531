package feature_test

import (
	"fmt"

	"bayes/feature"
)

// Of three documents all have "the", and one has "bayes": ln(4/4) + 1 and ln(4/2) + 1.
func ExampleNewIDF() {
	idf := feature.NewIDF(3, map[string]int64{"the": 3, "bayes": 1}, true)
	for _, term := range idf.Terms() {
		fmt.Printf("%s %.3f\n", term, idf.Weight([]byte(term)))
	}
	fmt.Println(idf.Size(), "bytes of terms")
	// Output:
	// bayes 1.693
	// the 1.000
	// 8 bytes of terms
}

// Weights from elsewhere are an IDF too.
func ExampleWeightsIDF() {
	idf := feature.WeightsIDF(map[string]float64{"the": 0.1, "bayes": 3})
	fmt.Println(idf.Weight([]byte("bayes")), idf.Equal(nil))
	// Output: 3 false
}

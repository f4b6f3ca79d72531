package feature_test

import (
	"fmt"
	"math"
	"strings"

	"bayes/feature"
)

// The vocabulary of two sentences, and the bag of words of the first. "really"
// stands twice, so its entry is 2.
func ExampleVocabulary() {
	const (
		first  = "John really really loves this movie"
		second = "Jane really likes this song"
	)
	var v feature.Vocabulary
	for _, term := range strings.Fields(first + " " + second) {
		v.Add(term)
	}
	for i, term := range v.All() {
		fmt.Printf("%d=%s;", i, term)
	}
	fmt.Println()
	i, ok := v.Index("movie")
	fmt.Println(v.Len(), i, ok)
	fmt.Println(v.Vector(nil, strings.Fields(first)...))
	// Output:
	// 0=John;1=really;2=loves;3=this;4=movie;5=Jane;6=likes;7=song;
	// 8 4 true
	// [1 2 1 1 1 0 0 0]
}

// One-hot vectors know only equal and unequal: any two of them are √2 apart,
// and their cosine is 0.
func ExampleVocabulary_Vector() {
	var v feature.Vocabulary
	for _, term := range []string{"movie", "film", "banana"} {
		v.Add(term)
	}
	movie, film, banana := v.Vector(nil, "movie"), v.Vector(nil, "film"), v.Vector(nil, "banana")
	fmt.Println(movie, film, banana)
	fmt.Printf("%.4f %.4f, %g\n", distance(movie, film), distance(movie, banana), dot(movie, film))
	// Output:
	// [1 0 0] [0 1 0] [0 0 1]
	// 1.4142 1.4142, 0
}

func distance(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// Two terms in 4 examples of one class and 6 of another: the first in 3 and 1 of them, the
// second in 2 and 3, as if it were independent of the class.
func ExampleScore() {
	weights := []float64{4, 6}
	for _, name := range []string{"chi2-presence", "mi"} {
		s, err := feature.ParseScore(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s (of presence: %v): %.4f %.4f\n", s, s.OfPresence(), s.Of([]float64{3, 1}, weights), s.Of([]float64{2, 3}, weights))
	}
	_, err := feature.ParseScore("tf")
	fmt.Println(err)
	// Output:
	// chi2-presence (of presence: true): 2.0417 0.0000
	// mi (of presence: true): 0.1777 0.0000
	// unknown score "tf": want chi2, chi2-presence, chi2-documents or mi
}

// The examples that lack a term count only where absence is asked about.
func ExampleChiSquare() {
	of := []float64{3, 1}
	for _, x := range []feature.ChiSquare{{}, {Presence: true}, {Absence: true}} {
		fmt.Printf("%s %v %.4f\n", x, x.OfPresence(), x.Of(of, []float64{4, 6}))
	}
	// Output:
	// chi2 false 2.0417
	// chi2-presence true 2.0417
	// chi2-documents true 3.4028
}

func ExampleMutualInformation() {
	var mi feature.MutualInformation
	fmt.Printf("%s %v %.4f\n", mi, mi.OfPresence(), mi.Of([]float64{4, 0}, []float64{4, 4})) // ln 2
	// Output: mi true 0.6931
}

func ExampleNorm() {
	var n feature.Norm
	for _, name := range []string{"l2", "none", "l3"} {
		err := n.UnmarshalText([]byte(name))
		fmt.Printf("%q %v\n", n, err)
	}
	// Output:
	// "l2" <nil>
	// "" <nil>
	// "" unknown norm "l3": want l1 or l2
}

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

package dataset_test

import (
	"fmt"
	"strings"

	"bayes/dataset"
)

// What a source has read is known at any time: here the largest index of a file, and how
// many records were not UTF-8.
func ExampleSource() {
	source, err := dataset.Open([]string{"-"}, strings.NewReader("spam 1:2 7:1\nham 3:1\n"), &dataset.Options{Format: "svmlight"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for ex, err := range source.Examples() {
		if err != nil {
			fmt.Println(err)
			return
		}
		file, row := source.Place()
		fmt.Println(file, row, ex.Label)
	}
	fmt.Println(source.BytesRead(), source.LargestIndex(), source.Latin1Records())
	// Output:
	// stdin 1 spam
	// stdin 2 ham
	// 21 7 0
}

package dataset_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
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

// The records of a file can be copied, here all but the second, as bayes split does.
func ExampleSource_Copy() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "mail.csv")
	const table = "label;text\nspam;win, now\nham;lunch\nham;see you\n"
	if err := os.WriteFile(name, []byte(table), 0o600); err != nil {
		log.Fatal(err)
	}
	source, err := dataset.Open([]string{name}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	show := func(row dataset.Row) { fmt.Printf("%q %q\n", row.Label, row.Raw) }
	for row, err := range source.Rows() {
		if err != nil {
			log.Fatal(err)
		}
		show(row)
	}
	if err := source.Copy(os.Stdout, func(record int) bool { return record != 1 }); err != nil {
		log.Fatal(err)
	}
	// Output:
	// "" "label;text\n"
	// "spam" "spam;win, now\n"
	// "ham" "ham;lunch\n"
	// "ham" "ham;see you\n"
	// label;text
	// spam;win, now
	// ham;see you
}

func ExampleDelimiter() {
	comma, err := dataset.Delimiter(strings.NewReader("label;text;date\n"), "csv", nil)
	fmt.Printf("%q %v\n", comma, err)
	// Output: ';' <nil>
}

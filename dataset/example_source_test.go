package dataset_test

import (
	"fmt"
	"io"
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

// Which columns there are is known once a record was read, or an error says that one is missing.
func ExampleSource_Columns() {
	source, err := dataset.Open([]string{"-"}, strings.NewReader("v1,v2\nspam,win\n"), &dataset.Options{Format: "csv"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, err := range source.Examples() {
		fmt.Println(err)
	}
	fmt.Println(source.Columns())
	// Output:
	// stdin:1: no column "label" (the table has "v1" and "v2"; hint: --label COLUMN --text COLUMN)
	// [v1 v2]
}

// Whoever answers line by line answers what there is before waiting for more.
func ExampleSource_BeforeRead() {
	lines, typed := io.Pipe()
	go func() {
		fmt.Fprintln(typed, "free prize")
		fmt.Fprintln(typed, "see you at lunch")
		typed.Close()
	}()
	source, err := dataset.Open([]string{"-"}, lines, &dataset.Options{Format: "text", Unlabelled: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	waiting := 0
	source.BeforeRead(func() {
		if waiting > 0 {
			fmt.Println("waiting for more after", waiting)
		}
		waiting = 0
	})
	for ex, err := range source.Examples() {
		if err != nil {
			fmt.Println(err)
			return
		}
		waiting++
		fmt.Println(ex.Text)
	}
	// Output:
	// free prize
	// waiting for more after 1
	// see you at lunch
	// waiting for more after 1
}

// Mail is put in the order in which it was received.
func ExampleSource_Received() {
	message := strings.NewReader("Received: from a.example by b.example; Thu, 22 Aug 2002 12:46:39 -0400\nFrom: a@a.example\n\nhi\n")
	source, err := dataset.Open([]string{"-"}, message, &dataset.Options{Format: "mail", Unlabelled: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, err := range source.Examples() {
		fmt.Println(source.Received().UTC(), err)
	}
	// Output: 2002-08-22 16:46:39 +0000 UTC <nil>
}

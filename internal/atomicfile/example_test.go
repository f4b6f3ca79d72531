package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"bayes/internal/atomicfile"
)

// A write that fails leaves the old file.
func ExampleWrite() {
	dir, err := os.MkdirTemp("", "atomicfile")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "model.nb")

	write := func(content string, fail error) error {
		return atomicfile.Write(name, func(w io.Writer) error {
			_, err := io.WriteString(w, content)
			return errors.Join(err, fail)
		})
	}
	fmt.Println(write("old", nil))
	fmt.Println(write("half of the n", errors.New("no space left on device")))
	data, err := os.ReadFile(name)
	fmt.Printf("%s %v\n", data, err)
	// Output:
	// <nil>
	// no space left on device
	// old <nil>
}

// Whether a file may be replaced is asked once the new one is whole.
func ExampleWriteIf() {
	dir, err := os.MkdirTemp("", "atomicfile")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	onlyNew := func(old os.FileInfo) error {
		if old != nil {
			return errors.New("there is one already")
		}
		return nil
	}
	for range 2 {
		fmt.Println(atomicfile.WriteIf(filepath.Join(dir, "model.nb"), onlyNew, func(io.Writer) error { return nil }))
	}
	// Output:
	// <nil>
	// there is one already
}

package generate

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"testing"

	"bayes/dataset"
)

func TestCSV(t *testing.T) {
	var b bytes.Buffer
	if err := CSV(&b, 1<<20, 1); err != nil {
		t.Fatal(err)
	}
	again := crc32.NewIEEE()
	if err := CSV(io.MultiWriter(again), 1<<20, 1); err != nil || again.Sum32() != crc32.ChecksumIEEE(b.Bytes()) {
		t.Errorf("the same seed gives other bytes (%v)", err)
	}
	n := 0
	for _, err := range dataset.CSV(&b, "generated", nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n < 1000 {
		t.Errorf("%d texts in a megabyte", n)
	}
}

// TestWrite writes a file to measure with: GENERATE names it, GENERATE_SIZE is
// its size in bytes.
func TestWrite(t *testing.T) {
	name := os.Getenv("GENERATE")
	if name == "" {
		t.Skip("GENERATE names no file to write")
	}
	size, err := strconv.ParseInt(os.Getenv("GENERATE_SIZE"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := CSV(f, size, 1); err != nil {
		t.Fatal(err)
	}
}

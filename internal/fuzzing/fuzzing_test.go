package fuzzing

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A golden file is what its form is packed as; so whatever is changed in the form is
// behind checksums that are right.
func TestPack(t *testing.T) {
	n := 0
	for _, pattern := range []string{"models", "frozen"} {
		for _, generation := range []string{"1", "2", "3", "4"} {
			files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "golden", generation, pattern, "*.nb"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range files {
				file, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if got := Pack(Unpack(file)); !bytes.Equal(got, file) {
					t.Errorf("%s: packed again, the bytes differ", name)
				}
				n++
			}
		}
	}
	if n == 0 {
		t.Fatal("no golden files")
	}
	for _, form := range []string{"", "\n", "\n\n", "\n\nTER", "a\n\nTERMx", "TERM"} {
		Pack([]byte(form))
	}
}

func TestBound(t *testing.T) {
	var sink []byte
	if got := Allocated(func() { sink = make([]byte, 10<<20) }); got < 10<<20 || got > 11<<20 {
		t.Errorf("%d bytes, not 10 MiB", got)
	}
	Bound(t, len(sink), 1, func() { sink = make([]byte, 12<<20) })
}

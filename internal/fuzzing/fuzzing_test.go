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
	for _, folder := range []string{"models", "frozen"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "golden", "*", folder, "*.nb"))
		if err != nil || len(files) == 0 {
			t.Fatal("no golden files", err)
		}
		for _, name := range files {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := Pack(Unpack(file)); !bytes.Equal(got, file) {
				t.Errorf("%s: packed again, the bytes differ", name)
			}
		}
	}
	// What is changed in a correction is behind a hash that is right.
	form := []byte("bayes model 1\nevent corrected correction=0123456789abcdef\n\nCORRabcEND.")
	if got := Pack(form); !bytes.Contains(got, []byte("correction=ba7816bf8f01cfea\n")) { // FIPS 180-2, B.1
		t.Errorf("%q", got)
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

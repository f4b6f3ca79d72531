package mmap

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A pieces keeps what is written, and how much at a time at most.
type pieces struct {
	bytes.Buffer
	largest int
	room    int
}

func (p *pieces) Write(b []byte) (int, error) {
	if p.room--; p.room < 0 {
		return 0, io.ErrShortWrite
	}
	p.largest = max(p.largest, len(b))
	return p.Buffer.Write(b)
}

func TestWrite(t *testing.T) {
	for _, n := range []int{0, 1, 64 << 10, 1<<20 + 1} {
		data := bytes.Repeat([]byte("abcdefg"), n/7+1)[:n]
		p := &pieces{room: 100}
		if err := Write(p, data); err != nil || !bytes.Equal(p.Bytes(), data) || p.largest > 64<<10 {
			t.Errorf("%d bytes: %v, %d written, %d at a time", n, err, p.Len(), p.largest)
		}
	}
	if err := Write(&pieces{room: 2}, make([]byte, 1<<20)); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("no room: %v", err)
	}
}

func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for _, data := range []string{"", "some bytes"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(name)
		if err != nil || string(f.Data) != data {
			t.Errorf("%q: %v", data, err)
		}
	}
	if _, err := Open(name + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

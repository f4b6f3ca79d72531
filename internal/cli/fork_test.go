package cli

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/iotest"
)

// Both readers get all bytes and the error, whichever is ahead.
func TestFork(t *testing.T) {
	data := make([]byte, 300_000)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	for name, r := range map[string]io.Reader{
		"at once":    bytes.NewReader(data),
		"in halves":  iotest.HalfReader(bytes.NewReader(data)),
		"last error": iotest.DataErrReader(bytes.NewReader(data)),
		"failing":    io.MultiReader(bytes.NewReader(data), iotest.ErrReader(io.ErrUnexpectedEOF)),
	} {
		a, b := forked(r)
		var wg sync.WaitGroup
		for i, side := range []io.Reader{a, b} {
			wg.Go(func() {
				got, err := io.ReadAll(io.LimitReader(side, int64(1000*(i+1)))) // one is ahead
				more, err2 := io.ReadAll(side)
				if err != nil || !bytes.Equal(append(got, more...), data) || (err2 != nil) != (name == "failing") {
					t.Errorf("%s: %d bytes, %v, %v", name, len(got)+len(more), err, err2)
				}
				if n, err := side.Read(make([]byte, 1)); n != 0 || err == nil {
					t.Errorf("%s: after the end: %d bytes, %v", name, n, err)
				}
			})
		}
		wg.Wait()
	}
}

// What one reader waits for does not keep the other from what is there.
func TestForkDoesNotWait(t *testing.T) {
	in, out := io.Pipe()
	a, b := forked(in)
	go out.Write([]byte("line\n"))
	buf := make([]byte, 10)
	if n, err := a.Read(buf); err != nil || string(buf[:n]) != "line\n" {
		t.Fatalf("%q, %v", buf[:n], err)
	}
	waits := make(chan error)
	go func() {
		_, err := a.Read(buf[5:])
		waits <- err
	}()
	other := make([]byte, 10)
	if n, err := b.Read(other); err != nil || string(other[:n]) != "line\n" {
		t.Fatalf("%q, %v", other[:n], err)
	}
	out.Close()
	if err := <-waits; err != io.EOF {
		t.Error(err)
	}
	if _, err := b.Read(other); err != io.EOF {
		t.Error(err)
	}
}

// What is kept is what the slower reader lacks, and not all that was read.
func TestForkForgets(t *testing.T) {
	a, b := forked(bytes.NewReader(make([]byte, 1<<20)))
	buf := make([]byte, 1<<10)
	for range 1 << 10 {
		if _, err := io.ReadFull(a, buf); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(b, buf); err != nil {
			t.Fatal(err)
		}
	}
	if kept := cap(a.(forkReader).kept); kept > 8<<10 {
		t.Errorf("%d bytes are kept", kept)
	}
}

// Package fuzzing lets fuzz targets see behind checksums, and bounds what they may
// allocate.
//
// A byte that a fuzzer changes in a model file is found by a checksum, and the code behind
// it never sees damage. So targets fuzz a form of the file that has neither checksums nor
// lengths, and [Pack] makes a file of it in which both are right.
package fuzzing

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"runtime"
	"testing"

	"bayes/internal/wire"
)

// tags are those of the sections of model files and frozen files.
var tags = []string{"anlz", "cols", "LABL", "VOCA", "VALS", "IDFW", "CLAS", "BLCK", "SEEN", "NUMB", "TERM", "MOME", "CORR", "SCAL", "BIAS", "WGHT", "GAIN", "INDX", "END."}

// Unpack returns the form of a model file: the header without its checksum, an empty
// line, and the sections without their lengths and checksums. It panics if the file is
// not whole.
func Unpack(file []byte) []byte {
	head, sections, ok := bytes.Cut(file, []byte("\n\n"))
	lines := bytes.LastIndexByte(head, '\n') + 1
	if !ok || !bytes.HasPrefix(head[lines:], []byte("checksum ")) {
		panic("fuzzing: no model file")
	}
	form := append(bytes.Clone(head[:lines]), '\n')
	for d := wire.NewDecoder(sections, 0); d.Len() > 0; {
		tag, payload := d.ReadSection()
		if err := d.Err(); err != nil {
			panic(err)
		}
		form = append(append(form, tag...), payload.Rest()...)
	}
	return form
}

// correction is how the header of a model names its correction: by a hash of the section.
var correction = regexp.MustCompile(`correction=[0-9a-f]{16}`)

// Pack returns a file whose form is form, with all checksums, lengths and the hash of a correction
// right. A section goes from its tag to the next one.
func Pack(form []byte) []byte {
	head, rest, _ := bytes.Cut(form, []byte("\n\n"))
	if _, corrected, ok := bytes.Cut(rest, []byte("CORR")); ok && bytes.HasPrefix(head, []byte("bayes model ")) {
		sum := sha256.Sum256(corrected[:nextTag(corrected)])
		head = correction.ReplaceAll(head, fmt.Appendf(nil, "correction=%x", sum[:8]))
	}
	file := append(bytes.Clone(head), '\n')
	file = fmt.Appendf(file, "checksum %08x\n\n", wire.Checksum(file))
	for len(rest) >= 4 {
		end := nextTag(rest[4:]) + 4
		file = wire.AppendSection(file, string(rest[:4]), func(b []byte) []byte { return append(b, rest[4:end]...) })
		rest = rest[end:]
	}
	return append(file, rest...)
}

// nextTag returns where the next tag begins, or the length of b.
func nextTag(b []byte) int {
	first := len(b)
	for _, tag := range tags {
		if i := bytes.Index(b[:first], []byte(tag)); i >= 0 {
			first = i
		}
	}
	return first
}

// Allocated returns how many bytes f allocates. No other goroutine of the test may
// allocate meanwhile, or its bytes count too.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Bound fails the test if f allocates more than times the size of its input, in bytes, and
// 4 MiB: what is read accounts for what is allocated.
func Bound(t *testing.T, size, times int, f func()) {
	t.Helper()
	if got, most := Allocated(f), uint64(size)*uint64(times)+4<<20; got > most {
		t.Fatalf("%d bytes allocated to read %d, of at most %d", got, size, most)
	}
}

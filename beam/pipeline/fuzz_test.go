package pipeline

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"

	"bayes/internal/fuzzing"
	"bayes/internal/golden"
)

// A sum of a worker whose checksums and lengths are right is an error, or is encoded as
// bytes that decode as the same; what is allocated, its bytes account for.
func FuzzSum(f *testing.F) {
	for _, name := range []string{"1/sums/nothing.sum", "1/sums/report.sum", "1/sums/counts.sum", "2/sums/counts.sum"} {
		b := golden.Read(f, filepath.Join(golden.Root(f), filepath.FromSlash(name)))
		n, size := binary.Uvarint(b)
		report, counts := b[size:][:n], b[size:][n:]
		if len(counts) > 0 {
			counts = fuzzing.Unpack(counts)
		}
		f.Add(report, counts)
	}
	f.Fuzz(func(t *testing.T, report, counts []byte) {
		b := append(binary.AppendUvarint(nil, uint64(len(report))), report...)
		if len(counts) > 0 {
			b = append(b, fuzzing.Pack(counts)...)
		}
		var s Sum
		var err error
		fuzzing.Bound(t, len(b), 256, func() { s, err = decodeSum(b) })
		if err != nil {
			return
		}
		once, err := encodeSum(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeSum(once)
		if err != nil {
			t.Fatalf("what was encoded is not decoded: %v", err)
		}
		if twice, err := encodeSum(again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("encoded again, the bytes differ: %v", err)
		}
	})
}

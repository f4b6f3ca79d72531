package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"bayes"
	"bayes/beam/part"
	"bayes/internal/golden"
)

// TestGoldenSums holds the files of sums that workers leave for the caller, and what
// travels between them, to their bytes.
func TestGoldenSums(t *testing.T) {
	c := bayes.NewCounts(stemmed(t))
	c.Learn(bayes.Example{Label: "a", Text: "running runners of the café"})
	c.Learn(bayes.Example{Label: "b", Text: "映画", Attrs: []bayes.Attr{bayes.Number("x", 2.5)}})
	for name, s := range map[string]Sum{
		"nothing": {},
		"report":  {Report: Report{Documents: 1, Bad: 2, Notes: []Note{{1, 2, 3, "x"}}, Failure: &Note{4, 5, 0, "y"}}},
		"counts":  {Counts: c, Report: Report{Documents: 2}},
	} {
		golden.New(t, "2", "sums/"+name+".sum", func(path string) {
			b, err := encodeSum(s)
			if err != nil {
				t.Fatal(err)
			}
			golden.Write(t, path, b)
		})
	}
	golden.Each(t, "sums/*.sum", func(t *testing.T, path string) {
		b := golden.Read(t, path)
		s, err := decodeSum(b)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := encodeSum(s); err != nil || !bytes.Equal(again, b) {
			t.Errorf("encoded again, the bytes differ: %v", err)
		}
	})
	file := part.File{Name: "a.csv", Path: "/a.csv", Format: "csv", Index: 3, Kind: part.Bytes, Size: 99, Header: []byte("label,text\n"), Body: 11}
	chunk := part.Chunk{File: file, Start: 11, End: 99}
	scan := part.Scan{Chunk: chunk, Exit: [3]uint8{1, 2, 0}, First: [3]int64{20, -1, 30}}
	onePart := part.Part{File: "a.csv", Path: "/a.csv", Format: "csv", Index: 3, Kind: part.Bytes, Start: 11, End: 50, Header: []byte("label,text\n")}
	golden.New(t, "1", "sums/part.json", func(path string) {
		lines := []byte{}
		for _, encode := range []func() ([]byte, error){
			func() ([]byte, error) { return json.Marshal(file) },
			func() ([]byte, error) { return encodeChunk(chunk) },
			func() ([]byte, error) { return encodeScan(scan) },
			func() ([]byte, error) { return json.Marshal(onePart) },
		} {
			b, err := encode()
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, b...), '\n')
		}
		golden.Write(t, path, lines)
	})
	golden.Each(t, "sums/part.json", func(t *testing.T, path string) {
		lines := bytes.Split(bytes.TrimSpace(golden.Read(t, path)), []byte("\n"))
		f, err := parse[part.File](lines[0])
		c, err1 := decodeChunk(lines[1])
		s, err2 := decodeScan(lines[2])
		p, err3 := parse[part.Part](lines[3])
		if got, want := fmt.Sprint(f, c, s, p, err, err1, err2, err3), fmt.Sprint(file, chunk, scan, onePart, error(nil), error(nil), error(nil), error(nil)); got != want {
			t.Errorf("%s,\nnot %s", got, want)
		}
	})
}

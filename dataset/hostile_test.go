package dataset

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"bayes"
)

// allocated returns how many bytes f allocates, freed or not.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Whatever a file is made of, reading it takes memory in proportion to its bytes.
func TestMemoryIsProportional(t *testing.T) {
	const n = 50_000
	var columns, cells, vector strings.Builder
	for i := range n {
		fmt.Fprintf(&columns, "c%d,", i)
		fmt.Fprintf(&cells, "%d,", i%10)
		fmt.Fprintf(&vector, " %d:1", i+1)
	}
	numeric := make([]string, 0, n/100)
	for i := range n / 100 {
		numeric = append(numeric, fmt.Sprintf("c%d", i*100))
	}
	for _, tt := range []struct {
		name, file string
		read       func(io.Reader, string, *Options) iter.Seq2[bayes.Example, error]
		opts       *Options
	}{
		{"a table of many columns", columns.String() + "label,text\n" + strings.Repeat(cells.String()+"a,b\n", 5), CSV, &Options{Numeric: numeric}},
		{"a table of commas", "label,text\n" + strings.Repeat(",", 3_000_000), CSV, nil},
		{"quotes", "label,text\na,\"" + strings.Repeat(`""`, 1_000_000) + "\"\n", CSV, nil},
		{"a long vector", "a" + vector.String() + "\nb" + vector.String() + "\n", SVMLight, nil},
		{"large indices", "a 65535:1 2147483647:1\n", SVMLight, nil},
		{"nested arrays", `{"label":"a","text":"b","x":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + "}\n", JSONL, nil},
		{"arrays nested too deep", `{"label":"a","text":"b","x":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + "}\n", JSONL, nil},
		{"many members", "{" + strings.Repeat(`"x":1,`, 300_000) + `"label":"a","text":"b"}` + "\n", JSONL, nil},
		{"labels of fastText", strings.Repeat("__label__", 200_000) + "\n", FastText, nil},
	} {
		for _, source := range []string{"as it is", "compressed"} {
			file := tt.file
			var r io.Reader = strings.NewReader(file)
			if source == "compressed" { // what counts is what comes out, record by record
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				z.Write([]byte(file))
				z.Close()
				var err error
				if r, err = Decompress(&b); err != nil {
					t.Fatal(err)
				}
			}
			records := 0
			used := allocated(func() {
				for range tt.read(r, "f", tt.opts) {
					records++
				}
			})
			if most := int64(40*len(file) + 80<<20); used > most || records == 0 {
				t.Errorf("%s, %s: %d bytes allocated for %d records of %d bytes, want at most %d", tt.name, source, used, records, len(file), most)
			}
		}
	}
}

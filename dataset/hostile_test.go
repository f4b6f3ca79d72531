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

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
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

// A Parquet file that says of a footer, a page or a list that it is large does not have the
// library get memory for it.
func TestParquetSizes(t *testing.T) {
	data := parquetFile(t, parquetRows()...)
	opts := &Options{Text: []string{"text"}, Numeric: []string{"age", "count"}, Categorical: []string{"plan"}}
	for i := range data {
		if i%3 != 0 && i < len(data)-8 {
			continue
		}
		for _, v := range []byte{0xff, 0x7f} {
			b := bytes.Clone(data)
			b[i] = v
			if used := allocated(func() { collectParquet(b, opts) }); used > 8<<20 {
				t.Errorf("byte %d is %#x: %d bytes are allocated for a file of %d", i, v, used, len(b))
			}
		}
	}
	for what, change := range map[string]func(h *format.PageHeader){
		"a page of 2 GB":          func(h *format.PageHeader) { h.UncompressedPageSize = 1<<31 - 1 },
		"a page of 2 GB packed":   func(h *format.PageHeader) { h.CompressedPageSize = 1<<31 - 1 },
		"a page of 2^31 values":   func(h *format.PageHeader) { h.DataPageHeader.V.NumValues = 1<<31 - 1 },
		"a page of minus 1 value": func(h *format.PageHeader) { h.DataPageHeader.V.NumValues = -1 },
	} {
		h := format.PageHeader{Type: format.DataPage, UncompressedPageSize: 10, CompressedPageSize: 10}
		h.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: 3})
		column := &format.ColumnMetaData{NumValues: 3}
		page := func() []byte {
			b, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
			if err != nil {
				t.Fatal(err)
			}
			b = append(b, make([]byte, 10)...)
			column.TotalCompressedSize = int64(len(b))
			return b
		}
		b := page()
		if err := checkPages(bytes.NewReader(b), int64(len(b)), column); err != nil {
			t.Errorf("a page as it should be: %v", err)
		}
		change(&h)
		b = page()
		if err := checkPages(bytes.NewReader(b), int64(len(b)), column); err == nil || !strings.Contains(err.Error(), "damaged: a page of") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

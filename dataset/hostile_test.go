package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
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
		"a dictionary of 2^31 values": func(h *format.PageHeader) {
			h.Type = format.DictionaryPage
			h.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: 1<<31 - 1})
		},
	} {
		h := format.PageHeader{Type: format.DataPage, UncompressedPageSize: 10, CompressedPageSize: 10}
		h.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: 3})
		if err := addPage(t, &h); err != nil {
			t.Errorf("a page as it should be: %v", err)
		}
		change(&h)
		if err := addPage(t, &h); err == nil || !strings.Contains(err.Error(), "damaged: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// addPage checks a column of two pages of ten bytes, the second of which has the header h.
func addPage(t *testing.T, h *format.PageHeader) error {
	t.Helper()
	first := format.PageHeader{Type: format.DataPage, UncompressedPageSize: 10, CompressedPageSize: 10}
	first.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: 3})
	var b []byte
	for _, h := range []*format.PageHeader{&first, h} {
		head, err := thrift.Marshal(new(thrift.CompactProtocol), h)
		if err != nil {
			t.Fatal(err)
		}
		b = append(append(b, head...), make([]byte, 10)...)
	}
	pages := pageSizes{r: bytes.NewReader(b), size: int64(len(b))}
	// A column that says that it ends with its first page does not hide the second.
	return pages.add(&format.ColumnMetaData{NumValues: 3, TotalCompressedSize: int64(len(b))})
}

// A footer whose strings and lists are longer than it is, or which has more row groups or
// deeper groups than it describes, is an error before the library gets memory for it.
func TestParquetFooter(t *testing.T) {
	marshal := func(meta *format.FileMetaData) string {
		b, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	nested := make([]format.SchemaElement, 100)
	for i := range nested[:len(nested)-1] {
		nested[i].NumChildren = thrift.New[int32](1)
	}
	// In Thrift, a field begins with the difference to the number of the one before and
	// its type, which is 8 for a string and 9 for a list; a length is a varint.
	const length = "\x80\x80\x80\x80\x04"
	for want, footer := range map[string]string{
		"the footer: ":                     "\x68" + length,     // who wrote the file
		"a list of length 1073741824 in ":  "\x29\xfc" + length, // the schema
		"2000 row groups of 3000 columns ": marshal(&format.FileMetaData{Schema: make([]format.SchemaElement, 3000), RowGroups: make([]format.RowGroup, 2000)}),
		"a column in more than 64 groups":  marshal(&format.FileMetaData{Schema: nested}),
	} {
		data := binary.LittleEndian.AppendUint32([]byte("PAR1"+footer), uint32(len(footer)))
		data = append(data, "PAR1"...)
		var errs []string
		if used := allocated(func() { _, errs = collectParquet(data, nil) }); used > 8<<20 {
			t.Errorf("%q: %d bytes are allocated for a file of %d", errs, used, len(data))
		}
		if len(errs) != 1 || !strings.HasPrefix(errs[0], "f: damaged: ") || !strings.Contains(errs[0], want) {
			t.Errorf("%q, want one with %q", errs, want)
		}
	}
}

package dataset

import (
	"bytes"
	"io"
	"iter"
	"math"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/fuzzing"
)

// A file of Parquet is examples, or an error of one line: never a panic, and never more
// memory than its bytes account for.
func FuzzParquet(f *testing.F) {
	f.Add(parquetFile(f, parquetRows()...))
	f.Add(parquetFile(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		var errs []string
		fuzzing.Bound(t, len(data)+parquetBase, parquetBound, func() {
			_, errs = collectParquet(data, &Options{Numeric: []string{"age", "count"}, Categorical: []string{"plan"}})
		})
		for _, err := range errs {
			if strings.ContainsAny(err, "\r\n") {
				t.Errorf("error in several lines: %q", err)
			}
		}
	})
}

// A file of Parquet may make the library allocate parquetBound bytes for each of its own:
// encodings repeat a value for some bits. Any file may be parquetBase bytes longer, since
// pages of megabytes may be small when compressed.
const (
	parquetBound = 8 << 10
	parquetBase  = 4 << 10
)

// Whatever text files hold, the memory that reading them takes is within a multiple of
// their size.
func FuzzMemory(f *testing.F) {
	readers := []func(io.Reader, string, *Options) iter.Seq2[bayes.Example, error]{CSV, TSV, JSONL, FastText, Lines}
	for _, s := range []string{
		"label,text\na,\"b\"\"c\"\r\n\nd,e", "label\ttext\nham\tsee you\n", "{\"label\":\"a\",\"text\":\"x\\u00e9\"}\n{\"label\":\"b\"}\n",
		"__label__a __label__b text\n__label__c\n", "one\ntwo\r\n\nfour",
	} {
		for kind := range readers {
			f.Add(uint8(kind), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		read := readers[int(kind)%len(readers)]
		fuzzing.Bound(t, len(data), 1024, func() {
			for ex, err := range read(bytes.NewReader(data), "f", nil) {
				if err == nil && math.IsNaN(ex.Weight) {
					t.Errorf("an example of weight %v", ex.Weight)
				}
			}
		})
	})
}

package dataset

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// copyParquet writes those rows of a Parquet file that keep returns true for to w, as a file
// of the same columns, codecs and metadata.
func copyParquet(name string, w io.Writer, keep func(row int) bool) (err error) {
	defer func() {
		if p := recover(); p != nil { // the library's answer to some damaged files
			err = fmt.Errorf("%s: damaged: %v", name, p)
		}
	}()
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f, err := openParquet(file, info.Size(), new(stats))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	rows := parquet.NewReader(f)
	defer rows.Close()
	// Columns keep the codecs that they have, which the nodes of the schema know.
	options := []parquet.WriterOption{parquet.NewSchema(f.Schema().Name(), f.Root())}
	for _, kv := range f.Metadata().KeyValueMetadata {
		options = append(options, parquet.KeyValueMetadata(kv.Key, kv.Value))
	}
	out := parquet.NewWriter(w, options...)
	batch := make([]parquet.Row, 64)
	for row := 0; ; {
		n, err := rows.ReadRows(batch)
		kept := batch[:0:0]
		for _, r := range batch[:n] {
			if row++; keep(row - 1) {
				kept = append(kept, r)
			}
		}
		if _, err := out.WriteRows(kept); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return out.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: row %d: %w", name, row, err)
		}
	}
}

package pipeline

import (
	"context"
	"reflect"
	"slices"

	"bayes/beam/part"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[splitFn]())
	beam.RegisterType(reflect.TypeFor[cutFn]())
	beam.RegisterFunction(scanFn)
}

// parts returns the parts of files, of about size bytes each, dealt out to all
// workers. Large tables are scanned first.
func parts(s beam.Scope, files []part.File, size int64) beam.PCollection {
	s = s.Scope("parts")
	whole, chunks := beam.ParDo2(s, &splitFn{size}, beam.Reshuffle(s, beam.CreateList(s, files)))
	if slices.ContainsFunc(files, func(f part.File) bool { return isLarge(f, size) }) {
		scans := beam.ParDo(s, scanFn, beam.Reshuffle(s, chunks))
		tables := beam.ParDo(s, &cutFn{size}, beam.GroupByKey(s, scans))
		whole = beam.Flatten(s, whole, tables)
	}
	return beam.Reshuffle(s, whole)
}

// isLarge reports whether f is a table to be cut.
func isLarge(f part.File, size int64) bool { return f.IsTable() && f.Size-f.Body > size }

// A splitFn makes parts of files, and chunks of large tables.
type splitFn struct{ Size int64 }

// ProcessElement emits what one file is made of.
func (fn *splitFn) ProcessElement(ctx context.Context, f part.File, emit func(part.Part), emitChunk func(part.Chunk)) error {
	if isLarge(f, fn.Size) {
		for _, c := range f.Chunks(fn.Size) {
			emitChunk(c)
		}
		return nil
	}
	list, err := f.Parts(ctx, fn.Size)
	for _, p := range list {
		emit(p)
	}
	return err
}

// scanFn returns what was found in a chunk, by the index of its file.
func scanFn(ctx context.Context, c part.Chunk) (int, part.Scan, error) {
	s, err := c.Scan(ctx)
	return c.File.Index, s, err
}

// A cutFn makes parts of a table from the scans of all its chunks.
type cutFn struct{ Size int64 }

// ProcessElement emits the parts of one table.
func (fn *cutFn) ProcessElement(_ int, next func(*part.Scan) bool, emit func(part.Part)) {
	var scans []part.Scan
	for s := (part.Scan{}); next(&s); s = (part.Scan{}) {
		scans = append(scans, s)
	}
	for _, p := range part.Cut(scans, fn.Size) {
		emit(p)
	}
}

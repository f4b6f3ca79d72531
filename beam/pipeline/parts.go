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

// parts returns the parts of files, of about size bytes each, in groups of about group bytes,
// dealt out to all workers. Large tables are scanned first.
func parts(s beam.Scope, files []part.File, size, group int64) beam.PCollection {
	s = s.Scope("parts")
	whole, chunks := beam.ParDo2(s, &splitFn{size, group}, beam.Reshuffle(s, beam.CreateList(s, batches(files, group))))
	if slices.ContainsFunc(files, func(f part.File) bool { return isLarge(f, size) }) {
		scans := beam.ParDo(s, scanFn, beam.Reshuffle(s, chunks))
		tables := beam.ParDo(s, &cutFn{size, group}, beam.GroupByKey(s, scans))
		whole = beam.Flatten(s, whole, tables)
	}
	return beam.Reshuffle(s, whole)
}

// A batch is files in a row. Those of a batch share groups.
type batch struct{ Files []part.File }

// batches returns the files in batches of about size bytes.
func batches(files []part.File, size int64) (list []batch) {
	room := int64(0)
	for _, f := range files {
		if room <= 0 {
			list, room = append(list, batch{}), size
		}
		b := &list[len(list)-1]
		b.Files = append(b.Files, f)
		room -= sizeOf(f)
	}
	return list
}

// sizeOf returns how large a file is, or is taken to be where its file system does not say.
func sizeOf(f part.File) int64 {
	const usual = 128 << 20
	if f.Size == 0 {
		return usual
	}
	return f.Size
}

// isLarge reports whether f is a table to be cut.
func isLarge(f part.File, size int64) bool { return f.IsTable() && f.Size-f.Body > size }

// A splitFn makes parts of files, and chunks of large tables.
type splitFn struct{ Size, Group int64 }

// ProcessElement emits what some files are made of.
func (fn *splitFn) ProcessElement(ctx context.Context, b batch, emit func(part.Group), emitChunk func(part.Chunk)) error {
	g := &part.Grouper{Size: fn.Group}
	for _, f := range b.Files {
		if isLarge(f, fn.Size) {
			for _, c := range f.Chunks(fn.Size) {
				emitChunk(c)
			}
			continue
		}
		list, err := f.Parts(ctx, fn.Size)
		if err != nil {
			return err
		}
		g.Add(list, sizeOf(f))
	}
	for _, group := range g.Groups() {
		emit(group)
	}
	return nil
}

// scanFn returns what was found in a chunk, by the index of its file.
func scanFn(ctx context.Context, c part.Chunk) (int, part.Scan, error) {
	s, err := c.Scan(ctx)
	return c.File.Index, s, err
}

// A cutFn makes parts of a table from the scans of all its chunks.
type cutFn struct{ Size, Group int64 }

// ProcessElement emits the parts of one table.
func (fn *cutFn) ProcessElement(_ int, next func(*part.Scan) bool, emit func(part.Group)) {
	var scans []part.Scan
	for s := (part.Scan{}); next(&s); s = (part.Scan{}) {
		scans = append(scans, s)
	}
	g := &part.Grouper{Size: fn.Group}
	for _, p := range part.Cut(scans, fn.Size) {
		g.Add([]part.Part{p}, p.End-p.Start)
	}
	for _, group := range g.Groups() {
		emit(group)
	}
}

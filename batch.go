package bayes

import "iter"

// A batch is some examples of a stream in a row, the unit of work that workers are given.
type batch struct {
	examples []Example
	errs     []error // of the stream, each in place of an example
}

// batches cuts a stream into batches of about 64 KiB of text. The last may be empty.
func batches(examples iter.Seq2[Example, error]) iter.Seq[*batch] {
	const batchBytes, batchExamples = 64 << 10, 512
	return func(yield func(*batch) bool) {
		b, size := new(batch), 0
		for ex, err := range examples {
			b.examples, b.errs = append(b.examples, ex), append(b.errs, err)
			if size += len(ex.Text); size < batchBytes && len(b.examples) < batchExamples {
				continue
			}
			if !yield(b) {
				return
			}
			n := len(b.examples)
			b, size = &batch{make([]Example, 0, n), make([]error, 0, n)}, 0
		}
		yield(b)
	}
}

// err returns the first error of a batch to learn from, in which each example has a label.
func (b *batch) err() error {
	for i, err := range b.errs {
		if err == nil && b.examples[i].Label == "" {
			err = errNoLabel
		}
		if err != nil {
			return err
		}
	}
	return nil
}

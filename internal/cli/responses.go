package cli

import (
	"iter"
	"sync"

	"bayes"
	"bayes/internal/parallel"
	"bayes/internal/sparse"
)

// A response is what a model says of a document, or why the document could not be read.
type response struct {
	bayes.Prediction
	document bayes.Document
	file     string
	err      error
}

// responses has workers predict the documents of s, the most probable classes of each, in
// batches, and yields these in order. A batch is valid until the next one: its memory is used again.
// It is large, unless reading has to wait: then the documents that are there go first.
// Whoever reads the answers to lines that come slowly gets each at once.
func (s *source) responses(m *bayes.Model, most, workers int) iter.Seq[[]response] {
	var used sync.Pool // of *[]response
	predict := func(batch []response) {
		for i := range batch {
			if r := &batch[i]; r.err == nil {
				m.PredictTop(&r.Prediction, r.document, most)
			}
		}
	}
	return func(yield func([]response) bool) {
		for batch := range parallel.Ordered(s.batches(&used), workers, func() func([]response) { return predict }) {
			if !yield(batch) {
				return
			}
			used.Put(&batch)
		}
	}
}

// batches yields the documents of s in batches that were used before, or new ones.
func (s *source) batches(used *sync.Pool) iter.Seq[[]response] {
	const batchBytes, batchDocuments = 64 << 10, 512
	return func(yield func([]response) bool) {
		var (
			batch []response
			size  int
			more  = true
		)
		pass := func() {
			if len(batch) > 0 && more {
				more = yield(batch)
				batch, size = nil, 0
				if again, ok := used.Get().(*[]response); ok {
					batch = (*again)[:0]
				}
			}
		}
		s.BeforeRead(pass)
		defer s.BeforeRead(nil)
		for ex, err := range s.examples() {
			batch = sparse.Lengthen(batch, len(batch)+1)
			r := &batch[len(batch)-1]
			r.document, r.err = ex.Document(), err
			r.file, _ = s.Place()
			if size += len(ex.Text); size >= batchBytes || len(batch) >= batchDocuments {
				pass()
			}
			if !more {
				return
			}
		}
		pass()
	}
}

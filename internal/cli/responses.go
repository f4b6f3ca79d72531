package cli

import (
	"iter"

	"bayes"
	"bayes/internal/parallel"
)

// A response is what a model says of a document, or why the document could not be read.
type response struct {
	bayes.Prediction
	document bayes.Document
	file     string
	err      error
}

// responses has workers predict the documents of s, the most probable classes of each, in
// batches, and yields these in order.
// A batch is large, unless reading has to wait: then the documents that are there go first.
// Whoever reads the answers to lines that come slowly gets each at once.
func (s *source) responses(m *bayes.Model, most, workers int) iter.Seq[[]response] {
	const batchBytes, batchDocuments = 64 << 10, 512
	batches := func(yield func([]response) bool) {
		var (
			batch []response
			size  int
			more  = true
		)
		pass := func() {
			if len(batch) > 0 && more {
				more = yield(batch)
				batch, size = make([]response, 0, len(batch)), 0
			}
		}
		s.BeforeRead(pass)
		defer s.BeforeRead(nil)
		for ex, err := range s.examples() {
			file, _ := s.Place()
			batch = append(batch, response{document: ex.Document(), file: file, err: err})
			if size += len(ex.Text); size >= batchBytes || len(batch) >= batchDocuments {
				pass()
			}
			if !more {
				return
			}
		}
		pass()
	}
	predict := func(batch []response) {
		for i := range batch {
			if r := &batch[i]; r.err == nil {
				m.PredictTop(&r.Prediction, r.document, most)
			}
		}
	}
	return parallel.Ordered(batches, workers, func() func([]response) { return predict })
}

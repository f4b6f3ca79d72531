package server

import (
	"cmp"
	"net/http"
	"strings"

	"bayes"
	"bayes/dataset"
)

// train makes the model called name of a table, as bayes train does, in place of the one that has
// the name.
func (s *Server) train(w http.ResponseWriter, r *http.Request, name string) error {
	// What the query says is looked at before the body is read.
	if err := s.catalog.mayReplace(name); err != nil {
		return ofCatalog(err)
	}
	auto, err := boolParam(r, "auto")
	if err != nil {
		return err
	}
	if auto {
		return s.trainBest(w, r, name)
	}
	q := r.URL.Query()
	space, err := bayes.ParseSpace(cmp.Or(q.Get("space"), "default"), s.opts.Languages...)
	if err != nil {
		return fail(http.StatusUnprocessableEntity, "space: %s", oneLine(err))
	}
	var opts dataset.Options
	if err := readOptions(r, &opts); err != nil {
		return err
	}
	em, err := bayes.ParseEventModel(cmp.Or(q.Get("event"), usualModel(&opts)))
	if err != nil {
		return fail(http.StatusUnprocessableEntity, "event: %s", oneLine(err))
	}
	if strings.Contains(em.String(), "corrected") {
		return fail(http.StatusUnprocessableEntity, "event: corrections are learned by bayes train --correct, not here")
	}
	t, err := s.receiveTable(w, r, s.catalog.folderOf(name), dataset.Options{LabelSeparator: space.LabelSeparator})
	if err != nil {
		return err
	}
	defer t.end()
	s.whole.Lock()
	defer s.whole.Unlock()
	counts, p := s.count(r, shareOf(w), t, space)
	if p != nil {
		return p
	}
	if q.Has("label") || q.Has("text") || q.Has("numeric") || q.Has("categorical") || q.Has("header") {
		counts.SetColumns(bayes.Columns{Label: t.opts.Label, Text: t.opts.Text, Numeric: t.opts.Numeric, Categorical: t.opts.Categorical, NoHeader: t.opts.NoHeader})
	}
	replaced, p := s.install(w, r, name, counts, em)
	if p != nil {
		return p
	}
	e, err := s.entryNamed(name)
	if err != nil {
		return err
	}
	info := e.info()
	info.Skipped, info.Why = t.skipped, t.why
	return writeJSON(w, createdUnless(replaced), info)
}

// usualModel describes the event model that a table's columns have unless another is asked for.
func usualModel(opts *dataset.Options) string {
	if len(opts.Text) > 1 || len(opts.Numeric)+len(opts.Categorical) > 0 {
		return "mixed"
	}
	return "multinomial"
}

// count counts the records of a table. Now and then it looks whether there is still room for
// their counts.
func (s *Server) count(r *http.Request, h *share, t *table, space *bayes.Space) (*bayes.Counts, *problem) {
	const often = 1 << 20 // bytes of records
	counts, read := bayes.NewCounts(space), int64(0)
	for ex, err := range t.examples() {
		if err != nil {
			return nil, asProblem(err)
		}
		leave, p := h.work(r.Context(), s.opts.Timeouts.Write, textWork(space, len(ex.Text)))
		if p != nil {
			return nil, p
		}
		counts.Learn(ex)
		leave()
		if read += sizeOf(ex); read < often {
			continue
		}
		read = 0
		if err := s.catalog.opts.Store.Memory.Fits(counts); err != nil {
			return nil, fail(http.StatusInsufficientStorage, "%s", oneLine(err))
		}
		if r.Context().Err() != nil {
			return nil, fail(http.StatusRequestTimeout, "the client left before the model was trained")
		}
	}
	if counts.Examples() == 0 {
		return nil, fail(http.StatusUnprocessableEntity, "the table has no examples to learn from%s", t.whySkipped())
	}
	return counts, nil
}

package server

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"time"

	"bayes"
	"bayes/answer"
	"bayes/store"
)

// served is a model of the catalog, and the counters of its use.
type served struct {
	*entry
	*meters
}

// entry returns the model that a request names.
func (s *Server) entry(r *http.Request) (served, error) { return s.entryNamed(r.PathValue("model")) }

// entryNamed returns the model called name, or the problem that it cannot be used.
func (s *Server) entryNamed(name string) (served, error) {
	switch e := (*s.catalog.entries.Load())[name]; {
	case e == nil:
	case e.broken != nil:
		return served{}, fail(http.StatusServiceUnavailable, "the model %.100q is broken: %s; the server's log says more, and PUT or DELETE replaces it", name, whyBroken(e.broken))
	default:
		return served{e, s.metrics.of(name)}, nil
	}
	return served{}, noModel(name)
}

// modelNamed returns the model called name as it predicts now.
func (s *Server) modelNamed(name string) (*bayes.Model, error) {
	e, err := s.entryNamed(name)
	if err != nil {
		return nil, err
	}
	return e.live.Load().model()
}

func noModel(name string) *problem {
	return fail(http.StatusNotFound, "no model is called %.100q", strings.ToValidUTF8(name, "�"))
}

// model returns the model of what has been learned.
func (l *liveModel) model() (*bayes.Model, error) {
	if m := l.store.Model(); m != nil {
		return m, nil
	}
	switch status := l.store.Status(); {
	case errors.Is(status.Fit, store.ErrMemory):
		return nil, fail(http.StatusInsufficientStorage, "%s", oneLine(status.Fit))
	case status.Fit != nil:
		return nil, fail(http.StatusConflict, "%s", whyNotLearning(store.Status{Fit: status.Fit}))
	}
	return nil, fail(http.StatusConflict, "the model has learned nothing yet")
}

// predict appends what m, the model of l, predicts of a document, which l may remember. The request h waits for its
// turn at most for as long as wait says.
func (e served) predict(ctx context.Context, h *share, wait time.Duration, dst []byte, l *liveModel, m *bayes.Model, rec *record, want wanted) ([]byte, *problem) {
	leave, p := h.work(ctx, wait, textWork(m.Space(), rec.size))
	if p != nil {
		return dst, p
	}
	defer leave()
	var pr bayes.Prediction
	most := max(2, answer.Most(want.top))
	if want.certain > 0 {
		if m.LabelTree() == "" {
			return dst, fail(http.StatusUnprocessableEntity, "certain: the labels of the model are no tree: train it with --label-tree")
		}
		most = math.MaxInt
	}
	if l.recent != nil && m.Space().LabelSeparator != "" {
		most = math.MaxInt // the label nearest to its cutoff may be improbable
	}
	m.PredictTop(&pr, rec.Example.Document(), most)
	e.predicted(pr.Answer().Class)
	l.recent.add(m, rec, pr)
	if want.certain > 0 {
		return appendNode(dst, rec.ID, answer.NewPrediction(pr, 0, want.top).At(answer.Deepest(pr, m.LabelTree(), want.certain)))
	}
	return answer.AppendPrediction(dst, rec.ID, pr, want.threshold, want.top), nil
}

// appendNode appends a prediction whose label is of a tree, without a line end.
func appendNode(dst []byte, id string, p answer.Prediction) ([]byte, *problem) {
	p.ID = id
	out, err := appendJSON(dst, &p)
	if err != nil {
		return dst, fail(http.StatusInternalServerError, "%s", oneLine(err))
	}
	return bytes.TrimSuffix(out, []byte("\n")), nil
}

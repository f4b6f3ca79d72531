package server

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"bayes"
	"bayes/answer"
)

// A doubt is a document whose class is not certain, as a client sees it. To teach the model what
// it is, a client learns the document under the id.
type doubt struct {
	ID       string         `json:"id" doc:"The name to learn it under: the id that it was predicted with, or a hash of what it holds"`
	Row      int64          `json:"row,omitempty" doc:"Of a table: the number of the record, from 1"`
	Given    string         `json:"given,omitempty" doc:"Of a table: its label there"`
	Time     *time.Time     `json:"time,omitempty" doc:"When it was predicted"`
	Document map[string]any `json:"document" doc:"What it holds, as learn takes it"`
	Classes  []candidate    `json:"classes" doc:"The most probable classes, at most ten, the most probable first"`
	Labels   []string       `json:"labels,omitzero" doc:"Where a document may have several labels: those it is given"`
	Margin   answer.Real    `json:"margin" doc:"The log-odds of the first class against the second; where a document may have several labels, how far the log-odds of one of the classes are at least from what it needs to be given"`
}

// A candidate is a class and its probability.
type candidate struct {
	Label       string      `json:"label"`
	Probability answer.Real `json:"probability"`
}

// A doubtList is what GET /v1/models/{model}/uncertain answers.
type doubtList struct {
	Remembered int     `json:"remembered" doc:"How many documents are remembered now"`
	Most       int     `json:"most" doc:"How many may be; zero where the server remembers no predictions"`
	Documents  []doubt `json:"documents" doc:"The least certain first"`
}

// uncertain answers GET /v1/models/{model}/uncertain: what was predicted lately and is not
// certain, as the model sees it now. What has been learned meanwhile is left out.
func (s *Server) uncertain(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	n, err := countParam(r, "n", 20, 100)
	if err != nil {
		return err
	}
	l := e.live.Load()
	list, most := l.recent.all()
	out := doubtList{Remembered: len(list), Most: most, Documents: []doubt{}}
	if len(list) == 0 {
		return writeJSON(w, http.StatusOK, out)
	}
	m, err := l.model()
	if err != nil {
		return err
	}
	h := shareOf(w)
	if p := h.take(4*recentBytes + int64(len(list))*predictionBytes); p != nil {
		return p
	}
	out.Documents, err = s.doubts(r.Context(), h, m, list, n, func(id string) (bool, error) {
		_, ok, err := l.store.Lookup(id)
		return ok, err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

// countParam returns a parameter of the query that is a number from 1 up to most, unless it is not
// given.
func countParam(r *http.Request, name string, unless, most int) (int, error) {
	q := r.URL.Query().Get(name)
	if q == "" {
		return unless, nil
	}
	n, err := strconv.Atoi(q)
	if err != nil || n < 1 || n > most {
		return 0, fail(http.StatusUnprocessableEntity, "%s=%.40s: want a number from 1 to %d", name, q, most)
	}
	return n, nil
}

// predictionBytes is how much memory the prediction of a doubt takes.
const predictionBytes = 1 << 10

const candidates = 10 // classes that are listed of a doubt

// doubts returns documents as m sees them now, the least certain first, at most n of them, and
// without those that skip names. Each waits for its turn to be predicted.
func (s *Server) doubts(ctx context.Context, h *share, m *bayes.Model, list []uncertain, n int, skip func(id string) (bool, error)) ([]doubt, error) {
	predictions := make(map[string]bayes.Prediction, len(list))
	for i := range list {
		u := &list[i]
		leave, p := h.work(ctx, s.opts.Timeouts.Write, textWork(m.Space(), int(u.size)))
		if p != nil {
			return nil, p
		}
		most := candidates
		if m.Space().LabelSeparator != "" {
			most = math.MaxInt // the label whose cutoff is nearest may be improbable
		}
		var pr bayes.Prediction
		m.PredictTop(&pr, u.example.Document(), most)
		leave()
		u.margin, _ = marginOf(m, pr)
		pr.Classes = slices.Clone(pr.Classes[:min(candidates, len(pr.Classes))])
		predictions[u.id] = pr
	}
	slices.SortStableFunc(list, func(a, b uncertain) int { return cmp.Compare(a.margin, b.margin) })
	out := []doubt{}
	for _, u := range list {
		if len(out) == n {
			break
		}
		known, err := skip(u.id)
		if err != nil {
			return nil, err
		}
		if !known {
			out = append(out, u.doubt(predictions[u.id]))
		}
	}
	return out, nil
}

// doubt returns u as clients see it.
func (u *uncertain) doubt(pr bayes.Prediction) doubt {
	d := doubt{ID: u.id, Row: u.row, Given: u.given, Document: objectOf(u.example), Labels: pr.Labels, Margin: answer.Real(u.margin), Classes: []candidate{}}
	if !u.at.IsZero() {
		d.Time = &u.at
	}
	for _, c := range pr.Classes {
		d.Classes = append(d.Classes, candidate{c.Class, answer.Real(c.P)})
	}
	return d
}

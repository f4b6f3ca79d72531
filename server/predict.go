package server

import (
	"net/http"
	"strconv"

	"bayes"
	"bayes/answer"
)

// predict answers POST /v1/models/{model}/predict. It writes its answers itself,
// since one prediction is far quicker than encoding it by reflection.
func (s *Server) predict(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	threshold, err := probabilityParam(r, "threshold")
	if err != nil {
		return err
	}
	if mediaType(r) == ndjson {
		return s.stream(w, r, e, threshold)
	}
	b := getBody()
	defer putBody(b)
	if err := s.predictBody(w, r, b, e, threshold); err != nil {
		return err
	}
	b.write(w)
	return nil
}

func (s *Server) predictBody(w http.ResponseWriter, r *http.Request, b *body, e served, threshold float64) error {
	value, p := s.readJSON(w, r, b)
	if p != nil {
		return p
	}
	l := e.live.Load()
	m, err := l.model()
	if err != nil {
		return err
	}
	n := 0
	const open, closed = `{"predictions":[`, `]}`
	b.out = append(b.out[:0], open...)
	many, p := s.documents(value, l.columns, func(rec record) *problem {
		if rec.empty {
			return l.columns.missing()
		}
		if n++; n > 1 {
			b.out = append(b.out, ',')
		}
		b.out = e.predict(b.out, m, &rec, threshold)
		return nil
	})
	switch {
	case p != nil:
		return p
	case many:
		b.out = append(b.out, closed...)
	default:
		b.out = append(b.out[:0], b.out[len(open):]...)
	}
	b.out = append(b.out, '\n')
	return nil
}

// predict appends what m predicts of a document.
func (e served) predict(dst []byte, m *bayes.Model, rec *record, threshold float64) []byte {
	pr := m.Predict(rec.Example.Document())
	e.predicted(pr.Best().Class)
	return answer.AppendPrediction(dst, rec.ID, pr, threshold)
}

// missing is the problem of a document without content.
func (c *columns) missing() *problem {
	list := c.of(mainRole, textRole, numberRole, categoryRole)
	if len(list) == 1 {
		return fail(http.StatusUnprocessableEntity, "no %q", list[0])
	}
	return fail(http.StatusUnprocessableEntity, "none of the model's columns: %.200q", list)
}

// probabilityParam returns a parameter of the query that is a probability, zero
// if it is not given.
func probabilityParam(r *http.Request, name string) (float64, error) {
	if r.URL.RawQuery == "" {
		return 0, nil
	}
	q := r.URL.Query().Get(name)
	if q == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(q, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fail(http.StatusUnprocessableEntity, "%s=%.40s: want a probability from 0 to 1", name, q)
	}
	return v, nil
}

func itoa(n int) string { return strconv.Itoa(n) }

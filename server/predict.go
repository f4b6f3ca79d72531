package server

import (
	"net/http"
	"strconv"

	"bayes"
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
	return s.predictBody(w, r, b, e, threshold)
}

// predictBody answers with the prediction of one document, or with those of many. The many
// are written as they are made, some at a time; before the first are, all documents are
// read, so that a batch with a wrong one is refused as a whole.
func (s *Server) predictBody(w http.ResponseWriter, r *http.Request, b *body, e served, threshold float64) error {
	value, p := s.readJSON(w, r, b, 1)
	if p != nil {
		return p
	}
	l := e.live.Load()
	m, err := l.model()
	if err != nil {
		return err
	}
	h := shareOf(w)
	if extra := answerBytes(m) - pageful; extra > 0 { // thousands of classes
		if p := h.take(2 * extra); p != nil {
			return p
		}
	}
	n, begun := 0, false
	const open, closed = `{"predictions":[`, `]}`
	b.out = append(b.out[:0], open...)
	many, p := s.documents(value, l.columns, func(rec record) *problem {
		if rec.empty {
			return l.columns.missing()
		}
		if n++; n > 1 {
			b.out = append(b.out, ',')
			if len(b.out) >= pageful {
				if !begun {
					if _, p := s.documents(value, l.columns, func(rec record) *problem { return s.predictable(l, m, &rec) }); p != nil {
						return p
					}
					begun = true
				}
				if b.flush(w, s.opts.Timeouts.Write) != nil {
					return fail(http.StatusRequestTimeout, "the client is gone")
				}
			}
		}
		b.out, p = e.predict(r.Context(), h, s.opts.Timeouts.Write, b.out, m, &rec, threshold)
		return p
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
	if begun {
		b.flush(w, s.opts.Timeouts.Write) // a client that is gone needs no answer
		return nil
	}
	b.write(w)
	return nil
}

// predictable returns a problem if a document cannot be predicted.
func (s *Server) predictable(l *live, m *bayes.Model, rec *record) *problem {
	if rec.empty {
		return l.columns.missing()
	}
	return s.memory.fits(textWork(m.Space(), rec.size))
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

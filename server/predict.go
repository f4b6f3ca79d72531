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
	want, err := wantedOf(r)
	if err != nil {
		return err
	}
	if mediaType(r) == ndjson {
		return s.stream(w, r, e, want)
	}
	b := getBody()
	defer putBody(b)
	return s.predictBody(w, r, b, e, want)
}

// wanted is what a client wants of each answer.
type wanted struct {
	threshold float64 // the least probability of a label
	certain   float64 // that of a label of a tree; zero means none
	top       int     // how many classes, as answer.Top has it
}

// wantedOf reads what a request's query says.
func wantedOf(r *http.Request) (w wanted, err error) {
	if w.threshold, err = probabilityParam(r, "threshold"); err != nil {
		return w, err
	}
	if w.certain, err = probabilityParam(r, "certain"); err != nil {
		return w, err
	}
	if w.certain > 0 && w.threshold > 0 {
		return w, fail(http.StatusUnprocessableEntity, "certain goes without threshold: want one of them")
	}
	w.top, err = topParam(r)
	return w, err
}

// predictBody answers with the prediction of one document, or with those of a batch.
func (s *Server) predictBody(w http.ResponseWriter, r *http.Request, b *body, e served, want wanted) error {
	value, p := s.readJSON(w, r, b, timesOf(r, 1))
	if p != nil {
		return p
	}
	l := e.live.Load()
	m, err := l.model()
	if err != nil {
		return err
	}
	h := shareOf(w)
	if extra := answerBytes(m, want.top) - partSize; extra > 0 { // thousands of classes
		if p := h.take(2 * extra); p != nil {
			return p
		}
	}
	// Whether the body is one document or a list is known at its end. So the answer begins
	// as that of a list, and loses this beginning if it is one document's.
	const open, closed = `{"predictions":[`, `]}`
	b.out = append(b.out[:0], open...)
	t, n := batch{s, w, r, b, value, l, m, false}, 0
	many, p := s.documents(r, value, l.columns, func(rec record) (p *problem) {
		if rec.empty {
			return l.columns.missing()
		}
		if n++; n > 1 {
			if p := t.separate(); p != nil {
				return p
			}
		}
		b.out, p = e.predict(r.Context(), h, s.opts.Timeouts.Write, b.out, l, m, &rec, want)
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
	if t.begun {
		b.flush(w, s.opts.Timeouts.Write) // a client that is gone needs no answer
		return nil
	}
	b.write(w)
	return nil
}

// A batch is the documents of a body whose answers are written in parts, as they are made.
// Before the first part is written all documents are read, so that a batch with a wrong one
// is refused as a whole.
type batch struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	body  *body
	value []byte // the JSON of all documents
	live  *liveModel
	model *bayes.Model
	begun bool // whether a part has been written
}

// separate begins a further answer, and writes those before it if they are long enough.
func (t *batch) separate() *problem {
	t.body.out = append(t.body.out, ',')
	if len(t.body.out) < partSize {
		return nil
	}
	if !t.begun {
		if p := t.check(); p != nil {
			return p
		}
		t.begun = true
	}
	if t.body.flush(t.w, t.s.opts.Timeouts.Write) != nil {
		return fail(http.StatusRequestTimeout, "the client is gone")
	}
	return nil
}

// check returns the problem with the first document that cannot be predicted.
func (t *batch) check() *problem {
	_, p := t.s.documents(t.r, t.value, t.live.columns, func(rec record) *problem {
		if rec.empty {
			return t.live.columns.missing()
		}
		return t.s.memory.fits(textWork(t.model.Space(), rec.size))
	})
	return p
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

// topParam returns how many classes an answer is to have, zero if the query does not say.
func topParam(r *http.Request) (int, error) {
	if r.URL.RawQuery == "" {
		return 0, nil
	}
	q := r.URL.Query().Get("top")
	if q == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(q)
	if err != nil || n < 1 {
		return 0, fail(http.StatusUnprocessableEntity, "top=%.40s: want a number of classes from 1", q)
	}
	return n, nil
}

package server

import (
	"net/http"

	"bayes/answer"
)

// An explanation is what POST /v1/models/{model}/explain answers.
type explanation struct {
	answer.Explanation
	Work *answer.Derivation `json:"work,omitempty" doc:"The whole calculation, with ?work=true"`
}

func (s *Server) explain(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	b := getBody()
	defer putBody(b)
	value, p := s.readJSON(w, r, b)
	if p != nil {
		return p
	}
	l := e.live.Load()
	m, err := l.model()
	if err != nil {
		return err
	}
	var out explanation
	many, p := s.documents(value, l.columns, func(rec record) *problem {
		if rec.empty {
			return l.columns.missing()
		}
		d := rec.Example.Document()
		ex := m.Explain(d)
		out.Explanation = answer.NewExplanation(ex)
		out.ID = rec.ID
		out.Cut(ex, d.Text)
		if r.URL.Query().Get("work") == "true" {
			work := answer.NewDerivation(m.Derive(d))
			out.Work = &work
		}
		e.predicted(ex.Best().Class)
		return nil
	})
	if p == nil && many {
		p = fail(http.StatusUnprocessableEntity, "documents: one document at a time is explained")
	}
	if p != nil {
		return p
	}
	return writeJSON(w, http.StatusOK, out)
}

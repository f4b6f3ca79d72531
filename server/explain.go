package server

import (
	"net/http"
	"slices"

	"bayes"
	"bayes/answer"
	"bayes/text"
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
	top, err := topParam(r)
	if err != nil {
		return err
	}
	b := getBody()
	defer putBody(b)
	value, p := s.readJSON(w, r, b, 2) // the text is kept, to be cut
	if p != nil {
		return p
	}
	l := e.live.Load()
	m, err := l.model()
	if err != nil {
		return err
	}
	class := ""
	many, p := s.documents(r, value, l.columns, func(rec record) (p *problem) {
		if rec.empty {
			return l.columns.missing()
		}
		class, p = s.explainOne(r, shareOf(w), b, m, &rec, top)
		return p
	})
	if p == nil && many {
		p = fail(http.StatusUnprocessableEntity, "documents: one document at a time is explained")
	}
	if p != nil {
		return p
	}
	e.predicted(class)
	b.write(w)
	return nil
}

// explainOne makes b.out the explanation of a document, and returns its class. How much
// memory that takes depends on how many terms the text has, which are counted first.
func (s *Server) explainOne(r *http.Request, h *share, b *body, m *bayes.Model, rec *record, top int) (class string, p *problem) {
	q := r.URL.Query()
	d, derive, of := rec.Example.Document(), q.Get("work") == "true", q.Get("of")
	several := m.Space().LabelSeparator != ""
	switch {
	case of == "":
	case !several:
		return "", fail(http.StatusUnprocessableEntity, "of is of models of several labels a document")
	case !slices.Contains(m.Classes(), of):
		return "", fail(http.StatusUnprocessableEntity, "of=%.100s: none of the labels of the model", of)
	}
	// First the cheap part, which says how much memory the whole takes; then the whole.
	need, p := s.explainWork(r, h, m, rec, derive, top)
	if p != nil {
		return "", p
	}
	leave, p := h.work(r.Context(), s.opts.Timeouts.Write, need)
	if p != nil {
		return "", p
	}
	defer leave()
	ex := m.Explain(d)
	if of != "" {
		ex = m.ExplainAgainst(d, of, "")
	}
	out := explanation{Explanation: answer.NewExplanation(ex, top)}
	out.ID = rec.ID
	out.Cut(ex, d.Text)
	if derive {
		der := m.Derive(d)
		if several {
			der = answer.DerivationOf(der, []string{ex.Class})
		}
		work := answer.NewDerivation(der, top)
		out.Work = &work
	}
	var err error
	if b.out, err = appendJSON(b.out[:0], &out); err != nil {
		return "", s.fault(r, err)
	}
	// A long answer waits for its client, so the request holds memory for it.
	if n := int64(cap(b.out)); n > partSize {
		p = h.take(n)
	}
	return out.Class, p
}

// explainWork returns how much memory an explanation takes.
func (s *Server) explainWork(r *http.Request, h *share, m *bayes.Model, rec *record, derive bool, top int) (need int64, p *problem) {
	leave, p := h.work(r.Context(), s.opts.Timeouts.Write, textWork(m.Space(), rec.size))
	if p != nil {
		return 0, p
	}
	defer leave()
	// All terms are listed, and with derive each class has a factor for each term that is known. Those of
	// the most probable classes are spelt out.
	var found text.Buffer
	analyzerOf(m.Space()).Analyze(&found, rec.Example.Text)
	pr := m.Predict(rec.Example.Document())
	need = int64(found.Len()+pr.Known+pr.Unknown) * explainedWork
	if derive {
		spelt := answer.Top(len(pr.Classes), top)
		if m.Space().LabelSeparator != "" { // only the label that is explained
			spelt = 1
		}
		need += int64(pr.Known+listedAbsent) * (int64(spelt)*derivedWork + int64(len(pr.Classes)-spelt)*factorWork)
	}
	return need, nil
}

package server

import (
	"net/http"

	"bayes"
	"bayes/internal/terminal"
	"bayes/mail"

	"github.com/danielgtaylor/huma/v2"
)

// mailSchema is that of a mail.
var mailSchema = &huma.Schema{Type: "string", Format: "binary"}

// timesOf returns for how many bytes of memory a byte of the body stands: of a mail more, which is taken
// apart.
func timesOf(r *http.Request, times int64) int64 {
	if mediaType(r) == message {
		return max(times, 6)
	}
	return times
}

// mail calls visit for a mail, whose ID is a hash of it, and whose label the query names.
func (s *Server) mail(r *http.Request, raw []byte, c *columns, visit func(rec record) *problem) *problem {
	if len(raw) == 0 {
		return fail(http.StatusBadRequest, "an empty body, where a mail is wanted")
	}
	texts := c.of(textRole)
	if len(c.of(numberRole, categoryRole)) > 0 || len(texts) > 0 && !mail.ReadsTexts(texts) {
		return fail(http.StatusUnprocessableEntity, "the model reads no mail, but %s", terminal.Names(c.content()))
	}
	d := mail.DocumentFor(c.space, texts, raw)
	rec := record{ID: mail.ID(raw), Example: bayes.Example{Text: d.Text, Attrs: d.Attrs}, size: len(raw)}
	if label := r.URL.Query().Get("label"); label != "" {
		rec.Example.Label, rec.label = checkedLabel(label)
	}
	return visit(rec)
}

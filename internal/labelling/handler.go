package labelling

import (
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"bayes/answer"
	"bayes/internal/excerpt"
	"bayes/internal/webpage"
)

//go:embed files
var files embed.FS

// HandlerOptions say who may use the page.
type HandlerOptions struct {
	Who   string // who answers at a page that names nobody
	Order string // which text comes next, for people to read

	// Train returns the command that trains a model of the answers, and of the texts without one too or not; empty if it cannot be of these. It may be nil.
	Train func(unanswered bool) string
	Key   string   // what each request must bear, unless it is empty
	Hosts []string // the names that the page answers to; empty means any
}

type handler struct {
	session   *Session
	run       string // which one of the command it is
	opts      HandlerOptions
	mux       *http.ServeMux
	crossSite *http.CrossOriginProtection
}

// Handler returns the page of a session, and what it asks for.
func Handler(s *Session, opts HandlerOptions) http.Handler {
	h := &handler{session: s, run: rand.Text(), opts: opts, mux: http.NewServeMux(), crossSite: http.NewCrossOriginProtection()}
	err := webpage.Route(webpage.With(files), func(pattern string, f http.HandlerFunc) { h.mux.HandleFunc(pattern, f) })
	if err != nil {
		panic("labelling: internal error: " + err.Error())
	}
	h.route("GET /api/state", func(*request) error { return nil })
	h.route("GET /api/question", h.question)
	h.route("GET /api/recent", h.recent)
	h.route("POST /api/answer", h.answer)
	h.route("POST /api/skip", h.skip)
	h.route("POST /api/undo", h.undo)
	h.route("POST /api/class", h.class)
	h.route("DELETE /api/class", h.removeClass)
	return h
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range webpage.Header {
		w.Header()[name] = value
	}
	switch {
	case !webpage.AnswersTo(h.opts.Hosts, r.Host):
		problem(w, http.StatusMisdirectedRequest, "this page does not answer to that name")
	case h.crossSite.Check(r) != nil:
		problem(w, http.StatusForbidden, "a page of another site may not ask for this")
	default:
		h.mux.ServeHTTP(w, r)
	}
}

// A request is one of the page, and what is answered.
type request struct {
	*http.Request
	who  string
	body body
	out  response
}

// A body is what is asked for.
type body struct {
	Text  *int   `json:"text"`
	Label string `json:"label"`
	Also  []int  `json:"also"`
	Name  string `json:"name"`
	Words string `json:"words"`
	Run   string `json:"run"`
}

// route has f answer requests.
func (h *handler) route(pattern string, f func(*request) error) {
	h.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("Cache-Control", "no-store")
		req := &request{Request: r, who: r.URL.Query().Get("who")}
		err := h.admit(req)
		if err == nil && r.Method == http.MethodPost {
			err = req.read(w)
		}
		if err == nil {
			err = f(req)
		}
		var bad *Invalid
		var denied *refusal
		switch {
		case errors.As(err, &bad):
			problem(w, http.StatusUnprocessableEntity, bad.Reason)
			return
		case errors.As(err, &denied):
			problem(w, denied.status, denied.detail)
			return
		case err != nil:
			problem(w, http.StatusInternalServerError, err.Error())
			return
		}
		req.out.State = h.state(req.who)
		writeJSON(w, http.StatusOK, &req.out)
	})
}

// A refusal is the error of a request that is no person's.
type refusal struct {
	status int
	detail string
}

func (r *refusal) Error() string { return r.detail }

// admit sets who asks, and returns an error unless the request bears the key.
func (h *handler) admit(r *request) error {
	bears := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if h.opts.Key != "" && subtle.ConstantTimeCompare([]byte(bears), []byte(h.opts.Key)) != 1 {
		return &refusal{http.StatusUnauthorized, "the key is not that of the address which the command has printed"}
	}
	if r.who == "" {
		r.who = h.opts.Who
	}
	return CheckName(r.who)
}

const longestBody = 1 << 20

// read reads the body of a request.
func (r *request) read(w http.ResponseWriter) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return &refusal{http.StatusUnsupportedMediaType, "the Content-Type must be application/json"}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestBody))
	if err != nil {
		return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes, or is cut off", longestBody)}
	}
	if err := json.Unmarshal(data, &r.body); err != nil {
		return &refusal{http.StatusBadRequest, "the body is not the JSON that is wanted: " + err.Error()}
	}
	return nil
}

func problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	writeJSON(w, status, map[string]any{"title": http.StatusText(status), "status": status, "detail": detail})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"detail":"internal error"}`)
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	w.Write(data) // to a browser that may have gone
}

const (
	longestText = 20_000 // bytes of a text that are shown
	longestLine = 160    // of one that is alike, or was answered
	mostTop     = 5
	mostAlike   = 20     // texts that are alike and shown
	mostMore    = 50_000 // others, so that a body holds their numbers
	mostRecent  = 20
)

func (h *handler) question(r *request) error {
	if s := r.URL.Query().Get("text"); s != "" {
		i, err := strconv.Atoi(s)
		if err != nil {
			return invalid("text %.20q is no number", s)
		}
		if err := h.ofThisRun(r.URL.Query().Get("run")); err != nil {
			return err
		}
		a, err := h.session.AskAgain(r.who, i)
		if err != nil {
			return err
		}
		r.out.Asked, r.out.Question = true, h.show(a)
		return nil
	}
	h.next(r)
	return nil
}

// next has the response put the next question.
func (h *handler) next(r *request) {
	r.out.Asked = true
	if a, ok := h.session.Ask(r.who); ok {
		r.out.Question = h.show(a)
	}
}

func (h *handler) show(a Asked) *question {
	t := h.session.Text(a.Text)
	whole := t.Text
	shown := excerpt.Start(whole, longestText)
	q := &question{Text: a.Text, Row: t.Row, Measured: a.Measured, Given: a.Given, Cut: len(shown) < len(whole)}
	if a.Guess != nil && !a.Measured {
		e := answer.NewExplanation(a.Guess, mostTop)
		e.Cut(a.Guess, whole)
		q.Spans, q.Guess, q.P = firstSpans(e.Highlights, len(shown)), a.Answer.Class, answer.Real(a.Answer.P)
		q.Coloured, q.Against = e.Class, e.Against
		for _, c := range a.Guess.Classes[:min(max(mostTop, len(a.Guess.Labels)), len(a.Guess.Classes))] {
			q.Top = append(q.Top, probability{c.Class, answer.Real(c.P)})
		}
	} else {
		q.Spans = []answer.Span{{Text: shown}}
	}
	shownAlike := min(mostAlike, len(a.Alike))
	for _, i := range a.Alike[:shownAlike] {
		q.Alike = append(q.Alike, alike{i, h.excerpt(i)})
	}
	q.More = a.Alike[shownAlike:min(shownAlike+mostMore, len(a.Alike))]
	return q
}

// firstSpans returns spans of the first n bytes.
func firstSpans(spans []answer.Span, n int) []answer.Span {
	for i := range spans {
		if n -= len(spans[i].Text); n < 0 {
			spans[i].Text = excerpt.Start(spans[i].Text, len(spans[i].Text)+n)
			return spans[:i+1]
		}
	}
	return spans
}

func (h *handler) excerpt(i int) string {
	return excerpt.Start(strings.Join(strings.Fields(excerpt.Start(h.session.Text(i).Text, 4*longestLine)), " "), longestLine)
}

func (h *handler) recent(r *request) error {
	for _, i := range h.session.Recent(r.who, mostRecent) {
		r.out.Recent = append(r.out.Recent, recentText{i, h.session.Given(r.who, i), h.excerpt(i)})
	}
	return nil
}

// text returns the number of the text that a request is about. Another run of the command may have given the number to another text, so a page says which run
// it has the number from.
func (h *handler) text(r *request) (int, error) {
	if r.body.Text == nil {
		return 0, invalid("no text is named")
	}
	return *r.body.Text, h.ofThisRun(r.body.Run)
}

func (h *handler) ofThisRun(run string) error {
	if run != "" && run != h.run {
		return &refusal{http.StatusConflict, "bayes label has been started again, and this was a text of the run before: here is what is asked now"}
	}
	return nil
}

func (h *handler) answer(r *request) error {
	text, err := h.text(r)
	if err != nil {
		return err
	}
	was, err := h.session.Answer(r.who, append([]int{text}, r.body.Also...), r.body.Label)
	if err != nil {
		return err
	}
	r.out.Was = &outcome{text, was.Label, was.Guess, answer.Real(was.P), was.Measured, was.Also}
	h.next(r)
	return nil
}

func (h *handler) skip(r *request) error {
	text, err := h.text(r)
	if err != nil {
		return err
	}
	if err := h.session.Skip(r.who, text); err != nil {
		return err
	}
	h.next(r)
	return nil
}

func (h *handler) undo(r *request) error {
	if err := h.session.Undo(r.who); err != nil {
		return err
	}
	h.next(r)
	return nil
}

func (h *handler) class(r *request) error {
	if err := h.session.AddClass(r.who, r.body.Name, r.body.Words); err != nil {
		return err
	}
	h.next(r)
	return nil
}

func (h *handler) removeClass(r *request) error {
	if err := h.session.RemoveClass(r.URL.Query().Get("name")); err != nil {
		return err
	}
	h.next(r)
	return nil
}

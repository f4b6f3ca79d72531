package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"bayes"
	"bayes/answer"
)

// testLines measures a model by labelled documents, one JSON object a line, and answers each line with its prediction, as
// predict does: so who wants both sends a file once. The last line is the measurement, or the problem with it. A document
// without a label is predicted, and not measured.
func (s *Server) testLines(w http.ResponseWriter, r *http.Request, e served, l *liveModel, t *tester, page bool) error {
	file, p := s.receive(w, r, e.folder)
	if p != nil {
		return p
	}
	defer file.end()
	size, err := file.rewind()
	if err != nil {
		return s.fault(r, err)
	}
	// The longest line, what is read of it, and the longest answer.
	if p := t.share.take(4*min(size, s.opts.Limits.Body) + answerBytes(t.model, 0)); p != nil {
		return p
	}
	run := &linesTest{tester: t, server: s, live: l, out: answerLines{w: w, timeout: s.opts.Timeouts.Write, until: time.Now().Add(s.opts.Timeouts.Transfer)}}
	run.refused = t.begin()
	if p := run.readAll(r.Context(), file); p != nil {
		return run.out.end(nil, p)
	}
	return run.out.end(run.measurement(r, page))
}

// A linesTest is a test by lines that goes on.
type linesTest struct {
	*tester
	server  *Server
	live    *liveModel
	out     answerLines
	left    skips
	refused *problem // why no more is measured
}

// readAll answers the lines of a file, and measures them. Where that is refused, it goes on answering.
func (t *linesTest) readAll(ctx context.Context, file *transfer) *problem {
	longest := int(t.server.opts.Limits.Body)
	lines := bufio.NewScanner(file.file)
	lines.Buffer(nil, longest)
	for number := int64(1); lines.Scan(); number++ {
		line := bytes.Trim(lines.Bytes(), " \t\r\n")
		if len(line) == 0 {
			continue
		}
		if ctx.Err() != nil {
			return fail(http.StatusRequestTimeout, "the client left before the model was tested")
		}
		if p := t.answer(ctx, line, number); p != nil {
			t.left.skip(p.Detail)
			t.out.data = appendProblem(t.out.data, p)
		}
		if err := t.out.flush(partSize); err != nil {
			return fail(http.StatusRequestTimeout, "the client is gone")
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fail(http.StatusRequestEntityTooLarge, "a line is longer than %d bytes", longest)
	} else if err != nil {
		return fail(http.StatusInternalServerError, "the lines could not be read")
	}
	return nil
}

// answer answers a line and, if it has a label, measures it. The problem is that with its document.
func (t *linesTest) answer(ctx context.Context, line []byte, number int64) *problem {
	p := checkJSON(line)
	var rec record
	if p == nil {
		o := t.live.columns.get()
		defer t.live.columns.put(o)
		rec, p = o.read(line, t.server.opts.Limits.Text)
	}
	if p == nil && rec.empty {
		p = t.live.columns.missing()
	}
	if p != nil {
		return ofLine(int(number), p)
	}
	leave, p := t.share.work(ctx, t.server.opts.Timeouts.Write, textWork(t.model.Space(), rec.size))
	if p != nil {
		return ofLine(int(number), p)
	}
	result := bayes.Result{Example: rec.Example, Prediction: t.model.Predict(rec.Example.Document())}
	leave()
	t.out.data = append(answer.AppendPrediction(t.out.data, rec.ID, result.Prediction, 0, 0), '\n')
	switch {
	case rec.label != nil:
		t.left.skip("line " + strconv.FormatInt(number, 10) + ": " + rec.label.Detail)
	case rec.Example.Label == "":
		t.left.skip("line " + strconv.FormatInt(number, 10) + ": no label")
	case t.refused == nil:
		t.refused = t.observe(result, cmp.Or(rec.ID, contentID(rec.Example)), number)
	}
	return nil
}

// A linesMeasurement is the last line: a measurement, and with report=true its page.
type linesMeasurement struct {
	Measurement any    `json:"measurement"`
	Report      string `json:"report,omitempty" doc:"The page of the report, with report=true"`
}

// measurement returns the last line.
func (t *linesTest) measurement(r *http.Request, page bool) (last *linesMeasurement, p *problem) {
	if p = t.refused; p == nil {
		p = t.none(&t.left)
	}
	if p != nil {
		return nil, p
	}
	uncertain, err := t.server.leastCertain(r, t.live, t.tester)
	var b bytes.Buffer
	if err == nil && page {
		err = t.report().WriteHTML(&b)
	}
	if err != nil && !errors.As(err, &p) {
		p = t.server.fault(r, err)
	}
	if p == nil {
		p = t.share.take(3 * int64(b.Len())) // the page, as a string, and in the line
	}
	return &linesMeasurement{Measurement: t.tester.measurement(&t.left, uncertain), Report: b.String()}, p
}

// answerLines are the lines of an answer. They are written in parts, and the first part has the status.
type answerLines struct {
	w       http.ResponseWriter
	timeout time.Duration // of a part
	until   time.Time     // that all of them have
	data    []byte
	begun   bool
}

// flush writes the lines if they have that many bytes or more.
func (a *answerLines) flush(least int) error {
	if len(a.data) < least {
		return nil
	}
	deadline := time.Now().Add(a.timeout)
	if deadline.After(a.until) {
		deadline = a.until
	}
	http.NewResponseController(a.w).SetWriteDeadline(deadline) // http.ErrNotSupported outside a real server
	if !a.begun {
		a.begun = true
		a.w.Header().Set("Content-Type", ndjson)
	}
	_, err := a.w.Write(a.data)
	a.data = a.data[:0]
	return err
}

// end writes the last line, which is the problem if there is one. Where there are no lines before it, the problem is the answer.
func (a *answerLines) end(last *linesMeasurement, p *problem) (err error) {
	switch {
	case p == nil:
		a.data, err = appendJSON(a.data, last)
	case !a.begun && len(a.data) == 0:
		return p
	default:
		a.data = appendProblem(a.data, p)
	}
	if err != nil {
		return err
	}
	a.flush(0) // a client that is gone needs no answer
	return nil
}

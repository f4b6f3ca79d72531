package server

import (
	"bytes"
	"net/http"
	"slices"

	"bayes"
	"bayes/eval"
	"bayes/report"
)

// A measurement is what POST /v1/models/{model}/test answers: how the model does on labelled
// records, by the keys of bayes test --json.
type measurement struct {
	Documents        int64            `json:"documents"`
	Accuracy         float64          `json:"accuracy" doc:"The share of records that are predicted as they are labelled"`
	AccuracyInterval [2]float64       `json:"accuracy_interval" doc:"Where the accuracy on many such records lies, 95 times of 100 (Wilson)"`
	Majority         majority         `json:"majority" doc:"The most frequent label, and how often it alone would be right"`
	MacroF1          float64          `json:"macro_f1"`
	LogLoss          float64          `json:"log_loss"`
	ECE              float64          `json:"ece" doc:"Expected calibration error"`
	Classes          []measuredClass  `json:"classes" doc:"Of each label; of more than 1,000 the 30 that do worst"`
	Labels           []string         `json:"labels"`
	Confusion        [][]int64        `json:"confusion" doc:"By label, and by what was predicted, in the order of labels; null of more than 100"`
	Confused         []confusedLabels `json:"confused" doc:"The pairs that are confused most, at most 20"`
	Unknown          []string         `json:"unknown_labels" doc:"Labels of the table that the model does not know, at most 20"`
	Skipped          int64            `json:"skipped" doc:"How many records could not be read, with skip_bad"`
	Why              string           `json:"skipped_why,omitempty" doc:"What was wrong with the first of them"`
	Uncertain        []doubt          `json:"uncertain" doc:"The records that the model is least certain of, and which it has not learned; at most as many as uncertain says"`
}

type majority struct {
	Label    string  `json:"label"`
	Accuracy float64 `json:"accuracy"`
}

type measuredClass struct {
	Label     string  `json:"label"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Support   int64   `json:"support"`
}

type confusedLabels struct {
	Label     string `json:"label"`
	Predicted string `json:"predicted"`
	Documents int64  `json:"documents"`
}

const (
	mostNewLabels   = 1000 // of a table, that the model does not know
	mostConfusion   = 100
	mostClasses     = 1000
	uncertainBytes  = 4 << 20 // of records that are kept
	rowsAtOnce      = 1024    // that memory is held for
	tallyBytes      = 40      // of a record, without its classes: see eval.Tally
	manyClassesWork = 1700    // of a record where there are more than 1,000 classes
)

// test answers POST /v1/models/{model}/test: how the model does on a table of labelled records,
// as JSON or as a page. Nothing of it is learned.
func (s *Server) test(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	page, err := boolParam(r, "report")
	if err != nil {
		return err
	}
	n, err := countParam(r, "uncertain", 20, 200)
	if err != nil {
		return err
	}
	l := e.live.Load()
	m, err := l.model()
	if err != nil {
		return err
	}
	if m.Space().LabelSeparator != "" {
		return fail(http.StatusUnprocessableEntity, "documents of this model may have several labels, and here each has one (hint: bayes test)")
	}
	t, err := s.receiveTable(w, r, e.folder, columnsOf(m))
	if err != nil {
		return err
	}
	defer t.end()
	h := shareOf(w)
	if p := h.take(4 * uncertainBytes); p != nil {
		return p
	}
	rep := report.New(m, &report.Options{Title: e.name, Place: func(i int64) string { return "" }})
	least := &uncertainList{most: n, room: uncertainBytes}
	if p := s.measure(r, h, m, t, rep, least); p != nil {
		return p
	}
	if page {
		return writeReport(w, rep)
	}
	out := newMeasurement(m, rep.Tally(), t)
	out.Uncertain, err = s.doubts(r.Context(), h, m, least.list, n, func(id string) (bool, error) {
		_, ok, err := l.store.Lookup(id)
		return ok, err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

// measure predicts the records of a table.
func (s *Server) measure(r *http.Request, h *share, m *bayes.Model, t *table, rep *report.Report, least *uncertainList) *problem {
	each := int64(tallyBytes + min(8*len(m.Classes()), manyClassesWork))
	known, unmet := m.Classes(), make(map[string]bool)
	tested := 0
	for ex, err := range t.examples() {
		if err != nil {
			return asProblem(err)
		}
		if tested%rowsAtOnce == 0 {
			if r.Context().Err() != nil {
				return fail(http.StatusRequestTimeout, "the client left before the model was tested")
			}
			if p := h.take(rowsAtOnce * each); p != nil {
				return p
			}
		}
		tested++
		if _, found := slices.BinarySearch(known, ex.Label); !found && !unmet[ex.Label] {
			if unmet[ex.Label] = true; len(unmet) > mostNewLabels {
				return fail(http.StatusUnprocessableEntity, "the column %q has more than %d labels that the model does not know: is it that of the labels?", t.opts.Label, mostNewLabels)
			}
		}
		leave, p := h.work(r.Context(), s.opts.Timeouts.Write, textWork(m.Space(), int(sizeOf(ex))))
		if p != nil {
			return p
		}
		result := bayes.Result{Example: ex, Prediction: m.Predict(ex.Document())}
		leave()
		rep.Observe(result)
		if margin, ok := marginOf(result.Prediction); ok && least.takes(margin) {
			least.add(uncertain{id: contentID(ex), row: t.rows, given: ex.Label, example: ex, margin: margin})
		}
	}
	if tested == 0 {
		return fail(http.StatusUnprocessableEntity, "the table has no labelled records to test with%s", t.whySkipped())
	}
	return nil
}

// newMeasurement returns what was observed of a table.
func newMeasurement(m *bayes.Model, tally *eval.Tally, t *table) *measurement {
	accuracy, low, high := tally.Accuracy()
	label, share := tally.Majority()
	out := &measurement{
		Documents: tally.Documents(), Accuracy: accuracy, AccuracyInterval: [2]float64{low, high}, Majority: majority{label, share},
		MacroF1: tally.MacroF1(), LogLoss: tally.LogLoss(), ECE: tally.ECE(),
		Classes: []measuredClass{}, Labels: tally.Labels(), Confused: []confusedLabels{}, Unknown: []string{},
		Skipped: t.skipped, Why: t.why,
	}
	classes := tally.Classes()
	if len(classes) > mostClasses {
		classes = tally.Worst(30)
	}
	for _, c := range classes {
		out.Classes = append(out.Classes, measuredClass(c))
	}
	if len(out.Labels) <= mostConfusion {
		out.Confusion = tally.Confusion()
	}
	confused := tally.Confused()
	for _, c := range confused[:min(20, len(confused))] {
		out.Confused = append(out.Confused, confusedLabels(c))
	}
	known := m.Classes()
	for _, label := range out.Labels {
		if _, found := slices.BinarySearch(known, label); !found && len(out.Unknown) < 20 {
			out.Unknown = append(out.Unknown, label)
		}
	}
	return out
}

// writeReport answers with the page of package report, as a file to keep: it has styles of its
// own, which a page of this server may not have.
func writeReport(w http.ResponseWriter, rep *report.Report) error {
	var b bytes.Buffer
	if err := rep.WriteHTML(&b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="report.html"`)
	w.Write(b.Bytes()) // a client that is gone needs no answer
	return nil
}

package server

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"

	"bayes"
	"bayes/eval"
)

// A measurement is what POST /v1/models/{model}/test answers where a document has one label: how the model does on
// labelled records, by the keys of bayes test --json.
type measurement struct {
	Documents        int64      `json:"documents"`
	Accuracy         float64    `json:"accuracy" doc:"The share of records that are predicted as they are labelled"`
	AccuracyInterval [2]float64 `json:"accuracy_interval" doc:"Where the accuracy on many such records lies, 95 times of 100 (Wilson)"`
	Majority         majority   `json:"majority" doc:"The most frequent label, and how often it alone would be right"`
	MacroF1          float64    `json:"macro_f1"`
	LogLoss          float64    `json:"log_loss"`
	ECE              float64    `json:"ece" doc:"Expected calibration error"`
	Confusion        [][]int64  `json:"confusion" doc:"By label, and by what was predicted, in the order of labels; null of more than 100"`
	measuredRecords
}

// A setMeasurement is that where a document may have several labels.
type setMeasurement struct {
	Documents       int64      `json:"documents"`
	MicroF1         float64    `json:"micro_f1" doc:"Of all decisions about a label and a record"`
	MicroF1Interval [2]float64 `json:"micro_f1_interval" doc:"Where it lies on many such records, 95 times of 100 (bootstrap)"`
	MacroF1         float64    `json:"macro_f1" doc:"The mean of the labels"`
	MacroF1Interval [2]float64 `json:"macro_f1_interval"`
	ExampleF1       float64    `json:"example_f1" doc:"The mean of the records"`
	SubsetAccuracy  float64    `json:"subset_accuracy" doc:"The share of records with all labels right"`
	HammingLoss     float64    `json:"hamming_loss" doc:"The share of decisions that are wrong"`
	LogLoss         float64    `json:"log_loss" doc:"By label and record"`
	ECE             float64    `json:"ece" doc:"Expected calibration error of all decisions"`
	measuredRecords
}

// A measuredRecords is what both say.
type measuredRecords struct {
	Classes   []measuredClass  `json:"classes" doc:"Of each label; of more than 1,000 the 30 that do worst"`
	Labels    []string         `json:"labels"`
	Confused  []confusedLabels `json:"confused" doc:"The pairs that are confused most, at most 20; where a record may have several labels, how often one was missed and the other given"`
	Unknown   []string         `json:"unknown_labels" doc:"Labels of the table that the model does not know, at most 20"`
	Skipped   int64            `json:"skipped" doc:"How many records could not be read, with skip_bad"`
	Why       string           `json:"skipped_why,omitempty" doc:"What was wrong with the first of them"`
	Uncertain []doubt          `json:"uncertain" doc:"The records that the model is least certain of, and which it has not learned; at most as many as uncertain says"`
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
	outcomeWork     = 150     // of a record that may have several labels, without them: see eval.SetTally
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
	if mediaType(r) == ndjson {
		return s.testLines(w, r, e, l, newTester(e.name, m, shareOf(w), n), page)
	}
	t, err := s.receiveTable(w, r, e.folder, columnsOf(m))
	if err != nil {
		return err
	}
	defer t.end()
	tester := newTester(e.name, m, shareOf(w), n)
	tester.labelColumn = t.opts.Label
	if p := tester.begin(); p != nil {
		return p
	}
	if p := s.measure(r, tester, t); p != nil {
		return p
	}
	if page {
		return writeReport(w, tester.report())
	}
	uncertain, err := s.leastCertain(r, l, tester)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, tester.measurement(&t.skips, uncertain))
}

// measure predicts the records of a table.
func (s *Server) measure(r *http.Request, tester *tester, t *table) *problem {
	for ex, err := range t.examples() {
		if err != nil {
			return asProblem(err)
		}
		if tester.tested%rowsAtOnce == 0 && r.Context().Err() != nil {
			return fail(http.StatusRequestTimeout, "the client left before the model was tested")
		}
		leave, p := tester.share.work(r.Context(), s.opts.Timeouts.Write, textWork(tester.model.Space(), int(sizeOf(ex))))
		if p != nil {
			return p
		}
		result := bayes.Result{Example: ex, Prediction: tester.model.Predict(ex.Document())}
		leave()
		if p := tester.observe(result, contentID(ex), t.rows); p != nil {
			return p
		}
	}
	return tester.none(&t.skips)
}

// leastCertain returns the records that the model is least certain of and has not learned.
func (s *Server) leastCertain(r *http.Request, l *liveModel, t *tester) ([]doubt, error) {
	return s.doubts(r.Context(), t.share, t.model, t.least.list, t.least.most, func(id string) (bool, error) {
		_, ok, err := l.store.Lookup(id)
		return ok, err
	})
}

// outcomeBytes returns how much memory an [eval.SetTally] takes of a record: it keeps the labels that are right, wrong and
// missed.
func outcomeBytes(r bayes.Result) int64 {
	if r.Labels == nil {
		return 0
	}
	n := 2*len(r.Label) + outcomeWork
	for _, label := range r.Labels {
		n += 2 * (len(label) + 8)
	}
	return int64(n)
}

// newMeasurement returns what was observed of a table.
func newMeasurement(m *bayes.Model, tally *eval.Tally, left *skips, uncertain []doubt) *measurement {
	accuracy, low, high := tally.Accuracy()
	label, share := tally.Majority()
	classes := tally.Classes()
	if len(classes) > mostClasses {
		classes = tally.Worst(30)
	}
	out := &measurement{
		Documents: tally.Documents(), Accuracy: accuracy, AccuracyInterval: [2]float64{low, high}, Majority: majority{label, share},
		MacroF1: tally.MacroF1(), LogLoss: tally.LogLoss(), ECE: tally.ECE(),
		measuredRecords: newMeasuredRecords(m, classes, tally.Labels(), tally.Confused(), left, uncertain),
	}
	if len(out.Labels) <= mostConfusion {
		out.Confusion = tally.Confusion()
	}
	return out
}

// newSetMeasurement returns what was observed of a table whose records may have several labels.
func newSetMeasurement(m *bayes.Model, tally *eval.SetTally, left *skips, uncertain []doubt) *setMeasurement {
	classes, labels := tally.Classes(), []string{}
	for _, c := range classes {
		labels = append(labels, c.Label)
	}
	if len(classes) > mostClasses {
		slices.SortStableFunc(classes, func(a, b eval.ClassReport) int { return cmp.Compare(a.F1, b.F1) })
		classes = classes[:30]
	}
	intervals := tally.Bootstrap(&eval.BootstrapOptions{F1: func(string) bool { return false }})
	return &setMeasurement{
		Documents: tally.Documents(),
		MicroF1:   tally.MicroF1(), MicroF1Interval: [2]float64{intervals.MicroF1.Low, intervals.MicroF1.High},
		MacroF1: tally.MacroF1(), MacroF1Interval: [2]float64{intervals.MacroF1.Low, intervals.MacroF1.High},
		ExampleF1: tally.ExampleF1(), SubsetAccuracy: tally.SubsetAccuracy(), HammingLoss: tally.HammingLoss(), LogLoss: tally.LogLoss(), ECE: tally.ECE(),
		measuredRecords: newMeasuredRecords(m, classes, labels, tally.Confused(), left, uncertain),
	}
}

func newMeasuredRecords(m *bayes.Model, classes []eval.ClassReport, labels []string, confused []eval.Confused, left *skips, uncertain []doubt) measuredRecords {
	out := measuredRecords{
		Classes: []measuredClass{}, Labels: labels, Confused: []confusedLabels{}, Unknown: []string{},
		Skipped: left.skipped, Why: left.why, Uncertain: uncertain,
	}
	for _, c := range classes {
		out.Classes = append(out.Classes, measuredClass(c))
	}
	for _, c := range confused[:min(20, len(confused))] {
		out.Confused = append(out.Confused, confusedLabels(c))
	}
	known := m.Classes()
	for _, label := range labels {
		if _, found := slices.BinarySearch(known, label); !found && len(out.Unknown) < 20 {
			out.Unknown = append(out.Unknown, label)
		}
	}
	return out
}

// writeReport answers with the page of package report, as a file to keep: it has styles of its
// own, which a page of this server may not have.
func writeReport(w http.ResponseWriter, rep tableReport) error {
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

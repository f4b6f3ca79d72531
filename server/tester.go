package server

import (
	"io"
	"net/http"
	"slices"

	"bayes"
	"bayes/report"
)

// A tester gathers how a model does on labelled records.
type tester struct {
	model       *bayes.Model
	known       []string // its classes
	share       *share
	labelColumn string
	one         *report.Report
	sets        *report.Sets // in place of one, where a document may have several labels
	least       *uncertainList
	unmet       map[string]bool // labels that the model does not know
	tested      int
}

func newTester(title string, m *bayes.Model, h *share, uncertain int) *tester {
	opts := &report.Options{Title: title, Place: func(i int64) string { return "" }}
	t := &tester{model: m, known: m.Classes(), share: h, labelColumn: "label", least: &uncertainList{most: uncertain, room: uncertainBytes}, unmet: make(map[string]bool)}
	if m.Space().LabelSeparator != "" {
		t.sets = report.NewSets(m, opts)
	} else {
		t.one = report.New(m, opts)
	}
	return t
}

// begin has the request hold what a tester takes, whatever the records are.
func (t *tester) begin() *problem { return t.share.take(4 * uncertainBytes) }

// A tableReport is what [report.Report] and [report.Sets] do alike.
type tableReport interface {
	Observe(result bayes.Result)
	WriteHTML(w io.Writer) error
}

func (t *tester) report() tableReport {
	if t.sets != nil {
		return t.sets
	}
	return t.one
}

// observe adds a record, which the model is taught under an id if its row is corrected.
func (t *tester) observe(result bayes.Result, id string, row int64) *problem {
	if t.tested%rowsAtOnce == 0 {
		if p := t.share.take(rowsAtOnce * int64(tallyBytes+min(8*len(t.known), manyClassesWork))); p != nil {
			return p
		}
	}
	t.tested++
	for _, label := range labelsOf(t.model, result.Label) {
		if _, found := slices.BinarySearch(t.known, label); !found {
			t.unmet[label] = true
		}
	}
	if len(t.unmet) > mostNewLabels {
		return fail(http.StatusUnprocessableEntity, "the column %q has more than %d labels that the model does not know: is it that of the labels?", t.labelColumn, mostNewLabels)
	}
	t.report().Observe(result)
	if p := t.share.take(outcomeBytes(result)); p != nil {
		return p
	}
	if margin, ok := marginOf(t.model, result.Prediction); ok && t.least.takes(margin) {
		t.least.add(uncertain{id: id, row: row, given: result.Label, example: result.Example, margin: margin})
	}
	return nil
}

// none returns the problem that nothing was observed, if nothing was.
func (t *tester) none(left *skips) *problem {
	if t.tested == 0 {
		return fail(http.StatusUnprocessableEntity, "the table has no labelled records to test with%s", left.whySkipped())
	}
	return nil
}

// measurement returns what was observed, without the records that were left out.
func (t *tester) measurement(left *skips, uncertain []doubt) any {
	if t.sets != nil {
		return newSetMeasurement(t.model, t.sets.Tally(), left, uncertain)
	}
	return newMeasurement(t.model, t.one.Tally(), left, uncertain)
}

package report

import (
	"cmp"
	"io"
	"math"
	"slices"

	"bayes"
	"bayes/answer"
	"bayes/eval"
	"bayes/internal/labelset"
)

// A Sets is a [Report] on a model whose documents may have several labels. It keeps what an [eval.SetTally] keeps, and
// the texts of the worst mistakes. It is for one goroutine.
type Sets struct {
	model  *bayes.Model
	opts   Options
	tally  eval.SetTally
	wrong  worst[SetMistake] // labels given wrongly
	missed worst[SetMistake]
}

// A SetMistake is a label that a document was wrongly given, or that was missed.
type SetMistake struct {
	bayes.Result
	Index int64      // how many documents were observed before it
	Of    bayes.Prob // the label
	Given bool       // wrongly; otherwise it was missed
}

// NewSets returns a report on m that has observed nothing. Of each kind of mistake, it shows as many as opts ask for.
func NewSets(m *bayes.Model, opts *Options) *Sets {
	r := &Sets{model: m, opts: opts.withDefaults()}
	surest := func(a, b SetMistake) int { return cmp.Compare(math.Abs(b.Of.LogJoint), math.Abs(a.Of.LogJoint)) }
	least := func(a, b SetMistake) int { return cmp.Compare(a.Of.LogJoint, b.Of.LogJoint) }
	r.wrong = worst[SetMistake]{most: r.opts.Mistakes, compare: surest}
	r.missed = worst[SetMistake]{most: r.opts.Mistakes, compare: least}
	return r
}

// Observe adds a test example, whose label is the set of its labels, and what the model predicts for it. The labels
// need not be those that the model knows.
func (r *Sets) Observe(s bayes.Result) {
	truth := labelset.Split(s.Label, r.model.Space().LabelSeparator)
	index := r.tally.Documents()
	r.tally.Observe(s.Prediction, truth)
	for _, c := range s.Classes {
		given, is := slices.Contains(s.Labels, c.Class), slices.Contains(truth, c.Class)
		switch m := (SetMistake{s, index, c, given}); {
		case given && !is:
			r.wrong.add(m)
		case is && !given:
			r.missed.add(m)
		}
	}
}

// Tally returns what was observed. It must not be changed.
func (r *Sets) Tally() *eval.SetTally { return &r.tally }

// Mistakes returns the labels that were wrongly given, the surest first, and then those that were missed, the least
// probable first, of each as many as [Options] ask for. A label that the model does not know is none of them.
func (r *Sets) Mistakes() []SetMistake { return slices.Concat(r.wrong.list, r.missed.list) }

// WriteHTML writes the page, as [Report.WriteHTML] does.
func (r *Sets) WriteHTML(w io.Writer) error { return write(w, setPage(r.page())) }

// SetAdvice says in a sentence whether the probabilities of the labels that are given can be believed, by their mean
// beside the precision. It is empty if no label was given.
func SetAdvice(t *eval.SetTally) string {
	precision, low, high := t.Precision()
	if high == 0 {
		return ""
	}
	verdict := "about as sure as it is right"
	switch confidence := t.Confidence(); {
	case confidence > high:
		verdict = "surer than it is right"
	case confidence < low:
		verdict = "less sure than it could be"
	}
	return "Of the labels that it gives, the model is " + verdict + ": mean probability " + figure(t.Confidence()) + ", precision " + figure(precision) + "."
}

// A setSheet is what sets.qtpl shows.
type setSheet struct {
	tested
	Labels        *labelTable
	Pairs         []confusedPair
	Wrong, Missed labelMistakes
}

// A labelTable has a line for each label, as a classTable has for each class.
type labelTable struct {
	Rows  []labelRow
	Least float64
	All   int64 // how many labels there are, if those with the most mistakes alone are shown
}

type labelRow struct {
	eval.ClassReport
	Known         bool // to the model
	F1            eval.Interval
	Plot          *plot
	Wrong, Missed int64
}

// labelMistakes are the worst of one kind.
type labelMistakes struct {
	ID, What, Worst string // of the section, what happened to the labels, and which of them are shown if not all
	For, Against    string // colours of terms that make the label more probable, and less
	All             int64
	Cards           []labelMistake
}

// A labelMistake shows a label that was given wrongly or missed, and why.
type labelMistake struct {
	Place, Label, P string
	Given, Truth    []string // all labels
	Open, NoTerm    bool
	shownText
}

// ofLabels are the words of a diagram over decisions about a label and a document.
var ofLabels = reliabilityWords{"Documents with a label, by its probability", "how many have it", "probability", "share", "probability of a label", "decisions", true}

func (r *Sets) page() *setSheet {
	t := &r.tally
	p := &setSheet{
		tested: newTested(r.model, &r.opts, t.Documents()),
		Wrong:  labelMistakes{ID: "wrong", What: "given wrongly", Worst: "of which the model was surest", For: "wrong", Against: "right"},
		Missed: labelMistakes{ID: "missed", What: "missed", Worst: "that were held for least probable", For: "right", Against: "wrong"},
	}
	if p.Documents == 0 {
		return p
	}
	shown := r.shown()
	intervals := t.Bootstrap(&eval.BootstrapOptions{F1: func(label string) bool { return shown == nil || shown[label] }})
	p.Notes = notesOf(r.model.Classes(), t.Classes(), "so no document can be given it")
	p.Headline = []headline{
		{"Micro F1", "F1 of all decisions about a label and a document", intervals.MicroF1, intervalPlot(intervals.MicroF1, 0, 400)},
		{"Macro F1", "the mean over labels of F1, so that rare labels count as much as frequent ones", intervals.MacroF1, intervalPlot(intervals.MacroF1, 0, 400)},
	}
	p.Labels = r.labelTable(intervals, shown)
	for _, c := range t.Classes() {
		_, wrong, missed := t.Decisions(c.Label)
		p.Wrong.All, p.Missed.All = p.Wrong.All+wrong, p.Missed.All+missed
	}
	p.Figures = r.statistics(p.Wrong.All, p.Missed.All)
	confused := t.Confused()
	for _, c := range confused[:min(len(confused), 10)] {
		right, _, missed := t.Decisions(c.Label)
		p.Pairs = append(p.Pairs, confusedPair{c.Label, c.Predicted, c.Documents, float64(c.Documents) / float64(right+missed)})
	}
	p.Reliability = newReliability(t.Reliability(), t.ECE(), SetAdvice(t), ofLabels)
	p.Wrong.Cards, p.Missed.Cards = r.explain(r.wrong.list), r.explain(r.missed.list)
	return p
}

func (r *Sets) statistics(wrong, missed int64) []statistic {
	t := &r.tally
	n := float64(t.Documents())
	var most eval.ClassReport
	var labels int64
	for _, c := range t.Classes() {
		if labels += c.Support; c.Support > most.Support {
			most = c
		}
	}
	given := labels - missed + wrong
	return []statistic{
		{"Subset accuracy", figure(t.SubsetAccuracy()), count(int64(math.Round(t.SubsetAccuracy()*n))) + " of " + plural(t.Documents(), "document", "documents") + " got just their labels"},
		{"Example F1", figure(t.ExampleF1()), "mean over documents of the F1 of their labels"},
		{"Hamming loss", figure(t.HammingLoss()), "share of all decisions about a label and a document that is wrong; 0 is best"},
		{"Baseline", figure(2 * float64(most.Support) / (n + float64(labels))), "micro F1 of always answering " + label(most.Label)},
		{"Labels a document", figure(float64(labels) / n), figure(float64(given)/n) + " are given"},
		{"Given wrongly", count(wrong), "of " + plural(given, "label that is given", "labels that are given")},
		{"Missed", count(missed), "of " + plural(labels, "label", "labels") + " of the documents"},
		{"Log loss", figure(t.LogLoss()), "mean −ln P(what is true) of a label and a document; 0 is best"},
		{"Calibration error", figure(t.ECE()), "how far probabilities are from shares; 0 is best"},
	}
}

// shown returns which labels the table has, nil if all.
func (r *Sets) shown() map[string]bool {
	classes := r.tally.Classes()
	if len(classes) <= mostRows {
		return nil
	}
	mistakes := func(c eval.ClassReport) int64 {
		_, wrong, missed := r.tally.Decisions(c.Label)
		return wrong + missed
	}
	slices.SortStableFunc(classes, func(a, b eval.ClassReport) int { return cmp.Compare(mistakes(b), mistakes(a)) })
	shown := make(map[string]bool)
	for _, c := range classes[:worstRows] {
		shown[c.Label] = true
	}
	return shown
}

func (r *Sets) labelTable(b eval.SetIntervals, shown map[string]bool) *labelTable {
	table, classes, known := &labelTable{Least: 0.9}, r.tally.Classes(), r.model.Classes()
	if shown != nil {
		table.All = int64(len(classes))
	}
	for i, c := range classes {
		if shown == nil || shown[c.Label] {
			table.Least = min(table.Least, math.Floor(10*b.F1[i].Low)/10)
		}
	}
	for i, c := range classes {
		if shown != nil && !shown[c.Label] {
			continue
		}
		_, known := slices.BinarySearch(known, c.Label)
		_, wrong, missed := r.tally.Decisions(c.Label)
		table.Rows = append(table.Rows, labelRow{c, known, b.F1[i], intervalPlot(b.F1[i], table.Least, 120), wrong, missed})
	}
	slices.SortStableFunc(table.Rows, func(a, b labelRow) int { return cmp.Compare(b.F1.Value, a.F1.Value) })
	return table
}

func (r *Sets) explain(mistakes []SetMistake) (list []labelMistake) {
	for i, s := range mistakes {
		ex := r.model.ExplainAgainst(s.Document(), s.Of.Class, "")
		m := labelMistake{Label: s.Of.Class, P: confidence(s.Of.P), Given: s.Labels, Open: i < 2, NoTerm: ex.Known == 0}
		m.Truth = labelset.Split(s.Label, r.model.Space().LabelSeparator)
		if r.opts.Place != nil {
			m.Place = r.opts.Place(s.Index)
		}
		m.shownText = newShownText(answer.Text(s.Document()), ex)
		list = append(list, m)
	}
	return list
}

package report

import (
	_ "embed" // the style
	"io"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/eval"
)

// The templates are compiled: one that is read as the program runs may call any method by its
// name, so that the program keeps all methods of all modules, a quarter of its size.
//
//go:generate go tool qtc -skipLineComments

//go:embed style.css
var style string

// write writes a page. It has no NUL, which HTML forbids.
func write(w io.Writer, page string) error {
	_, err := io.WriteString(w, strings.ReplaceAll(page, "\x00", "\uFFFD"))
	return err
}

// rest returns what naive Bayes' part is where a correction is a part of all.
func rest(all, correction float64) string { return signed(answer.Base(all, correction)) }

// A page is what report.qtpl shows. What is nil is left out.
type page struct {
	tested
	Progress  []curveChart
	Levels    []levelRow // of a tree of labels
	Classes   *classTable
	Confusion *heatMap
	Curves    []curveChart
	Columns   *columns
	Mistakes  []mistakeCard
	Wrong     int64 // documents predicted wrongly; Mistakes has the worst
	More      bool  // whether there are more of them
}

// tested is what the pages on a test show alike, whether a document has one label or several.
type tested struct {
	Title       string
	Model       []Setting
	Feature     string // what the features of the model are called
	Documents   int64
	Notes       []string
	Headline    []headline
	Figures     []statistic
	Reliability *reliability
	Terms       []classTerms
	TermsNote   string
}

func newTested(m *bayes.Model, opts *Options, documents int64) tested {
	t := tested{Title: opts.Title, Model: Settings(m), Feature: answer.FeatureWord(m), Documents: documents}
	t.Terms, t.TermsNote = termsOf(m, opts.Terms)
	return t
}

func (r *Report) page() *page {
	p := &page{tested: newTested(r.model, &r.opts, r.tally.Documents())}
	p.Columns = r.columns()
	if p.Documents == 0 {
		return p
	}
	t := &r.tally
	shown := r.shown()
	intervals := r.intervals(shown)
	areas := t.Areas()
	p.Notes = r.notes()
	p.Headline, p.Figures = headlines(t, intervals), r.statistics()
	p.Progress = progressCharts(r.progress)
	p.Levels = levelRows(t, r.model.LabelTree())
	p.Classes = r.classTable(intervals, areas, shown)
	p.Confusion = newHeatMap(t)
	p.Curves = curveCharts(t, areas)
	p.Reliability = newReliability(t.Reliability(eval.CalibrationBins), t.ECE(), Advice(t), ofDocuments)
	for _, c := range t.Confused() {
		p.Wrong += c.Documents
	}
	p.Mistakes = r.explainMistakes()
	p.More = p.Wrong > int64(len(p.Mistakes))
	return p
}

// notes returns what a reader should know before believing the figures.
func (r *Report) notes() []string {
	var notes []string
	if label, share := r.tally.Majority(); len(r.tally.Labels()) > 1 {
		if _, low, _ := r.tally.Accuracy(); low <= share {
			notes = append(notes, "The model may be no better than always answering "+listed([]string{label})+", which is right in "+figure(share)+".")
		}
	}
	return append(notes, notesOf(r.model.Classes(), r.tally.Classes(), "so every such document counts as wrong")...)
}

// notesOf returns which classes of a test the model does not know, with what comes of that, and which have no document.
func notesOf(known []string, tested []eval.ClassReport, consequence string) (notes []string) {
	var strange, missing []string
	for _, c := range tested {
		if _, ok := slices.BinarySearch(known, c.Label); !ok {
			strange = append(strange, c.Label)
		} else if c.Support == 0 {
			missing = append(missing, c.Label)
		}
	}
	if len(strange) > 0 {
		notes = append(notes, "The model does not know "+listed(strange)+", "+consequence+".")
	}
	if len(missing) > 0 {
		notes = append(notes, "No document tested is "+listed(missing)+".")
	}
	return notes
}

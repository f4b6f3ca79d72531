package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"sync"

	"bayes/answer"
	"bayes/eval"
)

//go:embed *.html
var files embed.FS

// Templates are parsed when they are first needed, not at each start.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"figure": figure, "signed": signed, "count": count, "percent": percent, "label": label, "breakable": breakable, "number": number, "plural": plural,
		"probability": probability, "digits": digits, "rest": func(all, correction float64) string { return signed(answer.Base(all, correction)) },
	}).ParseFS(files, "*.html"))
})

// write writes a template at once or, if it fails, not at all.
func write(w io.Writer, name string, data any) error {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A page is what report.html shows. What is nil is left out.
type page struct {
	Title       string
	Model       []Setting
	Feature     string // what the features of the model are called
	Documents   int64
	Notes       []string
	Headline    []headline
	Figures     []statistic
	Progress    []curveChart
	Classes     *classTable
	Confusion   *heatMap
	Curves      []curveChart
	Reliability *reliability
	Terms       []classTerms
	TermsNote   string
	Columns     *columns
	Mistakes    []mistakeCard
	Wrong       int64 // documents predicted wrongly; Mistakes has the worst
	More        bool  // whether there are more of them
}

func (r *Report) page() *page {
	p := &page{Title: r.opts.Title, Model: Settings(r.model), Feature: answer.FeatureWord(r.model), Documents: r.tally.Documents()}
	p.Terms, p.TermsNote = r.terms()
	p.Columns = r.columns()
	if p.Documents == 0 {
		return p
	}
	t := &r.tally
	shown := r.shown()
	intervals := r.intervals(shown)
	areas := t.Areas()
	p.Notes = r.notes()
	p.Headline, p.Figures = headlines(t, intervals), statistics(t)
	p.Progress = progressCharts(r.progress)
	p.Classes = r.classTable(intervals, areas, shown)
	p.Confusion = newHeatMap(t)
	p.Curves = curveCharts(t, areas)
	p.Reliability = newReliability(t.Reliability(eval.CalibrationBins), t.ECE(), Advice(t))
	for _, c := range t.Confused() {
		p.Wrong += c.Documents
	}
	p.Mistakes = r.explainMistakes()
	p.More = p.Wrong > int64(len(p.Mistakes))
	return p
}

// notes returns what a reader should know before believing the figures.
func (r *Report) notes() []string {
	var strange, missing []string
	known := make(map[string]bool)
	for _, label := range r.model.Classes() {
		known[label] = true
	}
	for _, c := range r.tally.Classes() {
		switch {
		case !known[c.Label]:
			strange = append(strange, c.Label)
		case c.Support == 0:
			missing = append(missing, c.Label)
		}
	}
	var notes []string
	if label, share := r.tally.Majority(); len(r.tally.Labels()) > 1 {
		if _, low, _ := r.tally.Accuracy(); low <= share {
			notes = append(notes, "The model may be no better than always answering "+listed([]string{label})+", which is right in "+figure(share)+".")
		}
	}
	if len(strange) > 0 {
		notes = append(notes, "The model does not know "+listed(strange)+", so every such document counts as wrong.")
	}
	if len(missing) > 0 {
		notes = append(notes, "No document tested is "+listed(missing)+".")
	}
	return notes
}

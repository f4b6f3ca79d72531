package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"bayes/eval"
)

//go:embed *.html
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"figure": figure, "signed": signed, "count": count, "percent": percent, "breakable": breakable, "number": number, "plural": plural,
	"probability": probability,
}).ParseFS(files, "*.html"))

// write writes a template at once or, if it fails, not at all.
func write(w io.Writer, name string, data any) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A page is what report.html shows. What is nil is left out.
type page struct {
	Title       string
	Model       []pair
	Documents   int64
	Notes       []string
	Headline    []headline
	Figures     []statistic
	Classes     *classTable
	Confusion   *heatMap
	Curves      []curveChart
	Reliability *reliability
	Terms       []classTerms
	TermsNote   string
	Mistakes    []mistake
	Wrong       int64 // documents predicted wrongly, of which Mistakes are the worst
}

type pair struct{ Name, Value string }

func (r *Report) page() *page {
	p := &page{Title: r.opts.Title, Model: r.describe(), Documents: r.tally.Documents()}
	p.Terms, p.TermsNote = r.terms()
	if p.Documents == 0 {
		return p
	}
	t := &r.tally
	intervals := t.Bootstrap(nil)
	areas := areasOf(t)
	p.Notes = r.notes()
	p.Headline, p.Figures = headlines(t, intervals), statistics(t)
	p.Classes = r.classTable(intervals, areas)
	p.Confusion = newHeatMap(t.Labels(), t.Confusion())
	p.Curves = curveCharts(t, areas)
	p.Reliability = newReliability(t.Reliability(eval.CalibrationBins), t.ECE())
	for i, n := range t.Confusion() {
		for j := range n {
			if i != j {
				p.Wrong += n[j]
			}
		}
	}
	p.Mistakes = r.explainMistakes()
	return p
}

// describe returns what the model is.
func (r *Report) describe() []pair {
	return []pair{
		{"event model", r.model.EventModel().String()},
		{"space", r.model.Space().String()},
		{"classes", count(int64(len(r.model.Classes())))},
		{"features", count(int64(r.model.Len()))},
	}
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
	if len(strange) > 0 {
		notes = append(notes, "The model does not know "+listed(strange)+", so every such document counts as wrong.")
	}
	if len(missing) > 0 {
		notes = append(notes, "No document tested is "+listed(missing)+".")
	}
	return notes
}

// listed returns the first few of a list as prose.
func listed(list []string) string {
	const most = 6
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + plural(int64(len(list)-most), "other class", "other classes")
	}
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// figure returns v with four decimals, and a dash where it is not a number.
func figure(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return infinite(v, strconv.FormatFloat(v, 'f', 4, 64))
}

// signed returns v with its sign and three significant digits.
func signed(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'g', 3, 64)
	switch {
	case math.IsNaN(v):
		return "–"
	case v < 0:
		s = "−" + s
	case v > 0:
		s = "+" + s
	}
	return infinite(v, s)
}

func infinite(v float64, finite string) string {
	switch {
	case math.IsInf(v, 1):
		return "+∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	return finite
}

// percent returns a share of 1 as a percentage, as a number without its sign.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }

// number returns a sum of counts as briefly as it can be said.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// count returns n with its thousands marked off.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns n with the form of a noun that goes with it.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// probability returns p with up to six digits.
func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// breakable cuts a label behind each character at which a line may end.
func breakable(label string) []string {
	var parts []string
	from := 0
	for i := range len(label) {
		if strings.IndexByte("._/-", label[i]) >= 0 {
			parts = append(parts, label[from:i+1])
			from = i + 1
		}
	}
	return append(parts, label[from:])
}

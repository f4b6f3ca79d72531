package cli

import (
	"fmt"
	"io"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/terminal"
)

// A Printer writes predictions, a line each. It can travel as JSON.
type Printer struct {
	Top       int     // how many labels; zero means one, and in JSON as answer.Top has it
	Threshold float64 // the least probability of a label that is not ?
	JSON      bool
}

// Print writes what bayes predict prints of a prediction of m, with the name of a file if that
// is not empty.
func (p Printer) Print(w io.Writer, m *bayes.Model, pr bayes.Prediction, file string) error {
	return p.print(w, m, pr, nil, file)
}

// print writes a prediction of m as one line, with a set of classes if there is one, and with
// the name of a file if that is not empty.
func (p Printer) print(w io.Writer, m *bayes.Model, pr bayes.Prediction, set []bayes.Prob, file string) error {
	if p.JSON {
		r := struct {
			answer.Prediction
			File string `json:"file,omitempty"`
		}{answer.NewPrediction(pr, p.Threshold, p.Top), file}
		for _, c := range set {
			r.Set = append(r.Set, c.Class)
		}
		return writeJSON(w, r)
	}
	line := p.line(m, pr, set)
	if file != "" {
		line += "\t" + terminal.Line(file)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// line returns what is printed of a prediction: the classes of a set if there is
// one, and else the most probable.
func (p Printer) line(m *bayes.Model, pr bayes.Prediction, set []bayes.Prob) string {
	if pr.Labels != nil && set == nil && p.Top == 0 {
		labels, probabilities := answer.LabelSet(m, pr, p.Threshold)
		b := terminal.Line(labels) + "\t" + probabilities
		if pr.Known == 0 {
			b += "\t(no known " + answer.FeatureWord(m) + ")"
		}
		return b
	}
	if set == nil {
		set = pr.Classes[:min(max(p.Top, 1), len(pr.Classes))]
	}
	var b strings.Builder
	for i, c := range set {
		if i > 0 {
			b.WriteByte('\t')
		}
		label := c.Class
		if i == 0 && pr.Labels == nil {
			label = answer.Decide(pr, p.Threshold)
		}
		b.WriteString(terminal.Line(label) + "\t" + probability(c.P))
	}
	if pr.Known == 0 {
		b.WriteString("\t(no known " + answer.FeatureWord(m) + ")")
	}
	return b.String()
}

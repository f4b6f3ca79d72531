package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/terminal"
)

// A Printer writes predictions, a line each. It can travel as JSON.
type Printer struct {
	Top       int     // how many labels; zero means one, and in JSON as answer.Top has it
	Threshold float64 // the least probability of a label that is not ?
	Certain   float64 // the least probability of a label of a tree; zero means none
	JSON      bool
}

// Print writes what bayes predict prints of a prediction of m, with the name of a file if that
// is not empty.
func (p Printer) Print(w io.Writer, m *bayes.Model, pr bayes.Prediction, file string) error {
	return p.print(w, m, &pr, nil, file)
}

// print writes a prediction of m as one line, with a set of classes if there is one, and with
// the name of a file if that is not empty.
func (p Printer) print(w io.Writer, m *bayes.Model, pr *bayes.Prediction, set []bayes.Prob, file string) error {
	if p.JSON {
		r := struct {
			answer.Prediction
			File string `json:"file,omitempty"`
		}{answer.NewPrediction(*pr, p.Threshold, p.Top), file}
		if p.Certain > 0 {
			r.Prediction = r.At(answer.Deepest(*pr, m.LabelTree(), p.Certain))
		}
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
// one, and else the most probable. The answer stands first.
func (p Printer) line(m *bayes.Model, pr *bayes.Prediction, set []bayes.Prob) string {
	if set == nil {
		set = pr.Classes[:min(max(p.Top, 1), len(pr.Classes))]
	}
	if chosen := pr.Classes[pr.Chosen]; pr.Chosen > 0 { // which stands first
		others := slices.DeleteFunc(slices.Clone(set), func(c bayes.Prob) bool { return c == chosen })
		set = slices.Insert(others, 0, chosen)[:len(set)]
	}
	var b strings.Builder
	for i, c := range set {
		if i > 0 {
			b.WriteByte('\t')
		}
		if i == 0 && (pr.Labels == nil || p.Top == 0) {
			label, prob := p.decide(m, pr)
			b.WriteString(terminal.Line(label) + "\t" + prob)
		} else {
			b.WriteString(terminal.Line(c.Class) + "\t" + probability(c.P))
		}
	}
	if pr.Known == 0 {
		b.WriteString("\t(no known " + answer.FeatureWord(m) + ")")
	}
	return b.String()
}

// decide returns the label that is printed of a prediction, or several, and the probability.
func (p Printer) decide(m *bayes.Model, pr *bayes.Prediction) (label, prob string) {
	switch {
	case pr.Labels != nil:
		return answer.LabelSet(m, *pr, p.Threshold)
	case p.Certain == 0:
		return answer.Decide(*pr, p.Threshold), probability(pr.Classes[pr.Chosen].P)
	}
	r := answer.NewPrediction(*pr, 0, 1).At(answer.Deepest(*pr, m.LabelTree(), p.Certain))
	return r.Label, probability(float64(r.Probability))
}

// most returns how many classes have to be predicted where n are printed: for a label of a tree, all.
func (p Printer) most(n int) int {
	if p.Certain > 0 {
		return math.MaxInt
	}
	return n
}

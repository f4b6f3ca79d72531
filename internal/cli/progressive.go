package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"bayes"
	"bayes/eval"
	"bayes/internal/terminal"
	"bayes/report"

	"github.com/spf13/cobra"
)

// progressive is the value of --folds that predicts each example before it is learned.
const progressive = "progressive"

// progressive predicts each example of files and then learns it, and prints how that went.
func (a *App) progressive(cmd *cobra.Command, t *Trainer, files []string, page *Writing) error {
	start := time.Now()
	to, err := page.Plan(files)
	if err != nil {
		return err
	}
	for _, no := range []struct {
		given bool
		flag  string
	}{{t.NeedsIDF(), "--idf"}, {t.LeavesOneOut(), "--alpha loo"}, {t.Calibrates(), "--calibrate"}, {t.HasCutoffs(), t.GoalFlag()}} {
		if no.given {
			return WrongUsage(cmd, "--folds %s: %s needs examples that come later", progressive, no.flag)
		}
	}
	space, em, src, err := a.prepare(cmd, t, files, t.Space)
	if err != nil {
		return err
	}
	if t.defaults != nil {
		t.defaults.maxFPR = nil // it is set by examples that come later
		a.noteDefaults(t.defaults)
	}
	examples, err := a.readInOrder(cmd, src)
	if err != nil {
		return err
	}
	if len(examples) < 2 {
		return inFiles(files, errors.New("the first example is learned, and there is none to predict then"))
	}
	p, err := eval.Progressive(cmd.Context(), space, em, examples, nil)
	if err != nil {
		return inFiles(files, err)
	}
	if to != nil {
		r := report.New(p.Model, &report.Options{Title: titleOf(slices.Concat([]string{"Progressive validation"}, files)), Mistakes: -1})
		r.Progressive(p)
		if err := to.Write(func(w io.Writer) error { return r.WriteHTML(w) }); err != nil {
			return err
		}
	}
	return a.printProgress(p, time.Since(start))
}

// readInOrder returns the examples of src in the order in which they came: mail in that of the dates at
// which it was received, where all have one.
func (a *App) readInOrder(cmd *cobra.Command, src *source) ([]bayes.Example, error) {
	type dated struct {
		bayes.Example
		at time.Time
	}
	var (
		list    []dated
		undated int
	)
	err := a.progress(src, func(progress func(int64)) error {
		for ex, err := range src.examples() {
			if err != nil {
				return err
			}
			at := src.Received()
			if at.IsZero() {
				undated++
			}
			if list = append(list, dated{ex, at}); progress != nil && len(list)%1000 == 0 {
				progress(int64(len(list)))
			}
		}
		return cmd.Context().Err()
	})
	src.finish()
	if err != nil {
		return nil, err
	}
	if undated < len(list) {
		if undated > 0 {
			a.Note("note: %s: when it was received is not known, and it comes first", plural(undated, "message"))
		}
		slices.SortStableFunc(list, func(x, y dated) int { return x.at.Compare(y.at) })
	}
	examples := make([]bayes.Example, len(list))
	for i, d := range list {
		examples[i] = d.Example
	}
	return examples, nil
}

// A progressRecord is a point of the curve in JSON.
type progressRecord struct {
	Documents    int64            `json:"documents"`
	Predicted    int64            `json:"predicted"`
	Wrong        map[string]int64 `json:"wrong"`
	Accuracy     float64          `json:"accuracy"`
	OneMinusROCA *float64         `json:"one_minus_roca_percent"`
}

// printProgress prints how it went on, and the metrics of all predictions.
func (a *App) printProgress(p *eval.Progress, took time.Duration) error {
	if a.json {
		var curve []progressRecord
		for _, point := range p.Curve {
			r := progressRecord{Documents: point.Documents, Predicted: point.Predicted, Wrong: make(map[string]int64), Accuracy: point.Accuracy}
			for k, label := range p.Labels {
				r.Wrong[label] = point.Wrong[k]
			}
			if point.HasROCA {
				r.OneMinusROCA = &point.OneMinusROCA
			}
			curve = append(curve, r)
		}
		record := tallyJSON(p.Tally)
		record["curve"] = curve
		return a.printFolds([]*eval.Tally{p.Tally}, p.Tally, foldMetrics, record, took)
	}
	a.printCurve(p)
	fmt.Fprintln(a.stdout)
	a.printTally(bayes.Calibrated{}, p.Tally)
	a.Note("%s documents in %.2f s", Count(p.Tally.Documents()), took.Seconds())
	return nil
}

// printCurve prints up to ten points of the curve, with the mistakes of each class where classes are few.
func (a *App) printCurve(p *eval.Progress) {
	const rowsShown, mostLabels = 10, 6
	header := []string{"learned"}
	if len(p.Labels) <= mostLabels {
		for _, label := range p.Labels {
			header = append(header, terminal.Line(label)+" wrong")
		}
	} else {
		header = append(header, "wrong")
	}
	rows := [][]string{append(header, "accuracy", "1-ROCA %")}
	for i, point := range p.Curve {
		// The last of each tenth.
		if n := len(p.Curve); (i+1)*rowsShown/n == i*rowsShown/n {
			continue
		}
		row := []string{Count(point.Documents)}
		if len(p.Labels) <= mostLabels {
			for _, n := range point.Wrong {
				row = append(row, Count(n))
			}
		} else {
			var all int64
			for _, n := range point.Wrong {
				all += n
			}
			row = append(row, Count(all))
		}
		roca := ""
		if point.HasROCA {
			roca = fmt.Sprintf("%.4f", point.OneMinusROCA)
		}
		rows = append(rows, append(row, fmt.Sprintf("%.4f", point.Accuracy), roca))
	}
	table(a.stdout, rows)
}

package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bayes/answer"
	"bayes/eval"
)

// readCosts reads a table of costs in CSV: in the first row answers, in the first column true labels. An answer that is
// unsure or ? is none. An empty cell is 0 where the answer is right, and else 1.
func readCosts(name string, classes []string) (costs map[[2]string]float64, reject map[string]float64, err error) {
	costs = make(map[[2]string]float64)
	var answers []string
	seen := make(map[string]bool)
	err = eachLine(name, func(line string) error {
		r := csv.NewReader(strings.NewReader(line))
		r.TrimLeadingSpace = true
		cells, err := r.Read()
		if err != nil {
			return fmt.Errorf("no row of CSV: %w", err)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if answers == nil {
			answers = cells[1:]
			return checkAnswers(answers, classes)
		}
		actual := cells[0]
		switch {
		case !slices.Contains(classes, actual):
			return fmt.Errorf("a row of %q, which is none of the labels %s", actual, quotedLabels(classes))
		case seen[actual]:
			return fmt.Errorf("a second row of %q", actual)
		case len(cells) != len(answers)+1:
			return fmt.Errorf("%s, where the first row has %d", plural(len(cells), "cell"), len(answers)+1)
		}
		seen[actual] = true
		for i, chosen := range answers {
			v := 1.0
			if cell := cells[i+1]; cell != "" {
				if v, err = strconv.ParseFloat(cell, 64); err != nil || !(math.Abs(v) <= 1e100) {
					return fmt.Errorf("a cost of %q, from %q to %q: want a number", cell, actual, chosen)
				}
			} else if actual == chosen {
				v = 0
			}
			switch {
			case slices.Contains(classes, chosen):
				costs[[2]string{actual, chosen}] = v
			case reject == nil:
				reject = map[string]float64{actual: v}
			default:
				reject[actual] = v
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, class := range classes {
		if !seen[class] {
			return nil, nil, fmt.Errorf("%s: no row of %q: want one of each label, and a column of each", name, class)
		}
	}
	return costs, reject, nil
}

// checkAnswers returns an error unless there is a column for each label, and one at most for no answer.
func checkAnswers(answers, classes []string) error {
	none := 0
	for i, chosen := range answers {
		switch {
		case slices.Contains(answers[:i], chosen):
			return fmt.Errorf("a second column of %q", chosen)
		case slices.Contains(classes, chosen):
		case chosen == answer.Unsure || chosen == answer.Undecided:
			if none++; none > 1 {
				return fmt.Errorf("columns of %s and of %s: want one of the two", answer.Unsure, answer.Undecided)
			}
		default:
			return fmt.Errorf("a column of %q, which is none of the labels %s, nor %s", chosen, quotedLabels(classes), answer.Unsure)
		}
	}
	for _, class := range classes {
		if !slices.Contains(answers, class) {
			return fmt.Errorf("no column of %q", class)
		}
	}
	return nil
}

// quotedLabels returns some labels for an error.
func quotedLabels(classes []string) string {
	const most = 10
	if len(classes) > most {
		return fmt.Sprintf("%q and %d more", classes[:most], len(classes)-most)
	}
	return fmt.Sprintf("%q", classes)
}

// A costsRecord says what answers cost, of examples held out, the mean of them with its 95 % interval.
type costsRecord struct {
	Cost      float64    `json:"cost"`
	Interval  [2]float64 `json:"interval"`
	Best      float64    `json:"cost_of_best"` // if the most probable class were the answer
	Documents int64      `json:"documents"`
}

func newCostsRecord(before *eval.Scores, goals eval.Goals) (*costsRecord, error) {
	decided, _, err := before.CrossDecide(goals)
	if err != nil {
		return nil, err
	}
	t := decided.Tally()
	cost := t.Cost(goals.Costs, goals.Reject)
	return &costsRecord{cost.Value, [2]float64{cost.Low, cost.High}, before.Tally().Cost(goals.Costs, goals.Reject).Value, t.Documents()}, nil
}

// noteCosts says what answers cost.
func (a *App) noteCosts(r *costsRecord) {
	if r != nil {
		a.Note("costs: %.6g a document (95 %% interval %.6g to %.6g), %.6g if the most probable label were the answer; of %s held out",
			r.Cost, r.Interval[0], r.Interval[1], r.Best, plural(int(r.Documents), "document"))
	}
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"bayes"
	"bayes/internal/excerpt"
)

// An Audit is what a page shows of the labels of a file, as [bayes/eval.Audit] and [bayes/eval.FindAlike] find them.
type Audit struct {
	Title    string // zero means "Audit of labels"
	Rows     int64  // that were audited
	Expected float64
	// Doubts are the rows above a cutoff, the most doubtful first; Expected is how many there would be, at most, if all labels
	// were right. The first 200 are shown in full.
	Doubts  []DoubtfulRow
	Wrong   float64     // the estimated share of labels that are wrong: as if drawn at random, or, with Several, of those given
	Differ  []AlikeRow  // rows that are alike and have different labels
	Several bool        // a row may have several labels: Label and Suggested are sets of them
	Missing float64     // with Several, the estimated share of the labels that rows should have that they lack
	Tested  *[]AlikeRow // rows that are in the test files too; nil if there are none to compare with
}

// A DoubtfulRow is a row whose label does not fit its text.
type DoubtfulRow struct {
	Place, Label, Suggested string
	Probability             float64 // that Suggested is right, by the text and the label that was given
	LogOdds                 float64 // that the label is wrong, by the text alone
	Text                    string
	Explanation             *bayes.Explanation // of Suggested against Label; nil if there is none
}

// An AlikeRow is a row, and another that has about the same terms.
type AlikeRow struct {
	Place, Label           string
	OtherPlace, OtherLabel string
	Exact                  bool // or else nearly
	Text                   string
}

// Of more rows than these the first are shown.
const mostDoubts, mostAlike = 200, 500

// WriteAudit writes a page of what an audit found.
func WriteAudit(w io.Writer, a *Audit) error {
	p := auditPageOf(a)
	return write(w, auditPage(p))
}

// An auditView is what audit.qtpl shows.
type auditView struct {
	*Audit
	Figures     []statistic
	Pairs       []auditPair
	Cards       []doubtCard
	More        int64 // doubts that are not shown
	Differ      alikeTable
	InTestFiles *alikeTable
}

// An auditPair is how many rows of a label are suggested another.
type auditPair struct {
	Label, Suggested string
	N                int64
}

// A doubtCard shows a doubtful row, and why it is doubtful.
type doubtCard struct {
	*DoubtfulRow
	P    string
	Open bool
	shownText
}

// An alikeTable shows the first of some rows.
type alikeTable struct {
	Rows []AlikeRow
	More int64
}

func auditPageOf(a *Audit) *auditView {
	p := &auditView{Audit: a, Pairs: auditPairs(a.Doubts), Differ: newAlikeTable(a.Differ)}
	if a.Title == "" {
		titled := *a
		titled.Title, p.Audit = "Audit of labels", &titled
	}
	p.Figures = []statistic{
		{"doubtful rows", count(int64(len(a.Doubts))), "labels that do not fit their texts, of " + plural(a.Rows, "row", "rows")},
		{"if all labels were right", fmt.Sprintf("%.1f", a.Expected), "rows at most would be as doubtful"},
	}
	if a.Several {
		p.Figures = append(p.Figures,
			statistic{"labels wrong", percent(a.Wrong) + " %", "of those that rows have seem to be wrong"},
			statistic{"labels missing", percent(a.Missing) + " %", "of those that rows should have seem to be missing"})
	} else {
		p.Figures = append(p.Figures, statistic{"labels drawn at random", percent(a.Wrong) + " %", "as many labels seem to be wrong as if this share had been drawn"})
	}
	p.Figures = append(p.Figures, statistic{"alike, labels differ", count(int64(len(a.Differ))), "rows that have about the terms of another, and another label"})
	if a.Tested != nil {
		t := newAlikeTable(*a.Tested)
		p.InTestFiles = &t
		p.Figures = append(p.Figures, statistic{"in the test files", count(int64(len(*a.Tested))), "rows that a test would ask what was learned"})
	}
	for i := range a.Doubts[:min(len(a.Doubts), mostDoubts)] {
		p.Cards = append(p.Cards, newDoubtCard(&a.Doubts[i], i < 3))
	}
	p.More = int64(len(a.Doubts) - len(p.Cards))
	return p
}

func newAlikeTable(rows []AlikeRow) alikeTable {
	shown := slices.Clone(rows[:min(len(rows), mostAlike)])
	for i, r := range shown {
		shown[i].Text = excerpt.Shorten(r.Text, 160)
	}
	return alikeTable{shown, int64(len(rows) - len(shown))}
}

// auditPairs returns which labels are suggested for which, those of most rows first.
func auditPairs(doubts []DoubtfulRow) []auditPair {
	rows := make(map[[2]string]int64)
	for _, d := range doubts {
		rows[[2]string{d.Label, d.Suggested}]++
	}
	pairs := make([]auditPair, 0, len(rows))
	for pair, n := range rows {
		pairs = append(pairs, auditPair{pair[0], pair[1], n})
	}
	slices.SortFunc(pairs, func(a, b auditPair) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Suggested, b.Suggested))
	})
	return pairs[:min(len(pairs), 20)]
}

func newDoubtCard(d *DoubtfulRow, open bool) doubtCard {
	return doubtCard{d, confidence(d.Probability), open, newShownText(d.Text, d.Explanation)}
}

package cli

import (
	"fmt"
	"strings"
)

// print lists what is doubtful.
func (x *auditing) print(against bool) {
	a := x.app
	x.printDoubts()
	x.printTwins("Alike, with different labels:", x.differ)
	x.printTwins("In the test files too:", x.tested)
	rows := len(x.rows)
	switch {
	case x.space.LabelSeparator != "":
		x.noteSets()
	case len(x.corpus.Classes()) < 2:
		a.Note("%s of one class: no label is doubtful", plural(rows, "row"))
	default:
		a.Note("%s of %s doubtful; if all labels were right, at most %.1f would be expected", Count(len(x.listed)), plural(rows, "row"), x.expected)
		if x.wrong > 0 {
			a.Note("as many labels seem to be wrong as if %.1f %% had been drawn at random", 100*x.wrong)
		}
	}
	if against {
		a.Note("%s in the test files too", plural(len(x.tested), "row"))
	}
}

// noteSets says how much is doubtful where rows may have several labels.
func (x *auditing) noteSets() {
	a := x.app
	if len(x.corpus.Classes()) == 0 {
		a.Note("%s without a label: nothing is doubtful", plural(len(x.rows), "row"))
		return
	}
	a.Note("%s of %s doubtful; if all labels were right, at most %.1f would be expected", Count(len(x.listed)), plural(len(x.rows), "row"), x.expected)
	if x.wrong > 0 || x.missing > 0 {
		a.Note("%.1f %% of the labels seem to be wrong, and %.1f %% of what there should be seem to be missing", 100*x.wrong, 100*x.missing)
	}
}

func (x *auditing) printDoubts() {
	if len(x.listed) == 0 {
		return
	}
	label, suggested := "label", "suggested"
	if x.space.LabelSeparator != "" {
		label, suggested = "labels", "changes"
	}
	rows := [][]string{{"row", label, suggested, "log-odds", "words", "text"}}
	for _, r := range x.listed {
		rows = append(rows, []string{
			x.name(r.File, r.Row), x.shownLabel(r.Label), r.suggestion(), fmt.Sprintf("%.1f", r.LogOdds), strings.Join(r.Words, " "), firstOf(r.text),
		})
	}
	listing(x.app.stdout, rows)
}

// name returns the place of a row: its number alone where there is one file.
func (x *auditing) name(file string, row int) string {
	if x.several {
		return fmt.Sprintf("%s:%d", file, row)
	}
	return fmt.Sprint(row)
}

// twinName returns the place of a twin, with its file if that is a test file.
func (x *auditing) twinName(t twinOfRow) string {
	if t.test {
		return fmt.Sprintf("%s:%d", t.File, t.Row)
	}
	return x.name(t.File, t.Row)
}

// firstOf returns the beginning of a text, in one line.
func firstOf(text string) string {
	const most = 60
	cut := []rune(strings.Join(strings.Fields(text[:min(len(text), 8*most)]), " "))
	if len(cut) > most {
		return string(cut[:most]) + "…"
	}
	return string(cut)
}

// printTwins lists rows and what is like them, under a title.
func (x *auditing) printTwins(title string, list []twinLine) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(x.app.stdout, "\n%s\n", title)
	rows := [][]string{{"row", "label", "as row", "label", "", "text"}}
	for _, l := range list {
		how := "nearly"
		if l.twin.Exact {
			how = "exactly"
		}
		rows = append(rows, []string{x.name(l.row.File, l.row.Row), x.shownLabel(l.row.Label), x.twinName(l.twin), x.shownLabel(l.twin.Label), how, firstOf(l.row.text)})
	}
	listing(x.app.stdout, rows)
}

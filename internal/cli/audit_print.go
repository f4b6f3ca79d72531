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
	case len(x.corpus.Classes()) < 2:
		a.Note("%s of one class: no label is doubtful", plural(rows, "row"))
	default:
		a.Note("%s of %s doubtful; if all labels were right, at most %.1f would be expected", Count(len(x.listed)), plural(rows, "row"), x.expected)
		if x.result.Wrong > 0 {
			a.Note("as many labels seem to be wrong as if %.1f %% had been drawn at random", 100*x.result.Wrong)
		}
	}
	if against {
		a.Note("%s in the test files too", plural(len(x.tested), "row"))
	}
}

func (x *auditing) printDoubts() {
	if len(x.listed) == 0 {
		return
	}
	rows := [][]string{{"row", "label", "suggested", "log-odds", "words", "text"}}
	for _, r := range x.listed {
		rows = append(rows, []string{
			x.name(r.File, r.Row), r.Label, r.Suggested, fmt.Sprintf("%.1f", r.LogOdds), strings.Join(r.Words, " "), excerpt(r.text),
		})
	}
	listing(x.app.stdout, rows)
}

// name returns the place of a row: its number alone where there is one file.
func (x *auditing) name(file string, row int) string {
	if x.places[0].File == file && x.places[len(x.places)-1].File == file {
		return fmt.Sprint(row)
	}
	return fmt.Sprintf("%s:%d", file, row)
}

// twinName returns the place of a twin, with its file if that is a test file.
func (x *auditing) twinName(t twinOfRow) string {
	if t.test {
		return fmt.Sprintf("%s:%d", t.File, t.Row)
	}
	return x.name(t.File, t.Row)
}

// excerpt returns the beginning of a text, in one line.
func excerpt(text string) string {
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
		rows = append(rows, []string{x.name(l.row.File, l.row.Row), l.row.Label, x.twinName(l.twin), l.twin.Label, how, excerpt(l.row.text)})
	}
	listing(x.app.stdout, rows)
}

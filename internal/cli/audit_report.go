package cli

import (
	"io"
	"path/filepath"

	"bayes/report"
)

// report writes a page of what is listed.
func (x *auditing) report(w io.Writer, f *auditFlags, files []string) error {
	page := report.Audit{Title: auditTitle(files), Rows: int64(len(x.rows)), Expected: x.expected, Wrong: x.wrong, Missing: x.missing, Several: x.space.LabelSeparator != "", Differ: x.alikeRows(x.differ)}
	if len(f.against) > 0 {
		tested := x.alikeRows(x.tested)
		page.Tested = &tested
	}
	for _, r := range x.listed {
		page.Doubts = append(page.Doubts, report.DoubtfulRow{
			Place: "row " + x.name(r.File, r.Row), Label: x.shownLabel(r.Label), Suggested: x.shownLabel(r.Suggested), Probability: r.P, LogOdds: r.LogOdds,
			Text: r.text, Explanation: r.why,
		})
	}
	return report.WriteAudit(w, &page)
}

// auditTitle names the files, without their folders.
func auditTitle(files []string) string {
	title := "Audit of " + filepath.Base(files[0])
	if n := len(files) - 1; n > 0 {
		title += " and " + plural(n, "other file")
	}
	return title
}

func (x *auditing) alikeRows(list []twinLine) []report.AlikeRow {
	var rows []report.AlikeRow
	for _, l := range list {
		rows = append(rows, report.AlikeRow{
			Place: x.name(l.row.File, l.row.Row), Label: x.shownLabel(l.row.Label), OtherPlace: x.twinName(l.twin), OtherLabel: x.shownLabel(l.twin.Label),
			Exact: l.twin.Exact, Text: l.row.text,
		})
	}
	return rows
}

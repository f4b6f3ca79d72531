package cli

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// checkFix returns an error if the one file cannot be written with other labels.
func (a *App) checkFix(f *auditFlags, files []string) error {
	src, err := a.open(&f.Input, files)
	if err == nil {
		err = src.CheckRelabel()
	}
	if err != nil {
		return fmt.Errorf("--fix: %w", err)
	}
	return nil
}

// fix writes the file with the labels that are suggested, where that is answered with yes or certain enough.
func (x *auditing) fix(cmd *cobra.Command, f *auditFlags, files []string, to Destination) error {
	taken, what := x.choose(f), "label"
	src, err := x.app.open(&f.Input, files)
	if err != nil {
		return err
	}
	relabel := x.relabel
	if x.space.LabelSeparator != "" {
		relabel, what = x.relabelSets, "row"
	}
	err = to.Write(func(w io.Writer) error { return relabel(f, src, untilDone{cmd.Context(), w}, taken) })
	if err == nil {
		x.app.Note("%s: %s changed", to.Name(), plural(len(taken), what))
	}
	return err
}

// relabel writes the file with the labels that are suggested for some rows.
func (x *auditing) relabel(_ *auditFlags, src *source, w io.Writer, rows []*auditedRow) error {
	having := make(map[string]int) // a record of each label, counted from 0
	for i := len(x.examples) - 1; i >= 0; i-- {
		having[x.examples[i].Label] = x.places[i].Row - 1
	}
	taken := make(map[int]int)
	for _, r := range rows {
		taken[r.Row-1] = having[r.Suggested]
	}
	return src.Relabel(w, func(record int) int {
		if like, ok := taken[record]; ok {
			return like
		}
		return record
	})
}

// choose returns the rows whose suggestions are taken.
func (x *auditing) choose(f *auditFlags) (taken []*auditedRow) {
	next, stop := iter.Pull(linesOf(x.app.stdin))
	defer stop()
	for _, r := range x.rows {
		if r.Suggested == "" {
			continue
		}
		if f.yes > 0 {
			if r.surest() >= f.yes {
				taken = append(taken, r)
			}
			continue
		}
		if !r.Doubtful {
			break
		}
		fmt.Fprintf(x.app.stderr, "row %d: %s\n  %s -> %s? [y/N/q] ", r.Row, terminal.Line(firstOf(r.text)), terminal.Line(x.shownLabel(r.Label)), terminal.Line(x.shownLabel(r.Suggested)))
		answer, ok := next()
		if !ok || answer == "q" {
			fmt.Fprintln(x.app.stderr)
			break
		}
		if answer == "y" || answer == "yes" {
			taken = append(taken, r)
		}
	}
	return taken
}

// linesOf returns the lines of r, lower-cased and without surrounding space.
func linesOf(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := bufio.NewScanner(r); s.Scan(); {
			if !yield(strings.ToLower(strings.TrimSpace(s.Text()))) {
				return
			}
		}
	}
}

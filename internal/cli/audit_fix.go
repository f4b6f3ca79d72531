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
	taken, err := x.choose(f)
	if err != nil {
		return err
	}
	src, err := x.app.open(&f.Input, files)
	if err != nil {
		return err
	}
	err = to.Write(func(w io.Writer) error {
		return src.Relabel(untilDone{cmd.Context(), w}, func(record int) int {
			if like, ok := taken[record]; ok {
				return like
			}
			return record
		})
	})
	if err == nil {
		x.app.Note("%s: %s changed", to.Name(), plural(len(taken), "label"))
	}
	return err
}

// choose returns which records get another label, and a record that has it.
func (x *auditing) choose(f *auditFlags) (map[int]int, error) {
	having := make(map[string]int) // a record of each label, counted from 0
	for i := len(x.examples) - 1; i >= 0; i-- {
		having[x.examples[i].Label] = x.places[i].Row - 1
	}
	taken := make(map[int]int)
	next, stop := iter.Pull(linesOf(x.app.stdin))
	defer stop()
	for _, r := range x.rows {
		if r.Suggested == "" {
			continue
		}
		if f.yes > 0 {
			if r.P >= f.yes {
				taken[r.Row-1] = having[r.Suggested]
			}
			continue
		}
		if !r.Doubtful {
			break
		}
		fmt.Fprintf(x.app.stderr, "row %d: %s\n  %s -> %s? [y/N/q] ", r.Row, terminal.Line(excerpt(r.text)), terminal.Line(r.Label), terminal.Line(r.Suggested))
		answer, ok := next()
		if !ok || answer == "q" {
			fmt.Fprintln(x.app.stderr)
			break
		}
		if answer == "y" || answer == "yes" {
			taken[r.Row-1] = having[r.Suggested]
		}
	}
	return taken, nil
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

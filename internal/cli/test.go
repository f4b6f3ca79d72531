package cli

import (
	"fmt"
	"path/filepath"

	"bayes"
	"bayes/internal/outfile"
	"bayes/report"

	"github.com/spf13/cobra"
)

func (a *App) testCommand() *cobra.Command {
	var (
		in      Input
		workers int
		page    Writing
	)
	cmd := &cobra.Command{
		Use:   "test MODEL FILE...",
		Short: "Measure a model on labelled examples that it has not seen",
		Example: `  bayes test mail.nb held-out.csv
  bayes test mail.nb held-out.csv --json
  bayes test mail.nb held-out.csv --report mail.html`,
		Args:              Args(2, -1, "MODEL and at least one FILE"),
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := page.Plan(args)
			if err != nil {
				return err
			}
			m, err := a.loadModel(args[0])
			if err != nil {
				return err
			}
			r := report.New(m, &report.Options{Title: titleOf(args)})
			if err := a.observe(r, m, &in, args[1:], workers); err != nil {
				return err
			}
			if to != nil {
				if err := to.Write(r.WriteHTML); err != nil {
					return err
				}
			}
			return a.ReportTally(r.Tally())
		},
	}
	in.AddFlags(cmd)
	cmd.Flags().IntVar(&workers, "workers", 0, "cores to use (default all)")
	Group(cmd, Resources)
	page.AddFlags(cmd, outfile.Page, "report", "", "also write all of it as a page with plots and the worst mistakes to `FILE`")
	return cmd
}

// titleOf names a model and the files that it is tested with, without their
// folders.
func titleOf(args []string) string {
	title := filepath.Base(args[0]) + " on " + filepath.Base(args[1])
	if n := len(args) - 2; n > 0 {
		title += " and " + plural(n, "other file")
	}
	return title
}

// observe predicts every example of files.
func (a *App) observe(r *report.Report, m *bayes.Model, in *Input, files []string, workers int) error {
	src, err := a.openFor(in, files, m.EventModel(), m)
	if err != nil {
		return err
	}
	defer src.finish()
	err = a.progress(src, func(progress func(int64)) error {
		var n int64
		for s, err := range m.PredictAll(src.examples(), workers) {
			if err != nil {
				return err
			}
			r.Observe(s)
			if n++; progress != nil && n%4096 == 0 {
				progress(n)
			}
		}
		return nil
	})
	if err == nil && r.Tally().Documents() == 0 {
		err = fmt.Errorf("%s: no examples to test with", files[0])
	}
	return err
}

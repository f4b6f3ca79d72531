package main

import (
	"context"
	"fmt"

	"bayes"
	"bayes/beam/pipeline"
	"bayes/eval"
	"bayes/internal/cli"
	"bayes/internal/labelset"

	"github.com/spf13/cobra"
)

func (a *app) testCommand() *cobra.Command {
	var in cli.Input
	cmd := &cobra.Command{
		Use:   "test MODEL GLOB...",
		Short: "Measure a model on labelled examples that it has not seen",
		Long: `Measure a model on labelled examples that it has not seen. What is printed is what
bayes test prints without mistakes (--mistakes 0). The workers predict; this machine holds 24 bytes for each
document and 8 for each of its classes.`,
		Example: `  bayes-beam test mail.nb 'held-out/*.csv'
  bayes-beam test mail.nb 'held-out/*.csv' --json`,
		Args: cli.Args(2, -1, "MODEL and at least one GLOB"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.test(cmd, &in, args[0], args[1:]) },
	}
	in.AddFlags(cmd)
	return cmd
}

func (a *app) test(cmd *cobra.Command, in *cli.Input, model string, globs []string) error {
	ctx := cmd.Context()
	f, m, err := a.model(ctx, model, "")
	if err != nil {
		return err
	}
	j, done, err := a.job(ctx, cmd, globs, in.For(m), in.SkipBad(), model)
	if err != nil {
		return err
	}
	defer done()
	var t eval.Tally
	var sets eval.SetTally
	separator, observe := m.Space().LabelSeparator, t.Observe
	if separator != "" {
		observe = func(pr bayes.Prediction, label string) { sets.Observe(pr, labelset.Split(label, separator)) }
	}
	report, err := j.Test(ctx, f, m, observe)
	if err == nil {
		err = a.tell(report)
	}
	if err == nil && t.Documents()+sets.Documents() == 0 {
		err = fmt.Errorf("%s: no examples to test with", globs[0])
	}
	if err != nil {
		return err
	}
	if separator != "" {
		return a.ReportSets(m, &sets)
	}
	return a.ReportTest(m, &t)
}

// model loads the model that workers are to use.
func (a *app) model(ctx context.Context, name, prior string) (pipeline.ModelFile, *bayes.Model, error) {
	path, err := absolute(name)
	if err != nil {
		return pipeline.ModelFile{}, nil, err
	}
	return pipeline.NewModelFile(ctx, path, prior)
}

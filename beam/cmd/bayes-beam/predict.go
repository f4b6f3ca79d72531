package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"bayes/beam/pipeline"
	"bayes/internal/atomicfile"
	"bayes/internal/cli"

	"github.com/spf13/cobra"
)

// predicting holds the flags of the command.
type predicting struct {
	cli.Input
	cli.Predictor
	prior, out string
	parts      bool
}

func (a *app) predictCommand() *cobra.Command {
	var p predicting
	cmd := &cobra.Command{
		Use:   "predict MODEL GLOB... -o FILE",
		Short: "Label documents, one line out for each document in",
		Long: `Label documents, one line out for each document in, in order: the lines that
bayes predict would print. With --parts they stay in many files, whose names,
sorted, are in the order of the documents.`,
		Example: `  bayes-beam predict mail.nb 'new/*.csv' -o labels.tsv
  bayes-beam predict gs://lake/mail.nb 'gs://lake/new-*.csv' -o gs://lake/labels- --parts --runner dataflow`,
		Args: cli.Args(2, -1, "MODEL and at least one GLOB"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.out == "" || p.out == "-" {
				return cli.WrongUsage(cmd, "-o FILE is missing")
			}
			if strings.Contains(p.out, "://") && !p.parts {
				return cli.WrongUsage(cmd, "-o %s: what is written to a cloud is written in parts (--parts)", p.out)
			}
			if err := p.Check(cmd); err != nil {
				return err
			}
			return a.predict(cmd, &p, args[0], args[1:])
		},
	}
	p.AddFlags(cmd)
	p.AddOutputFlags(cmd)
	cmd.Flags().StringVar(&p.prior, "prior", "", "another prior than the model's: empirical, uniform or LABEL=P,LABEL=P")
	cmd.Flags().StringVarP(&p.out, "output", "o", "", "file to write the lines to, or with --parts what the names of files begin with")
	cmd.Flags().BoolVar(&p.parts, "parts", false, "write a file for each part of the input")
	return cmd
}

func (a *app) predict(cmd *cobra.Command, p *predicting, model string, globs []string) error {
	start := time.Now()
	ctx := cmd.Context()
	f, m, err := a.model(ctx, model, p.prior)
	if err != nil {
		return err
	}
	p.Unlabelled = true
	j, done, err := a.job(ctx, cmd, globs, p.For(m), p.SkipBad(), p.out)
	if err != nil {
		return err
	}
	defer done()
	prefix := j.Dir + "/labels-"
	if p.parts {
		if prefix, err = absolute(p.out); err != nil {
			return err
		}
	}
	names, report, err := j.Predict(ctx, f, prefix, p.Printer(a.JSON()))
	if err == nil {
		err = a.tell(report)
	}
	if err != nil {
		return err
	}
	into := p.out
	if p.parts {
		into = fmt.Sprintf("%d files %s*", len(names), p.out)
	} else if err := atomicfile.Write(p.out, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		if err := pipeline.Copy(ctx, b, names); err != nil {
			return err
		}
		return b.Flush()
	}); err != nil {
		return fmt.Errorf("%s: not saved: %w", p.out, cli.Cause(err))
	}
	a.Note("%s: %s documents in %.2f s", into, cli.Count(report.Documents), time.Since(start).Seconds())
	return nil
}

// absolute returns a name that does not depend on the working directory.
func absolute(name string) (string, error) {
	if strings.Contains(name, "://") {
		return name, nil
	}
	return filepath.Abs(name)
}

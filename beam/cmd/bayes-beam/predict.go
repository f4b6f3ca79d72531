package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"bayes/beam/part"
	"bayes/beam/pipeline"
	"bayes/internal/cli"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

// predicting holds the flags of the command.
type predicting struct {
	cli.Input
	cli.Predictor
	prior string
	out   cli.Writing
	parts bool
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
  bayes-beam predict gs://lake/mail.nb 'gs://lake/new-*.csv' \
    -o gs://lake/labels- --parts --runner dataflow`,
		Args: cli.Args(2, -1, "MODEL and at least one GLOB"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.out.Name() == "" || p.out.Name() == "-" {
				return cli.WrongUsage(cmd, "-o FILE is missing")
			}
			if strings.Contains(p.out.Name(), "://") && !p.parts {
				return cli.WrongUsage(cmd, "-o %s: what is written to a cloud is written in parts (--parts)", p.out.Name())
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
	cli.Group(cmd, cli.ModelFlags)
	p.out.AddFlags(cmd, outfile.Predictions, "output", "o", "file to write the lines to, or with --parts what the names of files begin with")
	cmd.Flags().BoolVar(&p.parts, "parts", false, "write a file for each part of the input")
	cli.Group(cmd, cli.OutputFlags)
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
	j, done, err := a.job(ctx, cmd, globs, p.For(m), p.SkipBad(), p.out.Name())
	if err != nil {
		return err
	}
	defer done()
	prefix, to, err := planPredictions(ctx, p, j, model)
	if err != nil {
		return err
	}
	names, report, err := j.Predict(ctx, f, prefix, p.Printer(a.JSON()))
	if err == nil {
		err = a.tell(report)
	}
	if err != nil {
		return err
	}
	into := p.out.Name()
	if p.parts {
		into = fmt.Sprintf("%d files %s*", len(names), into)
	} else if err := to.Write(func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		if err := pipeline.Copy(ctx, b, names); err != nil {
			return err
		}
		return b.Flush()
	}); err != nil {
		return err
	}
	a.Note("%s: %s documents in %.2f s", into, cli.Count(report.Documents), time.Since(start).Seconds())
	return nil
}

// planPredictions returns what the names of parts begin with, and, unless they are
// all that is wanted, the file to copy them to.
func planPredictions(ctx context.Context, p *predicting, j *pipeline.Job, model string) (prefix string, to cli.Destination, err error) {
	if !p.parts {
		to, err = plan(ctx, &p.out, p.out.Name(), append(j.Files, part.File{Path: model}))
		return j.Dir + "/labels-", to, err
	}
	if prefix, err = absolute(p.out.Name()); err != nil {
		return "", nil, err
	}
	old, err := pipeline.Parts(ctx, prefix)
	if err != nil {
		return "", nil, err
	}
	if len(old) > 0 && !p.out.Force() {
		return "", nil, outfile.New.Permit(old[0], nil)
	}
	for _, name := range old { // or older parts would be among the new ones
		if err := part.Remove(ctx, name); err != nil {
			return "", nil, err
		}
	}
	return prefix, nil, nil
}

// absolute returns a name that does not depend on the working directory.
func absolute(name string) (string, error) {
	if strings.Contains(name, "://") {
		return name, nil
	}
	return filepath.Abs(name)
}

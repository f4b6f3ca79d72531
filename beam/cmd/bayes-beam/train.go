package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"bayes"
	"bayes/beam/part"
	"bayes/beam/pipeline"
	"bayes/internal/cli"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

// training holds the flags of the command.
type training struct {
	cli.Trainer
	out    cli.Writing
	shards int
}

func (a *app) trainCommand() *cobra.Command {
	var t training
	cmd := &cobra.Command{
		Use:   "train GLOB... -o MODEL",
		Short: "Count labelled examples and write a model",
		Long: `Count labelled examples in CSV, TSV, JSONL, fastText or Parquet files, compressed
with gzip or zstd or not, and write the model that bayes train would write, of several labels with --correct=false.`,
		Example: `  bayes-beam train 'logs/*.jsonl.gz' -o logs.nb
  bayes-beam train big.csv --ngrams 1-2 --min-df 5 -o big.nb --shards 8`,
		Args: cli.Args(1, -1, "at least one GLOB"),
		RunE: func(cmd *cobra.Command, globs []string) error {
			switch {
			case t.out.Name() == "" || t.out.Name() == "-":
				return cli.WrongUsage(cmd, "-o MODEL is missing")
			case t.shards < 0:
				return cli.WrongUsage(cmd, "--shards %d: want a number from 0 up", t.shards)
			case t.LeavesOneOut():
				return cli.WrongUsage(cmd, "--alpha loo is for bayes train: it leaves out one example after the other")
			case t.Corrects():
				return cli.WrongUsage(cmd, "--correct is for bayes train: corrections are learned on one machine, from a sample (see docs/distributed.md)")
			case t.Calibrates():
				return cli.WrongUsage(cmd, "--calibrate holds out examples one after the other, and is not for a cluster")
			case t.HasCutoffs():
				return cli.WrongUsage(cmd, "%s is for bayes train: cutoffs are set on one machine, from a sample", t.GoalFlag())
			}
			return a.train(cmd, &t, globs)
		},
	}
	t.AddFlags(cmd)
	t.AddLabelSeparator(cmd)
	t.out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	cmd.Flags().IntVar(&t.shards, "shards", 0, "also write the counts as `N` files, for bayes merge")
	cli.Group(cmd, cli.OutputFlags)
	return cmd
}

func (a *app) train(cmd *cobra.Command, t *training, globs []string) error {
	start := time.Now()
	ctx := cmd.Context()
	space, err := t.Space(cmd)
	if err != nil {
		return err
	}
	em, err := t.EventModel(cmd)
	if err != nil {
		return err
	}
	if t.Workers() > 0 {
		runtime.GOMAXPROCS(t.Workers())
	}
	j, done, err := a.job(ctx, cmd, globs, t.Options, t.SkipBad(), t.out.Name())
	if err != nil {
		return err
	}
	defer done()
	files, err := planAll(ctx, t, j.Files)
	if err != nil {
		return err
	}
	c, err := a.count(ctx, j, space, t.shards)
	if err == nil && t.NeedsIDF() {
		weighted := *space
		weighted.IDF = c.IDF()
		c, err = a.count(ctx, j, &weighted, t.shards)
	}
	if err != nil {
		return err
	}
	t.Remember(c)
	m, err := bayes.Fit(c, em)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(globs, " "), err)
	}
	if err := save(files[0], c, em); err != nil {
		return err
	}
	if shards := files[1:]; len(shards) > 0 {
		for i, s := range c.Shard(len(shards)) {
			if err := save(shards[i], s, em); err != nil {
				return err
			}
		}
	}
	a.Warn(m)
	return a.ReportTraining(c, m.Len(), t.out.Name(), time.Since(start))
}

// count counts the files of j, and tells what was odd about them.
func (a *app) count(ctx context.Context, j *pipeline.Job, space *bayes.Space, shards int) (*bayes.Counts, error) {
	if shards == 0 {
		shards = j.DefaultShards()
	}
	if space.Vocabulary != nil || space.IDF != nil {
		shards = 1 // each shard would carry the whole vocabulary
	}
	c, report, err := j.Count(ctx, space, shards)
	if err != nil {
		return nil, err
	}
	return c, a.tell(report)
}

// tell notes what was odd about the data, and returns what was wrong.
func (a *app) tell(r pipeline.Report) error {
	var first []string
	for _, n := range r.Notes {
		first = append(first, n.Text)
	}
	a.Skipped(r.Bad, first)
	if r.Failure != nil {
		return errors.New(r.Failure.Text)
	}
	return nil
}

// planAll returns where to write the model and the shards that the flags ask for.
func planAll(ctx context.Context, t *training, inputs []part.File) ([]cli.Destination, error) {
	names := []string{t.out.Name()}
	for i := range t.shards {
		names = append(names, shardName(t.out.Name(), i, t.shards))
	}
	var files []cli.Destination
	for _, name := range names {
		f, err := plan(ctx, &t.out, name, inputs)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// shardName returns the name of shard i of n: model.nb becomes
// model-00000-of-00008.nb.
func shardName(name string, i, n int) string {
	stem, ext := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, '/')+1 {
		stem, ext = name[:dot], name[dot:]
	}
	return fmt.Sprintf("%s-%05d-of-%05d%s", stem, i, n, ext)
}

// save writes a model file.
func save(to cli.Destination, c *bayes.Counts, em bayes.EventModel) error {
	var b bytes.Buffer
	if err := bayes.Save(&b, c, em); err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}

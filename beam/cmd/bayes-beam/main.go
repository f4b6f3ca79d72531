// Command bayes-beam trains, predicts and tests on Apache Beam: with the runner
// that it brings along, on all cores of this machine, and with Flink, Spark or
// Dataflow on many. See docs/distributed.md, or run it with --help.
package main

import (
	"context"
	"io"
	"os"

	"bayes/internal/cli"

	"github.com/spf13/cobra"
)

func main() {
	if isWorker(os.Args[1:]) {
		os.Exit(work(os.Args[1:], os.Stderr))
	}
	os.Exit(run(cli.NotifyContext(context.Background()), os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole command. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{App: cli.NewApp(stdout, stderr)}
	root := &cobra.Command{
		Use:   "bayes-beam",
		Short: "Classify text with naive Bayes, on many machines",
		Long: `bayes-beam counts what bayes counts, on Apache Beam: by itself on all cores of
this machine, or on a cluster with --runner. The model is the very file that
bayes train would have written.`,
		Example: `  bayes-beam train 'logs/*.jsonl.gz' -o logs.nb
  bayes-beam train 'gs://lake/mail-*.csv' -o gs://lake/mail.nb \
    --runner dataflow --project P --region R \
    --staging_location gs://lake/staging
  bayes-beam predict logs.nb 'new/*.csv' -o labels.tsv
  bayes-beam test logs.nb 'held-out/*.csv'`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	a.AddFlags(root)
	a.addRunnerFlags(root)
	cli.Group(root, "Runner")
	root.AddCommand(a.trainCommand(), a.predictCommand(), a.testCommand())
	root.SetArgs(args)
	return a.Execute(ctx, root)
}

// app is what all commands share.
type app struct {
	*cli.App
	verbose  bool
	partSize int64
	temp     string
}

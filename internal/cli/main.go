// Package cli is the command bayes, but for its main function: so that
// bayes-beam, a module of its own, has the same flags and prints the same lines.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// Main runs the command bayes, with commands that are made elsewhere besides
// those of this package, and exits.
func Main(more ...func(a *App) *cobra.Command) {
	keepHeap(32 << 20)
	a := newApp(os.Stdin, os.Stdout, os.Stderr)
	signals := newInterrupter()
	a.release = signals.release
	os.Exit(signals.run(a.stderr, func(ctx context.Context) int { return a.run(ctx, os.Args[1:], more...) }))
}

// run is the whole command. It returns the exit code.
func (a *app) run(ctx context.Context, args []string, more ...func(a *App) *cobra.Command) int {
	root := a.root()
	for _, command := range more {
		root.AddCommand(command(a))
	}
	root.SetArgs(args)
	return a.Execute(ctx, root)
}

// Execute runs a command, and tells its error in one line. An error of writing to
// standard output is an error of the command. It returns the exit code.
func (a *app) Execute(ctx context.Context, root *cobra.Command) int {
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.stdout.err
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	case errors.Is(err, syscall.EPIPE) && errors.Is(err, a.stdout.err):
		return exitFailed // whoever read has read enough
	}
	fmt.Fprintln(a.stderr, root.Name()+": "+oneLine(err))
	var usage *usageError
	if errors.As(err, &usage) || strings.HasPrefix(err.Error(), "unknown command") {
		return exitUsage
	}
	return exitFailed
}

// app holds what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr *output
	quiet, json    bool
	release        func()                  // leaves signals to the command
	checkFolder    func(name string) error // nil where stores are not known
	unchanged      []func() error          // asked when a command is done: whether its models were what they were
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{stdin: stdin, stdout: newOutput("standard output", stdout), stderr: newOutput("standard error", stderr), release: func() {}}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "bayes",
		Short: "Classify text with naive Bayes",
		Long: `bayes classifies text with naive Bayes: is this mail spam, which team gets this
ticket, what language is this. It learns from labelled examples in CSV, TSV,
JSONL, fastText files or folders, and explains every answer word by word.`,
		Example: `  bayes demo
  bayes train mail.csv -o mail.nb
  bayes test mail.nb held-out.csv
  echo "win a free prize" | bayes predict mail.nb
  bayes explain mail.nb "win a free prize"`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPostRunE: func(*cobra.Command, []string) error {
			for _, check := range a.unchanged {
				if err := check(); err != nil {
					return err
				}
			}
			return nil
		},
	}
	a.addFlags(root)
	root.AddCommand(
		a.trainCommand(), a.predictCommand(), a.testCommand(), a.explainCommand(), a.inspectCommand(), a.checkCommand(),
		a.learnCommand(), a.unlearnCommand(), a.mergeCommand(), a.subtractCommand(), a.splitCommand(), a.compareCommand(), a.cvCommand(), a.freezeCommand(), a.tuneCommand(), a.demoCommand(),
	)
	return root
}

// addFlags defines the flags that all commands share.
func (a *app) addFlags(root *cobra.Command) {
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print no notes and no progress")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON for machines")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrongUsage(cmd, "%w", err) })
}

// note prints a line for people on stderr.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, terminal.Line(fmt.Sprintf(format, args...)))
	}
}

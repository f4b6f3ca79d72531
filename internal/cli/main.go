// Package cli is the command bayes without its main function, so that bayes-beam, a
// module of its own, has the same flags and prints the same lines. What is exported is
// for bayes-beam and for the commands of the server.
//
// Each command is in the file of its name, except that unlearn is in learn.go and
// subtract in merge.go. A command is a method of [App], which holds what all have in
// common. What commands share is in files of its own:
//
//	input, source                   the flags of reading; data that is being read
//	vectors, svmlight               what the values of svmlight files are; their columns
//	analyzer_flags, space_flags     what a term is; what is counted of a document
//	selection_flags, model_flags    which terms are kept; how counts are fitted
//	training_flags                  a [Trainer]: all of these flags
//	counting, heldout, calibrate    counts of files; what is chosen by examples held out
//	setting, candidates, search     what tune and train --auto try, and how they did
//	model, version, write           model files; versions of analyzers; what may be written
//	tally, derivation, printer      what is printed of a test, a derivation, a prediction
//	table, numbers, paint, progress how anything is printed
//	label, label_tty                texts that people label, on a page and in the terminal
//	text_or_file, responses         what an argument is; predictions of what is read
//	lines, fork                     files of words; standard input that is read twice in step
//	help, man, complete             groups of flags, --version, manual pages, what the shell completes
//	output, console, errors         streams, the terminal, exit codes
//	signals, heap                   interrupts, memory
package cli

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Main runs the command bayes, with commands that are made elsewhere besides
// those of this package, and exits.
func Main(more ...func(a *App) *cobra.Command) {
	keepHeap(32 << 20)
	a := newApp(os.Stdin, os.Stdout, os.Stderr)
	a.watchConsole()
	signals := newInterrupter()
	a.release, a.divert = signals.release, signals.divert
	os.Exit(signals.run(a.stderr, func(ctx context.Context) int { return a.run(ctx, os.Args[1:], more...) }))
}

// run is the whole command. It returns the exit code.
func (a *App) run(ctx context.Context, args []string, more ...func(a *App) *cobra.Command) int {
	root := a.only(args)
	if root == nil {
		var made []*cobra.Command
		for _, command := range more {
			made = append(made, command(a))
		}
		root = a.root(made...)
	}
	root.SetArgs(args)
	return a.Execute(ctx, root)
}

// only returns the command with filter alone below it, if the arguments are for that, and else nil. A filter is
// started for each mail: to make all other commands takes a fifteenth of its time.
func (a *App) only(args []string) *cobra.Command {
	if len(args) == 0 || args[0] != "filter" {
		return nil
	}
	root := a.bare()
	root.AddCommand(a.filterCommand())
	return root
}

// Execute runs a command, and prints its error in one line. An error of writing to
// standard output is an error of the command. It returns the exit code.
func (a *App) Execute(ctx context.Context, root *cobra.Command) int {
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	addDefaults(root)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.stdout.err
	}
	var exit *exitError
	if errors.As(err, &exit) {
		if exit.err != nil {
			a.stderr.printLast(root.Name() + ": " + oneLine(exit.err))
		}
		return exit.code
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	case strings.HasPrefix(err.Error(), "unknown command "):
		err = unknownCommand(root, err)
	case errors.Is(err, syscall.EPIPE) && errors.Is(err, a.stdout.err):
		return exitFailed // whoever read has read enough
	}
	a.stderr.printLast(root.Name() + ": " + oneLine(err))
	var usage *usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// bare returns the command with no commands below it.
func (a *App) bare() *cobra.Command {
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
	a.AddFlags(root)
	return root
}

// root returns the command with all commands below it, those that are made elsewhere too.
func (a *App) root(more ...*cobra.Command) *cobra.Command {
	root := a.bare()
	addGroup(root, "Learn", a.labelCommand(), a.trainCommand(), a.learnCommand(), a.unlearnCommand(), a.mergeCommand(), a.subtractCommand(), a.importCommand())
	addGroup(root, "Answer", a.predictCommand(), a.explainCommand(), a.filterCommand())
	addGroup(root, "Measure", a.testCommand(), a.cvCommand(), a.compareCommand(), a.tuneCommand(), a.splitCommand(), a.auditCommand())
	addGroup(root, "Model files", a.inspectCommand(), a.checkCommand(), a.freezeCommand())
	addGroup(root, "Serve", more...)
	addGroup(root, "First steps", a.demoCommand(), a.manCommand())
	root.SetHelpCommandGroupID("First steps")
	root.SetCompletionCommandGroupID("First steps")
	return root
}

package cli

import (
	"fmt"
	"strings"

	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// oneLine returns err's text in one line, without the prefixes of packages.
func oneLine(err error) string {
	s := strings.ReplaceAll(err.Error(), "bayes: ", "")
	return terminal.Line(strings.Join(strings.Fields(s), " "))
}

// A usageError says that the command was called wrongly.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// wrongUsage returns a usageError that points to the help of cmd.
func wrongUsage(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{fmt.Errorf(format+" (see %s --help)", append(args, cmd.CommandPath())...)}
}

// args checks the number of arguments.
func args(least, most int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return wrongUsage(cmd, "want %s", want)
		}
		return nil
	}
}

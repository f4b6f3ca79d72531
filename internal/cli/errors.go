package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"bayes/internal/oneline"
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
func oneLine(err error) string { return terminal.Line(oneline.Of(err, "bayes")) }

// A usageError says that the command was called wrongly.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// An exitError makes the exit code of a command whose codes say more than whether it has failed. Without
// an error inside, there is none to print.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Unwrap() error { return e.err }

func (e *exitError) Error() string {
	if e.err == nil {
		return "exit code " + strconv.Itoa(e.code)
	}
	return e.err.Error()
}

// WrongUsage returns an error that points to the help of cmd, and makes the exit
// code 2.
func WrongUsage(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{fmt.Errorf(format+" (see %s --help)", append(args, cmd.CommandPath())...)}
}

// Args checks the number of arguments; most may be -1 for any number.
func Args(least, most int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return WrongUsage(cmd, "want %s", want)
		}
		return nil
	}
}

// Plain returns an error of the file system as "name: what is wrong".
func Plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}

// inFiles returns err with the files it is about.
func inFiles(files []string, err error) error {
	return fmt.Errorf("%s: %w", strings.Join(files, " "), err)
}

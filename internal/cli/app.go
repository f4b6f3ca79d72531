package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// An App holds what all commands share: where they read and print, and how.
type App struct {
	stdin          io.Reader
	stdout, stderr *output
	quiet, json    bool
	release        func() // leaves signals to the command
	divert         func(stop func()) (restore func())
	tried          func(examples, done, all int) // what a test wants to know of a search; nil otherwise
	checkFolder    func(name string) error       // nil where stores are not known
	checkServer    func(ctx context.Context, address string) error
	noted          []string       // what noteOnce has noted
	unchanged      []func() error // each returns an error if a model that the command has opened was changed since
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *App {
	return &App{stdin: stdin, stdout: newOutput("standard output", stdout), stderr: newOutput("standard error", stderr),
		release: func() {}, divert: func(func()) func() { return func() {} }}
}

// NewApp returns an App that prints to stdout, and notes for people to stderr.
func NewApp(stdout, stderr io.Writer) *App { return newApp(strings.NewReader(""), stdout, stderr) }

// AddFlags defines the flags that all commands share, and --version; and what help and
// errors of flags look like.
func (a *App) AddFlags(root *cobra.Command) {
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print no notes and no progress")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON for machines")
	root.Flags().Bool("version", false, "print the version, and the revision it was built from")
	root.Version = version(debug.ReadBuildInfo()) + lacking
	Group(root, General)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(printHelp)
	root.SetUsageFunc(printUsage)
}

// JSON reports whether to print for machines.
func (a *App) JSON() bool { return a.json }

// Quiet reports whether to print no notes.
func (a *App) Quiet() bool { return a.quiet }

// Stdout returns where to print.
func (a *App) Stdout() io.Writer { return a.stdout }

// Stderr returns where to print what is not data.
func (a *App) Stderr() io.Writer { return a.stderr }

// PrintJSON prints v as one line of JSON.
func (a *App) PrintJSON(v any) error { return writeJSON(a.stdout, v) }

// writeJSON writes v as one line of JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Note prints a line for people on stderr, as fmt.Printf does.
func (a *App) Note(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, terminal.Line(fmt.Sprintf(format, args...)))
	}
}

// Skipped notes bad records that were skipped, and the first few of them.
func (a *App) Skipped(n int64, first []string) {
	for _, text := range first {
		a.Note("skipped: %s", text)
	}
	if n > 0 {
		a.Note("skipped %s", plural(int(n), "bad record"))
	}
}

// HandleSignals says that the command handles signals itself from now on: none
// cancels its context or ends it any more.
func (a *App) HandleSignals() { a.release() }

// CheckFolders makes bayes check call check for a folder.
func (a *App) CheckFolders(check func(name string) error) { a.checkFolder = check }

// CheckServers makes bayes check call check for the address of a server.
func (a *App) CheckServers(check func(ctx context.Context, address string) error) {
	a.checkServer = check
}

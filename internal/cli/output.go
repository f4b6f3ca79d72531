package cli

import (
	"fmt"
	"io"
	"os"
	"sync"

	"bayes/dataset"
	"bayes/internal/outfile"
	"bayes/internal/terminal"

	"golang.org/x/term"
)

// An output is where a command prints. It keeps the first error, so that what prints
// need not check for one. On a terminal, it makes control characters in users' data
// harmless. It is for several goroutines: a signal is answered while the command prints.
type output struct {
	mu     sync.Mutex
	name   string
	file   io.Writer
	screen *terminal.Writer // to file, nil if that is not a terminal
	err    error
	ended  bool // whether the last line has been printed
}

func newOutput(name string, file io.Writer) *output {
	o := &output{name: name, file: file}
	if f, ok := file.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		o.screen = terminal.NewWriter(file)
	}
	return o
}

// Write writes p, unless a write has failed before.
func (o *output) Write(p []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.write(p)
}

// printLast writes why a command failed. What comes later is left out: a command that is left behind, and what leaves it, both say why.
func (o *output) printLast(line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.write([]byte(line + "\n"))
	o.ended = true
}

func (o *output) write(p []byte) (n int, err error) {
	switch {
	case o.err != nil:
		return 0, o.err
	case o.ended:
		return len(p), nil
	}
	if o.screen != nil {
		n, err = o.screen.Write(p)
	} else {
		n, err = o.file.Write(p)
	}
	if err != nil {
		o.err = fmt.Errorf("%s: %w", o.name, outfile.Cause(err))
	}
	return n, o.err
}

// notReadFrom returns an error if o goes to one of the files that are read: what is
// printed would be read in turn, for ever. The name "-" means stdin.
func (o *output) notReadFrom(names []string, stdin io.Reader) error {
	out, err := stat(o.file)
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, name := range names {
		file, _ := dataset.CutLabel(name)
		in, err := os.Stat(file)
		if name == "-" {
			in, err = stat(stdin)
		}
		if err == nil && os.SameFile(in, out) {
			return fmt.Errorf("%s: is read, and %s goes to it", name, o.name)
		}
	}
	return nil
}

// stat returns what kind of file a stream is.
func stat(stream any) (os.FileInfo, error) {
	if f, ok := stream.(interface{ Stat() (os.FileInfo, error) }); ok { // a file, or a console
		return f.Stat()
	}
	return nil, os.ErrInvalid
}

// screenOf returns the terminal that w writes to, nil if it is none.
func screenOf(w io.Writer) *terminal.Writer {
	if o, ok := w.(*output); ok {
		return o.screen
	}
	return nil
}

// isTerminal reports whether w writes to a terminal.
func isTerminal(w io.Writer) bool { return screenOf(w) != nil }

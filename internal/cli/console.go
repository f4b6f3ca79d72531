package cli

import (
	"os"
	"sync"

	"golang.org/x/term"
)

// A console is standard input that is a terminal. The first read says that it waits for
// what is typed: a command that was to read a file, and was not given one, would seem to
// hang.
type console struct {
	*os.File
	once sync.Once
	say  func()
}

func (c *console) Read(p []byte) (int, error) {
	c.once.Do(c.say)
	return c.File.Read(p)
}

// watchConsole makes standard input a console if it is a terminal.
func (a *App) watchConsole() {
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.stdin = &console{File: f, say: func() { a.Note("reading from the terminal: Ctrl-D at the start of a line ends the input") }}
	}
}

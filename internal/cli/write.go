package cli

import (
	"io"
	"os"

	"bayes/dataset"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Writing holds the flags that say which file to write, and whether any other file may
// be written over. Commands write files in no other way.
type Writing struct {
	name string
	kind *outfile.Kind
	cmd  *cobra.Command
}

// A fileName is the value of a flag that names a file to be written.
type fileName struct{ *Writing }

func (f fileName) String() string {
	if f.Writing == nil {
		return ""
	}
	return f.name
}
func (f fileName) Set(name string) error { f.name = name; return nil }
func (f fileName) Type() string          { return "string" }

// AddFlags defines on cmd the flag that names the file, and --force, which is one of all files that cmd writes. The
// file will hold what kind says.
func (w *Writing) AddFlags(cmd *cobra.Command, kind *outfile.Kind, flag, shorthand, usage string) {
	w.kind, w.cmd = kind, cmd
	cmd.Flags().VarP(fileName{w}, flag, shorthand, usage)
	over := "write over an existing file, whatever it holds"
	if kind == outfile.New {
		over = "write over existing files"
	}
	if cmd.Flags().Lookup("force") == nil {
		cmd.Flags().Bool("force", false, over)
	}
	Group(cmd, OutputFlags)
}

// Name returns the file's name, empty if none is given.
func (w *Writing) Name() string { return w.name }

// Force reports whether any file may be written over.
func (w *Writing) Force() bool {
	force, err := w.cmd.Flags().GetBool("force")
	return err == nil && force
}

// Kind returns what the file holds.
func (w *Writing) Kind() *outfile.Kind { return w.kind }

// A Destination is where a command writes: a file that may be written over, a file that
// is locked, or standard output.
type Destination interface {
	// Name returns the file's name.
	Name() string
	// Write makes the file hold what write writes: all of it, or the file stays as it
	// was. The error names the file.
	Write(write func(w io.Writer) error) error
}

// Plan returns where to write, nil if no file is named. It is called before the work, and
// returns an error if the file may not or cannot be written. Without --force, a file
// that the command reads may not: one that is named by an argument or a flag, or is
// standard input.
func (w *Writing) Plan(args []string) (Destination, error) {
	if w.name == "" {
		return nil, nil
	}
	return w.PlanAs(w.name, args)
}

// PlanAs is Plan for a file of another name, where a command writes several.
func (w *Writing) PlanAs(name string, args []string) (Destination, error) {
	if name == "-" && w.kind != outfile.New {
		return standardOutput{w.cmd.OutOrStdout()}, nil
	}
	return outfile.Plan(name, w.kind, &outfile.Options{Inputs: w.inputs(args), Force: w.Force()})
}

// inputs returns the files that arguments and flags name. Words that name no file
// are skipped, and so are flags of files to be written.
func (w *Writing) inputs(args []string) []os.FileInfo {
	var list []os.FileInfo
	// Standard input may be one of the files to be written.
	if info, err := stat(w.cmd.InOrStdin()); err == nil && info.Mode().IsRegular() {
		list = append(list, info)
	}
	add := func(word string) {
		file, _ := dataset.CutLabel(word)
		if info, err := os.Stat(file); err == nil {
			list = append(list, info)
		}
	}
	for _, arg := range args {
		add(arg)
	}
	// Any flag may name a file, such as --vocabulary or --test: each value is tried.
	w.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch value := f.Value.(type) {
		case fileName:
		case pflag.SliceValue:
			for _, word := range value.GetSlice() {
				add(word)
			}
		default:
			add(value.String())
		}
	})
	return list
}

// standardOutput is a Destination.
type standardOutput struct{ w io.Writer }

func (standardOutput) Name() string                                { return "-" }
func (s standardOutput) Write(write func(w io.Writer) error) error { return write(s.w) }

// lock locks the model called name, which is to be changed and replaced, and returns where
// to write it and how to unlock it. Where name is "-", the model goes to stdout. It calls
// wait if another command has the lock.
func lock(name string, stdout io.Writer, wait func()) (to Destination, unlock func() error, err error) {
	if name == "-" {
		return standardOutput{stdout}, func() error { return nil }, nil
	}
	l, err := outfile.Lock(name, wait)
	if err != nil {
		return nil, nil, err
	}
	return l, l.Close, nil
}

// missing returns the error of a command that was not told where to write.
func (w *Writing) missing(cmd *cobra.Command, what string) error {
	if w.name != "" {
		return nil
	}
	return WrongUsage(cmd, "%s is missing", what)
}

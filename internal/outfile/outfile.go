// Package outfile decides what a command may write over. A file that is written is
// never one of the files that are read, by whatever name or link, and never an
// existing file that holds something else than what is written:
//
//	f, err := outfile.Plan("mail.nb", outfile.Model, nil) // before the work
//	…
//	err = f.Write(save) // asks again, and replaces the file whole or not at all
//
// A file that one command reads, changes and replaces is locked meanwhile: see
// [Lock].
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bayes/internal/atomicfile"
)

// Options says what is known of a file that is to be written. A nil *Options
// means no inputs, and no force.
type Options struct {
	// Inputs are the files that are read, which must not be lost.
	Inputs []os.FileInfo
	// Force permits to write over any file.
	Force bool
}

// A File is a file that is to be written.
type File struct {
	name string
	kind *Kind
	opts Options
}

// Plan returns the file called name, which will hold what kind says. The error
// says why it must not, or cannot, be written: so that nobody waits for work that
// is lost in the end. A device or a pipe may be written to. Nothing is written yet.
func Plan(name string, kind *Kind, opts *Options) (*File, error) {
	f := &File{name: name, kind: kind}
	if opts != nil {
		f.opts = *opts
	}
	old, err := os.Stat(name)
	switch {
	case err == nil && !old.IsDir() && !old.Mode().IsRegular():
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return nil, f.failed("", err)
	case old.IsDir():
		return nil, fmt.Errorf("%s: is a folder", name)
	}
	if err := f.permit(old); err != nil {
		return nil, err
	}
	folder := filepath.Dir(name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no folder %s: make it first", name, folder)
	}
	if err := atomicfile.Try(name); err != nil {
		return nil, f.failed("", err)
	}
	return f, nil
}

// Name returns the name of f.
func (f *File) Name() string { return f.name }

// Write makes f hold what write writes, whole or not at all, if it still may be
// written. The error names f.
func (f *File) Write(write func(w io.Writer) error) error {
	return f.failed("not saved: ", atomicfile.WriteIf(f.name, f.permit, write))
}

// A Refusal is the error of a file that must not be written over.
type Refusal struct{ Name, Reason string }

func (r *Refusal) Error() string {
	return r.Name + ": not written over: " + r.Reason + " (choose another name, or --force)"
}

// IsInput is the reason not to write over a file that the command reads.
const IsInput = "it is read by this very command"

// permit returns an error if old, which is nil if there is no such file, must not
// be written over.
func (f *File) permit(old os.FileInfo) error {
	if old == nil || f.opts.Force {
		return nil
	}
	for _, input := range f.opts.Inputs {
		if os.SameFile(old, input) {
			return &Refusal{f.name, IsInput}
		}
	}
	head, err := readHead(f.name)
	if err != nil {
		return f.failed("", err)
	}
	return f.kind.Permit(f.name, head)
}

// failed returns err with the name of f, rather than that of a temporary file.
func (f *File) failed(what string, err error) error {
	var refusal *Refusal
	if err == nil || errors.As(err, &refusal) {
		return err
	}
	return fmt.Errorf("%s: %s%w", f.name, what, Cause(err))
}

// Cause returns what is wrong, without the name of a file.
func Cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

// readHead returns what the file called name begins with.
func readHead(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, HeadSize)
	n, err := io.ReadFull(file, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}

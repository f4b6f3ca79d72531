package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"bayes"
	"bayes/internal/atomicfile"
)

// load reads the counts and the event model of the file called name, or of
// standard input where it is "-".
func (a *app) load(name string) (*bayes.Counts, bayes.EventModel, error) {
	data, err := a.readFile(name)
	if err != nil {
		return nil, nil, err
	}
	c, em, err := bayes.Load(bytes.NewReader(data), languages()...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, em, nil
}

// loadModel opens the model in the file called name, or in standard input where it
// is "-".
func (a *app) loadModel(name string) (m *bayes.Model, err error) {
	if name == "-" {
		m, err = bayes.LoadModel(a.stdin, languages()...)
	} else {
		m, err = bayes.Open(name, languages()...)
	}
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return nil, plain(err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	b, err := os.ReadFile(name)
	return b, plain(err)
}

// save writes c and em to the file called name, or to standard output where it
// is "-". The old file is there until the new one is whole. Beside the writing it calls
// fit; of what was written nothing is left if that returns an error.
func (a *app) save(name string, c *bayes.Counts, em bayes.EventModel, fit func() error) error {
	if name == "-" || !atomicfile.Replaces(name) {
		if err := fit(); err != nil {
			return err
		}
		fit = func() error { return nil }
	}
	var unfit error
	write := func(w io.Writer) error {
		fitted := make(chan struct{})
		go func() {
			unfit = fit()
			close(fitted)
		}()
		err := bayes.Save(w, c, em)
		<-fitted
		return cmp.Or(unfit, err)
	}
	if name == "-" {
		return write(a.stdout)
	}
	if err := atomicfile.Write(name, write); err != nil && unfit == nil {
		return fmt.Errorf("%s: not saved: %w", name, cause(err))
	}
	return unfit
}

// plain returns an error of the file system as "name: what is wrong".
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}

// cause returns what is wrong, without the name of a temporary file.
func cause(err error) error {
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

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"bayes"
)

// load reads the counts and the event model of the file called name, or of
// standard input where it is "-".
func (a *App) load(name string) (*bayes.Counts, bayes.EventModel, error) {
	data, err := a.readFile(name)
	if err != nil {
		return nil, nil, err
	}
	c, em, err := bayes.Load(bytes.NewReader(data), Languages()...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	a.noteAnalyzer(name, c.AnalyzerVersion(), c.Space())
	return c, em, nil
}

// Load reads counts that can be used, and their event model, from a file.
func (a *App) Load(name string) (*bayes.Counts, bayes.EventModel, error) {
	c, em, err := a.load(name)
	if err == nil {
		if _, err = usable(c, em); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, em, err
}

// usable reports whether c can be kept in a file: it may be empty, but not negative. It
// returns how many terms the model knows.
func usable(c *bayes.Counts, em bayes.EventModel) (terms int, err error) {
	m, err := bayes.Fit(c, em)
	switch {
	case errors.Is(err, bayes.ErrEmpty):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return knownTerms(c, m), nil
}

// knownTerms returns how many of the terms that were counted are among the features of a
// model, which limits such as --min-df leave out of it, and declared ones are in.
func knownTerms(c *bayes.Counts, m *bayes.Model) int { return min(m.Len(), c.Len()) }

// classesOf returns the classes of c, and those of m, its model, in which documents without a label alone have shares. m is nil if it is of nothing.
func classesOf(c *bayes.Counts, m *bayes.Model) []string {
	labels := c.Classes()
	if m == nil || c.Space().LabelSeparator != "" { // where the classes of counts are sets of labels
		return labels
	}
	labels = append(labels, m.Classes()...)
	slices.Sort(labels)
	return slices.Compact(labels)
}

// loadModel opens the model in the file called name, or in standard input where it
// is "-".
func (a *App) loadModel(name string) (m *bayes.Model, err error) {
	if name == "-" {
		m, err = bayes.LoadModel(a.stdin, Languages()...)
	} else {
		m, err = bayes.OpenModel(name, Languages()...)
	}
	var pe *fs.PathError
	switch {
	case errors.Is(err, syscall.EISDIR):
		return nil, fmt.Errorf("%s: is a directory, and no model (hint: of a store, a server gives the model as /v1/models/NAME/snapshot)", name)
	case errors.As(err, &pe):
		return nil, Plain(err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a.unchanged = append(a.unchanged, func() error {
		if err := m.Err(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	a.noteAnalyzer(name, m.AnalyzerVersion(), m.Space())
	return m, nil
}

func (a *App) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	b, err := os.ReadFile(name)
	return b, Plain(err)
}

// save writes c and em. The old file is there until the new one is whole. While it
// encodes, it calls fit, and writes nothing if that returns an error.
func (a *App) save(to Destination, c *bayes.Counts, em bayes.EventModel, fit func() error) error {
	// The two take about as long as each other, and neither changes the counts.
	var file bytes.Buffer
	encoded := make(chan struct{})
	go func() {
		file.Grow(12 * c.Len())  // mostly enough
		bayes.Save(&file, c, em) // a Buffer takes all
		close(encoded)
	}()
	err := fit()
	if <-encoded; err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error {
		_, err := w.Write(file.Bytes())
		return err
	})
}

// Warn notes what is dubious about a model of some classes and features, but not
// wrong.
func (a *App) Warn(m *bayes.Model) {
	classes := m.Classes()
	a.noteLabels(classes)
	if len(classes) == 1 && !several(m) {
		a.noteOneClass(classes[0])
	}
	if m.Len() == 0 {
		a.Note("note: no term was found, so every answer will be the prior")
	}
}

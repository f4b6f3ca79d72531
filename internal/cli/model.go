package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"bayes"
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
	a.noteAnalyzer(name, c.AnalyzerVersion(), c.Space())
	return c, em, nil
}

// noteAnalyzer notes that the texts of a model were cut by another version of the
// analyzer than this program has.
func (a *app) noteAnalyzer(name, version string, space *bayes.Space) {
	if differ := analyzersDiffer(version, space.AnalyzerVersion()); differ != "" {
		a.note("note: %s: %s: some of its terms no text has any more; train it anew", name, differ)
	}
}

// analyzersDiffer says in what one version of an analyzer differs from another, and
// returns nothing if they are the same or one is not known.
func analyzersDiffer(was, is string) string {
	if was == "" || is == "" || was == is {
		return ""
	}
	had, has := strings.Fields(was), strings.Fields(is)
	less := func(all, without []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(without, w) }), " ")
	}
	return fmt.Sprintf("its texts were cut by version %q of the analyzer, not %q", less(had, has), less(has, had))
}

// loadModel opens the model in the file called name, or in standard input where it
// is "-".
func (a *app) loadModel(name string) (m *bayes.Model, err error) {
	if name == "-" {
		m, err = bayes.LoadModel(a.stdin, languages()...)
	} else {
		m, err = bayes.OpenModel(name, languages()...)
	}
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return nil, plain(err)
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

func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	b, err := os.ReadFile(name)
	return b, plain(err)
}

// save writes c and em. The old file is there until the new one is whole. While it
// encodes, it calls fit, and writes nothing if that returns an error.
func (a *app) save(to Destination, c *bayes.Counts, em bayes.EventModel, fit func() error) error {
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

// plain returns an error of the file system as "name: what is wrong".
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}

package bayes

import (
	"bytes"
	"fmt"
	"io"
	"runtime"

	"bayes/internal/mmap"
	"bayes/internal/modelfile"
	"bayes/text"
)

// LoadModel reads what [Save] wrote and fits it, or what [Model.Freeze] wrote.
func LoadModel(r io.Reader, langs ...*text.Language) (*Model, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if modelfile.IsFrozen(data) {
		return parseFrozen(&mmap.File{Data: data}, true, langs)
	}
	c, em, err := Load(bytes.NewReader(data), langs...)
	if err != nil {
		return nil, err
	}
	return Fit(c, em)
}

// OpenModel opens the model in the file called name. One that [Model.Freeze] wrote is
// mapped into memory and searched in place, so that the first prediction does not
// wait for the whole of it; of its checksums those of the header and of short
// sections are looked at, and `bayes check` looks at all. Any other is read and
// fitted, as by [LoadModel].
//
// A frozen model predicts, and explains by weights alone: [Model.TopTerms],
// [Model.Derive] and [Model.Term] know nothing of it. Its file must not be written over
// while it is in use, but replaced by a rename, as the command does it: see [Model.Err].
func OpenModel(name string, langs ...*text.Language) (*Model, error) {
	file, err := mmap.Open(name)
	if err != nil {
		return nil, err
	}
	m, err := parseMapped(file, langs)
	if changed := file.Err(); changed != nil {
		return nil, fmt.Errorf("bayes: %w", changed)
	}
	return m, err
}

func parseMapped(file *mmap.File, langs []*text.Language) (m *Model, err error) {
	defer runtime.KeepAlive(file)
	defer file.Done(mmap.Guard())
	if !modelfile.IsFrozen(file.Data) {
		return LoadModel(bytes.NewReader(file.Data), langs...)
	}
	return parseFrozen(file, false, langs)
}

package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/crc64"
	"io"
	"reflect"
	"slices"

	"bayes"
	"bayes/beam/part"
	"bayes/dataset"
	"bayes/internal/cli"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[predictFn]())
}

// A ModelFile is a model that each worker process loads once. Workers must reach
// the path.
type ModelFile struct {
	Path     string
	Checksum uint64 // of its bytes
	Prior    string // if not empty, instead of the model's own
}

var models once[*bayes.Model]

// NewModelFile loads a model, and notes its checksum.
func NewModelFile(ctx context.Context, path, prior string) (ModelFile, *bayes.Model, error) {
	b, err := part.ReadFile(ctx, path)
	if err != nil {
		return ModelFile{}, nil, err
	}
	f := ModelFile{path, checksum(b), prior}
	m, err := f.parse(b)
	return f, m, err
}

func checksum(b []byte) uint64 { return crc64.Checksum(b, crc64.MakeTable(crc64.ECMA)) }

func (f ModelFile) parse(b []byte) (*bayes.Model, error) {
	m, err := bayes.LoadModel(bytes.NewReader(b), cli.Languages()...)
	if err == nil && f.Prior != "" {
		var prior bayes.Prior
		if prior, err = bayes.ParsePrior(f.Prior); err == nil {
			m, err = m.WithPrior(prior)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Path, err)
	}
	return m, err
}

// load returns the model, which a process reads once.
func (f ModelFile) load(ctx context.Context) (*bayes.Model, error) {
	return models.get(fmt.Sprint(f), func() (*bayes.Model, error) {
		b, err := part.ReadFile(ctx, f.Path)
		if err != nil {
			return nil, err
		}
		if checksum(b) != f.Checksum {
			return nil, fmt.Errorf("%s: is not the file that the job was started with", f.Path)
		}
		return f.parse(b)
	})
}

// A predictFn writes the predictions of each part to a file of its own: as lines,
// or as rows for a Tally.
type predictFn struct {
	Model   ModelFile
	Options dataset.Options
	SkipBad bool
	Prefix  string       // of the files' names
	Printer *cli.Printer // nil to write rows
	Files   bool         // whether lines name their file

	model *bayes.Model
	slot  slot
}

// Setup loads the model.
func (fn *predictFn) Setup(ctx context.Context) (err error) {
	fn.model, err = fn.Model.load(ctx)
	return err
}

// StartBundle waits for its turn.
func (fn *predictFn) StartBundle(ctx context.Context, _ func(int, []byte)) error {
	return fn.slot.acquire(ctx)
}

// ProcessElement predicts the parts of a group.
func (fn *predictFn) ProcessElement(ctx context.Context, g part.Group, emit func(int, []byte)) error {
	for _, p := range g.Parts {
		if err := fn.predictPart(ctx, p, emit); err != nil {
			return err
		}
	}
	return nil
}

func (fn *predictFn) predictPart(ctx context.Context, p part.Part, emit func(int, []byte)) error {
	var (
		report Report
		out    bytes.Buffer
	)
	err := fn.predict(ctx, p, &report, &out)
	if err := report.failed(ctx, p, err); err != nil {
		return err
	}
	if err := part.WriteFile(ctx, partName(fn.Prefix, p), out.Bytes()); err != nil {
		return err
	}
	b, err := encodeSum(Sum{Report: report})
	if err == nil {
		emit(0, b)
	}
	return err
}

// predict writes a line or a row for each example of a part, and stops at the first error.
func (fn *predictFn) predict(ctx context.Context, p part.Part, report *Report, out *bytes.Buffer) error {
	row, file := newRowWriter(fn.model.Classes()), ""
	if fn.Files {
		file = p.File
	}
	for ex, err := range report.examples(ctx, p, &fn.Options, fn.SkipBad) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		report.Documents++
		pr := fn.model.Predict(ex.Document())
		if fn.Printer == nil {
			row.write(out, pr, ex.Label)
		} else if err := fn.Printer.Print(out, fn.model, pr, file); err != nil {
			return err
		}
	}
	return nil
}

// FinishBundle lets another bundle work.
func (fn *predictFn) FinishBundle(context.Context, func(int, []byte)) { fn.slot.release() }

// Teardown does so for a bundle that failed.
func (fn *predictFn) Teardown() { fn.slot.release() }

// partName returns the name of the file of a part. Names sort as parts do.
func partName(prefix string, p part.Part) string {
	return fmt.Sprintf("%s%06d-%016d", prefix, p.Index, p.Start)
}

// Predict writes a line for each document, of each part to a file called prefix
// and where the part begins; such names sort as the documents stood. It returns
// the names.
func (j *Job) Predict(ctx context.Context, m ModelFile, prefix string, printer cli.Printer) ([]string, Report, error) {
	return j.predict(ctx, &predictFn{Model: m, Options: j.Options, SkipBad: j.SkipBad, Prefix: prefix, Printer: &printer, Files: printer.JSON || len(j.Files) > 1})
}

func (j *Job) predict(ctx context.Context, fn *predictFn) ([]string, Report, error) {
	s, err := j.run(ctx, fn, 1, 0)
	if err != nil {
		return nil, Report{}, err
	}
	names, err := Parts(ctx, fn.Prefix)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s*: the workers' files are not seen here", fn.Prefix)
	}
	return names, s.Report, err
}

// Parts returns the names of the files that Predict wrote with a prefix, sorted.
func Parts(ctx context.Context, prefix string) ([]string, error) {
	names, err := part.WithPrefix(ctx, prefix)
	return slices.DeleteFunc(names, func(name string) bool { return !isPartName(name[len(prefix):]) }), err
}

// isPartName reports whether s is what partName puts behind a prefix: other files
// may begin likewise, such as what a worker that died was writing.
func isPartName(s string) bool {
	var index, start int64
	n, err := fmt.Sscanf(s, "%d-%d", &index, &start)
	return n == 2 && err == nil && s == fmt.Sprintf("%06d-%016d", index, start)
}

// Test predicts labelled documents and calls observe with all predictions and the truth, in the order of the documents.
func (j *Job) Test(ctx context.Context, f ModelFile, m *bayes.Model, observe func(pr bayes.Prediction, label string)) (Report, error) {
	names, report, err := j.predict(ctx, &predictFn{Model: f, Options: j.Options, SkipBad: j.SkipBad, Prefix: j.Dir + "/rows-"})
	if err != nil {
		return Report{}, err
	}
	for _, name := range names {
		b, err := part.ReadFile(ctx, name)
		if err != nil {
			return Report{}, err
		}
		for pr, label := range rows(b, m) {
			observe(pr, label)
		}
	}
	return report, nil
}

// Copy writes the content of files to w, one after the other.
func Copy(ctx context.Context, w io.Writer, names []string) error {
	for _, name := range names {
		b, err := part.ReadFile(ctx, name)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

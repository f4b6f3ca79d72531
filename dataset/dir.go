package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"bayes"
)

var errNoClass = errors.New("not in a folder that names its class")

// Dir reads a folder in which each folder is a class, and each file in it, or
// in a folder below, a document. The content of the file is the text. Classes
// and files come in byte order of their names. Names that begin with a dot are
// skipped, as is what is neither a file nor a folder. In errors, name is the
// root of fsys. Of options, only those of encoding and Unlabelled matter.
//
// A file that is in no class, is longer than 64 MiB or is not in the encoding
// is a [*SyntaxError], whose Line is zero. A file that cannot be read is
// another error.
func Dir(fsys fs.FS, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		readDir(fsys, name, opts, new(stats), yield)
	}
}

func readDir(fsys fs.FS, name string, opts *Options, st *stats, yield func(bayes.Example, error) bool) {
	if opts == nil {
		opts = new(Options)
	}
	f := &folder{fsys: fsys, name: name, opts: opts, stats: st, w: newWindow(nil)}
	err := f.opts.check()
	if err == nil {
		err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			return f.visit(p, d, err, yield)
		})
	}
	if err != nil {
		yield(bayes.Example{}, err)
	}
}

// A folder is the state of readDir.
type folder struct {
	fsys  fs.FS
	name  string
	opts  *Options
	stats *stats
	w     *window // reused from file to file
}

// visit yields the example of a file.
func (f *folder) visit(p string, d fs.DirEntry, err error, yield func(bayes.Example, error) bool) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.path(p), withoutPath(err))
	case isHidden(p, d):
		return skipEntry(d)
	case !f.isFile(p, d):
		return nil
	}
	f.stats.begin(f.path(p), -1) // it is no row, and is counted as one
	ex, err := f.example(p)
	var bad *SyntaxError
	if err != nil && !errors.As(err, &bad) {
		return err
	}
	if !yield(ex, err) {
		return fs.SkipAll
	}
	return nil
}

func isHidden(p string, d fs.DirEntry) bool { return p != "." && strings.HasPrefix(d.Name(), ".") }

// skipEntry returns what makes fs.WalkDir skip an entry.
func skipEntry(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// isFile reports whether an entry is a file, or a link to one.
func (f *folder) isFile(p string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink != 0 {
		info, err := fs.Stat(f.fsys, p)
		return err == nil && info.Mode().IsRegular()
	}
	return d.Type().IsRegular()
}

func (f *folder) path(p string) string { return path.Join(f.name, p) }

// example returns the example of file p.
func (f *folder) example(p string) (bayes.Example, error) {
	label, _, inClass := strings.Cut(p, "/")
	if !inClass {
		label = ""
	}
	if !inClass && !f.opts.Unlabelled {
		return bayes.Example{}, &SyntaxError{f.path(p), 0, errNoClass}
	}
	if checkLabel([]byte(label)) == errLabelSpace {
		return bayes.Example{}, &SyntaxError{f.path(p), 0, errLabelSpace}
	}
	text, err := f.read(p)
	if err != nil {
		return bayes.Example{}, err
	}
	return bayes.Example{Label: label, Text: text}, nil
}

// read returns the text of file p.
func (f *folder) read(p string) (string, error) {
	file, err := f.fsys.Open(p)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.path(p), withoutPath(err))
	}
	defer file.Close()
	f.w.reset(&countingReader{file, &f.stats.bytes})
	if err := checkForeign(f.w); err != nil {
		return "", &SyntaxError{f.path(p), 0, err}
	}
	in, err := newInput(f.w, f.path(p), f.opts, f.stats)
	if err != nil {
		return "", err
	}
	return in.readAll()
}

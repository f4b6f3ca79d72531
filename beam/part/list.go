package part

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes/dataset"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A File is one that is to be read, and what its first bytes tell of it.
type File struct {
	Name   string // for messages
	Path   string // absolute, so that a worker's working directory does not matter
	Format string
	Index  int    // in the list
	Kind   Kind   // of its parts
	Size   int64  // in bytes, if it can be cut
	Header []byte // of a table, what stands before its first record
	Body   int64  // where that is

	Delimiter byte // of a table that can be cut
}

// IsTable reports whether f must be scanned before it can be cut.
func (f File) IsTable() bool { return f.Kind == Bytes }

// List returns the files that the globs match, in the order of the globs, and
// for each in the order of names. A glob without a match is an error, and so is
// a format that cannot be read in parts: folders, svmlight, and standard input.
func List(ctx context.Context, globs []string, opts *dataset.Options) ([]File, error) {
	var files []File
	for _, glob := range globs {
		names, err := Match(ctx, glob)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			f, err := look(ctx, name, opts)
			if err != nil {
				return nil, err
			}
			f.Index = len(files)
			files = append(files, f)
		}
	}
	return files, nil
}

// Match returns the names of the files that a glob matches, sorted. There must be
// one.
func Match(ctx context.Context, glob string) ([]string, error) {
	if glob == "-" {
		return nil, errors.New("standard input cannot be read by workers")
	}
	fsys, err := filesystem.New(ctx, glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	defer fsys.Close()
	names, err := fsys.List(ctx, glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no such file", glob)
	}
	slices.Sort(names)
	return names, nil
}

// WithPrefix returns the names of the files that begin with prefix, sorted. Unlike
// a glob, prefix means itself: a folder may be called [new].
func WithPrefix(ctx context.Context, prefix string) ([]string, error) {
	if !strings.Contains(prefix, "://") {
		return localWithPrefix(prefix)
	}
	fsys, err := filesystem.New(ctx, prefix)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", prefix, err)
	}
	defer fsys.Close()
	names, err := fsys.List(ctx, prefix+"*")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", prefix, err)
	}
	slices.Sort(names)
	return names, nil
}

func localWithPrefix(prefix string) ([]string, error) {
	dir, base := filepath.Split(prefix)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base) {
			names = append(names, dir+e.Name())
		}
	}
	return names, nil
}

// look opens a file and says how it can be cut.
func look(ctx context.Context, name string, opts *dataset.Options) (File, error) {
	path, err := absolute(name)
	if err != nil {
		return File{}, err
	}
	f, err := open(ctx, name, path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	front, err := io.ReadAll(io.LimitReader(f, 256<<10))
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	format, err := dataset.FormatOf(bytes.NewReader(front), name, opts)
	switch {
	case err != nil:
		return File{}, err
	case format == "dir" || format == "mail" || format == "svmlight":
		return File{}, fmt.Errorf("%s: format %s is for bayes train", name, format)
	}
	file := File{Name: name, Path: path, Format: format, Kind: Whole, Size: f.size}
	switch {
	case f.at == nil:
	case format == "parquet":
		file.Kind = Rows
	case !cuttable(front, opts):
	case format == "csv" || format == "tsv":
		if file.Delimiter, err = dataset.Delimiter(bytes.NewReader(front), format, opts); err != nil {
			return File{}, fmt.Errorf("%s: %w", name, err)
		}
		return file.table(f, opts)
	default:
		file.Kind = Lines
	}
	return file, nil
}

// absolute returns where a file of this machine is, whatever the working
// directory, and other addresses as they are.
func absolute(name string) (string, error) {
	if strings.Contains(name, "://") {
		return name, nil
	}
	return filepath.Abs(name)
}

// cuttable reports whether a file that begins with front can be cut at a line
// feed: it is not compressed, and is UTF-8 or what is read as such.
func cuttable(front []byte, opts *dataset.Options) bool {
	for _, magic := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(front, []byte(magic)) {
			return false
		}
	}
	switch strings.ToLower(opts.Encoding) {
	case "", "auto", "utf-8", "utf8":
		return true
	}
	return false
}

// table returns file with what it needs to be cut as a table.
func (file File) table(f *file, opts *dataset.Options) (File, error) {
	body, width, err := f.header(file.Delimiter)
	if err != nil || width == 0 {
		return file, nil // whoever reads it will say what is wrong
	}
	file.Kind = Bytes
	front := make([]byte, body)
	if _, err := f.ReadAt(front, 0); err != nil && err != io.EOF {
		return File{}, fmt.Errorf("%s: %w", file.Name, err)
	}
	switch {
	case opts.NoHeader:
		file.Header = numbered(width, file.Delimiter)
		if bytes.HasPrefix(front, mark) {
			file.Body = int64(len(mark))
		}
	case !bytes.HasSuffix(front, newline):
		file.Kind = Whole // a header and nothing else
	default:
		file.Header, file.Body = front, body
	}
	return file, nil
}

// header returns where the first record of a table ends, and how many fields it
// has.
func (f *file) header(comma byte) (end int64, width int, err error) {
	for rec, err := range dataset.Records(f.from(0), f.name, comma) {
		if err != nil {
			return 0, 0, err
		}
		front := make([]byte, 4<<10)
		n, err := f.ReadAt(front, 0)
		if err != nil && err != io.EOF {
			return 0, 0, err
		}
		skipped := n - len(skipBlank(front[:n]))
		if skipped == len(front) {
			return 0, 0, errors.New("too many blank lines")
		}
		return int64(skipped + len(rec.Raw)), len(rec.Fields), nil
	}
	return 0, 0, nil
}

var mark = []byte("\ufeff")

// skipBlank returns b without what [dataset.Records] passes by before the first
// record: a byte order mark and blank lines.
func skipBlank(b []byte) []byte {
	b = bytes.TrimPrefix(b, mark)
	for {
		rest, ok := bytes.CutPrefix(b, newline)
		if !ok {
			if rest, ok = bytes.CutPrefix(b, []byte("\r\n")); !ok {
				return b
			}
		}
		b = rest
	}
}

// numbered returns a header that names columns by number.
func numbered(width int, comma byte) []byte {
	var b []byte
	for i := range width {
		if i > 0 {
			b = append(b, comma)
		}
		b = fmt.Appendf(b, "#%d", i+1)
	}
	return append(b, '\n')
}

package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"time"

	"bayes"
)

// A Source is a list of files, read one after the other as one stream of
// examples. Its methods are for one goroutine, except BytesRead and
// Latin1Records.
type Source struct {
	opts  Options
	files []*file
	stdin io.Reader
	size  int64
	stats stats

	beforeRead func()
}

// Open returns the named files as a Source; "-" is stdin. It checks that the
// files are there and that opts can be meant for them, and opens each when its
// turn comes. Files compressed with gzip or zstd are known by their content.
//
// A folder is read as [Dir] reads it, and one of e-mail as [Mailbox] does. The format of other files
// goes by their name, then by their first line, unless opts name it. Of mail, NAME=LABEL says how
// all that is in NAME is labelled.
func Open(names []string, stdin io.Reader, opts *Options) (*Source, error) {
	if len(names) == 0 {
		return nil, errors.New("no input files")
	}
	s := &Source{stdin: stdin}
	if opts != nil {
		s.opts = *opts
	}
	if err := s.opts.check(); err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := s.add(name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add appends a file to the list.
func (s *Source) add(name string) error {
	f := &file{name: name}
	if s.opts.Format != "auto" {
		f.format = s.opts.Format
	}
	if f.format == "" || f.format == "mail" {
		if f.name, f.given = CutLabel(name); f.given != "" {
			f.format = "mail"
		}
	}
	var err error
	if f.isStdin() {
		err = s.addStdin(f)
	} else {
		err = s.addPath(f)
	}
	if err == nil {
		err = s.opts.checkFormat(f.format)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.label(), withoutPath(err))
	}
	s.files = append(s.files, f)
	return nil
}

// addStdin checks that standard input can be f. How much it has is unknown.
func (s *Source) addStdin(f *file) error {
	s.size = -1
	switch {
	case slices.ContainsFunc(s.files, (*file).isStdin):
		return errors.New("given twice")
	case f.format == "dir":
		return errors.New("not a directory")
	case f.format == "parquet":
		return errors.New("a parquet file cannot be read from a pipe")
	case s.stdin == nil:
		return errors.New("not available")
	}
	return nil
}

// addPath checks that the file or folder is there, and notes its size.
func (s *Source) addPath(f *file) error {
	info, err := os.Stat(f.name)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir() && f.format == "mail":
		return s.addMailbox(f)
	case info.IsDir() && (f.format == "dir" || f.format == "" || f.format == "text" && s.opts.Whole):
		return s.addFolder(f)
	case info.IsDir():
		return errors.New("is a directory (hint: --format dir)")
	case f.format == "dir":
		return errors.New("not a directory")
	case f.format == "":
		f.format = formatByName(f.name)
	}
	if !info.Mode().IsRegular() {
		s.size = -1
	}
	s.addSize(info.Size())
	return nil
}

// addSize adds n bytes to the size, if it is known.
func (s *Source) addSize(n int64) {
	if s.size >= 0 {
		s.size += n
	}
}

// addFolder adds a folder of texts, or of mail if nobody said how it is to be read and its files are
// that.
func (s *Source) addFolder(f *file) error {
	if f.format == "" {
		mail, err := isMailbox(os.DirFS(f.name))
		if err != nil {
			return err
		}
		if mail || s.opts.Mail {
			f.format = "mail"
			return s.addMailbox(f)
		}
	}
	f.format = "dir"
	return s.addDir(f.name)
}

// addDir adds the sizes of the files that [Dir] would read.
func (s *Source) addDir(name string) error {
	f := &folder{fsys: os.DirFS(name)}
	return fs.WalkDir(f.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case isHidden(p, d):
			return skipEntry(d)
		case !f.isFile(p, d):
			return nil
		}
		info, err := fs.Stat(f.fsys, p)
		if err == nil {
			s.addSize(info.Size())
		}
		return err
	})
}

// addMailbox adds the sizes of the files of a folder of mail.
func (s *Source) addMailbox(f *file) error {
	m := newMailbox(os.DirFS(f.name), f.name, f.given, &s.opts, &s.stats)
	return m.walk(func(p string) error {
		info, err := fs.Stat(m.fsys, p)
		if err == nil {
			s.addSize(info.Size())
		}
		return err
	})
}

// Formats returns the format of each file. It may have to open files for that, and to
// wait for the first line of standard input.
func (s *Source) Formats() ([]string, error) {
	var list []string
	for _, f := range s.files {
		if f.format == "" {
			st, err := s.open(f)
			if err != nil {
				return nil, err
			}
			if f.isStream() {
				f.opened = st
			} else {
				st.Close()
			}
		}
		list = append(list, f.format)
	}
	return list, nil
}

// Size returns how many bytes the files have on disk, compressed if they are;
// -1 if that is unknown, as with standard input and pipes.
func (s *Source) Size() int64 { return s.size }

// BytesRead returns how many of these bytes have been read since the latest
// range over Examples began. Any goroutine may call it.
func (s *Source) BytesRead() int64 { return s.stats.bytes.Load() }

// Latin1Records returns how many records were read as Windows-1252 since the
// latest range over Examples began, because they were not UTF-8. Any goroutine
// may call it.
func (s *Source) Latin1Records() int64 { return s.stats.latin1.Load() }

// Place returns where the record is that was yielded latest: its file, and its number there,
// from 1, the header left out. That of a document of a folder, which is a file, is 0. It is
// for the goroutine that ranges over Examples.
func (s *Source) Place() (file string, row int) { return s.stats.file, s.stats.row }

// Received returns when the message was received that was yielded latest, by [mail.Message.Received];
// zero of what is no mail, or has no date. It is for the goroutine that ranges over Examples.
func (s *Source) Received() time.Time { return s.stats.received }

// LargestIndex returns the largest index in the svmlight files read since the
// latest range over Examples began, zero if there was none.
func (s *Source) LargestIndex() int { return int(s.stats.largest.Load()) }

// Columns returns the names of the columns of the file that a range over Examples has come
// to: those of the header of a table, of the first object, or of the schema. It is nil where
// there are none, or no record was read. It is for the goroutine that ranges.
func (s *Source) Columns() []string { return s.stats.columns }

// BeforeRead has f called before each read from a file, by the goroutine that ranges over
// Examples. Such a read may have to wait for whoever writes to a pipe, and what was yielded
// until then is all that there is. A nil f ends it.
func (s *Source) BeforeRead(f func()) { s.beforeRead = f }

// Examples returns the examples of all files. It may be called, and ranged
// over, again, unless standard input is among the files; that gives an error.
func (s *Source) Examples() iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		s.stats.reset()
		for _, f := range s.files {
			if !s.readFile(f, yield) {
				return
			}
		}
	}
}

// readers are the formats that are read from a stream.
var readers = map[string]reader{
	"csv":      readCSV,
	"tsv":      readTSV,
	"jsonl":    readJSONL,
	"fasttext": readFastText,
	"svmlight": readSVMLight,
	"text":     readLines,
	"mail":     readMail,
}

// readFile yields the examples of f, and reports whether the next file is to be read.
func (s *Source) readFile(f *file, yield func(bayes.Example, error) bool) bool {
	s.stats.begin(f.label(), 0)
	if f.format == "dir" {
		g := guard{yield: yield, stats: &s.stats}
		readDir(os.DirFS(f.name), f.name, &s.opts, &s.stats, g.pass)
		return !g.stop
	}
	if f.format == "parquet" {
		return s.readParquet(f, yield)
	}
	if f.format == "mail" && !f.isStdin() {
		if info, err := os.Stat(f.name); err == nil && info.IsDir() {
			g := guard{yield: yield, stats: &s.stats}
			readMailbox(os.DirFS(f.name), f.name, f.given, &s.opts, &s.stats, g.pass)
			return !g.stop
		}
	}
	// All other formats are read from front to back.
	st, err := s.open(f)
	if err != nil {
		yield(bayes.Example{}, err)
		return false
	}
	defer st.Close()
	g := guard{yield: yield, stats: &s.stats}
	st.in.given = f.given
	readers[f.format](st.in, g.pass)
	return !g.stop
}

// readParquet is readFile of a Parquet file, which is not read from front to
// back.
func (s *Source) readParquet(f *file, yield func(bayes.Example, error) bool) bool {
	g := guard{yield: yield, stats: &s.stats}
	r, err := os.Open(f.name)
	if err == nil {
		defer r.Close()
		var info fs.FileInfo
		if info, err = r.Stat(); err == nil {
			var in *input
			if in, err = newInput(newWindow(bytes.NewReader(nil)), f.name, &s.opts, &s.stats); err == nil {
				err = readParquet(in, r, info.Size(), g.pass)
			}
		}
	}
	if err != nil {
		g.pass(bayes.Example{}, withoutPath(err))
	}
	return !g.stop
}

// A guard passes the examples of a file on to yield, and remembers whether to stop after
// it: the caller had enough, or there was an error that is not of one record.
type guard struct {
	yield func(bayes.Example, error) bool
	stats *stats
	stop  bool
}

func (g *guard) pass(ex bayes.Example, err error) bool {
	var bad *SyntaxError
	g.stats.row++
	g.stop = !g.yield(ex, err) || err != nil && !errors.As(err, &bad)
	return !g.stop
}

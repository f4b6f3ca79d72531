package dataset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A file is one file or folder of a Source.
type file struct {
	name   string
	format string  // "" until it is known
	opened *stream // one that can be read once, and was opened to find its format
	used   bool    // standard input has been read
	given  string  // the label of all mail in it, or empty
}

func (f *file) isStdin() bool { return f.name == "-" }

// isStream reports whether f can be read once, as standard input and pipes can.
func (f *file) isStream() bool {
	if f.isStdin() {
		return true
	}
	info, err := os.Stat(f.name)
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket|os.ModeCharDevice) != 0
}

// label returns the file's name for messages.
func (f *file) label() string {
	if f.isStdin() {
		return "stdin"
	}
	return f.name
}

// CutLabel cuts a name such as FOLDER=LABEL, which [Open] takes for mail, into the file and the label.
// It returns the name, and no label, where there is a file of that name, or none of the other.
func CutLabel(name string) (file, label string) {
	i := strings.LastIndexByte(name, '=')
	if i <= 0 || checkLabel([]byte(name[i+1:])) != nil {
		return name, ""
	}
	if _, err := os.Stat(name); err == nil {
		return name, ""
	}
	if _, err := os.Stat(name[:i]); err != nil {
		return name, ""
	}
	return name[:i], name[i+1:]
}

// A stream is an open file.
type stream struct {
	in     *input
	unpack io.Closer
	file   io.Closer // nil for standard input
}

// Close closes the file. It was only read, so that errors do not matter.
func (st *stream) Close() {
	st.unpack.Close()
	if st.file != nil {
		st.file.Close()
	}
}

// open opens f, and finds its format if it is not known yet.
func (s *Source) open(f *file) (*stream, error) {
	if st := f.opened; st != nil {
		f.opened = nil
		return st, nil
	}
	st, err := s.openInput(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.label(), withoutPath(err))
	}
	if f.format == "" {
		if f.format, err = sniff(st.in); err != nil {
			st.Close()
			return nil, fmt.Errorf("%s: %w", f.label(), withoutPath(err))
		}
	}
	return st, nil
}

// openInput opens f and decompresses it.
func (s *Source) openInput(f *file) (*stream, error) {
	st := new(stream)
	r, err := s.openRaw(f, st)
	if err != nil {
		return nil, err
	}
	z, err := Decompress(&countingReader{r, &s.stats.bytes})
	if err == nil {
		st.unpack = z
		w := newWindow(&announcedReader{z, s})
		if err = checkForeign(w); err == nil {
			st.in, err = newInput(w, f.label(), &s.opts, &s.stats)
		}
	}
	if err != nil && st.file != nil {
		st.file.Close()
	}
	return st, err
}

// openRaw returns the bytes of f as they are on disk.
func (s *Source) openRaw(f *file, st *stream) (io.Reader, error) {
	if f.isStdin() {
		if f.used {
			return nil, errors.New("can be read only once")
		}
		f.used = true
		return s.stdin, nil
	}
	file, err := os.Open(f.name)
	if err != nil {
		return nil, err
	}
	st.file = file
	return file, nil
}

// An announcedReader calls what was given to BeforeRead. It reads what is decompressed
// already, since a decompressor may read ahead in a goroutine of its own.
type announcedReader struct {
	io.Reader
	source *Source
}

func (r *announcedReader) Read(p []byte) (int, error) {
	if r.source.beforeRead != nil {
		r.source.beforeRead()
	}
	return r.Reader.Read(p)
}

package part

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A file is an open file of any of Beam's file systems.
type file struct {
	stream  io.ReadCloser
	name    string
	at      io.ReaderAt // nil if the file system can only read from the front
	size    int64       // if at is not nil
	failure error       // the last error of reading that was not the end of the file
}

// open opens the file at path, which messages call name.
func open(ctx context.Context, name, path string) (*file, error) {
	fsys, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r, err := fsys.OpenRead(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	f := &file{stream: closers{r, fsys}, name: name}
	if at, ok := r.(interface {
		io.ReaderAt
		Stat() (fs.FileInfo, error)
	}); ok {
		info, err := at.Stat()
		if err == nil && info.IsDir() {
			err = errors.New("is a directory")
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: %w", name, withoutPath(err))
		}
		if info.Mode().IsRegular() {
			f.at, f.size = at, info.Size()
		}
	}
	return f, nil
}

// ReadFile returns the content of a file of any of Beam's file systems.
func ReadFile(ctx context.Context, name string) ([]byte, error) {
	f, err := open(ctx, name, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	return b, err
}

// closers closes a file, and then its file system.
type closers struct {
	io.ReadCloser
	fsys io.Closer
}

func (c closers) Close() error { return errors.Join(c.ReadCloser.Close(), c.fsys.Close()) }

func (f *file) Close() error { return f.stream.Close() }

// Read implements [io.Reader].
func (f *file) Read(b []byte) (int, error) {
	n, err := f.stream.Read(b)
	return n, f.note(err)
}

// ReadAt implements [io.ReaderAt].
func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.at.ReadAt(b, offset)
	return n, f.note(err)
}

// note notes an error of reading, and returns it without the path that messages
// begin with anyway.
func (f *file) note(err error) error {
	if err != nil && err != io.EOF {
		err = withoutPath(err)
		f.failure = err
	}
	return err
}

// from returns the bytes of f from offset on.
func (f *file) from(offset int64) io.Reader {
	return io.NewSectionReader(f, offset, max(0, f.size-offset))
}

// lineStart returns where the first line at or after offset begins, the size of
// the file if there is none. A line that begins as files do, with a byte order
// mark, is passed by, so that no part can be taken for a file of another
// encoding.
func (f *file) lineStart(offset int64) (int64, error) {
	if offset <= 0 {
		return 0, nil
	}
	buf := make([]byte, 64<<10)
	for at := offset - 1; at < f.size; {
		n, err := f.ReadAt(buf, at)
		if err != nil && err != io.EOF {
			return 0, fmt.Errorf("%s: %w", f.name, err)
		}
		if n == 0 {
			break
		}
		for from := 0; ; {
			i := bytes.IndexByte(buf[from:n], '\n')
			if i < 0 {
				break
			}
			from += i + 1
			if from == n && at+int64(n) < f.size {
				break // the next byte is not here: look again from the line feed on
			}
			if from == n || !startsMark(buf[from]) {
				return at + int64(from), nil
			}
		}
		if buf[n-1] == '\n' && n > 1 {
			n--
		}
		at += int64(n)
	}
	return f.size, nil
}

// startsMark reports whether a byte order mark may begin with c.
func startsMark(c byte) bool { return c == 0xef || c == 0xfe || c == 0xff }

// countLines returns how many line feeds there are before offset.
func (f *file) countLines(offset int64) (int, error) {
	n := 0
	buf := make([]byte, 256<<10)
	r := io.NewSectionReader(f, 0, offset)
	for {
		k, err := r.Read(buf)
		n += bytes.Count(buf[:k], newline)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// withoutPath returns err without the path that messages begin with anyway.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Head returns the first size bytes of a file of any of Beam's file systems, and
// whether there is such a file.
func Head(ctx context.Context, name string, size int) (head []byte, exists bool, err error) {
	names, err := WithPrefix(ctx, name)
	if err != nil || !slices.Contains(names, name) {
		return nil, false, err
	}
	f, err := open(ctx, name, name)
	if err != nil {
		return nil, true, err
	}
	defer f.Close()
	head, err = io.ReadAll(io.LimitReader(f.stream, int64(size)))
	return head, true, err
}

// Remove removes a file of any of Beam's file systems.
func Remove(ctx context.Context, name string) error {
	if !strings.Contains(name, "://") {
		return os.Remove(name)
	}
	fsys, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fsys.Close()
	remover, ok := fsys.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s: files of this kind cannot be removed", name)
	}
	return remover.Remove(ctx, name)
}

// WriteFile writes a file of any of Beam's file systems. If it can be done, the
// file has its name only when it is whole, so that a worker that dies, or one
// that does the same work again, leaves no half of a file.
func WriteFile(ctx context.Context, name string, b []byte) error {
	fsys, err := filesystem.New(ctx, name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer fsys.Close()
	temporary := name
	renamer, ok := fsys.(filesystem.Renamer)
	if ok {
		temporary = fmt.Sprintf("%s.%016x.tmp", name, rand.Uint64())
	}
	w, err := fsys.OpenWrite(ctx, temporary)
	if err == nil {
		_, err = w.Write(b)
		if closed := w.Close(); err == nil {
			err = closed
		}
	}
	if err == nil && ok {
		err = renamer.Rename(ctx, temporary, name)
	}
	if err != nil {
		return fmt.Errorf("%s: not written: %w", name, withoutPath(err))
	}
	return nil
}

// RemoveAll removes the files in a folder of any of Beam's file systems, and the
// folder if it is one of this machine.
func RemoveAll(ctx context.Context, dir string) error {
	if !strings.Contains(dir, "://") {
		return os.RemoveAll(dir)
	}
	fsys, err := filesystem.New(ctx, dir)
	if err != nil {
		return err
	}
	defer fsys.Close()
	remover, ok := fsys.(filesystem.Remover)
	if !ok {
		return nil
	}
	names, err := fsys.List(ctx, dir+"/*")
	for _, name := range names {
		err = errors.Join(err, remover.Remove(ctx, name))
	}
	return err
}

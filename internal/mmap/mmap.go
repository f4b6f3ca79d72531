// Package mmap reads files without copying them where the system can do that:
// only the pages that are looked at come into memory.
//
// Mapped bytes are those of the file, whoever writes to it. A file that is replaced
// by a rename stays as it was for who has it open; one that is written over
// in place changes under the reader's hands, and where it has been cut short, reading
// it is a fault that ends the process. So reads are guarded, and a File says
// whether it is still what was opened:
//
//	func (x *reader) read() {
//		defer x.file.Done(mmap.Guard())
//		… x.file.Data …
//	}
//	if err := x.file.Err(); err != nil { … } // what was read until now is no answer
package mmap

import (
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// ErrChanged is the error of a file that was written to while it was open.
var ErrChanged = errors.New("the file was written over while it was open: open it again (and replace such files by a rename)")

// A File is the bytes of a file. They must not be modified, and are valid as long
// as the File is reachable: [runtime.KeepAlive] it after their use.
type File struct {
	Data    []byte
	file    *os.File    // nil if Data is a copy
	opened  os.FileInfo // what was known of it then
	faulted atomic.Bool // whether a page of it was not there any more
}

// fresh is how long ago a file must have been written to so that the next write
// shows in its time, which may be as coarse as the system's clock ticks.
const fresh = 20 * time.Millisecond

// Open maps the file called name. Where that cannot be done, or the file was
// written to a moment ago, it is read.
func Open(name string) (*File, error) {
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	age := time.Since(info.ModTime())
	if size := info.Size(); info.Mode().IsRegular() && size > 0 && int64(int(size)) == size && (age < 0 || age >= fresh) {
		if data, unmap, err := mapFile(f, int(size)); err == nil {
			m := &File{Data: data, file: f, opened: info}
			runtime.AddCleanup(m, func(data []byte) { unmap(data) }, data)
			return m, nil
		}
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return &File{Data: data}, err
}

// open opens a file. A mapped one stays open until it is collected, since Err asks the very file,
// whatever its name is by then. Where the process has no descriptor left, those of files that
// nobody reaches any more are collected first.
func open(name string) (f *os.File, err error) {
	for try := range 100 {
		if f, err = os.Open(name); !errors.Is(err, syscall.EMFILE) {
			break
		}
		if try == 0 {
			runtime.GC()
		}
		time.Sleep(time.Millisecond) // they are closed by another goroutine
	}
	return f, err
}

// Err returns [ErrChanged] if the file has been written to since it was opened: what was
// read before Err is called may then be neither the old file nor the new one. A
// file that was read into memory does not change.
func (f *File) Err() error {
	if f.file == nil {
		return nil
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if f.faulted.Load() || info.Size() != f.opened.Size() || !info.ModTime().Equal(f.opened.ModTime()) {
		return ErrChanged
	}
	return nil
}

// Faulted reports whether a page of Data was not there when it was read.
func (f *File) Faulted() bool { return f.faulted.Load() }

// Guard has faults of this goroutine be panics until [File.Done] is deferred with
// what it returns.
func Guard() (before bool) { return debug.SetPanicOnFault(true) }

// Done must be deferred before Data is read. It ends what [Guard] began, and
// recovers from a fault in Data, which Err then reports; the function that
// deferred it returns what its results are at that time.
func (f *File) Done(before bool) {
	r := recover()
	debug.SetPanicOnFault(before)
	runtime.KeepAlive(f)
	if r == nil {
		return
	}
	fault, ok := r.(interface{ Addr() uintptr })
	if start := uintptr(unsafe.Pointer(unsafe.SliceData(f.Data))); !ok || fault.Addr()-start >= uintptr(len(f.Data)) {
		panic(r)
	}
	f.faulted.Store(true)
}

// Write writes data, which will be mapped, in small pieces. What is written at once Linux
// keeps together, up to 2 MB, and since version 6.18 it maps all of that for one byte that
// is looked at.
func Write(w io.Writer, data []byte) error {
	const size = 64 << 10
	for piece := range slices.Chunk(data, size) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// Package mapped reads files without copying them where the system can do that:
// only the pages that are looked at come into memory.
package mapped

import (
	"io"
	"runtime"
	"slices"
)

// A File is the bytes of a file. They must not be modified, and are valid as long
// as the File is reachable: [runtime.KeepAlive] it after their use.
type File struct {
	Data []byte
}

// Open maps the file called name. Where that cannot be done it is read.
func Open(name string) (*File, error) {
	data, unmap, err := open(name)
	if err != nil {
		return nil, err
	}
	f := &File{data}
	if unmap != nil {
		runtime.AddCleanup(f, func(data []byte) { unmap(data) }, data)
	}
	return f, nil
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

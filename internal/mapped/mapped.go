// Package mapped reads files without copying them where the system can do that:
// only the pages that are looked at come into memory.
package mapped

import "runtime"

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

//go:build unix

package mapped

import (
	"io"
	"os"
	"syscall"
)

func open(name string) (data []byte, unmap func([]byte), err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if size := info.Size(); info.Mode().IsRegular() && size > 0 && int64(int(size)) == size {
		data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
		if err == nil {
			return data, func(data []byte) { syscall.Munmap(data) }, nil
		}
	}
	data, err = io.ReadAll(f)
	return data, nil, err
}

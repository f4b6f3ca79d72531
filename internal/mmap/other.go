//go:build !unix

package mmap

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) (data []byte, unmap func([]byte) error, err error) {
	return nil, nil, errors.ErrUnsupported
}

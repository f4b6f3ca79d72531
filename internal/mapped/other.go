//go:build !unix

package mapped

import "os"

func open(name string) (data []byte, unmap func([]byte), err error) {
	data, err = os.ReadFile(name)
	return data, nil, err
}

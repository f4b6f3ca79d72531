package text

import (
	"bytes"
	"os"
	"syscall"
	"testing"
)

// AVX2 touches no byte outside what it is given: pages lie around it that must be
// neither read nor written.
func TestAVX2StaysInside(t *testing.T) {
	needAVX2(t)
	page := os.Getpagesize()
	pages, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(pages)
	inside := pages[page:][:page]
	if err := syscall.Mprotect(inside, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	copy(inside, bytes.Repeat([]byte{'A'}, page))
	for n := range 201 {
		masks := make([]mask, n/64+1)
		markBlocksAVX2(masks, inside[:n+padding])
		markBlocksAVX2(masks, inside[page-n-padding:])
		for i := range n + 1 {
			if n >= 32 && (lowerRunAVX2(inside[:n], i) != n || lowerRunAVX2(inside[page-n:], i) != n) {
				t.Fatalf("%d bytes of ASCII from %d on end elsewhere", n, i)
			}
		}
	}
}

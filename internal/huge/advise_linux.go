package huge

import (
	"syscall"
	"unsafe"
)

// advise asks for huge pages where they lie wholly in size bytes from p on. Nothing
// depends on the answer.
func advise(p unsafe.Pointer, size uintptr) {
	skip := -uintptr(p) % page
	size = (size - skip) &^ (page - 1)
	syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), size), syscall.MADV_HUGEPAGE)
}

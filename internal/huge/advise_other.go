//go:build !linux

package huge

import "unsafe"

// advise does nothing: elsewhere the system decides.
func advise(unsafe.Pointer, uintptr) {}

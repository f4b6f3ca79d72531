//go:build race

// Package race says whether the race detector is on, for tests of allocations: it
// makes pools forget.
package race

// Enabled reports whether the race detector is on.
const Enabled = true

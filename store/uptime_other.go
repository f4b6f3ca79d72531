//go:build !linux

package store

import "time"

// uptime returns the time since the process started. On some systems it stops
// while the machine sleeps.
func uptime() time.Duration { return time.Since(started) }

var started = time.Now()

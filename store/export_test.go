package store

import "time"

// SetQuickFit makes fits that take no longer than d quick, until the function that it returns is
// called: a test does not depend on the machine.
func SetQuickFit(d time.Duration) (reset func()) {
	old := quickFit
	quickFit = d
	return func() { quickFit = old }
}

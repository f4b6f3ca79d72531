package bayes

// SetMaxLogs bounds the logarithms that sweeps keep, and returns what undoes it.
func SetMaxLogs(n int) (undo func()) {
	before := maxLogs
	maxLogs = n
	return func() { maxLogs = before }
}

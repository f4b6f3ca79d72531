package bayes

// SetPartRows sets how many rows are encoded at a time, and returns how many were.
func SetPartRows(n int) (before int) {
	before, partRows = partRows, n
	return before
}

//go:build !amd64

package rows

const hasVectors = false

func use(bool) {}

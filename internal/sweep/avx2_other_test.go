//go:build !amd64

package sweep

const hasVectors = false

func use(bool) {}

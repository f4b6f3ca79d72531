//go:build !amd64

package vecmath

const hasVectors = false

func use(bool) {}

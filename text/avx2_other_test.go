//go:build !amd64

package text

func withAVX2(_ bool, f func()) { f() }

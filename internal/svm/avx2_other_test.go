//go:build !amd64

package svm

const hasVectors = false

func use(bool) {}

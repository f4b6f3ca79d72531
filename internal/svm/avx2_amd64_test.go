package svm

var hasVectors = useAVX2

// use makes the package use vectors, which it must have, or not.
func use(vectors bool) { useAVX2 = vectors }

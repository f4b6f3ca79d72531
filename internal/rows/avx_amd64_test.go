package rows

var hasVectors = useAVX

// use makes the package use vectors, which it must have, or not.
func use(vectors bool) { useAVX = vectors }

package intern

//go:generate go run -C ../asm ./find -out ../intern/find_amd64.s

// assembled says that findAssembled is there.
const assembled = true

// findAssembled is find.
//
//go:noescape
func findAssembled(slots []uint32, known []Key, seeds *[2]uint64, keys []Key, numbers []int32) (uncertain uint64)

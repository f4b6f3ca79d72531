//go:build !amd64

package intern

const assembled = false

func findAssembled([]uint32, []Key, *[2]uint64, []Key, []int32) uint64 {
	panic("intern: not assembled")
}

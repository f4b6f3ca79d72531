//go:build !amd64

package text

const useAVX2 = false

func markBlocksAVX2([]mask, []byte) { panic("text: no AVX2") }
func lowerRunAVX2([]byte, int) int  { panic("text: no AVX2") }

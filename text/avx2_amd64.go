package text

import "golang.org/x/sys/cpu"

//go:generate go run -C ../internal/asm ./masks -out ../../text/avx2_amd64.s

// useAVX2 says whether the processor has AVX2. Tests switch it off.
var useAVX2 = cpu.X86.HasAVX2

// markBlocksAVX2 is markBlocks. It reads no byte behind the blocks.
//
//go:noescape
func markBlocksAVX2(masks []mask, t []byte)

// lowerRunAVX2 lower-cases ASCII from byte i of t on, where a character begins, and
// returns where the first one begins that is not ASCII and may have case, or the length
// of t, which is 32 at least. It may lower-case ASCII elsewhere in t too, and take a
// character for one that may have case.
//
//go:noescape
func lowerRunAVX2(t []byte, i int) int

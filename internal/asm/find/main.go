// Command find writes the instructions with which package intern finds many keys in a
// table at once. The steps are those of the Go code there; but memory is asked for by
// instructions that wait for nothing.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const stage = 64 // keys at most

func main() {
	find()
	Generate()
}

func find() {
	TEXT("findAssembled", NOSPLIT, "func(slots []uint32, known []struct{low, high uint64}, seeds *[2]uint64, keys []struct{low, high uint64}, numbers []int32) (uncertain uint64)")
	slots, mask := Load(Param("slots").Base(), GP64()), Load(Param("slots").Len(), GP64())
	known := Load(Param("known").Base(), GP64())
	seeds := Load(Param("seeds"), GP64())
	keys, n := Load(Param("keys").Base(), GP64()), Load(Param("keys").Len(), GP64())
	numbers := Load(Param("numbers").Base(), GP64())
	hashes := AllocLocal(8 * stage)
	DECQ(mask)

	seedLow, seedHigh, golden := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: seeds}, seedLow)
	MOVQ(Mem{Base: seeds, Disp: 8}, seedHigh)
	MOVQ(U64(0x9e3779b97f4a7c15), golden)

	each := func(label string, do func(j reg.GPVirtual)) {
		j := GP64()
		XORQ(j, j)
		Label(label)
		do(j)
		INCQ(j)
		CMPQ(j, n)
		JLT(LabelRef(label))
	}
	hash := func(j reg.GPVirtual) Mem { return hashes.Idx(j, 8) }
	number := func(j reg.GPVirtual) Mem { return Mem{Base: numbers, Index: j, Scale: 4} }

	Comment("The hash of each key, and its slot asked for.")
	key := GP64()
	MOVQ(keys, key)
	each("hash", func(j reg.GPVirtual) {
		high, at := GP64(), GP64()
		MOVQ(Mem{Base: key}, reg.RAX)
		MOVQ(Mem{Base: key, Disp: 8}, high)
		XORQ(seedLow, reg.RAX)
		XORQ(seedHigh, high)
		MULQ(high)
		XORQ(reg.RDX, reg.RAX)
		IMULQ(golden, reg.RAX)
		MOVQ(reg.RAX, at)
		SHRQ(U8(32), at)
		XORQ(at, reg.RAX)
		MOVQ(reg.RAX, hash(j))
		ANDQ(mask, reg.RAX)
		PREFETCHT0(Mem{Base: slots, Index: reg.RAX, Scale: 4})
		ADDQ(U8(16), key)
	})

	Comment("The number in the slot, or -1 if its tag is another's, and its key asked for.")
	none := GP64()
	MOVQ(I32(-1), none)
	each("number", func(j reg.GPVirtual) {
		h, slot, i := GP64(), GP64(), GP64()
		MOVQ(hash(j), h)
		MOVQ(h, i)
		ANDQ(mask, i)
		MOVL(Mem{Base: slots, Index: i, Scale: 4}, slot.As32())
		MOVQ(slot, i)
		ANDQ(mask, i)
		DECQ(i)
		SHRQ(U8(32), h)
		XORQ(slot, h)
		ORQ(mask, h)
		CMPQ(h, mask)
		CMOVQNE(none, i)
		MOVL(i.As32(), number(j))
		SHLQ(U8(4), i)
		PREFETCHT0(Mem{Base: known, Index: i, Scale: 1})
	})

	Comment("Uncertain are those that have no number, another's key, or one that strings share.")
	uncertain := GP64()
	XORQ(uncertain, uncertain)
	each("compare", func(j reg.GPVirtual) {
		low, high, i, sign := GP64(), GP64(), GP64(), GP64()
		MOVLQSX(number(j), i)
		MOVQ(i, sign)
		SARQ(U8(63), sign)
		MOVQ(sign, low)
		NOTQ(low)
		ANDQ(low, i)
		SHLQ(U8(4), i)
		ADDQ(known, i)
		MOVQ(Mem{Base: keys}, low)
		MOVQ(Mem{Base: keys, Disp: 8}, high)
		XORQ(Mem{Base: i}, low)
		ORQ(low, sign)
		MOVQ(high, low)
		SARQ(U8(63), low)
		ORQ(low, sign)
		XORQ(Mem{Base: i, Disp: 8}, high)
		ORQ(high, sign)
		NEGQ(sign)
		RCRQ(U8(1), uncertain)
		ADDQ(U8(16), keys)
	})
	MOVQ(U32(stage), reg.RCX)
	SUBQ(n, reg.RCX)
	SHRQ(reg.CL, uncertain)
	Store(uncertain, ReturnIndex(0))
	RET()
}

// Command prefetch writes the instructions with which package prefetch asks the processor for
// memory.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	prefetch()
	prefetchFirst()
	prefetchLines()
	Generate()
}

func prefetch() {
	TEXT("prefetch", NOSPLIT, "func(list *byte, size, n int, numbers []uint32)")
	list, size, n := Load(Param("list"), GP64()), Load(Param("size"), GP64()), Load(Param("n"), GP64())
	numbers, rest := Load(Param("numbers").Base(), GP64()), Load(Param("numbers").Len(), GP64())
	i, none := GP64(), GP64()
	XORQ(none, none)
	JMP(LabelRef("next"))

	Label("number")
	MOVL(Mem{Base: numbers}, i.As32())
	CMPQ(i, n)
	CMOVQGE(none, i)
	IMULQ(size, i)
	PREFETCHT0(Mem{Base: list, Index: i, Scale: 1})
	ADDQ(U8(4), numbers)
	Label("next")
	DECQ(rest)
	JGE(LabelRef("number"))
	RET()
}

func prefetchFirst() {
	TEXT("prefetchFirst", NOSPLIT, "func(lists *[]byte, n int)")
	lists, rest := Load(Param("lists"), GP64()), Load(Param("n"), GP64())
	first := GP64()
	JMP(LabelRef("next"))

	Label("list")
	MOVQ(Mem{Base: lists}, first)
	PREFETCHT0(Mem{Base: first})
	ADDQ(U8(24), lists)
	Label("next")
	DECQ(rest)
	JGE(LabelRef("list"))
	RET()
}

func prefetchLines() {
	TEXT("prefetchLines", NOSPLIT, "func(from *byte, bytes int)")
	from, rest := Load(Param("from"), GP64()), Load(Param("bytes"), GP64())
	JMP(LabelRef("next"))

	Label("line")
	PREFETCHT0(Mem{Base: from})
	ADDQ(U8(64), from)
	SUBQ(U8(64), rest)
	Label("next")
	TESTQ(rest, rest)
	JG(LabelRef("line"))
	RET()
}

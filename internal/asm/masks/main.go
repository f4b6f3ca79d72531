// Command masks writes the instructions with which package text marks words and
// lower-cases ASCII on processors that have AVX2.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	markBlocks()
	lowerRun()
	Generate()
}

// classes are sets of characters, a bit each, that hold every character made of a
// high half of one of theirs and a low half of another. So a byte is in the class if
// its low half and its high half are. The first four are the characters of words,
// the last two those that can stand in the middle of one.
var classes = map[string]byte{
	"0123456789":                     1 << 0,
	"ABCDEFGHIJKLMNOabcdefghijklmno": 1 << 1,
	"PQRSTUVWXYZpqrstuvwxyz":         1 << 2,
	"_":                              1 << 3,
	"',.":                            1 << 6,
	":;":                             1 << 7,
}

// halves returns the classes in which each low and each high half of a byte is.
func halves() (low, high [16]byte) {
	for class, bit := range classes {
		for _, c := range []byte(class) {
			low[c&15] |= bit
			high[c>>4] |= bit
		}
	}
	return low, high
}

// markBlocks looks a byte's classes up by VPSHUFB, which gives none to a byte that
// is not ASCII. Adding the lower bit of the middle to the classes sets the high bit of
// a byte of either, and makes those of words the only ones above that bit.
func markBlocks() {
	TEXT("markBlocksAVX2", NOSPLIT, "func(masks []struct{word, middle, outside uint64}, t []byte)")
	masks, n := Load(Param("masks").Base(), GP64()), Load(Param("masks").Len(), GP64())
	t := Load(Param("t").Base(), GP64())
	lowHalves, highHalves := halves()
	low := vector("low", lowHalves)
	high := vector("high", highHalves)
	half := vector("half", all(15))
	middle := vector("middle", all(1<<6))

	Label("block")
	var marks [2][3]reg.GPVirtual
	for i := range marks {
		x, class, highs, word := YMM(), YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: t, Disp: 32 * i}, x)
		VPSHUFB(x, low, class)
		VPSRLW(U8(4), x, highs)
		VPAND(half, highs, highs)
		VPSHUFB(highs, high, highs)
		VPAND(highs, class, class)
		VPADDB(middle, class, class)
		VPCMPGTB(middle, class, word)
		for k, bytes := range []reg.Register{word, class, x} {
			marks[i][k] = GP64()
			VPMOVMSKB(bytes, marks[i][k].As32())
		}
	}
	for k := range marks[0] {
		SHLQ(U8(32), marks[1][k])
		ORQ(marks[0][k], marks[1][k])
		MOVQ(marks[1][k], Mem{Base: masks, Disp: 8 * k})
	}
	ADDQ(U8(64), t)
	ADDQ(U8(24), masks)
	DECQ(n)
	JNE(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// lowerRun lower-cases 32 bytes at a time, the last of them those at the end of the
// text, which are read first: a read waits long for a write that it overlaps.
// Adding 0x7f-'Z' makes the capital letters the largest bytes, as signed numbers.
func lowerRun() {
	TEXT("lowerRunAVX2", NOSPLIT, "func(t []byte, i int) int")
	t, n := Load(Param("t").Base(), GP64()), Load(Param("t").Len(), GP64())
	i := Load(Param("i"), reg.RCX) // shifts take it from there
	up := vector("up", all(0x7f-'Z'))
	bound := vector("bound", all(0x7f-26))
	bit := vector("bit", all('a'-'A'))
	lower := func(x reg.VecVirtual, at Mem, outside reg.GPVirtual) {
		capital := YMM()
		VPADDB(up, x, capital)
		VPCMPGTB(bound, capital, capital)
		VPAND(bit, capital, capital)
		VPOR(capital, x, capital)
		VMOVDQU(capital, at)
		VPMOVMSKB(x, outside.As32())
	}
	outside, x, last := GP64(), YMM(), YMM()
	SUBQ(U8(32), n)
	block, end := Mem{Base: t, Index: i, Scale: 1}, Mem{Base: t, Index: n, Scale: 1}
	VMOVDQU(end, last)
	JMP(LabelRef("next"))

	Label("block")
	VMOVDQU(block, x)
	lower(x, block, outside)
	TESTL(outside.As32(), outside.As32())
	JNE(LabelRef("found"))
	ADDQ(U8(32), i)
	Label("next")
	CMPQ(i, n)
	JLE(LabelRef("block"))

	Comment("A bit behind the last 32 bytes stands for the end.")
	lower(last, end, outside)
	BTSQ(U8(32), outside)
	SUBQ(n, i)
	SHRQ(reg.CL, outside)
	ADDQ(n, i)

	Label("found")
	BSFQ(outside, outside)
	ADDQ(outside, i)
	Store(i, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// all returns b for every half of a byte.
func all(b byte) (table [16]byte) {
	for i := range table {
		table[i] = b
	}
	return table
}

// vector returns a register that holds a table twice.
func vector(name string, table [16]byte) reg.VecVirtual {
	data := GLOBL(name, RODATA|NOPTR)
	DATA(0, String(table[:]))
	v := YMM()
	VBROADCASTI128(data, v)
	return v
}

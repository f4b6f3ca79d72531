// Command masks writes the instructions with which package text marks words and
// lower-cases ASCII on processors that have AVX2.
package main

import (
	"math/bits"

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
func halves(classes map[string]byte) (low, high [16]byte) {
	for class, bit := range classes {
		for _, c := range []byte(class) {
			low[c&15] |= bit
			high[c>>4] |= bit
		}
	}
	return low, high
}

// lookUp sets classes to those of the bytes of x, given their low halves, which
// VPSHUFB reads of bytes too whose highest bit is not set; the tables of both halves; and
// 15 in every byte.
func lookUp(x, lows, low, high, half, classes reg.VecVirtual) {
	highs := YMM()
	VPSHUFB(lows, low, classes)
	VPSRLW(U8(4), x, highs)
	VPAND(half, highs, highs)
	VPSHUFB(highs, high, highs)
	VPAND(highs, classes, classes)
}

// markBlocks looks a byte's classes up by VPSHUFB, which gives none to a byte that
// is not ASCII. Adding the lower bit of the middle to the classes sets the high bit of
// a byte of either, and makes those of words the only ones above that bit.
func markBlocks() {
	TEXT("markBlocksAVX2", NOSPLIT, "func(masks []struct{word, middle, outside uint64}, t []byte)")
	masks, n := Load(Param("masks").Base(), GP64()), Load(Param("masks").Len(), GP64())
	t := Load(Param("t").Base(), GP64())
	lowHalves, highHalves := halves(classes)
	low := vector("low", lowHalves)
	high := vector("high", highHalves)
	half := vector("half", all(15))
	middle := vector("middle", all(1<<6))

	Label("block")
	var marks [2][3]reg.GPVirtual
	for i := range marks {
		x, class, word := YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: t, Disp: 32 * i}, x)
		lookUp(x, x, low, high, half, class)
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

// The bits of leads.
const (
	ascii = 1 << iota
	plain // bytes that begin a character of a block without case
	early // bytes that go on with a character, and may make it one without case
	inner
	late
	beforeLate  // bytes that begin a character of a block without case if a late one follows
	beforeEarly // and those if an early one follows
)

// leads are sets of bytes as classes are. Without case are U+3000 to U+9FFF and U+AC00
// to U+D7FF, of which characters from U+A000 to U+AFFF and from U+D000 to U+DFFF must be
// told by their second bytes.
var leads = map[string]byte{
	span(0x00, 0x7f):                    ascii,
	span(0xe3, 0xe9) + span(0xeb, 0xec): plain,
	span(0x80, 0x9f):                    early,
	span(0xa0, 0xaf):                    inner,
	span(0xb0, 0xbf):                    late,
	"\xea":                              beforeLate,
	"\xed":                              beforeEarly,
}

// span returns all bytes from first to last.
func span(first, last int) string {
	var b []byte
	for c := first; c <= last; c++ {
		b = append(b, byte(c))
	}
	return string(b)
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
	lowHalves, highHalves := halves(leads)
	low := vector("lowLead", lowHalves)
	high := vector("highLead", highHalves)
	half := vector("halfLead", all(15))
	known := vector("known", all(ascii|plain|early|inner|late))
	zero := YMM()
	VPXOR(zero, zero, zero)

	// lower lower-cases x, and sets stops to where characters begin that are not ASCII
	// and may have case. One whose second byte is not in x is taken for one.
	lower := func(x reg.VecVirtual, at Mem, stops reg.GPVirtual, done string) {
		capital := YMM()
		VPADDB(up, x, capital)
		VPCMPGTB(bound, capital, capital)
		VPAND(bit, capital, capital)
		VPOR(capital, x, capital)
		VMOVDQU(capital, at)
		VPMOVMSKB(x, stops.As32())
		TESTL(stops.As32(), stops.As32())
		JE(LabelRef(done))

		lead, unknown := YMM(), YMM()
		VPAND(half, x, lead)
		lookUp(x, lead, low, high, half, lead)
		VPAND(known, lead, unknown)
		VPCMPEQB(zero, unknown, unknown)
		VPMOVMSKB(unknown, stops.As32())
		for _, pair := range [][2]uint8{{beforeLate, late}, {beforeEarly, early}} {
			first, second := where(lead, pair[0]), where(lead, pair[1])
			SHRL(U8(1), second.As32())
			ANDL(second.As32(), first.As32())
			XORL(first.As32(), stops.As32())
		}
		Label(done)
	}
	stops, x, last := GP64(), YMM(), YMM()
	SUBQ(U8(32), n)
	block, end := Mem{Base: t, Index: i, Scale: 1}, Mem{Base: t, Index: n, Scale: 1}
	VMOVDQU(end, last)
	JMP(LabelRef("next"))

	Label("block")
	VMOVDQU(block, x)
	lower(x, block, stops, "blockDone")
	TESTL(stops.As32(), stops.As32())
	JNE(LabelRef("found"))
	ADDQ(U8(32), i)
	Label("next")
	CMPQ(i, n)
	JLE(LabelRef("block"))

	Comment("A bit behind the last 32 bytes stands for the end.")
	lower(last, end, stops, "lastDone")
	BTSQ(U8(32), stops)
	SUBQ(n, i)
	SHRQ(reg.CL, stops)
	ADDQ(n, i)

	Label("found")
	BSFQ(stops, stops)
	ADDQ(stops, i)
	Store(i, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// where returns a mask of the bytes that have a bit.
func where(bytes reg.VecVirtual, bit uint8) reg.GPVirtual {
	shifted, mask := YMM(), GP64()
	VPSLLW(U8(bits.LeadingZeros8(bit)), bytes, shifted)
	VPMOVMSKB(shifted, mask.As32())
	return mask
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

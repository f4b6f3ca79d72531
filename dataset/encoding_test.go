package dataset_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
)

func encoded(name string) *dataset.Options { return &dataset.Options{Encoding: name} }

func TestEncoding(t *testing.T) {
	const notUTF8 = ": not valid UTF-8 (hint: --encoding)"
	for _, c := range []readCase{
		{name: "UTF-8", in: "label,text\na,naïve\n", want: texts("a", "naïve")},
		{name: "mark", in: "\ufefflabel,text\na,x\n", want: texts("a", "x")},
		// 0xA3 is a pound sign and 0x80 a euro sign in Windows-1252.
		{name: "latin1 among UTF-8", in: "label,text\na,\xa31\na,£2\na,\"\x80 \"\"\xe9\"\"\"\n", want: texts("a", "£1", "£2", `€ "é"`)},
		{name: "latin1 label", in: "label,text\n\xe9,x\né,y\n", want: texts("é", "x", "y")},
		{name: "latin1 header", in: "libell\xe9,text\na,x\n", opts: &dataset.Options{Label: "libellé"}, want: texts("a", "x")},
		{name: "implausible", in: "label,text\na,\x81\na,\xfe\na,\xff\na,x\n", want: texts("a", "x"),
			errs: []string{"f:2" + notUTF8, "f:3" + notUTF8, "f:4" + notUTF8}},
		{name: "strict", in: "\ufefflabel,text\na,\xa31\na,£2\n", opts: encoded("utf-8"), want: texts("a", "£2"),
			errs: []string{"f:2" + notUTF8}},
		{name: "strict header", in: "label,text,\xa3\n", opts: encoded("UTF8"), errs: []string{"fatal: f:1" + notUTF8}},
		{name: "all latin1", in: "label,text\na,\xc3\xa9\n", opts: encoded("latin1"), want: texts("a", "Ã©")},
		{name: "Shift JIS", in: "label,text\na,\x83\x78\x83\x43\x83\x59\n", opts: encoded("shift_jis"), want: texts("a", "ベイズ")},
		{name: "EUC-KR", in: "label,text\na,\xb0\xa1\n", opts: encoded("euc-kr"), want: texts("a", "가")},
		{name: "UTF-16LE", in: utf16("label,text\na,é\nb,x\"\n", "\xff\xfe", 0), want: []bayes.Example{{Label: "a", Text: "é"}, {Label: "b", Text: `x"`}}},
		{name: "UTF-16BE", in: utf16("label,text\na,é\n", "\xfe\xff", 1), want: texts("a", "é")},
		{name: "UTF-16 named", in: utf16("label,text\na,é\nx\n", "\xff\xfe", 0), opts: encoded("utf-16"), want: texts("a", "é"),
			errs: []string{"f:3: 1 field where the header has 2"}},
		{name: "unknown", in: "label,text\n", opts: encoded("klingon"), errs: []string{`fatal: unknown encoding "klingon"`}},
		{name: "replacement", in: "label,text\n", opts: encoded("replacement"), errs: []string{`fatal: unknown encoding "replacement"`}},
	} {
		c.run(t, dataset.CSV)
	}
}

// utf16 returns s, of characters below 256, in UTF-16; low is where in each pair
// of bytes the lower one stands.
func utf16(s, mark string, low int) string {
	var b strings.Builder
	b.WriteString(mark)
	for _, r := range s {
		pair := [2]byte{}
		pair[low] = byte(r)
		b.Write(pair[:])
	}
	return b.String()
}

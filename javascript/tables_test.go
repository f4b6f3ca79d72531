package javascript_test

import (
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bayes/text"
	"bayes/text/snowball"
	"bayes/text/stopwords"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

var writeTables = flag.Bool("tables", false, "write tables.js anew")

// TestTables compares what the package knows of Unicode, and its stop words, with what this program knows. Both are
// of one version then, whatever version an engine of JavaScript has.
func TestTables(t *testing.T) {
	want := tables()
	if *writeTables {
		if err := os.WriteFile("tables.js", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("tables.js")
	if err != nil || string(got) != want {
		t.Errorf("tables.js is not of this program's tables (%v): write it by go test ./javascript -run TestTables -tables", err)
	}
}

// The bits of a kind. The first three have a number, the class of a character.
const (
	letter = 1 + iota // the general categories L and N
	mark              // M
	cjk               // a letter or number of a script without spaces
	space             // White_Space

	ahLetter      = 1 << (2 + iota) // from here on properties of word breaks
	hebrewLetter                    // and ahLetter
	numeric                         //
	katakana                        //
	extendNumLet                    //
	midLetter                       // or MidNumLet or Single_Quote
	midNum                          // or MidNumLet or Single_Quote
	ignored                         // Extend, Format, ZWJ
	wSegSpace                       //
	newline                         // or CR or LF
	pictographic                    //
	regional                        //
	lowers                          // has a lower case of its own
	cased                           // the property Cased
	caseIgnorable                   //
	combining                       // a mark with a combining class
	unassigned                      // in package unicode
	joining                         // may become one with the character before it, or change places with what does, in a normal form
)

// kind returns what is known of a character.
func kind(r rune) (k uint32) {
	k = class(r) | breaks(r)
	for _, p := range []struct {
		bit uint32
		is  bool
	}{
		{lowers, unicode.ToLower(r) != r},
		{cased, unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsTitle(r) || unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)},
		{caseIgnorable, unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·‘’․‧﹒＇．：﹕︓\u0387՟״", r)},
		{combining, r >= 0x300 && unicode.Is(unicode.M, r) && norm.NFD.PropertiesString(string(r)).CCC() != 0},
		{joining, !norm.NFC.PropertiesString(string(r)).BoundaryBefore() || !norm.NFKC.PropertiesString(string(r)).BoundaryBefore()},
		{unassigned, !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)},
	} {
		if p.is {
			k |= p.bit
		}
	}
	return k
}

// class returns the class of a character: see package text, whose analyzers are asked.
func class(r rune) uint32 {
	s := string(r)
	terms := func(a text.Analyzer, s string) (n int) {
		for range a.Tokens(s) {
			n++
		}
		return n
	}
	switch {
	case terms(text.Analyzer{Segmenter: text.Whitespace{}, KeepCase: true}, "a"+s+"a") == 2:
		return space
	case terms(text.Analyzer{Segmenter: text.SKLearn{}, KeepCase: true}, "a"+s+"a") == 1:
		// Three CJK characters are two pairs.
		if r >= utf8.RuneSelf && terms(text.Analyzer{KeepCase: true}, s+s+s) == 2 {
			return cjk
		}
		if r == '_' {
			return 0
		}
		return letter
	case unicode.IsMark(r):
		return mark
	}
	return 0
}

// breaks returns the properties of a character by which words are cut, as package words cuts.
func breaks(r rune) (k uint32) {
	s := string(r)
	whole := func(s string) bool {
		n, _, _ := words.SplitFunc([]byte(s), true)
		return n == len(s)
	}
	if !whole(s + "\u0301") {
		return newline
	}
	if whole("§" + s) {
		return ignored
	}
	set := func(bit uint32, is bool) {
		if is {
			k |= bit
		}
	}
	set(ahLetter, whole("a:"+s))
	set(numeric, whole("1;"+s))
	set(hebrewLetter, whole("א\""+s))
	set(extendNumLet, whole("a"+s) && k&(ahLetter|numeric) == 0)
	set(katakana, whole("ア"+s) && k&extendNumLet == 0)
	set(midLetter, !whole("a"+s) && whole("a"+s+"a"))
	set(midNum, !whole("1"+s) && whole("1"+s+"1"))
	set(wSegSpace, whole(" "+s))
	set(pictographic, whole("\u200d"+s))
	set(regional, whole("🇦"+s))
	return k
}

// tables returns the file of tables.
func tables() string {
	var (
		kinds []uint32
		place = make(map[uint32]int)
		runs  strings.Builder
	)
	add := func(k uint32, n int) {
		i, ok := place[k]
		if !ok {
			i = len(kinds)
			place[k], kinds = i, append(kinds, k)
		}
		runs.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%&()*+,-./:;<=>?@[]^_{|}~"[i])
		if n > 1 {
			fmt.Fprint(&runs, n)
		}
	}
	last, n := kind(0), 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		k := last
		if r < 0xd800 || r > 0xdfff { // what is no character goes with the one before
			k = kind(r)
		}
		if k != last {
			add(last, n)
			last, n = k, 0
		}
		n++
	}
	add(last, n)
	var b strings.Builder
	fmt.Fprintf(&b, "// Made by go test ./javascript -run TestTables -tables. Unicode %s, word boundaries of Unicode 17.0.0:\n", unicode.Version)
	b.WriteString("// © 1991-2025 Unicode, Inc., under the Unicode License v3; see NOTICE.\n\n")
	fmt.Fprintf(&b, "/** The versions that model files name, of what is here. */\nexport const versions = {\n")
	a := text.Analyzer{Form: text.NFC}
	for word := range strings.FieldsSeq(a.Version()) {
		key, value, _ := strings.Cut(word, "=")
		fmt.Fprintf(&b, "  %q: %q,\n", key, value)
	}
	for _, s := range []text.Segmenter{text.SKLearn{}, text.Whitespace{}, text.Chars{}, text.CharWords{}} {
		key, _, _ := strings.Cut(s.String(), "=")
		fmt.Fprintf(&b, "  %q: %q,\n", key, s.(text.Versioned).Version())
	}
	for _, list := range stopwords.Language().StopWords {
		fmt.Fprintf(&b, "  %q: \"%08x\",\n", "stopwords:"+list.String(), crc32.ChecksumIEEE([]byte(strings.Join(list.Words(), "\n"))))
	}
	fmt.Fprintf(&b, "  \"stem:en\": %q,\n", snowball.English.(text.Versioned).Version())
	b.WriteString("};\n\n/** The kinds of characters, whose bits text.js names. */\nexport const kinds = [")
	for i, k := range kinds {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, k)
	}
	b.WriteString("];\n\n/** The kind of each character, a letter for each, and how many in a row have it. */\nexport const runs =\n")
	all := runs.String()
	for len(all) > 0 {
		n := min(112, len(all))
		end := " +"
		if n == len(all) {
			end = ";"
		}
		fmt.Fprintf(&b, "  %q%s\n", all[:n], end)
		all = all[n:]
	}
	b.WriteString("\n/** The lists of stop words, by name. */\nexport const stopWords = {\n")
	for _, list := range stopwords.Language().StopWords {
		fmt.Fprintf(&b, "  %s: %q,\n", list, strings.Join(list.Words(), " "))
	}
	b.WriteString("};\n")
	return b.String()
}

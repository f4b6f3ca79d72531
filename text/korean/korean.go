// Package korean cuts Korean text into morphemes by mecab-ko-dic 2.1.1 (816,283
// entries), for [text.Analyzer.Segmenter]:
//
//	a := &text.Analyzer{Segmenter: korean.Words{Base: true, Content: true}}
//
// The dictionary takes 4 MB of the program. It is loaded when the first text is
// analysed, which takes 0.08 s and 26 MB of memory.
//
// The dictionary has whole syllables. Text in single letters (Unicode's form
// NFD, as macOS names files) wants [text.Analyzer.Form] to be [text.NFC].
package korean

import (
	_ "embed" // the dictionary
	"strings"
	"sync"

	"bayes/internal/morph"
	"bayes/text"
)

//go:generate go run ../../internal/morph/generate ko mecab-ko-dic.zst

// Words cuts text into morphemes: 밥을 먹었다 is 밥, 을, 먹, 었 and 다. What holds
// neither a letter nor a number is left out. It reads capital letters, as the
// dictionary has them in names; terms are lower-cased afterwards.
type Words struct {
	// Base takes apart what is contracted into one syllable or changed by
	// inflection, and counts each part in its basic form, so that a verb or
	// adjective is its stem in any form: 갔다 is 가, 았 and 다, 고마웠다 is 고맙, 었
	// and 다, as 먹었다 is 먹, 었 and 다. The parts of a word all stand where it
	// stands.
	Base bool

	// Content keeps content words: nouns (NNG, NNP), numerals (NR, SN), verbs
	// (VV), adjectives (VA, and 아니 not to be, VCN), adverbs (MAG), roots (XR),
	// words in Latin or Chinese characters (SL, SH), and unknown words. It drops
	// particles (J…), endings (E…), affixes (XPN, XS…), the copula (VCP),
	// auxiliary verbs (VX), dependent nouns and units (NNB, NNBC), pronouns (NP),
	// determiners (MM), conjunctive adverbs (MAJ) and interjections (IC). A word of
	// several parts is kept if one of them is.
	Content bool
}

var _ text.CaseReader = Words{}

// Language gives the segmenters ko, ko:base, ko:content and ko:base,content to
// [text.Parse].
func Language() *text.Language {
	return &text.Language{Name: "ko", Segmenters: []text.Segmenter{
		Words{}, Words{Base: true}, Words{Content: true}, Words{Base: true, Content: true},
	}}
}

func (w Words) String() string {
	switch {
	case w.Base && w.Content:
		return "ko:base,content"
	case w.Base:
		return "ko:base"
	case w.Content:
		return "ko:content"
	}
	return "ko"
}

// Version names the rules of this package and of internal/morph, and the version of the
// module github.com/ikawaha/kagome-dict-ko, which the dictionary is made from.
func (Words) Version() string { return "1-ko-0.2.1" }

// ReadsCase marks Words as a [text.CaseReader].
func (Words) ReadsCase() {}

// The words, their tags, and the parts of those that are inflected.
//
//go:embed mecab-ko-dic.zst
var file string

var dictionary = sync.OnceValue(func() *morph.Tokenizer { return morph.Load(file) })

// Segment adds the morphemes of b's text.
func (w Words) Segment(b *text.Buffer) {
	t := dictionary()
	t.Each(b.Text(), func(m morph.Morpheme) {
		if w.Base {
			if parts, ok := t.Form(m); ok {
				w.addParts(b, parts, m)
				return
			}
		}
		if !w.Content || isContent(t.Class(m)) {
			b.Add(m.Start, m.End)
		}
	})
}

// addParts adds the parts of m, which the dictionary writes as 가/VV/*+았/EP/*.
func (w Words) addParts(b *text.Buffer, parts string, m morph.Morpheme) {
	for part := range strings.SplitSeq(parts, "+") {
		form, rest, _ := strings.Cut(part, "/")
		tag, _, _ := strings.Cut(rest, "/")
		if form != "" && (!w.Content || isContent(tag)) {
			b.AddTerm(form, m.Start, m.End)
		}
	}
}

// isContent reports whether one of the tags, such as VV+EP, is a content word's.
func isContent(tags string) bool {
	for tag := range strings.SplitSeq(tags, "+") {
		switch tag {
		case "NNG", "NNP", "NR", "SN", "VV", "VA", "VCN", "MAG", "XR", "SL", "SH", "UNKNOWN":
			return true
		}
	}
	return false
}

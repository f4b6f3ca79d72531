package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"bayes/dataset"
	"bayes/internal/testdata"
	"bayes/text"
)

// everyAnalyzer returns an analyzer for each segmenter that the command knows.
func everyAnalyzer(t testing.TB) map[string]*text.Analyzer {
	t.Helper()
	specs := []string{"default", "sklearn", "whitespace", "chars=3", "char-words=4"}
	for _, l := range Languages() {
		for _, s := range l.Segmenters {
			specs = append(specs, s.String())
		}
	}
	all := make(map[string]*text.Analyzer)
	for _, spec := range specs {
		a, err := text.Parse(spec, Languages()...)
		if err != nil {
			t.Fatal(err)
		}
		all[spec] = a
	}
	return all
}

// Whatever the text is, tokens stand in it in order; and they are the same, byte
// for byte, however the file that the text came in was read.
func FuzzAnalyzers(f *testing.F) {
	for _, s := range []string{
		"The \"quick\" fox can't jump; e.g. Mr. Smith cannot.", "この映画はとても面白かったです。", "정말 재미있는 영화였어요!", "مرحبا بالعالم \u202eabc",
		"a\x00b\xff\xc3é e\u0301\u0301\ud7ffx", "👨‍👩‍👧 ｶﾞ ﬁ İ", " \t\r\n ",
	} {
		f.Add(s)
	}
	analyzers := everyAnalyzer(f)
	for _, a := range analyzers {
		termsOf(a, "x") // a dictionary takes longer to load than an input may take
	}
	f.Fuzz(func(t *testing.T, s string) {
		for spec, a := range analyzers {
			last := 0
			for token := range a.Tokens(s) {
				if token.Start < last || token.End < token.Start || token.End > len(s) {
					t.Fatalf("%s: %q: %q stands at [%d,%d), after %d", spec, s, token.Term, token.Start, token.End, last)
				}
				last = token.Start
			}
		}
		if !utf8.ValidString(s) {
			return
		}
		record, err := json.Marshal(map[string]string{"label": "x", "text": s})
		if err != nil {
			t.Fatal(err)
		}
		for ex, err := range dataset.JSONL(iotest.OneByteReader(bytes.NewReader(record)), "x", nil) {
			if err != nil || ex.Text != s {
				t.Fatalf("%q was read as %q: %v", s, ex.Text, err)
			}
			for spec, a := range analyzers {
				if got, want := termsOf(a, ex.Text), termsOf(a, s); !slices.Equal(got, want) {
					t.Fatalf("%s: %q: %q, want %q", spec, s, got, want)
				}
			}
		}
	})
}

func termsOf(a *text.Analyzer, s string) (terms []string) {
	for token := range a.Tokens(s) {
		terms = append(terms, token.Term)
	}
	return terms
}

// BenchmarkAnalyzers measures each analyzer on three corpora, a line for a
// document.
func BenchmarkAnalyzers(b *testing.B) {
	for _, name := range []string{"20news", "nsmc", "livedoor"} {
		lines := strings.Split(string(testdata.Read(b, name+"/test.csv")), "\n")
		size := 0
		for _, line := range lines {
			size += len(line)
		}
		all := everyAnalyzer(b)
		for _, l := range Languages() {
			for _, s := range l.Segmenters {
				if strings.Contains(s.String(), ":") {
					delete(all, s.String()) // variants of ja and ko
				}
			}
		}
		for spec, a := range all {
			b.Run("data="+name+"/analyzer="+strings.ReplaceAll(spec, " ", "+"), func(b *testing.B) {
				var buf text.Buffer
				for _, line := range lines[:min(100, len(lines))] {
					a.Analyze(&buf, line) // warm, and dictionaries loaded
				}
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for _, line := range lines {
						a.Analyze(&buf, line)
					}
				}
			})
		}
	}
}

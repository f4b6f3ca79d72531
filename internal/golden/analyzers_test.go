package golden_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bayes/internal/cli"
	"bayes/internal/golden"
	"bayes/text"
)

// analyzers returns a description for each ingredient that an analyzer can have.
func analyzers() []string {
	specs := []string{
		"default", "sklearn", "whitespace", "chars=2-3", "char-words=3",
		"default form=nfc", "default form=nfkc", "default accents=fold", "default accents=ascii", "default lowercase=false",
		"default negation=true", "default min-length=3", "default subwords=3-5", "default ngrams=1-3", "sklearn negation=true ngrams=2",
	}
	for _, l := range cli.Languages() {
		for _, s := range l.Segmenters {
			specs = append(specs, s.String())
		}
		for _, s := range l.StopWords {
			specs = append(specs, "default stopwords="+s.String())
		}
		for _, s := range l.Stemmers {
			specs = append(specs, "default stem="+s.String())
		}
	}
	return specs
}

// corpus returns the texts that the terms of analyzers are pinned on: sentences of many
// languages.
func corpus(t *testing.T) []string {
	t.Helper()
	return strings.Split(string(golden.Read(t, filepath.Join(golden.Root(t), "corpus.txt"))), "\n")
}

// characters returns texts that have each character of Unicode's first two planes between
// letters and by itself, for analyzers that have rules for characters.
func characters() (lines []string) {
	for r := rune(0x80); r < 0x20000; r += 64 {
		var line strings.Builder
		for c := r; c < r+64; c++ {
			fmt.Fprintf(&line, "a%cB %c ", c, c)
		}
		lines = append(lines, line.String())
	}
	return lines
}

func hasDictionary(spec string) bool {
	return strings.HasPrefix(spec, "ja") || strings.HasPrefix(spec, "ko")
}

// cutsCharacters says which analyzers read characters: not the dictionaries, and not what
// goes on with the words of another analyzer.
func cutsCharacters(spec string) bool {
	_, option, _ := strings.Cut(spec, " ")
	return !hasDictionary(spec) &&
		(option == "" || strings.HasPrefix(option, "form=") || strings.HasPrefix(option, "accents="))
}

// hash returns a hash of the terms of texts.
func hash(a *text.Analyzer, lines []string) string {
	h := sha256.New()
	var (
		b     text.Buffer
		terms []byte
	)
	for _, line := range lines {
		a.Analyze(&b, line)
		terms = terms[:0]
		for i := range b.Len() {
			terms = append(append(terms, b.Term(i)...), 0xff)
		}
		h.Write(append(terms, 0xfe))
	}
	return fmt.Sprintf("%.16x", h.Sum(nil))
}

// TestAnalyzerVersions holds each ingredient of an analyzer to its version: the terms that
// a version makes of a corpus are recorded once and never change. What changes them must
// raise the version, in this repository, or in the version of the module or of Unicode
// that the version names.
func TestAnalyzerVersions(t *testing.T) {
	path := filepath.Join(golden.Root(t), "analyzers.tsv")
	pins := make(map[string]string) // the hash, by description and version
	recorded, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(recorded)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		pins[fields[0]+"\t"+fields[1]] = fields[2]
	}
	sentences, all := corpus(t), characters()
	added := bytes.NewBuffer(recorded)
	for _, spec := range analyzers() {
		a := analyzer(spec)
		lines := sentences
		if cutsCharacters(spec) {
			lines = slices.Concat(sentences, all)
		}
		got := hash(a, lines)
		key := spec + "\t" + a.Version()
		switch want, ok := pins[key]; {
		case !ok && golden.Updating():
			fmt.Fprintf(added, "%s\t%s\n", key, got)
		case !ok:
			t.Errorf("%s has the new version %q: record its terms by -update-new", spec, a.Version())
		case got != want:
			t.Errorf("%s makes other terms, and still says version %q: raise it", spec, a.Version())
		}
	}
	if golden.Updating() && !t.Failed() {
		golden.Write(t, path, added.Bytes())
	}
}

// The modules that have rules or data of analyzers, and whose version is part of a
// version that an ingredient says.
var modules = map[string]string{
	"github.com/clipperhouse/uax29/v2":    "v2.7.0", // Unicode 17.0.0: text.Words
	"github.com/ikawaha/kagome-dict":      "v1.1.7", // japanese.Words, korean.Words
	"github.com/ikawaha/kagome-dict/ipa":  "v1.2.6", // japanese.Words
	"github.com/ikawaha/kagome-dict-ko":   "v0.2.1", // korean.Words
	"github.com/blevesearch/snowballstem": "v0.9.0", // package snowball
	"github.com/neurosnap/sentences":      "v1.1.2", // package english
}

// TestAnalyzerModules fails where such a module is another one, whatever the corpus says
// of it: not all that a dictionary holds is in the corpus.
func TestAnalyzerModules(t *testing.T) {
	mod := golden.Read(t, filepath.Join(golden.Root(t), "..", "..", "go.mod"))
	for module, version := range modules {
		if !bytes.Contains(mod, []byte("\t"+module+" "+version+"\n")) {
			t.Errorf("%s is no longer %s: see whether it makes other terms, raise the version of what uses it, and write the new one here", module, version)
		}
	}
}

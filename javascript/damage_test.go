package javascript_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/long"
	"bayes/internal/wire"
	"bayes/text/stopwords"
)

// TestDamage has Node read damaged files. Those that are cut, or have another byte, are an error. Those whose checksums
// were made to fit are an error, or give what the program says of them, and never what is no answer.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	var names []string
	train := filepath.Join(dir, "train.csv")
	var rows strings.Builder
	rows.WriteString("label,text\n")
	for i := range 40 {
		fmt.Fprintf(&rows, "class%d,word%d was not the word%d of Größe %d\n", i%5, i, i%7, i%3)
	}
	write(t, train, []byte(rows.String()))
	r := rand.New(rand.NewPCG(1, 2))
	files := 300
	if long.Sample(t, "300 damaged files of each kind, not 100") {
		files = 100
	}
	for _, m := range []struct{ name, flags, bits string }{
		{"gains", "--stopwords en --negation", "32"},
		{"bytes", "--model complement --complement-norm --subwords 3", "8"},
		{"corrected", "--correct --subwords 3-4 --calibrate isotonic", "32"},
		{"presence", "--model bernoulli --idf --norm l2", "8"},
	} {
		freeze(t, dir, m.name, append([]string{train}, strings.Fields(m.flags)...), m.bits)
		names = append(names, m.name)
		whole, err := os.ReadFile(filepath.Join(dir, m.name+".frozen"))
		if err != nil {
			t.Fatal(err)
		}
		var cases bytes.Buffer
		for range files {
			hostile := change(r, whole)
			scores, refused := says(hostile)
			json.NewEncoder(&cases).Encode(map[string]any{"file": hostile, "says": scores, "refused": fmt.Sprint(refused)})
		}
		write(t, filepath.Join(dir, m.name+".hostile.jsonl"), cases.Bytes())
	}
	node(t, "test/damage.test.js", "JAVASCRIPT_MODELS="+strings.Join(names, " "), "JAVASCRIPT_FOLDER="+dir)
}

// TestRefused has Node read models whose analyzers are in the program alone: the error names them.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	train := filepath.Join(dir, "train.csv")
	write(t, train, []byte("label,text\na,one two\nb,three four\n"))
	var refused []string
	for _, c := range []struct{ name, flags, want string }{
		{"japanese", "--analyzer ja", `the analyzer "ja"`},
		{"korean", "--analyzer ko", `the analyzer "ko"`},
		{"nltk", "--analyzer nltk", `the analyzer "nltk"`},
		{"german", "--stem de", "stem=de"},
	} {
		freeze(t, dir, c.name, append([]string{train}, strings.Fields(c.flags)...), "32")
		refused = append(refused, c.name+"\t"+c.want)
	}
	node(t, "test/damage.test.js", "JAVASCRIPT_REFUSED="+strings.Join(refused, "\n"), "JAVASCRIPT_FOLDER="+dir)
}

// asked are the texts that damaged models are asked about.
var asked = []string{"", "word1 was the word2 of Größe", "not class3 word30"}

// says returns what the program says of a file: by text and class the score; or why it refuses it.
func says(file []byte) (scores [][]float64, err error) {
	m, err := bayes.LoadModel(bytes.NewReader(file), stopwords.Language())
	if err != nil {
		return nil, err
	}
	for _, text := range asked {
		var list []float64
		for _, label := range m.Classes() {
			for _, c := range m.Predict(bayes.Document{Text: text}).Classes {
				if c.Class == label {
					list = append(list, min(max(c.LogJoint, -1e308), 1e308))
				}
			}
		}
		scores = append(scores, list)
	}
	return scores, nil
}

// change returns a file with some bytes of one section changed, and the checksum that it then has.
func change(r *rand.Rand, file []byte) []byte {
	if r.IntN(6) == 0 {
		return changeHeader(r, file)
	}
	b := bytes.Clone(file)
	at := bytes.Index(b, []byte("\n\n")) + 2
	var starts []int
	for i := at; i < len(b); i += 16 + int(binary.LittleEndian.Uint64(b[i+4:])) {
		starts = append(starts, i)
	}
	section := b[starts[r.IntN(len(starts))]:]
	size := int(binary.LittleEndian.Uint64(section[4:]))
	for range 1 + r.IntN(3) {
		// Mostly near the front, where sizes are.
		n := 12 + size
		if r.IntN(2) == 0 {
			n = min(n, 40)
		}
		section[r.IntN(n)] ^= byte(1 + r.IntN(255))
	}
	if n := binary.LittleEndian.Uint64(section[4:]); n <= uint64(len(section))-16 {
		size = int(n)
	}
	binary.LittleEndian.PutUint32(section[12+size:], wire.Checksum(section[:12+size]))
	return b
}

// changeHeader returns a file with another number or word in its header, and the checksum that it then has.
func changeHeader(r *rand.Rand, file []byte) []byte {
	head, sections, _ := bytes.Cut(file, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	lines = lines[:len(lines)-1]
	i := 1 + r.IntN(len(lines)-1)
	switch key, value, _ := strings.Cut(lines[i], " "); r.IntN(3) {
	case 0:
		lines[i] = key + " " + []string{"0", "-1", "9000000000000000", "x", ""}[r.IntN(5)]
	case 1:
		lines[i] = key + " " + value + []string{"0", " binary", " log", " norm=l2", " temperature=2", ")"}[r.IntN(6)]
	default:
		at := len(key) + 1 + r.IntN(len(value))
		lines[i] = lines[i][:at] + string(rune('a'+r.IntN(26))) + lines[i][at+1:]
	}
	b := []byte(strings.Join(lines, "\n") + "\n")
	return append(fmt.Appendf(b, "checksum %08x\n\n", wire.Checksum(b)), sections...)
}

package javascript_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
	train, sets := filepath.Join(dir, "train.csv"), filepath.Join(dir, "sets.csv")
	var rows, labelled strings.Builder
	rows.WriteString("label,text\n")
	labelled.WriteString("label,text\n")
	for i := range 40 {
		text := fmt.Sprintf("word%d was not the word%d of Größe %d", i, i%7, i%3)
		fmt.Fprintf(&rows, "class%d,%s\n", i%5, text)
		fmt.Fprintf(&labelled, "class%d;class%d,%s\n", i%5, i%3, text)
	}
	write(t, train, []byte(rows.String()))
	write(t, sets, []byte(labelled.String()))
	r := rand.New(rand.NewPCG(1, 2))
	files := 300
	if long.Sample(t, "300 damaged files of each kind, not 100") {
		files = 100
	}
	for _, m := range []struct{ name, train, flags, bits string }{
		{"gains", train, "--stopwords en --negation", "32"},
		{"bytes", train, "--model complement --complement-norm --subwords 3", "8"},
		{"corrected", train, "--correct --subwords 3-4 --calibrate isotonic", "32"},
		{"presence", train, "--model bernoulli --idf --norm l2", "8"},
		{"labels", sets, "--label-separator ; --label-cutoffs f1 --correct=false", "32"},
		{"labels-corrected", sets, "--label-separator ; --correct", "8"},
	} {
		freeze(t, dir, m.name, append([]string{m.train}, strings.Fields(m.flags)...), m.bits)
		names = append(names, m.name)
		whole, err := os.ReadFile(filepath.Join(dir, m.name+".frozen"))
		if err != nil {
			t.Fatal(err)
		}
		var hostiles [][]byte
		for range files {
			hostiles = append(hostiles, change(r, whole))
		}
		if m.name == "labels" {
			hostiles = append(hostiles, describedAnew(t, whole)...)
		}
		var cases bytes.Buffer
		for _, hostile := range hostiles {
			said, refused := says(hostile)
			json.NewEncoder(&cases).Encode(map[string]any{"file": hostile, "says": said, "refused": fmt.Sprint(refused)})
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

// describedAnew returns a frozen file of several labels with other descriptions: of separators, some of which are none, and of
// cutoffs that are infinite, or the very scores of a text.
func describedAnew(t *testing.T, file []byte) (files [][]byte) {
	t.Helper()
	said, err := says(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, separator := range []string{`"a"`, `"\\"`, `"\u00e9"`, `"\U0001f600"`, `"\q"`, `"`, `""`, ``, `x`, `"é`, `"\x09"`, `"\u000a"`, `"\ud800"`, `"\x80"`, `"\303"`, `"a"b"`} {
		files = append(files, withLine(file, "space", "default label-separator="+separator))
	}
	own := fmt.Sprintf("class0=%v,class1=%v", said[0].Scores[0], said[0].Scores[1]+1e-9)
	// Of labels that are far from their cutoffs the nearest, which the empty name lets be given.
	const far = `class0=60,class1=50,class2=40,class3=50,class4=+Inf`
	for _, cutoffs := range []string{"class0=+Inf,class1=-Inf", own, far, `""=-45,` + far, `""=-42,` + far, `""=-1,` + far, `""=-Inf,` + far, `""=+Inf,` + far} {
		files = append(files, withLine(file, "event", "calibrated cutoffs="+cutoffs+" model=(multinomial smoothing=1 prior=empirical)"))
	}
	return files
}

// withLine returns a file with another line in its header, and the checksum that it then has.
func withLine(file []byte, key, value string) []byte {
	head, sections, _ := bytes.Cut(file, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	lines = lines[:len(lines)-1]
	for i, line := range lines {
		if strings.HasPrefix(line, key+" ") {
			lines[i] = key + " " + value
		}
	}
	return withChecksum(lines, sections)
}

// A said is what the program says of a text: by class the score, and where there may be several labels, which are given.
type said struct {
	Scores []float64
	Labels []string
}

// says returns what the program says of each text by a file, or why it refuses it.
func says(file []byte) (list []said, err error) {
	m, err := bayes.LoadModel(bytes.NewReader(file), stopwords.Language())
	if err != nil {
		return nil, err
	}
	for _, text := range asked {
		p := m.Predict(bayes.Document{Text: text})
		one := said{Labels: p.Labels}
		for _, label := range m.Classes() {
			i := slices.IndexFunc(p.Classes, func(c bayes.Prob) bool { return c.Class == label })
			one.Scores = append(one.Scores, min(max(p.Classes[i].LogJoint, -1e308), 1e308))
		}
		list = append(list, one)
	}
	return list, nil
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
		lines[i] = key + " " + value + []string{"0", " binary", " log", " norm=l2", " temperature=2", ")", ` label-separator="\\q"`, ` label-separator="+"`}[r.IntN(8)]
	default:
		at := len(key) + 1 + r.IntN(len(value))
		lines[i] = lines[i][:at] + string(rune('a'+r.IntN(26))) + lines[i][at+1:]
	}
	return withChecksum(lines, sections)
}

func withChecksum(lines []string, sections []byte) []byte {
	b := []byte(strings.Join(lines, "\n") + "\n")
	return append(fmt.Appendf(b, "checksum %08x\n\n", wire.Checksum(b)), sections...)
}

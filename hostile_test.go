package bayes_test

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/wire"
)

// allocated returns how many bytes f allocates, freed or not.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A section is one of a crafted file.
type section struct {
	tag     string
	payload []byte
}

// craft returns a file whose checksums are right, whatever else is wrong.
func craft(kind, event string, classes, features, examples int, sections ...section) []byte {
	b := fmt.Appendf(nil, "bayes %s 1\nspace default\nevent %s\nclasses %d\nfeatures %d\nexamples %d\n", kind, event, classes, features, examples)
	b = fmt.Appendf(b, "checksum %08x\n\n", wire.Checksum(b))
	for _, s := range append(sections, section{"END.", nil}) {
		b = wire.AppendSection(b, s.tag, func(b []byte) []byte { return append(b, s.payload...) })
	}
	return b
}

// oneClass is the payload of a class that has n examples.
func oneClass(label string, n int64, weight float64) []byte {
	b := wire.AppendUvarint(nil, uint64(len(label)))
	b = append(b, label...)
	return wire.AppendNumber(wire.AppendUvarint(b, wire.Zigzag(n)), weight)
}

// cells is the payload of n rows of one cell, of an example of the first class.
func cells(n int) []byte { return bytes.Repeat([]byte{1, 0, 8}, n) }

// growing is the payload of n names, each of which begins as the one before it
// and is longer by a byte.
func growing(n int) []byte {
	var b []byte
	for i := range n {
		b = append(wire.AppendUvarint(b, uint64(i)), 1, 'x')
	}
	return b
}

// Names that begin as the name before them do not make a reader allocate far more
// than it reads, in whichever section they are.
func TestGrowingNames(t *testing.T) {
	const n = 20_000 // of 200 MB together
	idf := []byte{}
	for i := range n {
		idf = append(wire.AppendUvarint(idf, uint64(i)), 1, 'x', 4)
	}
	terms := []section{{"CLAS", oneClass("ham", 1, 1)}, {"TERM", growing(n)}, {"MOME", cells(n)}}
	few := []section{{"CLAS", oneClass("ham", 1, 1)}, {"TERM", growing(1)}, {"MOME", cells(1)}}
	withIDF := bytes.Replace(craft("model", "multinomial", 1, 1, 1, append([]section{{"IDFW", idf}}, few...)...), []byte("space default"), []byte("space default idf"), 1)
	at := bytes.Index(withIDF, []byte("checksum "))
	copy(withIDF[at:], fmt.Sprintf("checksum %08x", wire.Checksum(withIDF[:at])))
	for name, file := range map[string][]byte{
		"TERM": craft("model", "multinomial", 1, n, 1, terms...),
		"VOCA": craft("model", "multinomial", 1, 1, 1, append([]section{{"VOCA", growing(n)}}, few...)...),
		"LABL": craft("model", "multinomial", 1, 1, 1, append([]section{{"LABL", growing(n)}}, few...)...),
		"IDFW": withIDF,
	} {
		var err error
		used := allocated(func() { _, _, err = bayes.Load(bytes.NewReader(file)) })
		if err == nil || !strings.Contains(err.Error(), "section "+name) || !strings.Contains(err.Error(), "names of more than 16 times the size of the file") {
			t.Errorf("%s: %v", name, err)
		}
		if most := int64(100*len(file) + 8<<20); used > most {
			t.Errorf("%s: %d bytes allocated for a file of %d, want at most %d", name, used, len(file), most)
		}
	}
}

// What is learned can be saved and loaded, however alike and long its terms are,
// and what is saved does not change by that.
func TestLongNamesAreSaved(t *testing.T) {
	space, err := bayes.ParseSpace("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	c := bayes.NewCounts(space)
	long := strings.Repeat("x", 100_000) // longer than any word
	for i := range 300 {
		c.Learn(bayes.Example{Label: "ham", Text: fmt.Sprintf("%s%03d other%d", long, i, i)})
	}
	var b bytes.Buffer
	if err := bayes.Save(&b, c, bayes.Multinomial{}); err != nil {
		t.Fatal(err)
	}
	if names, size := 300*100_000, b.Len(); size < names/17 || size > names/15 {
		t.Errorf("%d bytes of names are in a file of %d", names, size)
	}
	again, em, err := bayes.Load(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	if err := bayes.Save(&second, again, em); err != nil || !bytes.Equal(b.Bytes(), second.Bytes()) {
		t.Errorf("saved again it has %d bytes, not %d (%v)", second.Len(), b.Len(), err)
	}
	m, err := bayes.Fit(again, em)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Predict(bayes.Document{Text: long + "007"}); p.Known != 1 {
		t.Errorf("the long term is not known")
	}
	// A term that was unlearned takes no room.
	for i := range 299 {
		again.Unlearn(bayes.Example{Label: "ham", Text: fmt.Sprintf("%s%03d other%d", long, i, i)})
	}
	if left, err := again.MarshalBinary(); err != nil || len(left) > 101_000 || bytes.Contains(left, []byte("fill")) {
		t.Errorf("%d bytes are left (%v)", len(left), err)
	}
}

// Descriptions that nest are read in linear time, and those that nest too deep not
// at all; nobody can write one either.
func TestNestedDescriptions(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat("selected model=(", depth) + "multinomial" + strings.Repeat(")", depth)
	}
	if _, err := bayes.ParseEventModel(nested(16)); err != nil {
		t.Error(err)
	}
	deep := nested(10_000)
	file := craft("model", deep, 1, 1, 1, section{"CLAS", oneClass("ham", 1, 1)}, section{"TERM", growing(1)}, section{"MOME", cells(1)})
	var err error
	used := allocated(func() { _, _, err = bayes.Load(bytes.NewReader(file)) })
	if err == nil || !strings.Contains(err.Error(), "nest deeper than 16") || len(err.Error()) > 500 {
		t.Errorf("%.600v", err)
	}
	if used > int64(20*len(file)) {
		t.Errorf("%d bytes allocated for a file of %d", used, len(file))
	}
	var em bayes.EventModel = bayes.Multinomial{}
	for range 17 {
		em = bayes.Selected{Model: em}
	}
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "ham", Text: "see you"})
	for _, em := range []bayes.EventModel{em, bayes.Multinomial{Smoothing: bayes.Additive(math.NaN())}} {
		var b bytes.Buffer
		if err := bayes.Save(&b, c, em); err == nil || b.Len() > 0 {
			t.Errorf("%d bytes of what nobody reads are written: %v", b.Len(), err)
		}
	}
}

// A description may be long: one value for each of many terms.
func TestLongDescription(t *testing.T) {
	alpha := make(map[string]float64)
	for i := range 100_000 {
		alpha[fmt.Sprintf("term%d", i)] = 0.5
	}
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "ham", Text: "term1 term2"})
	var b bytes.Buffer
	if err := bayes.Save(&b, c, bayes.Multinomial{Smoothing: bayes.PerFeature{Alpha: alpha, Else: 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := bayes.LoadModel(&b); err != nil {
		t.Error(err)
	}
}

package bayes_test

import (
	"bytes"
	"encoding/binary"
	"errors"
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

// crafted returns a model of one class, ham, with n examples of weight w, and one
// term, x, in a cell.
func crafted(event string, n int64, w float64, cell []byte) []byte {
	return craft("model", event, 1, 1, int(n), section{"CLAS", oneClass("ham", n, w)}, section{"TERM", []byte("\x00\x01x")}, section{"MOME", cell})
}

// cell is a row of one cell of the first class.
func cell(examples int64, present, sum float64) []byte {
	b := wire.AppendUvarint([]byte{1, 0}, wire.Zigzag(examples)<<2|3)
	return wire.AppendNumber(wire.AppendNumber(b, present), sum)
}

// Counts that no examples have are read, added and written as they are, and are
// refused by Fit, by the law that they break.
func TestLaws(t *testing.T) {
	gaussian := func(seen int64, weight float64, sums ...float64) []byte {
		numb := []byte{}
		for _, s := range sums {
			numb = wire.AppendNumber(wire.AppendNumber(numb, s), 0)
		}
		return craft("model", "gaussian", 1, 1, 2, section{"CLAS", oneClass("ham", 2, 2)}, section{"TERM", nil}, section{"MOME", nil},
			section{"BLCK", []byte("nsize")}, section{"SEEN", wire.AppendNumber(wire.AppendUvarint(nil, wire.Zigzag(seen)), weight)},
			section{"NUMB", numb}, section{"TERM", nil}, section{"MOME", nil})
	}
	const negative = "more was unlearned than was learned"
	for _, tt := range []struct {
		what, want string
		file       []byte
	}{
		{"a feature in too many examples", `feature "x" is in 3 examples of class "ham", of weight 2, and the text in 2`, crafted("multinomial", 2, 2, cell(3, 2, 2))},
		{"a feature in as many as can be", `feature "x" is in 2305843009213693951 examples`, crafted("bernoulli", 2, 2, cell(1<<61-1, 2, 2))},
		{"a feature of too much weight", `feature "x" is in 2 examples of class "ham", of weight 2.5, and the text in 2, of weight 2`, crafted("bernoulli", 2, 2, cell(2, 2.5, 2))},
		{"a feature of negative weight", `feature "x" is in 2 examples of class "ham", of weight -1`, crafted("bernoulli", 2, 2, cell(2, -1, 2))},
		{"a negative sum", "multinomial needs counts", crafted("multinomial", 2, 2, cell(2, 2, -5))},
		{"a feature unlearned", negative, crafted("multinomial", 2, 2, cell(-1, 1, 1))},
		{"a class unlearned", negative, crafted("multinomial", -2, 2, cell(1, 1, 1))},
		{"a class of negative weight", negative, crafted("multinomial", 2, -2, cell(1, 1, 1))},
		{"weights that overflow", "the weights of the examples sum to +Inf", craft("model", "multinomial", 2, 0, 4,
			section{"CLAS", append(oneClass("ham", 2, 1e308), oneClass("spam", 2, 1e308)...)}, section{"TERM", nil}, section{"MOME", nil})},
		{"values that overflow", "the values of the text in class \"ham\" sum to +Inf", craft("model", "multinomial", 1, 2, 2,
			section{"CLAS", oneClass("ham", 2, 2)}, section{"TERM", []byte("\x00\x01x\x00\x01y")}, section{"MOME", append(cell(2, 2, 1e308), cell(2, 2, 1e308)...)})},
		{"a label with a line end", `class "ham\nspam": a label has no tab and no line end in it`, craft("model", "multinomial", 1, 0, 2,
			section{"CLAS", oneClass("ham\nspam", 2, 2)}, section{"TERM", nil}, section{"MOME", nil})},
		{"a number in too many examples", `the number "size" is in 3 examples of class "ham", of weight 2, which has 2`, gaussian(3, 2, 4, 8, 4, 8)},
		{"a number of too much weight", `the number "size" is in 2 examples of class "ham", of weight 3, which has 2, of weight 2`, gaussian(2, 3, 4, 8, 4, 8)},
		{"negative squares", `the squares of the number "size" in class "ham" sum to -8`, gaussian(2, 2, 4, -8, 4, 8)},
		{"squares that overflow", `the sums of the number "size" in class "ham" are beyond the largest number`, gaussian(2, 2, 4, 1.5e308, 4, 1.5e308)},
		{"a temperature that divides to infinity", "calibrated: temperature 1e-320", crafted("calibrated temperature=1e-320 model=(multinomial)", 2, 2, cell(2, 2, 2))},
		{"a lawful one", "", crafted("multinomial", 2, 2, cell(2, 2, 2))},
		{"a lawful number", "", gaussian(2, 2, 4, 8, 4, 8)},
	} {
		c, em, err := bayes.Load(bytes.NewReader(tt.file))
		if err != nil {
			t.Errorf("%s: not read: %v", tt.what, err)
			continue
		}
		if _, err := bayes.Fit(c, em); err == nil && tt.want != "" || err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: Fit says %v, want %q", tt.what, err, tt.want)
		}
		var again bytes.Buffer
		if err := bayes.Save(&again, c, em); err != nil {
			t.Errorf("%s: %v", tt.what, err)
		}
		if d, _, err := bayes.Load(&again); err != nil || !d.Equal(c) {
			t.Errorf("%s: it is not read as it was written: %v", tt.what, err)
		}
		twice := c.Clone()
		if err := errors.Join(twice.Add(c), twice.Sub(c)); err != nil || tt.want == "" && !twice.Equal(c) {
			t.Errorf("%s: it does not add: %v", tt.what, err)
		}
	}
}

// What is no element of the group at all is not read.
func TestMalformedFiles(t *testing.T) {
	nan := append([]byte{1, 0, 8<<2 | 3&^1 | 1, 1}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))...)
	block := func(kind string, name string) []byte {
		return craft("model", "mixed", 1, strings.Count(kind, "n"), 2, section{"CLAS", oneClass("ham", 2, 2)}, section{"TERM", nil}, section{"MOME", nil},
			section{"BLCK", []byte(kind)}, section{"SEEN", []byte{4, 8}}, section{"NUMB", make([]byte, 8)},
			section{"TERM", append([]byte{0, byte(len(name))}, name...)}, section{"MOME", []byte{1, 0, 8}})
	}
	histogram := func(name string) []byte {
		return bytes.Replace(block("h", name), wire.AppendSection(nil, "NUMB", func(b []byte) []byte { return append(b, make([]byte, 8)...) }), nil, 1)
	}
	whole := crafted("multinomial", 2, 2, cell(2, 2, 2))
	for what, file := range map[string][]byte{
		"not a number":                   crafted("multinomial", 2, 2, nan),
		"a section after the end":        wire.AppendSection(bytes.Clone(whole), "more", func(b []byte) []byte { return b }),
		"a value of a number":            block("n", "1e"),
		"a value that is spelled oddly":  block("n", "1.0"),
		"a value that is not a number":   block("n", "NaN"),
		"a histogram without a name":     histogram(""),
		"a histogram of nothing":         histogram("t"),
		"a histogram without a zero":     histogram("tx1"),
		"a histogram of no number":       histogram("tx\x00y"),
		"a histogram of another kind":    histogram("x1"),
		"a prior above 1":                crafted("multinomial prior=ham=2", 2, 2, cell(2, 2, 2)),
		"a smoothing beyond all numbers": crafted("multinomial smoothing=1e308", 2, 2, cell(2, 2, 2)),
	} {
		wantFormatError(t, what, file)
		if _, _, err := bayes.Load(bytes.NewReader(file)); strings.Contains(err.Error(), "the sections hold other numbers") {
			t.Errorf("%s: refused for something else: %v", what, err)
		}
	}
	for what, file := range map[string][]byte{"a value": block("n", "1.5"), "a histogram": histogram("tx\x001"), "a length": histogram("n3")} {
		if _, _, err := bayes.Load(bytes.NewReader(file)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A document of many attributes is counted as one that has them in another order,
// and as those that have some of them each, less what only these have.
func TestManyBlocks(t *testing.T) {
	const n = 1000
	var attrs, backward []bayes.Attr
	for i := range n {
		attrs = append(attrs, bayes.Number(fmt.Sprint("n", i*7%n), float64(i)), bayes.Category(fmt.Sprint("c", i*13%n), "v"), bayes.Text(fmt.Sprint("t", i), "a b"))
	}
	for i := range attrs {
		backward = append(backward, attrs[len(attrs)-1-i])
	}
	// Of attributes of one kind and name the first counts.
	attrs = append(attrs, bayes.Number("n7", 99), bayes.Category("c13", "w"))
	ex := func(attrs []bayes.Attr) bayes.Example { return bayes.Example{Label: "ham", Text: "x", Attrs: attrs} }
	once, again, few := bayes.NewCounts(nil), bayes.NewCounts(nil), bayes.NewCounts(nil)
	once.Learn(ex(attrs))
	again.Learn(ex(backward))
	if !once.Equal(again) {
		t.Error("another order makes other counts")
	}
	few.Learn(ex(backward[:n]))
	few.Learn(ex(backward[n:]))
	sum := once.Clone()
	if err := errors.Join(sum.Add(few), sum.Sub(again)); err != nil || !sum.Equal(few) {
		t.Errorf("a + b - a is not b: %v", err)
	}
	m, err := bayes.Fit(once, bayes.Mixed{})
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Predict(ex(backward).Document()); p.Known != 4*n+1 || p.Unknown != 0 {
		t.Errorf("%d features are known, %d are not; want %d", p.Known, p.Unknown, 4*n+1)
	}
}

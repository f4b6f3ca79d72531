package bayes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"bayes/internal/wire"
	"bayes/text"

	"pgregory.net/rapid"
)

func frozenFile(t testing.TB, m *Model, opts *FreezeOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Freeze(&b, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openFile(t testing.TB, data []byte) *Model {
	t.Helper()
	name := filepath.Join(t.TempDir(), "m.nb")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := OpenModel(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// freezeAlike returns m frozen, which must say of d what m does, but for what a float32 leaves out.
func freezeAlike(t *rapid.T, m *Model, d Document) *Model {
	var b bytes.Buffer
	if err := m.Freeze(&b, nil); err != nil {
		t.Fatal(err)
	}
	frozen, err := LoadModel(&b)
	if err != nil {
		t.Fatal(err)
	}
	if !frozen.Frozen() || m.Frozen() {
		t.Fatal("it is not frozen")
	}
	alike(t, frozen, m, d)
	return frozen
}

// alike fails unless a frozen model says of d what the model does.
func alike(t *rapid.T, frozen, m *Model, d Document) {
	p, want := frozen.Predict(d), m.Predict(d)
	if p.Known != want.Known || p.Unknown != want.Unknown {
		t.Fatalf("%v, want %v", p, want)
	}
	scores := make(map[string]float64)
	for _, k := range p.Classes {
		scores[k.Class] = k.LogJoint
	}
	for _, k := range want.Classes {
		if math.Abs(scores[k.Class]-k.LogJoint) > 1e-5*(1+math.Abs(k.LogJoint)) {
			t.Fatalf("%v: %q in %s: %v, want %v", m.EventModel(), d.Text, k.Class, scores[k.Class], k.LogJoint)
		}
	}
}

// mappedFile opens a file that was written long enough ago to be mapped.
func mappedFile(t testing.TB, data []byte) (m *Model, name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "m.nb")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	hourAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(name, hourAgo, hourAgo); err != nil {
		t.Fatal(err)
	}
	m, err := OpenModel(name)
	if err != nil {
		t.Fatal(err)
	}
	return m, name
}

// A frozen file that is cut or written over while it is open neither ends the
// process nor goes unnoticed; one that is replaced stays what it was.
func TestFrozenFileChanges(t *testing.T) {
	whole := mail(t, nil)
	data := frozenFile(t, whole, nil)
	other := NewCounts(nil)
	other.Learn(Example{Label: "ham", Text: "v4 common"})
	other.Learn(Example{Label: "spam", Text: "w1"})
	another, err := Fit(other, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := Document{Text: "w1 v4 common u7"}
	for _, tc := range []struct {
		what   string
		change func(name string) error
		prior  bool // whether predictions are the prior from then on
		same   bool
	}{
		{"cut to nothing", func(name string) error { return os.Truncate(name, 0) }, true, false},
		{"cut to a page", func(name string) error { return os.Truncate(name, 4096) }, true, false},
		{"written over", func(name string) error { return os.WriteFile(name, frozenFile(t, another, nil), 0o644) }, false, false},
		{"written over alike", func(name string) error { return os.WriteFile(name, bytes.Clone(data), 0o644) }, false, false},
		{"replaced", func(name string) error {
			if err := os.WriteFile(name+".new", frozenFile(t, another, nil), 0o644); err != nil {
				return err
			}
			return os.Rename(name+".new", name)
		}, false, true},
		{"removed", os.Remove, false, true},
	} {
		m, name := mappedFile(t, data)
		before := m.Predict(d)
		if err := m.Err(); err != nil || before.Known == 0 {
			t.Fatalf("%s: %v, %v before", tc.what, err, before)
		}
		if err := tc.change(name); err != nil {
			t.Fatal(err)
		}
		p := m.Predict(d)
		m.Explain(d)
		m.Derive(d)
		if tc.prior && (p.Known != 0 || math.Abs(p.Classes[0].P-1./3) > 1e-9) {
			t.Errorf("%s: it predicts %v", tc.what, p)
		}
		if tc.same && !reflect.DeepEqual(p, before) {
			t.Errorf("%s: it predicts %v, not %v", tc.what, p, before)
		}
		if err := m.Err(); (err == nil) != tc.same || err != nil && !strings.Contains(err.Error(), "the file was written over while it was open") {
			t.Errorf("%s: error %v", tc.what, err)
		}
	}
	if err := whole.Err(); err != nil {
		t.Error(err)
	}
}

// What breaks a law is refused by who looks at all of a file, though its checksums
// are right; who maps it answers, with numbers.
func TestFrozenLaws(t *testing.T) {
	data, dense, corrected := frozenFile(t, mail(t, nil), nil), frozenFile(t, pairs(t, nil), nil), frozenFile(t, correctedMail(t), nil)
	// change returns a file with a section's payload changed.
	change := func(tag string, f func(payload []byte)) []byte {
		b := bytes.Clone(data)
		switch tag {
		case "WGHT":
			b = bytes.Clone(dense)
		case "CORR", "SCAL":
			b = bytes.Clone(corrected)
		}
		i := bytes.Index(b, []byte(tag))
		n := int(binary.LittleEndian.Uint64(b[i+4:]))
		f(b[i+12:][:n])
		binary.LittleEndian.PutUint32(b[i+12+n:], wire.Checksum(b[i:i+12+n]))
		return b
	}
	nan := func(b []byte) { binary.LittleEndian.PutUint32(b, math.Float32bits(float32(math.NaN()))) }
	gains := 2 + 16*3        // where the rows of gains start
	swap := func(b []byte) { // two terms of two letters
		i := bytes.Index(b, []byte("w0w1"))
		copy(b[i:], "w1w0")
	}
	for want, b := range map[string][]byte{
		"a weight is not finite":                change("WGHT", func(b []byte) { nan(b[5:]) }),
		"the row of term 0 is cut":              change("GAIN", func(b []byte) { b[gains] = 1 }),
		"section GAIN":                          change("GAIN", func(b []byte) { b[0] = 7 }),
		"the prior of a class is above 1":       change("BIAS", func(b []byte) { binary.LittleEndian.PutUint64(b[1:], math.Float64bits(2)) }),
		"a number is not finite":                change("BIAS", func(b []byte) { binary.LittleEndian.PutUint64(b[25:], math.Float64bits(math.Inf(1))) }),
		"is not in its slot":                    change("INDX", swap),
		"bytes after the end":                   append(bytes.Clone(data), 0),
		"a label has no tab and no line end":    change("CLAS", func(b []byte) { b[2] = '\n' }),
		"the scale of term 0 is not above zero": change("SCAL", func(b []byte) { clear(b[:4]) }),
		"the scale of term 1 is not above zero": change("SCAL", func(b []byte) { nan(b[4:]) }),
		"labels do not rise":                    change("CORR", func(b []byte) { copy(b[bytes.Index(b, []byte("ham")):], "zam") }),
		"more was unlearned than was learned":   change("CLAS", func(b []byte) { b[4]++ }),
	} {
		if _, err := LoadModel(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		name := filepath.Join(t.TempDir(), "m.nb")
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err := OpenModel(name); err == nil {
			for _, c := range m.Predict(Document{Text: "w0 w1 v4 common"}).Classes {
				if !(c.P >= 0 && c.P <= 1) {
					t.Errorf("%s: P(%s) = %v", want, c.Class, c.P)
				}
			}
		}
	}
}

// A frozen model scores as the model does, but for what a float32 leaves out.
func TestFreeze(t *testing.T) {
	analyzer, err := text.Parse("default ngrams=1-2")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := NewCounts(&Space{Analyzer: analyzer, Log: rapid.Bool().Draw(t, "log")})
		labels := rapid.SampledFrom([]int{1, 2, 3, 12}).Draw(t, "labels")
		for range rapid.IntRange(2, 12).Draw(t, "examples") {
			c.Learn(Example{Label: fmt.Sprint("class", rapid.IntRange(1, labels).Draw(t, "label")), Text: drawSentence(t, "text")})
		}
		em := rapid.SampledFrom([]EventModel{
			Multinomial{}, Complement{}, Complement{Normalize: true}, OneVersusRest{}, Bernoulli{}, Multinomial{Prior: UniformPrior{}},
			Selected{MinDocuments: 2, Model: Bernoulli{}}, Calibrated{Temperature: 3}, Multinomial{Tree: "1"}, OneVersusRest{Tree: "s"},
			Multinomial{Smoothing: PerFeature{Else: 1, Alpha: map[string]float64{"win": 3}}}, Bernoulli{Smoothing: PerFeature{Else: 1, Alpha: map[string]float64{"win": 3}}},
		}).Draw(t, "model")
		m, err := Fit(c, em)
		if err != nil {
			t.Fatal(err)
		}
		d := Document{Text: drawSentence(t, "document")}
		frozen := freezeAlike(t, m, d)
		ex := frozen.Explain(d)
		if ex.Against == "" {
			return
		}
		sum := ex.Prior + ex.Absent
		for _, f := range ex.Features {
			sum += f.LogOdds
		}
		if got := ex.Classes[0].LogP - ex.Classes[1].LogP; math.Abs(sum*ex.Power-got) > 1e-12*(1+math.Abs(got)) {
			t.Fatalf("%v: contributions add up to %v, want %v", em, sum, got)
		}
	})
}

// mail returns a model of some size, most of whose terms are in one of three classes.
func mail(t testing.TB, em EventModel) *Model { return mails(t, em, "ham", "spam", "work") }

// pairs returns a model of two classes, whose frozen file has the weights of both.
func pairs(t testing.TB, em EventModel) *Model { return mails(t, em, "ham", "spam") }

// correctedMail returns a corrected model of three classes.
func correctedMail(t testing.TB) *Model {
	t.Helper()
	_, _, m := correctedModel(t, nil, Corrected{Trust: 1}, mailExamples("ham", "spam", "work"))
	return m
}

func mails(t testing.TB, em EventModel, classes ...string) *Model {
	t.Helper()
	c := NewCounts(nil)
	for _, ex := range mailExamples(classes...) {
		c.Learn(ex)
	}
	m, err := Fit(c, em)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mailExamples(classes ...string) (list []Example) {
	for i := range 300 {
		list = append(list, Example{Label: classes[i%len(classes)], Text: fmt.Sprintf("w%d v%d u%d common w%d", i%7, i%30, i, i%3)})
	}
	return list
}

// Eight bits are within a step of the weight; pruned terms are not known.
func TestFreezeSmaller(t *testing.T) {
	m := mail(t, nil)
	plain := frozenFile(t, m, nil)
	small := frozenFile(t, m, &FreezeOptions{Bits: 8, Prune: 0.5})
	if len(small) >= len(plain)*4/5 {
		t.Errorf("%d bytes of %d", len(small), len(plain))
	}
	frozen := openFile(t, small)
	d := Document{Text: "w1 v4 common"}
	p, want := frozen.Predict(d), m.Predict(d)
	if p.Best().Class != want.Best().Class || p.Known >= want.Known {
		t.Errorf("%v, want %v", p, want)
	}
	if eight := openFile(t, frozenFile(t, m, &FreezeOptions{Bits: 8})); math.Abs(eight.Predict(d).Best().LogJoint-want.Best().LogJoint) > 0.1 {
		t.Errorf("%v, want %v", eight.Predict(d), want)
	}
}

// Where a class has words of its own, a frozen file grows with the counts and not with the classes;
// freezing again gives the same bytes, in whatever order they were learned.
func TestFreezeManyClasses(t *testing.T) {
	size := func(classes int, em EventModel, opts *FreezeOptions, backwards bool) []byte {
		c := NewCounts(nil)
		for i := range 1200 {
			if backwards {
				i = 1199 - i
			}
			c.Learn(Example{Label: fmt.Sprint("class", i%classes), Text: fmt.Sprintf("w%d v%d common", i, i%600)})
		}
		m, err := Fit(c, em)
		if err != nil {
			t.Fatal(err)
		}
		b := frozenFile(t, m, opts)
		frozen := openFile(t, b)
		for _, text := range []string{"w7 v7", "v8 v8 w20 common", "zebra"} {
			p, want := frozen.Predict(Document{Text: text}), m.Predict(Document{Text: text})
			if p.Best().Class != want.Best().Class || math.Abs(p.Best().LogJoint-want.Best().LogJoint) > .05 {
				t.Errorf("%v with %+v: %q: %v, want %v", em, opts, text, p.Best(), want.Best())
			}
		}
		return b
	}
	for _, em := range []EventModel{Multinomial{}, Complement{Normalize: true}, Bernoulli{}} {
		for _, bits := range []int{8, 32} {
			few, many := size(100, em, &FreezeOptions{Bits: bits}, false), size(600, em, &FreezeOptions{Bits: bits}, false)
			if len(many) > len(few)+500*80 || !bytes.Contains(many, []byte("GAIN")) {
				t.Errorf("%v: %d bytes with 100 classes, and %d with 600", em, len(few), len(many))
			}
			if !bytes.Equal(many, size(600, em, &FreezeOptions{Bits: bits}, true)) {
				t.Errorf("%v: learned backwards, the bytes differ", em)
			}
		}
	}
}

// Without smoothing a model can be frozen whose classes have all terms.
func TestFreezeUnsmoothed(t *testing.T) {
	c := NewCounts(nil)
	for _, text := range []string{"a b b", "b a a", "a b"} {
		c.Learn(Example{Label: fmt.Sprint(len(c.Classes())), Text: text})
	}
	m, err := Fit(c, Multinomial{Smoothing: Additive(0)})
	if err != nil {
		t.Fatal(err)
	}
	p, want := openFile(t, frozenFile(t, m, nil)).Predict(Document{Text: "a a"}).Best(), m.Predict(Document{Text: "a a"}).Best()
	if p.Class != want.Class || math.Abs(p.P-want.P) > 1e-6 {
		t.Errorf("%v, want %v", p, want)
	}
}

// A model of several texts, some of which documents lack, predicts what it did before it was frozen.
func TestFreezeTexts(t *testing.T) {
	examples := []Example{
		{Label: "spam", Text: "cheap pills", Attrs: []Attr{Text("subject", "win a prize"), Text("from", "x pills")}},
		{Label: "spam", Text: "cheap cheap loans", Attrs: []Attr{Text("from", "x loans")}},
		{Label: "ham", Text: "see you", Attrs: []Attr{Text("subject", "lunch cheap")}},
		{Label: "ham", Attrs: []Attr{Text("subject", "you win"), Text("from", "ann")}},
	}
	noMain := []Example{{Label: "a", Attrs: []Attr{Text("title", "x y")}}, {Label: "b", Attrs: []Attr{Text("title", "x z")}}}
	for _, em := range []EventModel{Multinomial{}, Complement{}, Bernoulli{}, Corrected{Trust: 0.5}, Corrected{Model: Complement{}}} {
		for _, list := range [][]Example{examples, noMain} {
			_, _, m := correctedModel(t, nil, em, list)
			file := frozenFile(t, m, nil)
			frozen := openFile(t, file)
			texts, _, _ := m.Attributes()
			if again, _, _ := frozen.Attributes(); !frozen.Frozen() || !reflect.DeepEqual(texts, again) || frozen.Len() != m.Len() || frozen.ReadsText() != m.ReadsText() {
				t.Errorf("%v: %v, %d terms, want %v and %d", em, again, frozen.Len(), texts, m.Len())
			}
			for _, ex := range append(list, Example{}, Example{Text: "cheap you", Attrs: []Attr{Text("title", "z"), Text("subject", "win"), Text("none", "cheap")}}) {
				got, want := frozen.Predict(ex.Document()), m.Predict(ex.Document())
				if got.Known != want.Known || got.Unknown != want.Unknown || math.Abs(got.Best().LogJoint-want.Best().LogJoint) > 1e-5 || got.Best().Class != want.Best().Class {
					t.Errorf("%v: %v, want %v", em, got, want)
				}
			}
			checkPartsAddUp(t, frozen, list[0].Document())
			for cut := range len(file) { // no part of it is the whole
				if _, err := LoadModel(bytes.NewReader(file[:cut])); err == nil {
					t.Fatalf("%v: %d of %d bytes are read", em, cut, len(file))
				}
			}
		}
	}
}

// checkPartsAddUp checks that the parts of an explanation add up to the difference of the scores.
func checkPartsAddUp(t *testing.T, m *Model, d Document) {
	t.Helper()
	ex := m.Explain(d)
	sum := ex.Prior + ex.Absent
	for _, f := range ex.Features {
		sum += f.LogOdds
	}
	if want := ex.Classes[0].LogJoint - ex.Classes[1].LogJoint; math.Abs(sum-want) > 1e-9 {
		t.Errorf("parts add up to %v, want %v", sum, want)
	}
}

func TestFreezeErrors(t *testing.T) {
	two := NewCounts(nil)
	two.Learn(Example{Label: "a", Text: "x", Attrs: []Attr{Category("size", "y")}})
	two.Learn(Example{Label: "b", Text: "z", Attrs: []Attr{Category("size", "y")}})
	mixed, err := Fit(two, Mixed{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, presence := correctedModel(t, nil, Corrected{Model: Bernoulli{}, Trust: 1}, mailExamples("ham", "spam"))
	for _, tc := range []struct {
		m    *Model
		opts FreezeOptions
		want string
	}{
		{mixed, FreezeOptions{}, "only a model of texts"},
		{mail(t, Multinomial{Smoothing: Additive(0)}), FreezeOptions{}, "without smoothing"},
		{presence, FreezeOptions{}, "corrected Bernoulli model cannot be frozen unless its trust is 0"},
		{mail(t, nil), FreezeOptions{Bits: 7}, "7 bits"},
		{mail(t, nil), FreezeOptions{Prune: math.NaN()}, "prune NaN"},
		{openFile(t, frozenFile(t, mail(t, nil), nil)), FreezeOptions{}, "is frozen"},
	} {
		if err := tc.m.Freeze(new(bytes.Buffer), &tc.opts); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	if _, _, err := Load(bytes.NewReader(frozenFile(t, mail(t, nil), nil))); !errors.Is(err, ErrFrozen) {
		t.Error(err)
	}
	if _, err := OpenModel(filepath.Join(t.TempDir(), "none.nb")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Whatever is wrong with a file, opening it and predicting ends, without a panic;
// and reading all of it finds out.
func FuzzFrozen(f *testing.F) {
	data := frozenFile(f, mail(f, Bernoulli{}), nil)
	f.Add(0, byte(1), len(data))
	f.Add(len(data)-9, byte(255), len(data))
	f.Add(len(data)/2, byte(3), len(data)/2)
	small, dense := frozenFile(f, mail(f, nil), &FreezeOptions{Bits: 8}), frozenFile(f, pairs(f, nil), nil)
	corrected := frozenFile(f, correctedMail(f), nil)
	f.Add(bytes.Index(corrected, []byte("CORR"))+20, byte(1), len(corrected))
	f.Add(bytes.Index(corrected, []byte("SCAL"))+15, byte(255), len(corrected))
	f.Fuzz(func(t *testing.T, at int, flip byte, size int) {
		for _, whole := range [][]byte{data, small, dense, corrected} {
			b := bytes.Clone(whole)
			if at >= 0 && at < len(b) {
				b[at] ^= flip
			}
			if size >= 0 && size < len(b) {
				b = b[:size]
			}
			if !bytes.Equal(b, whole) {
				if _, err := LoadModel(bytes.NewReader(b)); err == nil {
					t.Fatalf("damage at %d was not noticed", at)
				}
			}
			name := filepath.Join(t.TempDir(), "m.nb")
			if err := os.WriteFile(name, b, 0o644); err != nil {
				t.Fatal(err)
			}
			m, err := OpenModel(name)
			if err != nil {
				continue
			}
			for _, text := range []string{"", "w1 v4 common u7", "zebra"} {
				m.Predict(Document{Text: text})
				m.Explain(Document{Text: text})
				m.Derive(Document{Text: text})
			}
			m.TopTerms("ham", 3)
			m.Parameters()
			m.Term("common")
		}
	})
}

// million returns Counts of a million terms and twenty classes, and their Model.
func million(b *testing.B) (*Counts, *Model) {
	c := NewCounts(nil)
	for i := range 20000 {
		var s strings.Builder
		for k := range 50 {
			fmt.Fprintf(&s, "t%d ", i*50+k)
		}
		c.Learn(Example{Label: fmt.Sprint("class", i%20), Text: s.String()})
	}
	m, err := Fit(c, nil)
	if err != nil {
		b.Fatal(err)
	}
	return c, m
}

// benchmarkOpen opens a model and predicts once.
func benchmarkOpen(b *testing.B, m *Model, file []byte) {
	name := filepath.Join(b.TempDir(), "m.nb")
	if err := os.WriteFile(name, file, 0o644); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(m.Len()), "terms")
	for b.Loop() {
		m, err := OpenModel(name)
		if err != nil {
			b.Fatal(err)
		}
		if m.Predict(Document{Text: "t17 t423412 t999999"}).Known != 3 {
			b.Fatal("terms are missing")
		}
	}
}

// BenchmarkOpen opens a frozen model.
func BenchmarkOpen(b *testing.B) {
	_, m := million(b)
	benchmarkOpen(b, m, frozenFile(b, m, nil))
}

// BenchmarkOpenCounts opens the same model from its counts.
func BenchmarkOpenCounts(b *testing.B) {
	c, m := million(b)
	var file bytes.Buffer
	if err := Save(&file, c, Multinomial{}); err != nil {
		b.Fatal(err)
	}
	benchmarkOpen(b, m, file.Bytes())
}

func ExampleModel_Freeze() {
	c := NewCounts(nil)
	c.Learn(Example{Label: "spam", Text: "win a free prize"})
	c.Learn(Example{Label: "ham", Text: "see you at lunch"})
	m, err := Fit(c, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := m.Freeze(&file, &FreezeOptions{Bits: 8}); err != nil {
		fmt.Println(err)
		return
	}
	frozen, err := LoadModel(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frozen.Predict(Document{Text: "free lunch prize"}).Best().Class, frozen.Frozen())
	// Output: spam true
}

package bayes_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/wire"

	"pgregory.net/rapid"
)

func load(t rapid.TB, file []byte) (*bayes.Counts, bayes.EventModel) {
	t.Helper()
	c, em, err := bayes.Load(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c, em
}

// A correctedPart is a block of a crafted correction.
type correctedPart struct {
	kind    string // and the name behind it
	n       uint64
	names   []byte // or cuts
	weights []float32
}

// craftCorrection returns the payload of a correction.
func craftCorrection(examples uint64, trust float64, labels []string, bias []float64, blocks ...correctedPart) []byte {
	b := wire.AppendUvarint(nil, examples)
	b = append(b, anyNumber(trust)...)
	b = wire.AppendUvarint(b, uint64(len(labels)))
	for _, label := range labels {
		b = append(wire.AppendUvarint(b, uint64(len(label))), label...)
	}
	for _, v := range bias {
		b = append(b, anyNumber(v)...)
	}
	for _, p := range blocks {
		b = append(b, p.kind[:1]...)
		b = append(wire.AppendUvarint(b, uint64(len(p.kind)-1)), p.kind[1:]...)
		b = append(wire.AppendUvarint(b, p.n), p.names...)
		for _, w := range p.weights {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
		}
	}
	return b
}

// anyNumber returns v as a file has it, finite or not.
func anyNumber(v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return binary.LittleEndian.AppendUint64([]byte{1}, math.Float64bits(v))
	}
	return wire.AppendNumber(nil, v)
}

func numbers(vs ...float64) (b []byte) {
	for _, v := range vs {
		b = append(b, anyNumber(v)...)
	}
	return b
}

// correctionEvent is the event model of a file with a correction.
func correctionEvent(payload []byte) string {
	sum := sha256.Sum256(payload)
	return fmt.Sprintf("corrected correction=%x model=(mixed)", sum[:8])
}

// craftCorrected returns a file of two classes with these corrections.
func craftCorrected(event string, corrections ...[]byte) []byte {
	sections := []section{{"CLAS", append(oneClass("ham", 2, 2), oneClass("spam", 2, 2)...)}, {"TERM", []byte("\x00\x01x")}, {"MOME", []byte{1, 0, 8}}}
	for _, c := range corrections {
		sections = append(sections, section{"CORR", c})
	}
	return craft("model", event, 2, 1, 4, sections...)
}

// What is wrong with a correction is a FormatError that says where, in one line.
func TestMalformedCorrections(t *testing.T) {
	two, nan, inf := []string{"ham", "spam"}, math.NaN(), math.Inf(1)
	term := correctedPart{"t", 1, []byte("\x00\x01x"), []float32{0.5}}
	size := correctedPart{"nsize", 3, numbers(-1, 2.5), []float32{1, 2, 3}}
	for _, tt := range []struct {
		what, want string
		payload    []byte
	}{
		{"sound", "", craftCorrection(4, 0.25, two, []float64{-0.5}, term)},
		{"sound, of numbers", "", craftCorrection(4, 0.25, two, []float64{-0.5}, term, size, correctedPart{"cfrom", 1, []byte("\x00\x03bob"), []float32{1}})},
		{"enormous", "", craftCorrection(4, 100, []string{"ham", "other", "spam"}, []float64{1e308, -1e308, 1e308}, correctedPart{"t", 1, []byte("\x00\x04free"), []float32{-math.MaxFloat32, 1, math.MaxFloat32}})},
		{"without a block", "", craftCorrection(4, 0.25, two, []float64{-0.5})},
		{"of other classes", "", craftCorrection(4, 0.25, []string{"a", "b", "ham"}, []float64{-0.5, 1, 2})},
		{"of an interval without cuts", "", craftCorrection(4, 0.25, two, []float64{1}, correctedPart{"nsize", 1, nil, []float32{1}})},
		{"of a block that the counts lack", "", craftCorrection(4, 1, two, []float64{1}, correctedPart{"ttitle", 1, []byte("\x00\x01x"), []float32{1}})},
		{"empty", "section CORR", nil},
		{"too many examples", "no valid number of examples or trust", craftCorrection(1<<63, 0.25, two, []float64{1}, term)},
		{"negative trust", "no valid number of examples or trust", craftCorrection(4, -1, two, []float64{1}, term)},
		{"trust that is no number", "not a finite number", craftCorrection(4, nan, two, []float64{1}, term)},
		{"infinite trust", "not a finite number", craftCorrection(4, inf, two, []float64{1}, term)},
		{"huge trust", "no valid number of examples or trust", craftCorrection(4, 1e308, two, []float64{1}, term)},
		{"one class", "1 classes", craftCorrection(4, 0, []string{"ham"}, []float64{1}, term)},
		{"no class", "0 classes", craftCorrection(4, 0, nil, nil)},
		{"labels that do not rise", "labels do not rise", craftCorrection(4, 0, []string{"spam", "ham"}, []float64{1}, term)},
		{"labels that are equal", "labels do not rise", craftCorrection(4, 0, []string{"ham", "ham"}, []float64{1}, term)},
		{"more labels than bytes", "section CORR", []byte{4, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 'a'}},
		{"a bias that is no number", "not a finite number", craftCorrection(4, 0, two, []float64{nan}, term)},
		{"no bias", "section CORR", craftCorrection(4, 0, two, nil)},
		{"a bias too few", "section CORR", craftCorrection(4, 0, []string{"a", "b", "c"}, []float64{1, 2})},
		{"a weight that is no number", "a correction is no finite number", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", 1, []byte("\x00\x01x"), []float32{float32(nan)}})},
		{"an infinite weight", "a correction is no finite number", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", 1, []byte("\x00\x01x"), []float32{float32(inf)}})},
		{"a weight cut short", "section CORR", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", 1, []byte("\x00\x02xy"), nil})},
		{"weights for fewer classes", "section CORR", craftCorrection(4, 0, []string{"a", "b", "c"}, []float64{1, 2, 3}, term)},
		{"names that do not rise", "names do not rise", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", 2, []byte("\x00\x01y\x00\x01x"), []float32{1, 2}})},
		{"names that are equal", "names do not rise", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", 2, []byte("\x00\x01x\x01\x00"), []float32{1, 2}})},
		{"absurdly many features", "features in", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", math.MaxUint64, []byte("\x00\x01x"), []float32{1}})},
		{"features by the terabyte", "features in", craftCorrection(4, 0, two, []float64{1}, correctedPart{"t", 1 << 40, []byte("\x00\x01x"), []float32{1}})},
		{"intervals by the terabyte", "features in", craftCorrection(4, 0, two, []float64{1}, correctedPart{"nsize", 1 << 40, numbers(1), []float32{1}})},
		{"cuts that do not rise", "cuts do not rise", craftCorrection(4, 0, two, []float64{1}, correctedPart{"nsize", 3, numbers(2, 1), []float32{1, 2, 3}})},
		{"cuts that are equal", "cuts do not rise", craftCorrection(4, 0, two, []float64{1}, correctedPart{"nsize", 3, numbers(2, 2), []float32{1, 2, 3}})},
		{"a cut that is no number", "not a finite number", craftCorrection(4, 0, two, []float64{1}, correctedPart{"nsize", 2, numbers(nan), []float32{1, 2}})},
		{"no interval", "a number without an interval", craftCorrection(4, 0, two, []float64{1}, correctedPart{"nsize", 0, nil, nil})},
		{"an unknown kind", "unknown kind of block", craftCorrection(4, 0, two, []float64{1}, correctedPart{"x", 0, nil, nil})},
		{"a histogram", "unknown kind of block", craftCorrection(4, 0, two, []float64{1}, correctedPart{"h", 0, nil, nil})},
		{"blocks that do not rise", "blocks do not rise", craftCorrection(4, 0, two, []float64{1}, size, term)},
		{"a block twice", "blocks do not rise", craftCorrection(4, 0, two, []float64{1}, term, term)},
		{"bytes left over", "section CORR", append(craftCorrection(4, 0, two, []float64{1}, term), 't')},
	} {
		file := craftCorrected(correctionEvent(tt.payload), tt.payload)
		var err error
		if used := allocated(func() { _, _, err = bayes.Load(bytes.NewReader(file)) }); used > int64(loadBound*len(file)+1<<20) {
			t.Errorf("%s: %d bytes allocated for a file of %d", tt.what, used, len(file))
		}
		if tt.want != "" {
			wantFormatError(t, tt.what, file)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "section CORR") {
				t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
			}
			continue
		}
		c, em, err := bayes.Load(bytes.NewReader(file))
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		again, back := load(t, saveAs(t, c, em))
		if !bytes.Equal(saveAs(t, again, back), saveAs(t, c, em)) || !bytes.Contains(saveAs(t, c, em), tt.payload) {
			t.Errorf("%s: it is written as something else", tt.what)
		}
		checkPredictions(t, fit(t, c, em))
	}
}

// A correction stands once, where the event model names it, and is that one.
func TestMisplacedCorrections(t *testing.T) {
	sound := craftCorrection(4, 0.25, []string{"ham", "spam"}, []float64{-0.5}, correctedPart{"t", 1, []byte("\x00\x01x"), []float32{0.5}})
	other := craftCorrection(5, 0.25, []string{"ham", "spam"}, []float64{-0.5}, correctedPart{"t", 1, []byte("\x00\x01x"), []float32{0.5}})
	event := correctionEvent(sound)
	for what, tt := range map[string]struct {
		file []byte
		want string
	}{
		"missing":                {craftCorrected(event), "section END., byte "},
		"twice":                  {craftCorrected(event, sound, sound), "where section END. is due"},
		"another":                {craftCorrected(event, other), "another correction than"},
		"not named":              {craftCorrected("mixed", sound), "where section END. is due"},
		"not named, though due":  {craftCorrected("corrected model=(mixed)", sound), "where section END. is due"},
		"a hash that is none":    {craftCorrected("corrected correction=xyz model=(mixed)", sound), "want 16 hexadecimal digits"},
		"a hash that is shorter": {craftCorrected(strings.Replace(event, "correction=", "correction=0", 1), sound), "want 16 hexadecimal digits"},
		"within counts":          {bytes.Replace(craftCorrected(event, sound), []byte("bayes model"), []byte("bayes counts"), 1), "checksum"},
	} {
		wantFormatError(t, what, tt.file)
		if _, _, err := bayes.Load(bytes.NewReader(tt.file)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", what, err, tt.want)
		}
	}
	// An event model that was parsed has no more than the hash.
	em, err := bayes.ParseEventModel(event)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := bayes.ParseEventModel(em.String()); err != nil || back.String() != em.String() || !strings.Contains(em.String(), " correction=") {
		t.Errorf("%v is read as %v, %v", em, back, err)
	}
	c, _ := load(t, craftCorrected("mixed"))
	if _, err := bayes.Fit(c, em); err == nil || !strings.Contains(err.Error(), "is not here: it is part of the model's file") {
		t.Errorf("fitted without its numbers: %v", err)
	}
	var b bytes.Buffer
	if err := bayes.Save(&b, c, bayes.Calibrated{Model: em}); err == nil || b.Len() > 0 || !strings.Contains(err.Error(), "is not here") {
		t.Errorf("%d bytes are saved without its numbers: %v", b.Len(), err)
	}
}

// A damaged file is refused, wherever the damage is.
func TestDamagedCorrectedFile(t *testing.T) {
	counts, em := correct(t, nil, []bayes.Example{{Label: "ham", Text: "see you"}, {Label: "spam", Text: "win"}, {Label: "other", Text: "정말"}}, bayes.Corrected{Trust: 1})
	whole := saveAs(t, counts, em)
	load(t, whole)
	for n := range whole {
		wantFormatError(t, "cut short", whole[:n])
		flipped := bytes.Clone(whole)
		flipped[n] ^= 1 << (n % 8)
		wantFormatError(t, "a flipped bit", flipped)
	}
}

// Names that begin as the name before them do not make a reader allocate far more than it reads, nor
// do they keep a correction that was learned from being saved.
func TestGrowingNamesOfCorrection(t *testing.T) {
	const n = 20_000 // of 200 MB together
	payload := craftCorrection(4, 0, []string{"ham", "spam"}, []float64{1}, correctedPart{"t", n, growing(n), make([]float32, n)})
	file := craftCorrected(correctionEvent(payload), payload)
	var (
		err    error
		format *bayes.FormatError
	)
	used := allocated(func() { _, _, err = bayes.Load(bytes.NewReader(file)) })
	if !errors.As(err, &format) || format.Section != "CORR" || !strings.Contains(err.Error(), "names of more than 16 times the size of the file") {
		t.Error(err)
	}
	if most := int64(100*len(file) + 8<<20); used > most {
		t.Errorf("%d bytes allocated for a file of %d, want at most %d", used, len(file), most)
	}
	space, err := bayes.ParseSpace("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	var list []bayes.Example
	long := strings.Repeat("x", 50_000)
	for i := range 60 {
		list = append(list, bayes.Example{Label: fmt.Sprint("class", i%2), Text: fmt.Sprintf("%s%03d other%d", long, i, i)})
	}
	counts, em := correct(t, space, list, bayes.Corrected{})
	once := saveAs(t, counts, em)
	again, back := load(t, once)
	if !bytes.Equal(saveAs(t, again, back), once) {
		t.Error("long names are saved again as other bytes")
	}
	// What is unlearned leaves the correction's names, which still have to be read.
	for _, ex := range list[2:] {
		again.Unlearn(ex)
	}
	load(t, saveAs(t, again, back))
}

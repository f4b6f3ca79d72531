package modelfile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bayes/internal/modelfile"
	"bayes/internal/wire"
)

// A header is read as it was written, and not at all once a byte of it is another.
func TestHeader(t *testing.T) {
	want := modelfile.Header{Kind: modelfile.Model, Space: "default ngrams=1-2", Event: "multinomial smoothing=1", Classes: 2, Features: 30, Examples: 400}
	b := want.Append(nil)
	want.Size = len(b)
	if got, err := modelfile.ParseHeader(append(slices.Clone(b), "more"...)); err != nil || *got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range b {
		bad := slices.Clone(b)
		bad[i] ^= 1
		var e *modelfile.Error
		if got, err := modelfile.ParseHeader(bad); !errors.As(err, &e) || e.Section != "header" {
			t.Errorf("byte %d is %q: %+v, %v", i, bad[i], got, err)
		}
	}
}

// Sections that begin with a small letter are passed over, others are due in order.
func TestReader(t *testing.T) {
	section := func(b []byte, tag, payload string) []byte {
		return wire.AppendSection(b, tag, func(b []byte) []byte { return append(b, payload...) })
	}
	file := section(modelfile.AppendOrigin(section(section(nil, "note", "?"), modelfile.Classes, "two"), "default 1", `{"label":"v1"}`), modelfile.End, "")
	r := modelfile.Reader{Decoder: wire.NewDecoder(file, 0)}
	if err := r.Next(); err != nil {
		t.Fatal(err)
	}
	var payload string
	if err := r.Step(modelfile.Classes, func() { payload = string(r.Payload.Rest()) }); err != nil || payload != "two" {
		t.Fatalf("%q, %v", payload, err)
	}
	if err := r.Expect(modelfile.Terms, func() {}); err == nil || !strings.Contains(err.Error(), "section END., ") {
		t.Errorf("%v", err)
	}
	if err := r.End(); err != nil || r.AnalyzerVersion != "default 1" || r.Columns != `{"label":"v1"}` {
		t.Errorf("%q, %q, %v", r.AnalyzerVersion, r.Columns, err)
	}
	for _, bad := range []string{"", "{", "{}", `{"label":"v1"}`} {
		r := modelfile.Reader{Decoder: wire.NewDecoder(section(section(nil, modelfile.Columns, "{}"), modelfile.Columns, bad), 0)}
		var e *modelfile.Error
		if err := r.Next(); !errors.As(err, &e) || e.Section != modelfile.Columns {
			t.Errorf("columns %q, twice, are read: %v", bad, err)
		}
		r = modelfile.Reader{Decoder: wire.NewDecoder(section(section(nil, modelfile.Columns, bad), modelfile.End, ""), 0)}
		if err := r.Next(); (err == nil) != (len(bad) > 1) {
			t.Errorf("columns %q: %v", bad, err)
		}
	}
	if got := modelfile.SectionName("\x1b[2J"); got != "unknown" {
		t.Errorf("a terminal would get %q", got)
	}
}

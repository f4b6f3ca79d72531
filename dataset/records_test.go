package dataset_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"bayes/dataset"
	"bayes/internal/testdata"

	"pgregory.net/rapid"
)

// A row is a Record that stays valid.
type row struct {
	line   int
	fields []string
	raw    string
	err    string
}

func rows(r io.Reader) (list []row) {
	for rec, err := range dataset.Records(r, "f", ',') {
		out := row{line: rec.Line, raw: string(rec.Raw)}
		for _, f := range rec.Fields {
			out.fields = append(out.fields, string(f))
		}
		if err != nil {
			out.err = err.Error()
		}
		list = append(list, out)
	}
	return list
}

func TestRecords(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []row
	}{
		{"empty", "", nil},
		{"one", "a,b\n", []row{{1, []string{"a", "b"}, "a,b\n", ""}}},
		{"no line end", "a,b", []row{{1, []string{"a", "b"}, "a,b", ""}}},
		{"empty fields", ",,\n", []row{{1, []string{"", "", ""}, ",,\n", ""}}},
		{"empty last field", "a,", []row{{1, []string{"a", ""}, "a,", ""}}},
		{"CRLF", "a,b\r\nc,\r\n", []row{{1, []string{"a", "b"}, "a,b\r\n", ""}, {2, []string{"c", ""}, "c,\r\n", ""}}},
		{"CR at the end", "a,\"b\"\r", []row{{1, []string{"a", "b"}, "a,\"b\"\r", ""}}},
		{"CR within", "a\rb,\"c\rd\"\n", []row{{1, []string{"a\rb", "c\rd"}, "a\rb,\"c\rd\"\n", ""}}},
		{"byte order mark", "\ufeffa\n", []row{{1, []string{"a"}, "a\n", ""}}},
		{"blank lines", "\n\r\na\n\n\nb\n\r", []row{{3, []string{"a"}, "a\n", ""}, {6, []string{"b"}, "b\n", ""}}},
		{"quoted", `"a,b","",c` + "\n", []row{{1, []string{"a,b", "", "c"}, `"a,b","",c` + "\n", ""}}},
		{"quotes in quotes", `"a ""b"" c",""""` + "\n", []row{{1, []string{`a "b" c`, `"`}, `"a ""b"" c",""""` + "\n", ""}}},
		{"lines in quotes", "\"a\nb\r\nc\",d\ne\n", []row{
			{1, []string{"a\nb\r\nc", "d"}, "\"a\nb\r\nc\",d\n", ""}, {4, []string{"e"}, "e\n", ""}}},
		{"bare quote", "a\"b\",c\n", []row{{1, []string{`a"b"`, "c"}, "a\"b\",c\n", ""}}},
		{"NUL", "a\x00b,c\n", []row{{1, []string{"a\x00b", "c"}, "a\x00b,c\n", ""}}},
		{"text after a quote", "a\n\"x\ny\"z,b\nc\n", []row{
			{1, []string{"a"}, "a\n", ""},
			{2, []string{"\"x\ny\"z", "b"}, "\"x\ny\"z,b\n", "f:3: text after a closing quote"},
			{4, []string{"c"}, "c\n", ""}}},
		{"unclosed", "a,b\n\"c\nd\",\"e\nf\n", []row{
			{1, []string{"a", "b"}, "a,b\n", ""},
			{err: "f:3: the quote that opens here is never closed"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rows(strings.NewReader(tt.in)); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
			if got := rows(iotest.OneByteReader(strings.NewReader(tt.in))); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("byte by byte\n got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A stream that fails gives its whole records, then its error.
func TestRecordsReadError(t *testing.T) {
	boom := errors.New("boom")
	for in, want := range map[string]string{"a\nb": "f:2: boom", "a\n\"b\nc": "f:2: boom", "a\nb\n": "f:3: boom", "a\n\n\n": "f:4: boom"} {
		got := rows(io.MultiReader(strings.NewReader(in), iotest.ErrReader(boom)))
		if last := got[len(got)-1]; got[0].raw != "a\n" || last.err != want {
			t.Errorf("%q: got %+v, want last %q", in, got, want)
		}
	}
}

func TestRecordsBadComma(t *testing.T) {
	for _, err := range dataset.Records(strings.NewReader("a"), "f", '"') {
		if err == nil || err.Error() != `f: '"' cannot be a comma` {
			t.Errorf("got %v", err)
		}
	}
}

// standard reads in as encoding/csv does.
func standard(in []byte) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(in))
	r.FieldsPerRecord = -1
	return r.ReadAll()
}

// checkStandard fails if our records are not those of encoding/csv, which makes
// CRLF in a field LF.
func checkStandard(t testing.TB, in []byte, want [][]string) {
	t.Helper()
	i := 0
	for rec, err := range dataset.Records(bytes.NewReader(in), "f", ',') {
		if err != nil || i == len(want) {
			t.Fatalf("record %d of %d: error %v", i, len(want), err)
		}
		if len(rec.Fields) != len(want[i]) {
			t.Fatalf("line %d: got %q, want %q", rec.Line, rec.Fields, want[i])
		}
		for j, f := range rec.Fields {
			if got := strings.ReplaceAll(string(f), "\r\n", "\n"); got != want[i][j] {
				t.Fatalf("line %d: got %q, want %q", rec.Line, got, want[i][j])
			}
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("got %d records, want %d", i, len(want))
	}
}

// Records of well-formed tables are those of encoding/csv.
func TestRecordsAsStandard(t *testing.T) {
	field := rapid.StringMatching(`[a-c",\n\r 가é]{0,12}`)
	rapid.Check(t, func(rt *rapid.T) {
		table := rapid.SliceOf(rapid.SliceOfN(field, 1, 5)).Draw(rt, "table")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.UseCRLF = rapid.Bool().Draw(rt, "crlf")
		w.WriteAll(table)
		want, err := standard(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		checkStandard(t, b.Bytes(), want)
	})
}

// Records of every table among the corpora are those of encoding/csv.
func TestRecordsOfCorpora(t *testing.T) {
	for _, name := range tables(t) {
		t.Run(name, func(t *testing.T) {
			in := testdata.Read(t, name)
			want, err := standard(in)
			if err != nil {
				t.Fatal(err)
			}
			checkStandard(t, in, want)
			checkRaw(t, in)
		})
	}
}

// checkRaw fails unless the Raw of the records of in make up in, except byte
// order mark and blank lines, and their Lines are right.
func checkRaw(t testing.TB, in []byte) {
	t.Helper()
	rest := bytes.TrimPrefix(in, []byte("\ufeff"))
	line := 1
	skipBlank := func() {
		for {
			blank := blankLine(rest)
			if blank == "" {
				return
			}
			rest = rest[len(blank):]
			line++
		}
	}
	for rec, err := range dataset.Records(bytes.NewReader(in), "f", ',') {
		var bad *dataset.SyntaxError
		if err != nil && !errors.As(err, &bad) {
			return
		}
		skipBlank()
		if rec.Line != line || !bytes.HasPrefix(rest, rec.Raw) {
			t.Fatalf("record %q of line %d where line %d, %.40q, is next", rec.Raw, rec.Line, line, rest)
		}
		rest = rest[len(rec.Raw):]
		line += bytes.Count(rec.Raw, []byte("\n"))
	}
	if skipBlank(); len(rest) > 0 {
		t.Fatalf("%.40q is in no record", rest)
	}
}

// blankLine returns the blank line at the start of b, or "".
func blankLine(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\n")):
		return "\n"
	case bytes.HasPrefix(b, []byte("\r\n")):
		return "\r\n"
	case len(b) == 1 && b[0] == '\r':
		return "\r"
	}
	return ""
}

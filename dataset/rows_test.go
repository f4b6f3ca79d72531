package dataset_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes/dataset"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func zstdOf(s string) string {
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func openOne(t *testing.T, name string, opts *dataset.Options) *dataset.Source {
	t.Helper()
	s, err := dataset.Open([]string{name}, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Formats(); err != nil {
		t.Fatal(err)
	}
	return s
}

// A copy has the chosen records, byte for byte, and is what the file is.
func TestCopy(t *testing.T) {
	for _, tt := range []struct {
		name, content, want string
		labels              string
	}{
		{"a.csv", "label,text\nham,x\n\nspam,\"y\nz\"\r\nham,w", "label,text\nham,x\nham,w\n", "ham spam ham"},
		{"b.csv", "text;label\nx;ham\n\"y;y\";spam\nz;eggs\n", "text;label\nx;ham\nz;eggs\n", "ham spam eggs"},
		{"c.tsv", "label\ttext\na\tx\nb\ty\nc\tz\n", "label\ttext\na\tx\nc\tz\n", "a b c"},
		{"latin.csv", "label,text\n\xe9,\x81\nb,\xff\nc,\x81\n", "label,text\n\xe9,\x81\nc,\x81\n", "\xe9 b c"},
		{"returns.csv", "label,text\r\na,x\r\nb,y\r\nc,z", "label,text\r\na,x\r\nc,z\r\n", "a b c"},
		{"mark.csv", "\ufefflabel,text\na,x\nb,y\nc,z\n", "\ufefflabel,text\na,x\nc,z\n", "a b c"},
		{"mark.txt", "\ufeff__label__a x\n__label__b y\n", "\ufeff__label__a x\n", "a b"},
		{"d.jsonl", "{\"label\": \"a\"}\n\n{\"label\": \"b\", \"x\": 1}\n{\"label\":\"c\"}", "{\"label\": \"a\"}\n{\"label\":\"c\"}\n", "a b c"},
		{"e", "__label__a x\n__label__b y\n__label__c z\n", "__label__a x\n__label__c z\n", "a b c"},
		{"f.svm", "# numbers\n1 1:1\n2 2:1 # b\n3 3:1\n", "1 1:1\n3 3:1\n", "1 2 3"},
	} {
		for suffix, compress := range map[string]func(string) string{"": strings.Clone, ".gz": gzipped, ".zst": zstdOf} {
			name := tt.name + suffix
			write(t, map[string]string{name: compress(tt.content)})
			s := openOne(t, name, nil)
			var labels []string
			for r, err := range s.Rows() {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !r.Header {
					labels = append(labels, r.Label)
				}
			}
			if got := strings.Join(labels, " "); got != tt.labels {
				t.Errorf("%s: labels %s", name, got)
			}
			var b bytes.Buffer
			if err := s.Copy(&b, func(i int) bool { return i != 1 }); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if suffix != "" && b.Bytes()[0] != compress("")[0] {
				t.Errorf("%s is not compressed: %q", name, b.String())
			}
			r, err := dataset.Decompress(&b)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); string(got) != tt.want || err != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}

func TestCopyParquet(t *testing.T) {
	type row struct {
		Label string   `parquet:"label,dict,zstd"`
		Text  string   `parquet:"text,snappy"`
		Age   *float64 `parquet:"age,optional"`
		Tags  []string `parquet:"tags,list"`
	}
	var in bytes.Buffer
	w := parquet.NewGenericWriter[row](&in, parquet.KeyValueMetadata("pandas", "{}"))
	age := 7.5
	var rows []row
	for i := range 200 {
		r := row{Label: string(rune('a' + i%3)), Text: fmt.Sprint("text ", i)}
		if i%2 == 0 {
			r.Age, r.Tags = &age, []string{"x", fmt.Sprint(i)}
		}
		rows = append(rows, r)
	}
	w.Write(rows)
	w.Close()
	write(t, map[string]string{"a.parquet": in.String()})
	s := openOne(t, "a.parquet", nil)
	i := 0
	for r, err := range s.Rows() {
		if err != nil || r.Label != rows[i].Label {
			t.Fatalf("row %d: %+v, %v", i, r, err)
		}
		i++
	}
	out, err := os.Create("b.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Copy(out, func(i int) bool { return i%5 == 0 }); err != nil {
		t.Fatal(err)
	}
	out.Close()
	got, err := parquet.ReadFile[row]("b.parquet")
	if err != nil || len(got) != 40 {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, r := range got {
		if fmt.Sprint(r.Label, r.Text, r.Tags, r.Age == nil) != fmt.Sprint(rows[5*i].Label, rows[5*i].Text, rows[5*i].Tags, rows[5*i].Age == nil) {
			t.Errorf("row %d: %+v, want %+v", i, r, rows[5*i])
		}
	}
	info, _ := os.Stat("b.parquet")
	file, _ := os.Open("b.parquet")
	defer file.Close()
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := f.Lookup("pandas"); !ok || v != "{}" {
		t.Errorf("metadata %q", v)
	}
	if c := f.Root().Column("label").Compression().String(); c != "ZSTD" {
		t.Errorf("compressed by %s", c)
	}
}

// What stands between cells is found in the header, unless somebody says it.
func TestDelimiter(t *testing.T) {
	numbered := &dataset.Options{NoHeader: true, Label: "#1", Text: []string{"#2"}}
	for _, tt := range []struct {
		name, content string
		opts          *dataset.Options
		text          string
	}{
		{"a.csv", "label,text\na,x;y\n", nil, "x;y"},
		{"a.csv", "label;text\na;x, y\n", nil, "x, y"},
		{"a.csv", "\ufefflabel;text\r\na;\"x;y\"\r\n", nil, "x;y"},
		{"a.csv", "\n\"label\";\"text, or, message\";text\na;b;x, y\n", nil, "x, y"},
		{"a.csv", "label\ttext\na\tx, y\n", nil, "x, y"},
		{"a", "label;text\na;x, y\n", nil, "x, y"},
		{"a", "text;label\nx, y;a\n", unlabelled, "x, y"},
		{"a.tsv", "label\ttext;;;;\ttext\na\tb\tx, y\n", nil, "x, y"},
		{"a.csv", "a,x; y; z\n", numbered, "x; y; z"},
		{"a.csv", "a;x y\n", numbered, "x y"},
		{"a.csv", "label|text\na|x, y; z\n", &dataset.Options{Delimiter: '|'}, "x, y; z"},
		{"a", "label|text\na|x, y; z\n", &dataset.Options{Delimiter: '|'}, "x, y; z"},
		{"a.csv", "label,text;\"label\";text\na,b;c;d\n", &dataset.Options{Delimiter: ';', Label: "#2", Text: []string{"#3"}}, "d"},
	} {
		write(t, map[string]string{tt.name: tt.content})
		got, errs := drain(t, openOne(t, tt.name, tt.opts).Examples())
		if len(errs) > 0 || len(got) != 1 || got[0].Text != tt.text {
			t.Errorf("%q: %+v, %q; want %q", tt.content, got, errs, tt.text)
		}
		format := "csv"
		if strings.HasSuffix(tt.name, ".tsv") {
			format = "tsv"
		}
		c, err := dataset.Delimiter(strings.NewReader(tt.content), format, tt.opts)
		for r := range openOne(t, tt.name, tt.opts).Rows() {
			if r.Delimiter != c || err != nil {
				t.Errorf("%q: delimiter %q, %v; of rows %q", tt.content, c, err, r.Delimiter)
			}
		}
	}
	for _, c := range []byte{'"', '\n', '\r', 0xe9} {
		if _, err := dataset.Open([]string{"a.csv"}, nil, &dataset.Options{Delimiter: c}); err == nil {
			t.Errorf("%q is taken", c)
		}
	}
}

// In ISO-2022-JP the bytes of quotes and commas are parts of characters: such rows are cut as text,
// and are in UTF-8. Those of other encodings are copied as they are.
func TestRowsOfEncodings(t *testing.T) {
	const table = "label,text\n日本,\"があ、いろは\"\n米国,がが\n"
	for _, tt := range []struct {
		name   string
		enc    encoding.Encoding
		copied bool
	}{
		{"iso-2022-jp", japanese.ISO2022JP, false},
		{"csISO2022JP", japanese.ISO2022JP, false},
		{"shift_jis", japanese.ShiftJIS, true},
		{"euc-jp", japanese.EUCJP, true},
		{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), false},
		{"unicode", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), false},
	} {
		data, err := tt.enc.NewEncoder().String(table)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		want := table
		if tt.copied {
			want = data
		}
		var got strings.Builder
		for row, err := range openOne(t, name, &dataset.Options{Encoding: tt.name}).Rows() {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			got.Write(row.Raw)
		}
		if got.String() != want {
			t.Errorf("%s: %q, not %q", tt.name, got.String(), want)
		}
	}
}

package dataset_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"

	"github.com/klauspost/compress/zstd"
)

// write writes files below a temporary folder, goes there, and returns.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func zstdded(t *testing.T, s string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(s), nil))
}

const table = "label,text\na,x\n"

// The format goes by the name, then by the content.
func TestFormats(t *testing.T) {
	files := map[string]string{
		"1.csv": table, "2.TSV": "label\ttext\na\tx\n", "3.jsonl": `{"label":"a","text":"x"}`, "4.json": `{"label":"a","text":"x"}`,
		"5.svm": "a 1:1\n", "6.txt": "__label__a x\n", "7/a/1": "x", "8.csv.gz": gzipped(table), "9.csv.zst": zstdded(t, table),
		"c": table, "j": "\n" + `{"label":"a","text":"x"}`, "f": "__label__a x\n", "s": "# one\n1 qid:3 1:1\n", "t": "label\ttext\na\tx\n",
		"z": gzipped("__label__a x\n"), "u": utf16(table, "\xff\xfe", 0),
	}
	want := map[string]string{
		"1.csv": "csv", "2.TSV": "tsv", "3.jsonl": "jsonl", "4.json": "jsonl", "5.svm": "svmlight", "6.txt": "fasttext", "7": "dir",
		"8.csv.gz": "csv", "9.csv.zst": "csv",
		"c": "csv", "j": "jsonl", "f": "fasttext", "s": "svmlight", "t": "tsv", "z": "fasttext", "u": "csv",
	}
	write(t, files)
	for name, format := range want {
		s := open(t, nil, name)
		formats, err := s.Formats()
		if err != nil || !reflect.DeepEqual(formats, []string{format}) {
			t.Errorf("%s: format %q, error %v, want %s", name, formats, err, format)
		}
		if got, errs := drain(t, s.Examples()); len(got) != 1 || len(errs) > 0 {
			t.Errorf("%s: got %+v, errors %q", name, got, errs)
		}
	}
}

// What is to be predicted may look like a table without being one.
func TestFormatUnlabelled(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "text",
		"hello, world\n":       "text",
		"a\tb\n":               "text",
		"id,text\n1,x\n":       "csv",
		"id\t\"text\"\n1\tx\n": "tsv",
		"1:2 3:4\n":            "svmlight",
		"at 10:30\n":           "text",
		"\n\nhello\n":          "text",
	} {
		s, err := dataset.Open([]string{"-"}, strings.NewReader(in), unlabelled)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Formats(); err != nil || got[0] != want {
			t.Errorf("%q: format %q, error %v, want %s", in, got, err, want)
		}
		if _, errs := drain(t, s.Examples()); len(errs) > 0 {
			t.Errorf("%q: %q", in, errs)
		}
	}
}

func open(t *testing.T, opts *dataset.Options, names ...string) *dataset.Source {
	t.Helper()
	s, err := dataset.Open(names, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Files follow one another, twice if wanted; standard input cannot.
func TestSource(t *testing.T) {
	write(t, map[string]string{"1.csv": table, "2.csv": "label,text\na,\xa3\nb\n", "3.svm": "a 9:1 4:1\n", "d/a/1": "y"})
	s := open(t, nil, "1.csv", "2.csv", "3.svm", "d")
	want := append(texts("a", "x", "£"), bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Term("9", 1), bayes.Term("4", 1)}}, bayes.Example{Label: "a", Text: "y"})
	for range 2 {
		got, errs := drain(t, s.Examples())
		equal(t, got, want)
		equal(t, errs, []string{"2.csv:3: 1 field where the header has 2"})
		equal(t, s.Latin1Records(), 1)
		equal(t, s.LargestIndex(), 9)
		equal(t, s.BytesRead(), s.Size())
		equal(t, s.Size(), int64(len(table)+len("label,text\na,\xa3\nb\n")+len("a 9:1 4:1\n")+len("y")))
	}
	stopEarly(t, s.Examples())

	s, err := dataset.Open([]string{"1.csv", "-"}, strings.NewReader(table), nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, s.Size(), -1)
	got, errs := drain(t, s.Examples())
	equal(t, got, texts("a", "x", "x"))
	equal(t, errs, nil)
	_, errs = drain(t, s.Examples())
	equal(t, errs, []string{"fatal: stdin: can be read only once"})
}

func TestOpenErrors(t *testing.T) {
	write(t, map[string]string{"a.csv": table, "d/x/1": "", "a.mbox": "", "a.parquet": "", "a.svm": "1 1:1"})
	noColumns := &dataset.Options{Format: "fasttext", Numeric: []string{"age"}}
	for _, tt := range []struct {
		names []string
		opts  *dataset.Options
		want  string
	}{
		{nil, nil, "no input files"},
		{[]string{"none.csv"}, nil, "none.csv: no such file or directory"},
		{[]string{"d"}, &dataset.Options{Format: "csv"}, "d: is a directory (hint: --format dir)"},
		{[]string{"a.csv"}, &dataset.Options{Format: "dir"}, "a.csv: not a directory"},
		{[]string{"-"}, &dataset.Options{Format: "dir"}, "stdin: not a directory"},
		{[]string{"-", "-"}, nil, "stdin: given twice"},
		{[]string{"a.mbox"}, &dataset.Options{Numeric: []string{"age"}}, `a.mbox: format mail has the texts "subject", "from", "to", "received", "header", "links", "html" and "style", and no other columns; wanted: "age"`},
		{[]string{"a.mbox"}, encoded("latin1"), "a.mbox: mail names its encodings itself: leave out --encoding latin1"},
		{[]string{"a.csv"}, &dataset.Options{Format: "xml"}, `unknown format "xml" (formats: csv, tsv, jsonl, fasttext, svmlight, parquet, dir, mail, text)`},
		{[]string{"a.csv"}, encoded("klingon"), `unknown encoding "klingon"`},
		{[]string{"a.csv"}, &dataset.Options{Format: "text"}, "a.csv: plain text has no labels (hint: --format csv, tsv, jsonl, fasttext, svmlight or dir)"},
		{[]string{"a.csv"}, noColumns, `a.csv: format fasttext has no columns; wanted: "age" (hint: a file that has them, such as .csv or .jsonl)`},
		{[]string{"a.svm"}, &dataset.Options{Weight: "w"}, `a.svm: format svmlight has no columns; wanted: "text" and "w" (hint: a file that has them, such as .csv or .jsonl)`},
		{[]string{"a.svm"}, &dataset.Options{Format: "fasttext", Text: []string{"subject", "body"}}, `a.svm: format fasttext has no columns; wanted: "subject" and "body" (hint: a file that has them, such as .csv or .jsonl)`},
	} {
		_, err := dataset.Open(tt.names, strings.NewReader(""), tt.opts)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q: got %v, want %s", tt.names, err, tt.want)
		}
	}
	if _, err := dataset.Open([]string{"none"}, nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v is not ErrNotExist", err)
	}
	if _, err := dataset.Open([]string{"-"}, nil, nil); err == nil {
		t.Error("no standard input, no error")
	}
}

// Errors that show only when a file is read are last.
func TestSourceErrors(t *testing.T) {
	z := gzipped(strings.Repeat(table, 100))
	flipped := []byte(z)
	flipped[len(z)-6] ^= 1 // in the checksum
	write(t, map[string]string{
		"a.txt": "hello\n", "empty": "", "empty.csv": "", "cut.csv.gz": z[:len(z)-9], "sum.gz": string(flipped), "bad.zst": zstdded(t, table)[:9], "gone": table,
		"next.csv": table,
	})
	for name, want := range map[string]string{
		"a.txt":      "fatal: a.txt: plain text has no labels (hint: --format csv, tsv, jsonl, fasttext, svmlight or dir)",
		"empty":      "fatal: empty: empty",
		"empty.csv":  "fatal: empty.csv: empty",
		"cut.csv.gz": "fatal: cut.csv.gz:200: unexpected EOF",
		"sum.gz":     "fatal: sum.gz: gzip: invalid checksum",
		"bad.zst":    "fatal: bad.zst: unexpected EOF",
		"gone":       "fatal: gone: no such file or directory",
	} {
		s := open(t, nil, name, "next.csv")
		if name == "gone" {
			os.Remove(name)
		}
		_, errs := drain(t, s.Examples())
		if len(errs) == 0 || errs[len(errs)-1] != want {
			t.Errorf("%s: got %q, want last %q", name, errs, want)
		}
	}
}

func TestLenient(t *testing.T) {
	var bad []string
	report := func(err *dataset.SyntaxError) { bad = append(bad, err.Error()) }
	in := "label,text\na\nb,x\n\"c\"d,y\nb,z\n"
	got, errs := drain(t, dataset.Lenient(dataset.CSV(strings.NewReader(in), "f", nil), report))
	equal(t, got, texts("b", "x", "z"))
	equal(t, errs, nil)
	equal(t, bad, []string{"f:2: 1 field where the header has 2", "f:4: text after a closing quote"})

	_, errs = drain(t, dataset.Lenient(dataset.CSV(strings.NewReader(""), "f", nil), nil))
	equal(t, errs, []string{"fatal: f: empty"})
	stopEarly(t, dataset.Lenient(dataset.CSV(strings.NewReader(in), "f", nil), nil))
}

// The first line at a terminal is a document before the second one is typed.
func TestInteractive(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, "a\n")
	s, err := dataset.Open([]string{"-"}, r, unlabelled)
	if err != nil {
		t.Fatal(err)
	}
	for ex, err := range s.Examples() {
		if ex.Text != "a" || err != nil {
			t.Errorf("got %+v, %v", ex, err)
		}
		break
	}
}

// A file as a whole is one document, and one says which: by name, compressed, in a folder.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	a := file("a.csv", "label,text\nham,no table\n")
	b := file("b.txt", "caf\xe9\nau lait")
	c := file("folder/c.txt", "one\ntwo")
	names := []string{a, b, filepath.Join(dir, "folder"), "-"}
	s, err := dataset.Open(names, strings.NewReader("three\n\nfour\n"), &dataset.Options{Format: "text", Whole: true, Unlabelled: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{a, "label,text\nham,no table\n", b, "caf\u00e9\nau lait", c, "one\ntwo", "stdin", "three\n\nfour\n"}
	var got []string
	for ex, err := range s.Examples() {
		if err != nil {
			t.Fatal(err)
		}
		file, _ := s.Place()
		got = append(got, file, ex.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// An example of no weight is not yielded, and its row is counted all the same.
func TestPlaceBehindNoWeight(t *testing.T) {
	for format, data := range map[string]string{
		"csv":   "label,text,w\nham,a,1\nham,b,0\nspam,c,2\n",
		"jsonl": "{\"label\":\"ham\",\"text\":\"a\",\"w\":1}\n{\"label\":\"ham\",\"text\":\"b\",\"w\":0}\n\n{\"label\":\"spam\",\"text\":\"c\",\"w\":2}\n",
	} {
		s, err := dataset.Open([]string{"-"}, strings.NewReader(data), &dataset.Options{Format: format, Weight: "w"})
		if err != nil {
			t.Fatal(err)
		}
		var rows []int
		for _, err := range s.Examples() {
			if err != nil {
				t.Fatal(err)
			}
			_, row := s.Place()
			rows = append(rows, row)
		}
		if !slices.Equal(rows, []int{1, 3}) {
			t.Errorf("%s: rows %v", format, rows)
		}
	}
}

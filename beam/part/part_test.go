package part

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// together returns what Examples yields of files that are read from front to
// back, as lines.
func together(t *testing.T, names []string, opts dataset.Options) []string {
	t.Helper()
	src, err := dataset.Open(names, nil, &opts)
	if err != nil {
		return []string{err.Error()}
	}
	var lines []string
	for ex, err := range src.Examples() {
		lines = append(lines, fmt.Sprintf("%+v %v", ex, err))
	}
	return lines
}

// inParts returns the same of the parts of the files.
func inParts(t *testing.T, globs []string, opts dataset.Options, size int64) (lines []string, parts []Part) {
	t.Helper()
	ctx := context.Background()
	files, err := List(ctx, globs, &opts)
	if err != nil {
		return []string{fmt.Sprintf("%+v %v", bayes.Example{}, err)}, nil
	}
	for _, f := range files {
		cut, err := cutFile(ctx, f, size)
		if err != nil {
			return append(lines, err.Error()), parts
		}
		parts = append(parts, cut...)
	}
	if !slices.IsSortedFunc(parts, func(a, b Part) int {
		if a.Less(b) {
			return -1
		}
		return 1
	}) {
		t.Errorf("parts are not in order: %+v", parts)
	}
	for _, p := range parts {
		for ex, err := range p.Examples(ctx, &opts) {
			lines = append(lines, fmt.Sprintf("%+v %v", ex, err))
			var bad *dataset.SyntaxError
			if err != nil && !errors.As(err, &bad) {
				return lines, parts // the last one, as of a file
			}
		}
	}
	return lines, parts
}

func cutFile(ctx context.Context, f File, size int64) ([]Part, error) {
	if !f.IsTable() {
		return f.Parts(ctx, size)
	}
	var scans []Scan
	for _, c := range f.Chunks(size) {
		s, err := c.Scan(ctx)
		if err != nil {
			return nil, err
		}
		scans = append(scans, s)
	}
	rand.Shuffle(len(scans), func(i, j int) { scans[i], scans[j] = scans[j], scans[i] })
	return Cut(scans, size), nil
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// check holds parts of many sizes against the whole.
func check(t *testing.T, name string, opts dataset.Options) {
	t.Helper()
	want := together(t, []string{name}, opts)
	for _, size := range []int64{1, 2, 3, 7, 20, 64, 1 << 20} {
		got, parts := inParts(t, []string{name}, opts, size)
		if !slices.Equal(got, want) {
			b, _ := os.ReadFile(name)
			t.Fatalf("%s in %d parts of %d bytes:\n%s\n got %q\nwant %q", filepath.Base(name), len(parts), size, b, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	head := "label,text\n"
	for name, content := range map[string]string{
		"plain":         head + "a,one\nb,two\nc,three\n",
		"no line feed":  head + "a,one\nb,two",
		"semicolons":    "label;text\na;\"one\n;x, y\"\nb;two, 2\nc;\"three\"\n",
		"quoted lines":  head + "a,\"one\nx,y\n\"\nb,\"t\"\"w\n\"\"o\"\nc,three\n",
		"lonely quotes": head + "a,5\" disk\nb,\"in\"\nc,7\"\n",
		"after a quote": head + "a,\"x\"y\nb,\"two\"\nc,\"z\"\"\nd\"\ne,f\n",
		"carriage":      "label,text\r\na,one\r\n\r\nb,\"two\r\n\"\r\n",
		"mark":          "\ufefflabel,text\na,one\nb,two\n",
		"blank lines":   "\n\r\n\nlabel,text\n\n\na,one\n\nb,two\n",
		"odd carriage":  "\n\rlabel,label,text\na,b,one\n",
		"ragged":        head + "a,one\nb\nc,three,3\nd,four\n",
		"never closed":  head + "a,one\nb,\"two\nc,three\n",
		"no column":     "label,words\na,one\n",
		"empty":         "",
		"header only":   head,
		"header, cut":   "label,text",
		"latin-1":       head + "a,caf\xe9\nb,\xff\xfe\nc,na\xefve\n",
	} {
		t.Run(name, func(t *testing.T) {
			check(t, write(t, "t.csv", content), dataset.Options{})
			check(t, write(t, "t.tsv", strings.ReplaceAll(content, ",", "\t")), dataset.Options{})
		})
	}
	check(t, write(t, "t.csv", "\ufeff\"a\",one\nb,\"two\nx\"\nc,three\n"), dataset.Options{NoHeader: true, Label: "#1", Text: []string{"#2"}})
	check(t, write(t, "t.csv", head+"a,\xb0\xa1\nb,\xb0\xa2\n"), dataset.Options{Encoding: "euc-kr"})
	check(t, write(t, "t.csv", "\xff\xfel\x00a\x00b\x00e\x00l\x00,\x00t\x00e\x00x\x00t\x00\n\x00a\x00,\x00b\x00\n\x00"), dataset.Options{})
}

func TestRandomTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const alphabet = "a,\"\n\"\r\n,b\"\n"
	for range 1000 {
		b := []byte("label,text\n")
		for range rng.IntN(60) {
			b = append(b, alphabet[rng.IntN(len(alphabet))])
		}
		check(t, write(t, "t.csv", string(b)), dataset.Options{})
	}
}

func TestLines(t *testing.T) {
	for name, content := range map[string]string{
		"t.jsonl":       `{"label":"a","text":"one"}` + "\n\n" + `{"label":"b","text":"two"}` + "\n" + `{"label":"c"}` + "\n[1]\n" + `{"label":"d","text":"x"}`,
		"marks.jsonl":   `{"label":"a","text":"one"}` + "\n\ufeff" + `{"label":"b","text":"two"}` + "\n\xff\xfe\n" + `{"label":"c","text":"d"}` + "\n",
		"array.jsonl":   `[{"label":"a","text":"one"}` + ",\n" + `{"label":"b","text":"two"}]` + "\n",
		"t.ft":          "__label__a one\n\n__label__b two\nthree\n\ufeff__label__c four\n__label__d five",
		"empty.jsonl":   "",
		"feeds.jsonl":   "\n\n\n",
		"latin.ft":      "__label__a caf\xe9\n\xe9t\xe9\n__label__b \x81\n",
		"carriage.ft":   "__label__a one\r\n\r\n__label__b two\r\n",
		"by-content":    "__label__a one\n__label__b two\n",
		"by-content.ft": "__label__a one\n__label__b two\n",
		"no-labels.txt": "one\ntwo\n",
	} {
		t.Run(name, func(t *testing.T) { check(t, write(t, name, content), dataset.Options{}) })
	}
	check(t, write(t, "t.txt", "one\n\ntwo\n\ufeffthree\n\xff\xfe\nfour"), dataset.Options{Unlabelled: true})
}

type row struct {
	Label string `parquet:"label"`
	Text  string `parquet:"text,optional"`
}

func writeParquet(t *testing.T, groups ...[]row) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	for _, g := range groups {
		if _, err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil { // ends the row group
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "t.parquet", b.String())
}

func TestParquet(t *testing.T) {
	name := writeParquet(t, []row{{"a", "one"}, {"b", "two"}}, []row{{"", "no label"}, {"c", "three"}}, []row{{"d", ""}, {"e", "five"}})
	check(t, name, dataset.Options{})
	if _, parts := inParts(t, []string{name}, dataset.Options{}, 1); len(parts) != 3 {
		t.Errorf("%d parts of three row groups", len(parts))
	}
	if got, _ := inParts(t, []string{write(t, "bad.parquet", "PAR1 nothing PAR1")}, dataset.Options{}, 1); len(got) != 1 || !strings.Contains(got[0], "bad.parquet: ") {
		t.Errorf("a damaged file: %q", got)
	}
	// One that says its footer has 4 GB, for which nobody gets memory.
	large := write(t, "large.parquet", "PAR1"+strings.Repeat("x", 100)+"\xff\xff\xff\xffPAR1")
	if got, _ := inParts(t, []string{large}, dataset.Options{}, 1); len(got) != 1 || !strings.Contains(got[0], "damaged: a footer of 4294967295 bytes") {
		t.Errorf("a large footer: %q", got)
	}
}

func TestCompressed(t *testing.T) {
	const content = "label,text\na,one\nb,\"two\n\"\n"
	var zipped, packed bytes.Buffer
	g := gzip.NewWriter(&zipped)
	g.Write([]byte(content))
	g.Close()
	z, _ := zstd.NewWriter(&packed)
	z.Write([]byte(content))
	z.Close()
	for name, b := range map[string]string{"t.csv.gz": zipped.String(), "t.csv.zst": packed.String(), "cut.csv.gz": zipped.String()[:30]} {
		check(t, write(t, name, b), dataset.Options{})
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.csv", "a.csv", "c.jsonl", "x.svm"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("label,text\na,b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := List(context.Background(), []string{dir + "/*.jsonl", dir + "/*.csv"}, &dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, f := range files {
		names = append(names, filepath.Base(f.Name))
		if f.Index != i {
			t.Errorf("%s has index %d, want %d", f.Name, f.Index, i)
		}
	}
	if want := []string{"c.jsonl", "a.csv", "b.csv"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	for glob, want := range map[string]string{
		dir + "/*.tsv":  "no such file",
		dir:             "is a directory",
		dir + "/x.svm":  "for bayes train",
		"-":             "standard input",
		"nope://x/*":    "nope",
		dir + "/[.csv":  "syntax error",
		dir + "/no.csv": "no such file",
	} {
		if _, err := List(context.Background(), []string{glob}, &dataset.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", glob, err, want)
		}
	}
}

// A record that is too long ends at any line feed behind the limit, whatever the
// quotes say. From there on a table is not cut.
func TestRecordTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("200 MB")
	}
	long := strings.Repeat("x", 65<<20)
	content := "label,text\na,one\nb,\"" + long + "\n\",\nc,\"three\nd\"\n" + strings.Repeat("e,\"five\n\"\n", 100_000)
	name := write(t, "t.csv", content)
	want := together(t, []string{name}, dataset.Options{})
	got, parts := inParts(t, []string{name}, dataset.Options{}, 1<<20)
	if !slices.Equal(got, want) {
		t.Errorf("%d lines in %d parts, want %d", len(got), len(parts), len(want))
	}
}

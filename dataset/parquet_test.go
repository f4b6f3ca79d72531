package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bayes"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

type parquetRow struct {
	Label string   `parquet:"label,optional"`
	Text  string   `parquet:"text"`
	Age   *float64 `parquet:"age,optional"`
	Plan  *string  `parquet:"plan,optional,dict"`
	Count int64    `parquet:"count"`
}

func parquetFile(t testing.TB, rows ...parquetRow) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[parquetRow](&b)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parquetRows() []parquetRow {
	age, plan := 41.5, "gold"
	return []parquetRow{
		{Label: "billing", Text: "refund, 정말", Age: &age, Plan: &plan, Count: 3},
		{Label: "bug", Text: "", Count: -1},
		{Text: "no label"},
	}
}

// collect returns examples, and errors as text.
func collectParquet(data []byte, opts *Options) (list []bayes.Example, errs []string) {
	for ex, err := range Parquet(bytes.NewReader(data), int64(len(data)), "f", opts) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		list = append(list, ex)
	}
	return list, errs
}

func TestParquet(t *testing.T) {
	data := parquetFile(t, parquetRows()...)
	got, errs := collectParquet(data, &Options{Text: []string{"text"}, Numeric: []string{"age", "count"}, Categorical: []string{"plan"}})
	want := []bayes.Example{
		{Label: "billing", Text: "refund, 정말", Attrs: []bayes.Attr{bayes.Number("age", 41.5), bayes.Number("count", 3), bayes.Category("plan", "gold")}},
		{Label: "bug", Attrs: []bayes.Attr{bayes.Number("count", -1)}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(bayes.Attr{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`f:3: column "label": empty label`}, errs); diff != "" {
		t.Error(diff)
	}
	if _, errs := collectParquet(data, &Options{Text: []string{"body"}}); len(errs) != 1 || errs[0] != `f: no column "body" (the table has "label", "text", "age", "plan" and "count"; hint: --text COLUMN)` {
		t.Errorf("%q", errs)
	}
}

// A damaged file gives an error, never a panic.
func TestParquetDamaged(t *testing.T) {
	data := parquetFile(t, parquetRows()[:2]...)
	for n := 0; n < len(data); n += 3 {
		if _, errs := collectParquet(data[:n], nil); len(errs) == 0 {
			t.Errorf("cut short at %d, there is no error", n)
		}
		flipped := bytes.Clone(data)
		flipped[n] ^= 0x55
		collectParquet(flipped, nil)
	}
}

func TestParquetSource(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(name, parquetFile(t, parquetRows()[:2]...), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Open([]string{name, name}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range s.Examples() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 4 || s.BytesRead() == 0 {
		t.Errorf("%d examples, %d bytes", n, s.BytesRead())
	}
	if _, err := Open([]string{"-"}, bytes.NewReader(nil), &Options{Format: "parquet"}); err == nil {
		t.Error("a parquet file is read from a pipe")
	}
	bad := filepath.Join(t.TempDir(), "bad.parquet")
	os.WriteFile(bad, []byte("label,text\n"), 0o644)
	s, err = Open([]string{bad}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Examples() {
		var se *SyntaxError
		if err == nil || errors.As(err, &se) {
			t.Errorf("%v", err)
		}
	}
}

func ExampleParquet() {
	type row struct {
		Label string `parquet:"label"`
		Text  string `parquet:"text"`
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file)
	w.Write([]row{{"spam", "win a prize"}, {"ham", "see you"}})
	w.Close()
	r := bytes.NewReader(file.Bytes())
	for ex, err := range Parquet(r, r.Size(), "mail.parquet", nil) {
		fmt.Println(ex.Label, ex.Text, err)
	}
	// Output:
	// spam win a prize <nil>
	// ham see you <nil>
}

// A label that is a list is none where documents are to be predicted.
func TestParquetListOfLabels(t *testing.T) {
	type row struct {
		Label []string `parquet:"label"`
		Text  string   `parquet:"text"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{{[]string{"a", "b"}, "x"}, {nil, "y"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	list, errs := collectParquet(b.Bytes(), &Options{Unlabelled: true})
	if diff := cmp.Diff(list, []bayes.Example{{Text: "x"}, {Text: "y"}}); diff != "" || errs != nil {
		t.Errorf("%s%q", diff, errs)
	}
	if _, errs := collectParquet(b.Bytes(), nil); len(errs) != 1 || errs[0] != `f: column "label" is a list` {
		t.Errorf("to learn from: %q", errs)
	}
}

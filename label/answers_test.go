package label

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bayes/internal/answertable"
	"bayes/internal/outfile"

	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

// open opens a file of answers that holds what content says.
func open(t *testing.T, name string) *Answers {
	t.Helper()
	a, err := OpenAnswers(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// some are answers whose texts are hard to write in CSV.
var some = []Answer{
	{Label: "billing", Text: "The invoice, \"of May\"\nis wrong,no\n", Row: "1", Who: "ann", When: noon, Random: true},
	{Label: "청구", Text: "환불,yes", Row: "b.csv:2", Who: "보", When: noon.Add(time.Millisecond)},
	{Label: "access", Text: "plain", Row: "3"},
}

// A row may name a file whose name is not UTF-8.
func TestRowsOfAnyName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels.csv")
	want := []Answer{{Label: "a", Text: "one", Row: "caf\xe9.csv:1", When: noon}}
	a := open(t, name)
	if err := a.Add(want...); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if got := open(t, name).All(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Wherever a power cut ends the file, and with zeros in the place of what was not written, what is whole is read, and
// more can be added.
func TestCutAnywhere(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "labels.csv")
	a := open(t, name)
	ends := []int{len(read(t, name))}
	for _, x := range some {
		if err := a.Add(x); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(read(t, name)))
	}
	whole := read(t, name)
	for cut := range len(whole) + 1 {
		rows, least := 0, ends[0]
		for rows < len(some) && ends[rows+1]-len("\n") <= cut { // without its end a row is whole, too
			rows++
			least = ends[rows]
		}
		if cut > ends[0]-len("\n") {
			cutAt(t, filepath.Join(dir, fmt.Sprint(cut)), whole[:cut], some[:rows])
		}
		if cut >= least {
			cutAt(t, filepath.Join(dir, fmt.Sprint(cut, "zeros")), whole[:cut]+"\x00\x00\x00", some[:rows])
		}
	}
	for cut := range ends[0] {
		cutAt(t, filepath.Join(dir, fmt.Sprint(cut)), whole[:cut], nil)
	}
}

// cutAt wants some answers of a file, and adds one.
func cutAt(t *testing.T, name, content string, want []Answer) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := OpenAnswers(name)
	if err != nil {
		t.Fatalf("%q: %v", content, err)
	}
	defer a.Close()
	if got := a.All(); len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%q has %v", content, got)
	}
	if err := a.Add(some[2]); err != nil {
		t.Fatal(err)
	}
	if got, err := parse([]byte(read(t, name))); err != nil || !reflect.DeepEqual(got.rows, append(append([]Answer{}, want...), some[2])) {
		t.Errorf("%q, and one added, has %v, %v", content, got.rows, err)
	}
}

// Whatever is added and taken back, the file has what a list has, and again when it is opened anew.
func TestAnswersAreAList(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		name := filepath.Join(dir, fmt.Sprint(n))
		a, err := OpenAnswers(name)
		if err != nil {
			r.Fatal(err)
		}
		var list []Answer
		for range rapid.IntRange(0, 12).Draw(r, "steps") {
			x := Answer{
				Label: rapid.StringMatching(`[a-c,"]{1,3}`).Draw(r, "label"), Text: rapid.SampledFrom([]string{"a", "b\r", "c\n\"", "d\r\ne", "\r\r\n", "", "é,no"}).Draw(r, "text"),
				Row: rapid.StringMatching(`[0-9]?`).Draw(r, "row"), When: noon.Add(time.Duration(rapid.IntRange(0, 99).Draw(r, "when")) * time.Millisecond),
			}
			switch rapid.IntRange(0, 3).Draw(r, "what") {
			case 0:
				text := rapid.SampledFrom([]string{"a", "b\r", "c\n\"", "d\r\ne"}).Draw(r, "dropped")
				if err := a.Replace(func(y Answer) bool { return y.Text == text }, x); err != nil {
					r.Fatal(err)
				}
				kept := []Answer{}
				for _, y := range list {
					if y.Text != text {
						kept = append(kept, y)
					}
				}
				list = append(kept, x)
			case 1:
				a.Close()
				if a, err = OpenAnswers(name); err != nil {
					r.Fatal(err)
				}
			default:
				if err := a.Add(x, x); err != nil {
					r.Fatal(err)
				}
				list = append(list, x, x)
			}
			if got := a.All(); len(got)+len(list) > 0 && !reflect.DeepEqual(got, list) {
				r.Fatalf("%v, want %v", got, list)
			}
		}
		a.Close()
	})
}

// What another program has made of the file meanwhile stays as it is, and nothing is acknowledged that is not in it.
func TestChangedMeanwhile(t *testing.T) {
	one := Answer{Label: "a", Text: "one", When: noon}
	for what, change := range map[string]func(name string) error{
		"replaced": func(name string) error {
			if err := os.WriteFile(name+".new", csvOf([][]string{answertable.Columns, one.record()}), 0o644); err != nil {
				return err
			}
			return os.Rename(name+".new", name)
		},
		"cut off": func(name string) error { return os.WriteFile(name, csvOf([][]string{answertable.Columns}), 0o644) },
		"longer": func(name string) error {
			return os.WriteFile(name, csvOf([][]string{answertable.Columns, one.record(), one.record(), one.record()}), 0o644)
		},
		"removed": os.Remove,
	} {
		name := filepath.Join(t.TempDir(), "labels.csv")
		a, err := OpenAnswers(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Add(one); err != nil {
			t.Fatal(err)
		}
		if err := change(name); err != nil {
			t.Logf("%s: %v", what, err) // as where an open file cannot be
			a.Close()
			continue
		}
		before, _ := os.ReadFile(name)
		if err := a.Add(one); !errors.Is(err, errChanged) {
			t.Errorf("%s, and added to: %v", what, err)
		}
		if err := a.Replace(func(Answer) bool { return true }, one); !errors.Is(err, errChanged) {
			t.Errorf("%s, and replaced: %v", what, err)
		}
		if after, _ := os.ReadFile(name); !bytes.Equal(before, after) || len(a.All()) != 1 {
			t.Errorf("%s: %q became %q, and %d answers are in it", what, before, after, len(a.All()))
		}
		a.Close()
	}
}

// A file that is no file of answers, is damaged, or is open, is left as it is.
func TestLeftAlone(t *testing.T) {
	const head = "label,text,row,who,when,random\n"
	for content, want := range map[string]string{
		"label,text\nham,lunch\n": "it is not a file of answers",
		"\x89PNG":                 "it is not a file of answers",
		head + "ham,lunch,1,ann,,maybe\nham,lunch,2,,,no\n":   `line 2: column "random": "maybe" is neither yes nor no`,
		head + ",lunch,1,ann,,no\n":                           `line 2: column "label": empty label`,
		head + "ham,lunch,1,ann,,no\n,,,,,\n":                 `line 3: an empty row (hint: remove it)`,
		head + "ham,\"lunch,1,ann,,no\nham,lunch,2,ann,,no\n": "parse error",
		head + "ham,lunch\nham,lunch,2,ann,,no\n":             "line 2: 2 cells, and 6 are wanted",
		head + "ham,lunch,2,ann,,no\nham,lunch\n":             "line 3: 2 cells, and 6 are wanted",
		head + "ham,\xc8\xaf\xba\xd2,2,ann,,no\n":             "line 2: not UTF-8: save the table as CSV in UTF-8",
		"label;text;row;who;when;random;note\n":               `column "note" is none of a file of answers and would be lost`,
		"label;text;row;who;when;random;\nham;b;1;;;no;see\n": `line 2: "see" is in a column without a name and would be lost`,
		"label;text;row;who;when;random\nham;\"b;1;;;no":      "parse error",
	} {
		name := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenAnswers(name); err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
		if _, err := ReadAnswers(name); err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q, read: %v", content, err)
		}
		if got := read(t, name); got != content {
			t.Errorf("%q became %q", content, got)
		}
	}
	a := open(t, filepath.Join(t.TempDir(), "f.csv"))
	for range 2 { // the lock goes over to the file that replaces it
		if _, err := OpenAnswers(a.Name()); !errors.Is(err, outfile.ErrLocked) {
			t.Errorf("opened twice: %v", err)
		}
		if err := a.Add(some[0]); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadAnswers(a.Name()); err != nil || !reflect.DeepEqual(got, a.All()) { // which takes no lock
			t.Errorf("read are %v, %v", got, err)
		}
		if err := a.Replace(func(Answer) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []Answer{{Text: "no label"}, {Label: "a", Text: "\xff"}, {Label: "\xff", Text: "a"}} {
		if err := a.Add(bad); err == nil || len(a.All()) > 0 {
			t.Errorf("%v: %v, %v", bad, a.All(), err)
		}
	}
	a.Close()
	if err := a.Add(some[0]); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// What a spreadsheet makes of the file is read: a byte order mark, ends of lines of two characters,
// times and words in other forms, and no end of the last line.
func TestSpreadsheet(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.csv")
	content := "\ufefflabel,text,row,who,when,random\r\nham,lunch,7,ann,5/4/2026 12:00,NO"
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	a := open(t, name)
	want := []Answer{{Label: "ham", Text: "lunch", Row: "7", Who: "ann"}}
	if got := a.All(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got, err := ReadAnswers(name); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read are %+v, %v", got, err)
	}
	if err := a.Replace(func(Answer) bool { return false }, some[2]); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if got := open(t, name).All(); !reflect.DeepEqual(got, append(want, some[2])) {
		t.Errorf("%+v", got)
	}
}

// What a spreadsheet saves in its own way is the same answers, and is then written as it was.
func TestSpreadsheets(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.csv")
	a := open(t, name)
	if err := a.Add(some...); err != nil {
		t.Fatal(err)
	}
	a.Close()
	want := read(t, name)
	utf16 := func(s string) string {
		s, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for what, comma := range map[string]rune{"commas": ',', "semicolons": ';', "tabs": '\t', "utf-16": '\t', "ordered": ';', "named": ',', "empty": ','} {
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = comma, false
		rows := [][]string{slices.Clone(answertable.Columns)}
		for _, x := range some {
			rows = append(rows, x.record())
		}
		for i, row := range rows {
			switch what {
			case "ordered":
				slices.Reverse(row)
			case "named":
				if i == 0 {
					row[2] = " row "
				}
			case "empty":
				rows[i] = slices.Concat(row[:2], []string{""}, row[2:], []string{"", ""})
			}
		}
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		content := strings.TrimSuffix(b.String(), "\n")
		if what == "utf-16" {
			content = utf16(content)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadAnswers(name); err != nil || !reflect.DeepEqual(got, some) {
			t.Errorf("%s: read are %v, %v", what, got, err)
		}
		a := open(t, name)
		if got := a.All(); !reflect.DeepEqual(got, some) || a.Torn() != "" {
			t.Errorf("%s: %v, and torn %q", what, got, a.Torn())
		}
		if err := a.Add(some[0]); err != nil {
			t.Fatal(err)
		}
		a.Close()
		if got := read(t, name); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", what, got)
		}
		if got, err := ReadAnswers(name); err != nil || len(got) != len(some)+1 {
			t.Errorf("%s, and one more: %v, %v", what, got, err)
		}
	}
}

// A last row that is not whole is dropped, and told.
func TestTornIsTold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(name, []byte("label,text,row,who,when,random\nham,lunch,7,ann,,no\nspam,prize"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := open(t, name); a.Torn() != "spam,prize" || len(a.All()) != 1 {
		t.Errorf("%q, %v", a.Torn(), a.All())
	}
}

// A file of which only a part of the columns is there, as when the power was cut, has no answers yet, however they are quoted; one that is not there is an error.
func TestReadAnswersOfNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.csv")
	if _, err := ReadAnswers(name); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, content := range []string{"", "label,te", "label,text,row,who,when,random\n", "\"label\",\"text\",\"row\",\"who\",\"when\",\"random\"\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadAnswers(name); err != nil || len(got) > 0 {
			t.Errorf("%q: %v, %v", content, got, err)
		}
	}
}

// Whatever a file holds is an error, or rows that are the same when they are written; and of a file that is not cut off, nothing is left out but what is told.
func FuzzAnswers(f *testing.F) {
	var rows [][]string
	for _, x := range some {
		rows = append(rows, x.record())
	}
	own := string(csvOf(append([][]string{answertable.Columns}, rows...)))
	f.Add([]byte(own))
	f.Add([]byte(own + "ham,lunch"))
	f.Add([]byte("label;who;when;random;text;row;\n\"ham\";;;\"no\";a;1;\n"))
	f.Add([]byte("\xff\xfel\x00a\x00b\x00e\x00l\x00"))
	f.Add([]byte("\ufefflabel\ttext\trow\twho\twhen\trandom\r\nham\t\"a\r\nb\"\t1\tann\t\tNO"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parse(data)
		if err != nil {
			return
		}
		if got.size < 0 || got.size > int64(len(data)) || got.foreign && got.size < int64(len(data)) {
			t.Fatalf("%q: %d bytes are whole", data, got.size)
		}
		records, err := recordsOf(got.rows)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		again, err := parse(csvOf(append([][]string{answertable.Columns}, records...)))
		if err != nil || again.foreign || !reflect.DeepEqual(again.rows, got.rows) {
			t.Fatalf("%q: %v, and again %v, %v", data, got.rows, again.rows, err)
		}
	})
}

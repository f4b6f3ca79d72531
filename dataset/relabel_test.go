package dataset_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes/dataset"
)

// Of each file the second record gets the label of the third, and nothing else changes.
func TestRelabel(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"a.csv", "label,text\nx,one\nx,two\ny,three\n", "label,text\nx,one\ny,two\ny,three\n"},
		{"quotes.csv", "text;\"label\"\r\n\"x;y\";x\r\n\"a \"\"x\"\"\";x\r\n\"\n\";\"y;z\"", "text;\"label\"\r\n\"x;y\";x\r\n\"a \"\"x\"\"\";\"y;z\"\r\n\"\n\";\"y;z\""},
		{"a.tsv", "n\tLabel \ttext\n1\tx\tone\n2\tx\tx\n3\ty y\tz\n", "n\tLabel \ttext\n1\tx\tone\n2\ty y\tx\n3\ty y\tz\n"},
		{"bom.csv", "\ufefflabel,text\n\nx,one\n\nx,two\ny,three\n", "\ufefflabel,text\nx,one\ny,two\ny,three\n"},
		{"utf16.csv", "\xff\xfel\x00a\x00b\x00e\x00l\x00,\x00t\x00\n\x00x\x00,\x00a\x00\n\x00x\x00,\x00b\x00\n\x00\xfc\x00,\x00c\x00", "\ufefflabel,t\nx,a\nü,b\nü,c"},
		{"a.jsonl", `{"text":"x","label":"x"}` + "\n" + ` {"label": "x", "text": "label"}` + "\n" + `{"text":"y","label":"\u00fc"}` + "\n",
			`{"text":"x","label":"x"}` + "\n" + ` {"label": "\u00fc", "text": "label"}` + "\n" + `{"text":"y","label":"\u00fc"}` + "\n"},
		{"numbers.jsonl", `{"text":"x","label":1}` + "\n" + `{"text":"1","label":1}` + "\n" + `{"text":"y","label":22}`,
			`{"text":"x","label":1}` + "\n" + `{"text":"1","label":22}` + "\n" + `{"text":"y","label":22}`},
		{"a.txt", "__label__x one\n__label__x x\n__label__yy three\n", "__label__x one\n__label__yy x\n__label__yy three\n"},
		{"a.svm", "1 1:1\n1 1:2\n-1 2:1 # x\n", "1 1:1\n-1 1:2\n-1 2:1 # x\n"},
		{"latin1 to UTF-8.csv", "label,text\nx,one\nx,tw\u00f6\n\xfc,three\n", "label,text\nx,one\n\u00fc,tw\u00f6\n\xfc,three\n"},
		{"UTF-8 to latin1.csv", "label,text\nx,one\nx,tw\xf6\n\u00fc,three\n", "label,text\nx,one\n\xfc,tw\xf6\n\u00fc,three\n"},
		{"UTF-8 to what was latin1.csv", "label,text\nx,one\n\xe4,two\n\u00fc,three\n", "label,text\nx,one\n\u00fc,two\n\u00fc,three\n"},
		{"latin1 that looks like UTF-8.csv", "label,text\nx,one\nx,two\n\u00fc,\xfc\n", "label,text\nx,one\n\u00c3\u00bc,two\n\u00fc,\xfc\n"},
		{"latin1.csv", "label,text\n\xe4,one\n\xe4,two\n\xfc,\xfc\n", "label,text\n\xe4,one\n\xfc,two\n\xfc,\xfc\n"},
	} {
		name := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(name, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := dataset.Open([]string{name}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := src.Relabel(&b, func(i int) int { return i + i%2 }); err != nil || b.String() != c.want {
			t.Errorf("%s: %v, %q, want %q", c.name, err, b.String(), c.want)
		}
	}
}

// Of each file the second record gets other labels, and nothing else changes.
func TestRelabelSets(t *testing.T) {
	for _, c := range []struct {
		name, file string
		labels     []string
		want       string
	}{
		{"a.csv", "label,text\nx;y,one\nx,two\n;,three\n", []string{"z", "x"}, "label,text\nx;y,one\nx;z,two\n;,three\n"},
		{"none.csv", "label,text\nx;y,one\n\"x\",two\n", nil, "label,text\nx;y,one\n\"\",two\n"},
		{"was none.csv", "label,text\nx;y,one\n,two\n", []string{"y"}, "label,text\nx;y,one\ny,two\n"},
		{"last.csv", "text,label\none,x;y\ntwo,", []string{"a,b", `"q"`}, "text,label\none,x;y\ntwo,\"\"\"q\"\";a,b\""},
		{"a.tsv", "label\ttext\nx\tone\nx;y\ttwo\n", []string{"a,b"}, "label\ttext\nx\tone\na,b\ttwo\n"},
		{"a.jsonl", `{"text":"x","label":["x"]}` + "\n" + `{"label": [], "text": "label"}` + "\n", []string{"y<", "x"},
			`{"text":"x","label":["x"]}` + "\n" + `{"label": ["x","y<"], "text": "label"}` + "\n"},
		{"string.jsonl", `{"text":"x","label":"x"}` + "\n" + `{"label": "y; x", "text": "label"}`, nil, `{"text":"x","label":"x"}` + "\n" + `{"label": ";", "text": "label"}`},
		{"a.txt", "__label__x one\n__label__x __label__y two\n", []string{"z"}, "__label__x one\n__label__z two\n"},
		{"none.txt", "__label__x one\n__label__x two\n", nil, "__label__x one\ntwo\n"},
		{"bare.txt", "__label__x one\n__label__x\n", []string{"z"}, "__label__x one\n__label__z\n"},
		{"was none.txt", "__label__x one\ntwo\n", []string{"y", "x"}, "__label__x one\n__label__x __label__y two\n"},
		{"a.svm", "1 1:1\n1,2 1:2 # x\n", []string{"3"}, "1 1:1\n3 1:2 # x\n"},
		{"was none.svm", "1 1:1\n2:2\n", []string{"3", "1"}, "1 1:1\n1,3 2:2\n"},
		{"latin1.csv", "label,text\n\xe4,one\n\xe4;x,two\n\xfc,\xfc\n", []string{"x"}, "label,text\n\xe4,one\nx,two\n\xfc,\xfc\n"},
	} {
		src := openSets(t, c.name, c.file)
		var b bytes.Buffer
		err := src.RelabelSets(&b, func(i int) ([]string, bool) { return c.labels, i == 1 })
		if err != nil || b.String() != c.want {
			t.Errorf("%s: %v, %q, want %q", c.name, err, b.String(), c.want)
		}
	}
	for name, file := range map[string]string{"latin1.csv": "label,text\nx,one\n\xfc,two\n", "a.svm": "x 1:1\ny 1:1\n", "no.jsonl": `{"text":"x","label":"x"}` + "\n" + `{"text":"y"}`} {
		src := openSets(t, name, file)
		if err := src.RelabelSets(new(bytes.Buffer), func(i int) ([]string, bool) { return []string{"ü, é"}, i == 1 }); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// openSets returns a file with some content, whose records may have several labels.
func openSets(t *testing.T, name, content string) *dataset.Source {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := dataset.Open([]string{name}, nil, &dataset.Options{LabelSeparator: ";"})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// What cannot be written again says what to do.
func TestCheckRelabel(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "texts", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"texts/x/1.txt", "a.csv", "b.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("label,text\nx,y\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for names, want := range map[string]string{"texts": "move the files", "a.csv b.csv": "one file", "-": "save it first"} {
		var list []string
		for _, name := range strings.Fields(names) {
			if name != "-" {
				name = filepath.Join(dir, name)
			}
			list = append(list, name)
		}
		src, err := dataset.Open(list, strings.NewReader("label,text\nx,y\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := src.CheckRelabel(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", names, err)
		}
	}
}

// The second record gets the label of the third.
func ExampleSource_Relabel() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "mail.csv")
	if err := os.WriteFile(name, []byte("label,text\nham,see you\nham,a free prize\nspam,\"win, win\"\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	src, err := dataset.Open([]string{name}, nil, nil)
	if err == nil {
		err = src.CheckRelabel()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	err = src.Relabel(os.Stdout, func(record int) int {
		if record == 1 {
			return 2
		}
		return record
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// label,text
	// ham,see you
	// spam,a free prize
	// spam,"win, win"
}

// The second record gets a label more.
func ExampleSource_RelabelSets() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "news.csv")
	if err := os.WriteFile(name, []byte("label,text\noil,crude\ngrain,wheat and crude\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	src, err := dataset.Open([]string{name}, nil, &dataset.Options{LabelSeparator: ";"})
	if err == nil {
		err = src.RelabelSets(os.Stdout, func(record int) ([]string, bool) { return []string{"grain", "oil"}, record == 1 })
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// label,text
	// oil,crude
	// grain;oil,wheat and crude
}

package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func put(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func Example() {
	os.Chdir(os.TempDir())
	os.WriteFile("mail.csv", []byte("label,text\nham,lunch\n"), 0o600)
	defer os.Remove("mail.csv")
	_, err := Plan("mail.csv", Model, nil)
	fmt.Println(err)
	// Output: mail.csv: not written over: it is not a model of counts (choose another name, or --force)
}

// file makes a file, and returns its name.
func file(t *testing.T, name, content string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func want(t *testing.T, name, content string) {
	t.Helper()
	if b, err := os.ReadFile(name); err != nil || string(b) != content {
		t.Errorf("%s holds %q (%v), want %q", name, b, err, content)
	}
}

func wantRefusal(t *testing.T, err error) {
	t.Helper()
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Errorf("error %v, want a refusal", err)
	}
}

func TestPlanInNoFolder(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		filepath.Join(dir, "no", "m.nb"): "there is no folder " + filepath.Join(dir, "no"),
		filepath.Join(dir, "link"):       "no such file or directory", // a link into one
	} {
		if filepath.Base(name) == "link" {
			if err := os.Symlink(filepath.Join("no", "m.nb"), name); err != nil {
				t.Skip(err)
			}
		}
		if _, err := Plan(name, Model, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// What comes between the plan and the write is not lost.
func TestWriteLooksAgain(t *testing.T) {
	dir := t.TempDir()
	input := file(t, filepath.Join(dir, "input.nb"), "bayes model 1\n")
	info, err := os.Stat(input)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "m.nb")
	for _, tc := range []struct {
		what    string
		appears func() error
		holds   string
	}{
		{"another file", func() error { return os.WriteFile(name, []byte("notes"), 0o600) }, "notes"},
		{"a name of the input", func() error { return os.Link(input, name) }, "bayes model 1\n"},
		{"a link to the input", func() error { return os.Symlink("input.nb", name) }, "bayes model 1\n"},
	} {
		f, err := Plan(name, Model, &Options{Inputs: []os.FileInfo{info}})
		if err != nil {
			t.Fatal(err)
		}
		err = f.Write(func(w io.Writer) error {
			if err := tc.appears(); err != nil {
				t.Skip(tc.what, ": ", err)
			}
			return put("bayes model 1\nnew")(w)
		})
		wantRefusal(t, err)
		want(t, name, tc.holds)
		want(t, input, "bayes model 1\n")
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// The first bytes of a file tell its kind.
func TestKinds(t *testing.T) {
	for _, tc := range []struct {
		kind    *Kind
		head    string
		permits bool
	}{
		{Model, "bayes model 1\nspace default\n", true},
		{Model, "bayes counts 1\nspace default\n", true},
		{Model, "bayes frozen 1\n", false},
		{Model, "label,text\nbayes model 1\n", false},
		{Model, "", true},
		{Frozen, "bayes frozen 1\n", true},
		{Frozen, "bayes model 1\n", false},
		{Page, "<!DOCTYPE html>\n<html><head><meta name=\"generator\" content=\"bayes\">", true},
		{Page, "<!DOCTYPE html>\n<html><head><title>bayes</title>", false},
		{Predictions, "ham\t0.9\nspam\t1\t(no known term)\n", true},
		{Predictions, "ham\t0.9\tspam\t0.1\nsp", true},
		{Predictions, "{\"label\":\"ham\",\"probability\":0.9", true},
		{Predictions, "ham\t0.9\nspam\tI won 2 prizes\n", false},
		{Predictions, "ham\t7\n", false},
		{Predictions, "ham\tNaN\n", false},
		{Predictions, "label,text\n", false},
		{Predictions, "\n", false},
		{New, "", false},
		{New, "bayes model 1\n", false},
	} {
		if err := tc.kind.Permit("f", []byte(tc.head)); (err == nil) != tc.permits {
			t.Errorf("%q over %q: %v", tc.kind.name, tc.head, err)
		}
	}
}

// Who locks a file while another replaces it gets the new file.
func TestLock(t *testing.T) {
	name := file(t, filepath.Join(t.TempDir(), "m.nb"), "1")
	first, err := Lock(name, func() { t.Error("the first waits") })
	if err != nil {
		t.Fatal(err)
	}
	if first.held == nil {
		t.Skip("no locks here")
	}
	waits, second := make(chan bool, 1), make(chan *Locked)
	go func() {
		l, err := Lock(name, func() { waits <- true })
		if err != nil {
			t.Error(err)
		}
		second <- l
	}()
	<-waits
	if err := first.Write(put("2")); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	l := <-second
	want(t, name, "2")
	if err := l.Write(put("3")); err != nil {
		t.Error(err)
	}
	want(t, name, "3")
	if err := l.Write(put("4")); !errors.Is(err, errChanged) {
		t.Errorf("a second write is not to what was locked: %v", err)
	}
	l.Close()
	if _, err := Lock(name+"x", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Without a lock, as where there is none, a change by another is noticed.
func TestChangeIsNoticed(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "m.nb")
	for what, change := range map[string]func() error{
		"replaced": func() error { return os.Rename(file(t, filepath.Join(dir, "other"), "1"), name) },
		"modified": func() error { return os.WriteFile(name, []byte("22"), 0o600) },
		"touched":  func() error { return os.Chtimes(name, time.Time{}, time.Unix(1, 0)) },
		"removed":  func() error { return os.Remove(name) },
	} {
		file(t, name, "1")
		l, err := Lock(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if err := l.Write(put("lost")); !errors.Is(err, errChanged) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v", what, err)
		}
		if b, _ := os.ReadFile(name); string(b) == "lost" {
			t.Errorf("%s: written over", what)
		}
		l.Close()
	}
}

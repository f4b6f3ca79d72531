package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is added passes, what breaks programs does not, and a baseline that is renewed is what
// is compared with from then on.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	baseline := filepath.Join(dir, "baseline")
	write := func(name, content string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/m\n\ngo 1.26.0\n")
	const p = "package p\n\ntype T struct{ A int }\n\nfunc F(int) T { return T{} }\n"
	write("p/p.go", p)
	write("internal/q/q.go", "package q\n\nfunc F() {}\n")
	write("cmd/c/main.go", "package main\n\nfunc F() {}\n\nfunc main() { F() }\n")
	if err := run(new(bytes.Buffer), dir, baseline, true); err != nil {
		t.Fatal(err)
	}
	write("internal/q/q.go", "package q\n")
	write("cmd/c/main.go", "package main\n\nfunc main() {}\n")
	for _, tc := range []struct{ what, source, broken string }{
		{"nothing", p, ""},
		{"a field and a function more", strings.Replace(p, "A int", "A, B int", 1) + "\nfunc G() {}\n", ""},
		{"a function less", "package p\n\ntype T struct{ A int }\n", "F: removed"},
		{"another parameter", strings.Replace(p, "F(int)", "F(string)", 1), "F: changed"},
		{"a field less", strings.Replace(p, "A int", "", 1), "T.A: removed"},
	} {
		write("p/p.go", tc.source)
		var out bytes.Buffer
		err := run(&out, dir, baseline, false)
		if (err != nil) != (tc.broken != "") || err != nil && !errors.Is(err, errIncompatible) || !strings.Contains(out.String(), tc.broken) {
			t.Errorf("%s: %v\n%s", tc.what, err, out.String())
		}
	}
	if err := run(new(bytes.Buffer), dir, baseline, true); err != nil {
		t.Fatal(err)
	}
	if err := run(new(bytes.Buffer), dir, baseline, false); err != nil {
		t.Error(err)
	}
}

// A module of another path has nothing to be compared with.
func TestAnotherPath(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.26.0\n", "p.go": "package p\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := run(new(bytes.Buffer), dir, "baseline", false)
	if err == nil || errors.Is(err, errIncompatible) || !strings.Contains(err.Error(), "-renew") {
		t.Error(err)
	}
}

// The baseline is there, and has the packages of the library.
func TestBaseline(t *testing.T) {
	m, err := read("baseline")
	if err != nil || len(m.Packages) < 10 {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, p := range m.Packages {
		if p.Name() == "bayes" && p.Scope().Lookup("Fit") != nil {
			return
		}
	}
	t.Error("the root package is not in it")
}

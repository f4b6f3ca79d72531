package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// publish puts a version of the module in a folder where a proxy of modules has it.
func publish(t *testing.T, proxy, dir string, m module.Version) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"list":              m.Version + "\n",
		m.Version + ".mod":  string(mod),
		m.Version + ".info": fmt.Sprintf(`{"Version":%q,"Time":"2026-11-23T00:00:00Z"}`, m.Version),
	} {
		if err := os.WriteFile(filepath.Join(to, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Create(filepath.Join(to, m.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	if err := zip.CreateFromDir(file, m, dir); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// block returns the first block of a language, such as ```go, after a heading of README.md, from
// a mark in it on.
func block(t *testing.T, dir, heading, language, mark string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(b), "\n## "+heading+"\n")
	for _, part := range strings.Split(section, "```"+language+"\n")[1:] {
		part, _, _ = strings.Cut(part, "```")
		if _, after, ok := strings.Cut(part, mark); ok {
			return after
		}
	}
	t.Fatalf("README.md has no block %q with %q under %q", language, mark, heading)
	return ""
}

// What is published under another path is installed and imported as any module is: from a proxy,
// by a version, by programs outside of the repository. The other modules come from those that this
// machine has.
func TestPublished(t *testing.T) {
	const path, version = "example.org/naive/bayes", "v0.1.0"
	dir, proxy, cache := copied(t), t.TempDir(), t.TempDir()
	if err := rename(dir, path, version); err != nil {
		t.Fatal(err)
	}
	publish(t, proxy, dir, module.Version{Path: path, Version: version})
	publish(t, proxy, filepath.Join(dir, "beam"), module.Version{Path: path + "/beam", Version: version})

	here := strings.TrimSpace(run(t, ".", "go", "env", "GOMODCACHE"))
	bin := t.TempDir()
	for name, value := range map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(here) + "/cache/download",
		"GOSUMDB": "off", "GOPRIVATE": "", "GONOPROXY": "", "GOTOOLCHAIN": "local", "GOWORK": "off",
		"GOMODCACHE": cache, "GOBIN": bin,
	} {
		t.Setenv(name, value)
	}
	outside := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -modcacherw -trimpath -pgo=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}

	outside(bin, "go", "install", path+"/cmd/bayes@latest")
	says := func(program string) {
		t.Helper()
		if got, want := outside(bin, filepath.Join(bin, program), "--version"), program+" version "+version+", "+runtime.Version()+"\n"; got != want {
			t.Errorf("the command says %q, not %q", got, want)
		}
	}
	says("bayes")
	if out := outside(bin, filepath.Join(bin, "bayes"), "demo"); !strings.Contains(out, "messages learned") {
		t.Error(out)
	}

	outside(bin, "go", "install", path+"/beam/cmd/bayes-beam@"+version)
	says("bayes-beam")

	mine := t.TempDir()
	sample, err := os.ReadFile(filepath.Join(dir, "internal", "cli", "sample.csv"))
	if err != nil {
		t.Fatal(err)
	}
	program := block(t, dir, "In your own program", "go", "")
	for name, content := range map[string]string{"main.go": program, "support.csv": string(sample)} {
		if err := os.WriteFile(filepath.Join(mine, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside(mine, "go", "mod", "init", "mine")
	outside(mine, "go", "get", ".")
	if got, want := outside(mine, "go", "run", "."), block(t, dir, "In your own program", "console", "$ go run .\n"); got != want {
		t.Errorf("the program of README.md prints\n%s\nnot\n%s", got, want)
	}
	mod, err := os.ReadFile(filepath.Join(mine, "go.mod"))
	if err != nil || !strings.Contains(string(mod), path+" "+version+"\n") || strings.Contains(string(mod), "replace") {
		t.Errorf("%v\n%s", err, mod)
	}
}

// A version that cannot be one is refused, and nothing is changed; a path may stay as it is when
// a version is given.
func TestVersions(t *testing.T) {
	dir := t.TempDir()
	const root = "module example.org/bayes\n\ngo 1.26.0\n"
	const nested = "module example.org/bayes/beam\n\ngo 1.26.0\n\nrequire example.org/bayes v0.0.0\n\nreplace example.org/bayes => ..\n"
	if err := os.Mkdir(filepath.Join(dir, "beam"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"go.mod": root, "beam/go.mod": nested, "beam/p.go": "package p\n"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	beam := func() string {
		b, err := os.ReadFile(filepath.Join(dir, "beam", "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, version := range []string{"0.1.0", "v0.1", "v2.0.0", "latest"} {
		if err := rename(dir, "example.org/bayes", version); err == nil || beam() != nested {
			t.Errorf("%q is taken: %v", version, err)
		}
	}
	for _, version := range []string{"v0.1.0", "v0.2.0"} {
		if err := rename(dir, "example.org/bayes", version); err != nil {
			t.Fatal(err)
		}
		want := "module example.org/bayes/beam\n\ngo 1.26.0\n\nrequire example.org/bayes " + version + "\n"
		if got := beam(); got != want {
			t.Errorf("%s gives\n%s", version, got)
		}
	}
}

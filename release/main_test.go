package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func TestNewest(t *testing.T) {
	for _, c := range []struct{ changes, want string }{
		{"# Changelog\n\n## Unreleased\n\n## 0.2.0, 2027-01-02\n\nx\n\n## 0.1.0, 2026-11-23\n", "0.2.0 2027-01-02"},
		{"# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0, 2026-11-23\n", "0.1.0+unreleased 2026-11-23"},
		{"# Changelog\n\n## 0.1.0, 2026-11-23\n", "0.1.0 2026-11-23"},
		{"# Changelog\n\n## Unreleased\n", ""},
		{"## 0.1.0, 2026-11-99\n", ""},
	} {
		version, day, err := newest(c.changes)
		got := version + " " + day.Format("2006-01-02")
		if err != nil {
			got = ""
		}
		if got != c.want {
			t.Errorf("%q is of %q, %v; want %q", c.changes, got, err, c.want)
		}
	}
}

// A tag that says another version than CHANGELOG.md is an error.
func TestTag(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "CHANGELOG.md"), "## 0.2.0, 2027-01-02\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.org/x\n")
	git := func(args ...string) {
		t.Helper()
		run(t, "git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@localhost"}, args...)...)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "x")
	if r, err := open(dir); err != nil || r.version != "0.2.0" || r.module != "example.org/x" {
		t.Errorf("without a tag: %+v, %v", r, err)
	}
	git("tag", "v0.1.0")
	if _, err := open(dir); err == nil || !strings.Contains(err.Error(), "v0.1.0") {
		t.Errorf("with another tag: %v", err)
	}
	git("tag", "v0.2.0")
	if _, err := open(dir); err != nil {
		t.Error(err)
	}
}

func TestParseTargets(t *testing.T) {
	if list, err := parseTargets("linux/arm64,windows/amd64"); err != nil || !slices.Equal(list, []target{targets[1], targets[4]}) {
		t.Error(list, err)
	}
	if list, err := parseTargets(""); err != nil || len(list) != 6 {
		t.Error(list, err)
	}
	if _, err := parseTargets("linux/amd64,plan9/386"); err == nil {
		t.Error("plan9 is taken")
	}
}

// docs/operations.md shows the unit that packages install.
func TestUnitIsDocumented(t *testing.T) {
	unit, page := read(t, unitFile), read(t, "../docs/operations.md")
	if !strings.Contains(page, "```ini\n"+unit+"```\n") {
		t.Errorf("docs/operations.md does not show %s:\n%s", unitFile, unit)
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := writeFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a program, and returns what it prints.
func run(t testing.TB, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// needs skips a test where a program is missing, which is an error in CI.
func needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			lacking(t, program)
		}
	}
}

// lacking skips a test for lack of something, which is an error in CI.
func lacking(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing", what)
}

// needsRoot skips a test where a program may not mount a file system and have another root, as in many
// sandboxes even root may not.
func needsRoot(t testing.TB) {
	t.Helper()
	dir := t.TempDir()
	tried := `mount -t tmpfs none "$0" && mount -t proc proc "$0" && chroot / true`
	if out, err := exec.Command("unshare", "--mount", "sh", "-c", tried, dir).CombinedOutput(); err != nil {
		t.Skipf("only who may mount and change the root can make a chroot: %v: %s", err, out)
	}
}

// copied copies the checkout into a folder, without its history.
func copied(t testing.TB, to string) {
	t.Helper()
	list, err := exec.Command("git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip("this is no checkout: ", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("..", name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := writeFile(filepath.Join(to, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What is published for linux/amd64, made once for all tests.
var published struct {
	once sync.Once
	dir  string
	ok   bool
}

func TestMain(m *testing.M) {
	code := m.Run()
	if published.dir != "" {
		os.RemoveAll(published.dir)
	}
	os.Exit(code)
}

// released returns the folder of what is published.
func released(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the packages of linux/amd64 are tested there")
	}
	published.once.Do(func() {
		var err error
		if published.dir, err = os.MkdirTemp("", "bayes-released-"); err != nil {
			t.Fatal(err)
		}
		copied(t, filepath.Join(published.dir, "first"))
		if err := release(filepath.Join(published.dir, "first"), filepath.Join(published.dir, "dist"), targets[:1]); err != nil {
			t.Fatal(err)
		}
		published.ok = true
	})
	if !published.ok {
		t.Skip("nothing could be made")
	}
	return filepath.Join(published.dir, "dist")
}

// one returns the file of a folder that a pattern matches.
func one(t testing.TB, dir, pattern string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %q, %v", pattern, list, err)
	}
	return list[0]
}

// An archive has what its user needs, and SHA256SUMS and the list of components are those of
// what is there.
func TestPublishedFiles(t *testing.T) {
	dir := released(t)
	entries := make(map[string][]byte)
	f, err := os.Open(one(t, dir, "bayes_*_linux_amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(head.Name, "/")
		if entries[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bayes", "LICENSE", "NOTICE", "README.md", "bayes.service", "completions/bayes.bash", "completions/_bayes", "completions/bayes.fish", "completions/bayes.ps1", "man/bayes.1", "man/bayes-train.1", "man/bayes-completion-zsh.1"} {
		if len(entries[name]) < 500 {
			t.Errorf("%s has %d bytes", name, len(entries[name]))
		}
	}
	program := filepath.Join(t.TempDir(), "bayes")
	if err := os.WriteFile(program, entries["bayes"], 0o755); err != nil {
		t.Fatal(err)
	}
	changes, err := newestOf("..")
	if said := run(t, program, "--version"); err != nil || !strings.HasPrefix(said, "bayes version v"+changes+", ") {
		t.Errorf("the version is %s, %v", said, err)
	}
	testSums(t, dir)
	testComponents(t, one(t, dir, "bayes_*_linux_amd64.cdx.json"), program, entries["bayes"])
	for _, v := range variants {
		one(t, dir, v.name+"_*_linux_amd64.tar.gz")
		one(t, dir, v.name+"_*_amd64.deb")
		one(t, dir, v.name+"-0*.x86_64.rpm")
	}
}

func newestOf(root string) (string, error) {
	r, err := open(root)
	if err != nil {
		return "", err
	}
	return r.version, nil
}

// testSums compares SHA256SUMS with the files.
func testSums(t *testing.T, dir string) {
	t.Helper()
	files := 0
	for line := range strings.Lines(read(t, filepath.Join(dir, "SHA256SUMS"))) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if got := sha256.Sum256([]byte(read(t, filepath.Join(dir, name)))); !ok || hex.EncodeToString(got[:]) != sum {
			t.Errorf("the sum of %s is %x, not %s", name, got, sum)
		}
		files++
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != files+2 { // itself, and the container's folder
		t.Errorf("%d sums of %d entries, %v", files, len(entries), err)
	}
}

// testComponents compares a list of components with what the go command reads in the program.
func testComponents(t *testing.T, list, program string, data []byte) {
	t.Helper()
	bom := new(cdx.BOM)
	if err := cdx.NewBOMDecoder(strings.NewReader(read(t, list)), cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if main := bom.Metadata.Component; main.Name != "bayes" || (*main.Hashes)[0].Value != hex.EncodeToString(sum[:]) {
		t.Errorf("the list is of %+v", main)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, c := range *bom.Components {
		known[c.PackageURL] = true
	}
	for _, m := range info.Deps {
		if url := "pkg:golang/" + m.Path + "@" + m.Version; !known[url] {
			t.Errorf("the list lacks %s", url)
		}
	}
	if len(known) != len(info.Deps)+1 || len(known) < 25 {
		t.Errorf("%d components of %d modules", len(known), len(info.Deps))
	}
}

// The same source makes the same bytes, in whatever folder it is.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	first := released(t)
	dir := t.TempDir()
	copied(t, filepath.Join(dir, "a", "longer", "path"))
	if err := release(filepath.Join(dir, "a", "longer", "path"), filepath.Join(dir, "dist"), targets[:1]); err != nil {
		t.Fatal(err)
	}
	if a, b := read(t, filepath.Join(first, "SHA256SUMS")), read(t, filepath.Join(dir, "dist", "SHA256SUMS")); a != b {
		t.Errorf("made once\n%s\nand again\n%s", a, b)
	}
}

// A zip archive for Windows has the program under the name that Windows runs.
func TestZip(t *testing.T) {
	dir := t.TempDir()
	r := &maker{root: "..", version: "0.1.0", stage: filepath.Join(dir, "stage"), out: dir}
	write(t, filepath.Join(r.stage, "program"), "MZ")
	write(t, filepath.Join(r.stage, pagesFolder, "bayes.1"), ".TH")
	write(t, filepath.Join(r.stage, completionsFolder, "bayes.ps1"), "#")
	if err := r.archive(target{"windows", "arm64"}, variants[1], filepath.Join(r.stage, "program")); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(dir, "bayes-nodictionaries_0.1.0_windows_arm64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, strings.TrimPrefix(f.Name, "bayes-nodictionaries_0.1.0_windows_arm64/"))
	}
	if want := "[bayes.exe LICENSE NOTICE README.md CHANGELOG.md completions/bayes.ps1 man/bayes.1]"; fmt.Sprint(names) != want {
		t.Errorf("%v, want %s", names, want)
	}
}

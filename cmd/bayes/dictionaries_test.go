package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bayes/internal/long"
)

// The program is below 45 MB, and below 25 MB without dictionaries. That one says so in its
// version, and names what a user lacks, in one line, for a description and for a model.
func TestDictionaries(t *testing.T) {
	long.Test(t, "the sizes of the program with and without dictionaries")
	dir := t.TempDir()
	cold, err := os.ReadFile("../../release/cold.txt")
	if err != nil {
		t.Fatal(err)
	}
	flags := []string{"-tags", "nodictionaries", "-pgo=off"} // as it is released
	for _, pattern := range strings.Fields(string(cold)) {
		flags = append(flags, "-gcflags="+pattern+"=-l")
	}
	full, small := build(t, dir, 45e6), build(t, dir, 25e6, flags...)
	if got := run(t, 0, full, "--version"); strings.Contains(got, "dictionaries") {
		t.Errorf("with dictionaries: %s", got)
	}
	if got := run(t, 0, small, "--version"); !strings.HasSuffix(got, ", without the Japanese and Korean dictionaries\n") {
		t.Errorf("without dictionaries: %s", got)
	}
	data, model := filepath.Join(dir, "data.csv"), filepath.Join(dir, "ja.nb")
	if err := os.WriteFile(data, []byte("label,text\na,寿司を食べました\nb,本を買った\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, 0, full, "train", data, "-o", model, "--analyzer", "ja:base")
	if got, want := run(t, 0, full, "predict", model, "本を買いました"), "b"; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	const lacks = `analyzer "ja:base": this program is built without the Japanese dictionary: use one that is built without -tags nodictionaries`
	if got, want := run(t, 2, small, "train", data, "-o", model, "--analyzer", "ja:base"), "bayes: "+lacks+" (see bayes train --help)\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := run(t, 1, small, "predict", model, "本を買いました"), "bayes: "+model+": model file: section header, byte 0: space \"ja:base\": "+lacks+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// build builds the program as releases have it, and checks that it has fewer bytes than most.
func build(t *testing.T, dir string, most int64, flags ...string) (name string) {
	t.Helper()
	name = filepath.Join(dir, "bayes"+strconv.Itoa(len(flags)))
	cmd := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", name}, flags...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if file.Size() >= most {
		t.Errorf("go build %s makes %d bytes, which were to be below %d", strings.Join(flags, " "), file.Size(), most)
	}
	return name
}

// run returns what a command prints, whose exit code is to be code.
func run(t *testing.T, code int, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("%s: exit code %d, want %d: %v\n%s", strings.Join(args, " "), got, code, err, out)
	}
	return string(out)
}

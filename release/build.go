package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A target is a system to build for.
type target struct{ system, arch string }

func (t target) String() string { return t.system + "/" + t.arch }

// A variant is a way to build the program.
type variant struct {
	name    string   // of the package, and what the names of archives begin with
	tags    string   // of go build
	flags   []string // of go build
	summary string
}

// cold are the packages that take little time, a pattern of go build a line. In the small program their functions are not
// inlined, which makes it 0.6 MB smaller.
//
//go:embed cold.txt
var cold string

// smallFlags are the flags of go build that make the program smaller, and what is cold in it slower.
func smallFlags() (flags []string) {
	for _, pattern := range strings.Fields(cold) {
		flags = append(flags, "-gcflags="+pattern+"=-l")
	}
	return append(flags, "-pgo=off") // the profile of the command makes it 0.14 MB larger
}

// noDictionaries is the tag of go build that leaves the dictionaries out.
const noDictionaries = "nodictionaries"

var variants = []variant{
	{"bayes", "", nil, "Classify text with naive Bayes"},
	{"bayes-nodictionaries", noDictionaries, smallFlags(), "Classify text with naive Bayes, without Japanese and Korean dictionaries"},
}

// build builds a variant for a system, and returns the name of the program. The same source and
// version of Go make the same bytes, wherever they are.
func (r *maker) build(t target, v variant) (string, error) {
	program := filepath.Join(r.stage, v.name+"-"+t.system+"-"+t.arch)
	args := append([]string{"build", "-C", r.root, "-o", program, "-trimpath", "-tags", v.tags,
		"-ldflags", "-s -w -X " + r.module + "/internal/cli.released=v" + r.version}, v.flags...)
	cmd := exec.Command("go", append(args, "./cmd/bayes")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOWORK=off", "GOEXPERIMENT=", "GOFLAGS=-mod=readonly") // GOFLAGS and the like of whoever builds change the bytes
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, said)
	}
	return program, nil
}

// The folders of the stage.
const (
	pagesFolder       = "man"
	completionsFolder = "completions"
)

// shells are the shells that bayes completes for, with the name by which each looks for a script.
var shells = map[string]string{"bash": "bayes.bash", "zsh": "_bayes", "fish": "bayes.fish", "powershell": "bayes.ps1"}

// document has the program itself make manual pages and completions, which are the same for
// all systems.
func (r *maker) document() error {
	program, err := r.build(target{runtime.GOOS, runtime.GOARCH}, variants[0])
	if err != nil {
		return err
	}
	defer os.Remove(program)
	for shell, name := range shells {
		script, err := exec.Command(program, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("bayes completion %s: %w", shell, err)
		}
		if err := writeFile(filepath.Join(r.stage, completionsFolder, name), script, 0o644); err != nil {
			return err
		}
	}
	pages, err := exec.Command(program, "man", "--json").Output()
	if err != nil {
		return fmt.Errorf("bayes man: %w", err)
	}
	for line := range bytes.Lines(pages) {
		var p struct{ Name, Page string }
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(r.stage, pagesFolder, p.Name), []byte(p.Page), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file, and the folders above it.
func writeFile(name string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(name, data, mode), os.Chmod(name, mode))
}

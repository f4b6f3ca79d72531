package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var updateNotice = flag.Bool("notice", false, "write the licences of the modules to NOTICE")

const (
	noticeFile  = "../../NOTICE"
	modulesHead = "3. The modules that the program is built from, and Go's library.\n"
)

// licenceName matches the files that a module's terms are in.
var licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents|third_party_licen[cs]es)([.-].*)?$`)

// licences maps each text of a licence to where it is from: a module, and a file
// in it.
type licences map[string][]string

// add adds the files of licences in a folder of a module.
func (l licences) add(t *testing.T, module, root, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range entries {
		if !licenceName.MatchString(d.Name()) || strings.HasSuffix(d.Name(), ".go") {
			continue
		}
		err := filepath.WalkDir(filepath.Join(dir, d.Name()), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			from := module + " (" + filepath.ToSlash(name) + ")"
			if text := tidy(string(data)); !slices.Contains(l[text], from) {
				l[text] = append(l[text], from)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tidy returns a text with line ends of one kind, and none at its ends.
func tidy(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// linked returns the licences of all that the program and its dictionaries are made of, on any
// system, and the modules whose files are not on this machine, of other systems.
func linked(t *testing.T) (l licences, absent []string) {
	t.Helper()
	l = make(licences)
	for _, system := range []string{runtime.GOOS, "linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-e", "-deps", "-json=Dir,Module,Standard", ".", "../../internal/morph/generate")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Dir      string
				Standard bool
				Module   *struct {
					Path, Dir string
					Main      bool
				}
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			switch {
			case p.Standard || p.Module == nil || p.Module.Main:
			case p.Module.Dir == "" && system == runtime.GOOS:
				t.Fatalf("the module %s is not there", p.Module.Path)
			case p.Module.Dir == "":
				absent = append(absent, p.Module.Path)
			default: // a package's own folder, and those above it
				for dir := p.Dir; ; dir = filepath.Dir(dir) {
					l.add(t, p.Module.Path, p.Module.Dir, dir)
					if dir == p.Module.Dir || len(dir) <= len(p.Module.Dir) {
						break
					}
				}
			}
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	if root := strings.TrimSpace(string(goroot)); root != "" {
		if _, err := os.Stat(filepath.Join(root, "LICENSE")); err == nil {
			l.add(t, "Go", root, root)
		}
	}
	return l, absent
}

// Whoever gets the program gets the terms of all that is in it: NOTICE has each
// licence of each module that is linked, and names no others.
func TestNotice(t *testing.T) {
	data, err := os.ReadFile(noticeFile)
	if err != nil {
		t.Fatal(err)
	}
	all, absent := linked(t)
	if *updateNotice {
		head, _, _ := strings.Cut(string(data), ruler+"\n"+modulesHead)
		data = []byte(head + modulesPart(all, tidy(head)))
		if err := os.WriteFile(noticeFile, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	notice := tidy(string(data))
	_, modules, found := strings.Cut(notice, modulesHead)
	if !found {
		t.Fatal("NOTICE does not have its part about modules")
	}
	const help = "; go test ./cmd/bayes -run TestNotice -notice writes it"
	known := make(map[string]bool)
	for text, from := range all {
		for _, f := range from {
			known[f] = true
			if !strings.Contains(notice, text) || !strings.Contains(modules, "\n"+f+"\n") {
				t.Errorf("NOTICE lacks %s%s", f, help)
			}
		}
	}
	if len(known) < 30 {
		t.Errorf("only %d licences were found", len(known))
	}
	for _, line := range regexp.MustCompile(`(?m)^(\S+) \([^ ()]+\)$`).FindAllStringSubmatch(modules, -1) {
		if !known[line[0]] && !slices.Contains(absent, line[1]) && line[1] != "Go" {
			t.Errorf("NOTICE names %s, which is not linked%s", line[0], help)
		}
	}
	for _, module := range absent {
		if !strings.Contains(modules, "\n"+module+" (") {
			t.Errorf("NOTICE lacks %s", module)
		}
	}
}

var ruler = strings.Repeat("=", 75)

// modulesPart returns the part of NOTICE about modules: each text once, but those
// that the part before has, below the names of those it is of.
func modulesPart(all licences, before string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s%s\n", ruler, modulesHead, ruler)
	var texts []string
	for text, from := range all {
		slices.Sort(from)
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return slices.Compare(all[a], all[b]) })
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n", strings.Repeat("-", 75), strings.Join(all[text], "\n"))
		if strings.Contains(before, text) {
			text = "(above)"
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

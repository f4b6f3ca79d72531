//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// examples are what the commands that stand at the head of each of the small programs answer, in their order: the
// server that the first of them starts answers nothing.
var examples = map[string][]string{
	"language": {`^de\t`},
	"online":   {`^$`, `^happy \d\.\d+\n$`, `^$`, `^$`},
	"spam":     {`^spam\twin a free prize\n$`},
	"tickets":  {`^$`, `^\{"queue":"billing",`},
}

// Each program of examples/ is built, and the commands that its comment shows are run.
func TestExamplePrograms(t *testing.T) {
	installed(t, "curl", "send what the programs' comments show")
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../../examples/...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	programs, err := filepath.Glob("../../examples/*/main.go")
	if err != nil || len(programs) != len(examples) {
		t.Fatalf("%q, %v", programs, err)
	}
	for _, program := range programs {
		name := filepath.Base(filepath.Dir(program))
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(program)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(source), "\npackage main")
			commands := regexp.MustCompile(`(?m)^//\t(.*)$`).FindAllStringSubmatch(head, -1)
			if len(commands) != len(examples[name]) {
				t.Fatalf("the comment has %d commands, not %d", len(commands), len(examples[name]))
			}
			dir, addr := t.TempDir(), freeAddress(t)
			for i, want := range examples[name] {
				line := strings.NewReplacer("go run ./examples/"+name, filepath.Join(bin, name), "localhost:8080", addr,
					"curl ", "curl -sS --retry 20 --retry-connrefused --retry-delay 1 ").Replace(commands[i][1])
				if i == 0 && len(commands) > 1 {
					startExample(t, dir, line+" -addr "+addr)
					continue
				}
				cmd := exec.Command("sh", "-c", line)
				cmd.Dir = dir
				out, err := cmd.Output()
				if err != nil || !regexp.MustCompile(want).Match(out) {
					t.Errorf("%s\nprints %q, %v; not %s", commands[i][1], out, err, want)
				}
			}
		})
	}
}

// freeAddress returns an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr())
}

// startExample starts a server, which is interrupted when the test ends.
func startExample(t *testing.T, dir, line string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "exec "+line)
	cmd.Dir, cmd.Stderr = dir, t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Error(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
	})
}

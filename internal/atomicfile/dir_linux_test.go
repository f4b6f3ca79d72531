package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestMain makes the test binary a process that makes folders, or writes a file,
// if it is told to.
func TestMain(m *testing.M) {
	if name := os.Getenv("ATOMICFILE_TEST_MKDIR"); name != "" {
		say(MkdirAll(name, 0o700))
	}
	if name := os.Getenv("ATOMICFILE_TEST_WRITE"); name != "" {
		say(Write(name, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	}
	os.Exit(m.Run())
}

func say(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// strace runs the test binary under strace, and returns what both print.
func strace(t *testing.T, env string, options ...string) (output string, err error) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no strace")
		}
		t.Skip("there is no strace: apt-get install strace")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("strace", append(append([]string{"-f", "-y"}, options...), self)...)
	cmd.Env = append(os.Environ(), env)
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// The parent of every folder that is made is synced, after it was made; those
// that were there are not.
func TestMkdirAllSyncs(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "a", "b", "c")
	out, err := strace(t, "ATOMICFILE_TEST_MKDIR="+name, "-e", "trace=mkdirat,fsync")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	for _, m := range regexp.MustCompile(`mkdirat\([^"]*"([^"]*)"|fsync\(\d+<([^>]*)>`).FindAllStringSubmatch(out, -1) {
		if m[1] != "" {
			got = append(got, "make "+strings.TrimPrefix(m[1], root))
		} else {
			got = append(got, "sync "+strings.TrimPrefix(m[2], root))
		}
	}
	want := "make /a,sync ,make /a/b,sync /a,make /a/b/c,sync /a/b"
	if strings.Join(got, ",") != want {
		t.Errorf("%q, want %s", got, want)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

// A folder that cannot be synced is an error, whether it is one that is made or
// one in which a file is renamed.
func TestSyncErrors(t *testing.T) {
	for _, variable := range []string{"ATOMICFILE_TEST_MKDIR", "ATOMICFILE_TEST_WRITE"} {
		root := t.TempDir()
		out, err := strace(t, variable+"="+filepath.Join(root, "new"), "-P", root, "-e", "trace=fsync", "-e", "inject=fsync:error=EIO")
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !strings.Contains(out, "input/output error") {
			t.Errorf("%s: %v\n%s", variable, err, out)
		}
	}
}

func TestMkdirAllErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Join(file, "a", "b")} {
		if err := MkdirAll(name, 0o700); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := SyncDir(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

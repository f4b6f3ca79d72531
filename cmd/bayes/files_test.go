//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// bayesIn returns a command that runs bayes in a folder.
func bayesIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "bayes", args...)
	cmd.Dir = dir
	return cmd
}

// mustBayes runs bayes in a folder, and returns what it prints.
func mustBayes(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := bayesIn(t, dir, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bayes %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// trained returns a folder with a table, four documents, and a model of it.
func trained(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.csv"), "label,text\nspam,win a free prize\nspam,free entry\nham,see you at lunch\nham,lunch at one\n")
	mustBayes(t, dir, "train", "a.csv", "-o", "m.nb")
	return dir
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Eight that learn at once learn eight documents, through a link too.
func TestLearnAtOnce(t *testing.T) {
	const learners = 8
	dir := trained(t)
	if err := os.Symlink("m.nb", filepath.Join(dir, "link.nb")); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range learners {
		file := fmt.Sprintf("%d.csv", i)
		writeFile(t, filepath.Join(dir, file), fmt.Sprintf("label,text\nham,word%d\n", i))
		cmd := bayesIn(t, dir, "learn", []string{"m.nb", "link.nb"}[i%2], file)
		wait.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wait.Wait()
	if out := mustBayes(t, dir, "check", "m.nb"); !strings.Contains(out, " 12 documents") {
		t.Error(out)
	}
	if out := mustBayes(t, dir, "inspect", "m.nb", "--json"); !strings.Contains(out, `"documents":12`) {
		t.Error(out)
	}
	if info, err := os.Lstat(filepath.Join(dir, "link.nb")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	wantNoHidden(t, dir)
}

// wantNoHidden wants a folder without temporary files.
func wantNoHidden(t *testing.T, dir string) {
	t.Helper()
	if hidden, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(hidden) > 0 {
		t.Errorf("left behind: %v, %v", hidden, err)
	}
}

// midWrite starts bayes in a folder of its own and returns it while it writes a file.
func midWrite(t *testing.T, before ...string) (dir string, cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	dir = t.TempDir()
	// Long rows are read fast, and take longer to write.
	row := "spam," + strings.Repeat("win a prize ", 1<<14) + "\nham,b\n"
	writeFile(t, filepath.Join(dir, "mail.csv"), "label,text\n"+strings.Repeat(row, 512))
	line := append(before, "bayes", "split", "mail.csv")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, line[0], line[1:]...)
	stderr = new(bytes.Buffer)
	cmd.Dir, cmd.Stderr = dir, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if temporary, _ := filepath.Glob(filepath.Join(dir, ".mail.train.csv.*")); len(temporary) == 1 {
			return dir, cmd, stderr
		}
		if ctx.Err() != nil {
			t.Fatal("no file is begun: ", stderr)
		}
	}
}

// A signal ends a command that writes, and half a file is not left behind.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			dir, cmd, stderr := midWrite(t)
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 || stderr.String() != "bayes: interrupted\n" {
				t.Errorf("%v, %q", err, stderr)
			}
			wantNoHidden(t, dir)
			if _, err := os.Stat(filepath.Join(dir, "mail.test.csv")); err == nil {
				t.Error("the command went on")
			}
		})
	}
}

// What nohup began survives the end of its terminal.
func TestIgnoredSignal(t *testing.T) {
	dir, cmd, stderr := midWrite(t, "sh", "-c", `trap "" HUP; exec "$@"`, "sh")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr)
	}
	for _, part := range []string{"mail.train.csv", "mail.test.csv"} {
		if _, err := os.Stat(filepath.Join(dir, part)); err != nil {
			t.Error(err)
		}
	}
	wantNoHidden(t, dir)
}

// printers are the commands, with arguments that make them print to standard
// output; nil where a command does not.
var printers = map[string][][]string{
	"audit":      {{"a.csv", "--against", "a.csv"}, {"a.csv", "--json"}},
	"backup":     nil, // it prints a note alone
	"check":      {{"m.nb"}, {"m.nb", "--json"}},
	"compare":    {{"a.csv", "--test", "a.csv"}},
	"completion": {{"bash"}},
	"cv":         {{"a.csv", "--folds", "2"}, {"a.csv", "--folds", "progressive"}, {"a.csv", "--folds", "progressive", "--json"}},
	"demo":       {{}},
	"explain":    {{"m.nb", "free lunch"}, {"m.nb", "free lunch", "--work"}, {"m.nb", "free lunch", "--json"}},
	"filter":     nil, // TestFilterFails
	"freeze":     {{"m.nb", "-o", "f.nb", "--json"}, {"m.nb", "-o", "-"}},
	"help":       {{}, {"train"}},
	"import":     {{"bogofilter", "list.txt", "-o", "-"}, {"bogofilter", "list.txt", "-o", "i.nb", "--json"}},
	"inspect":    {{"m.nb"}, {"m.nb", "--terms", "3"}, {"m.nb", "--term", "free"}, {"m.nb", "--dump"}},
	"label":      {{"a.csv", "--tty"}, {"a.csv", "--json"}},
	"learn":      {{"m.nb", "a.csv", "--json"}},
	"man":        {{}, {"train"}, {"--json"}},
	"merge":      {{"m.nb", "-o", "-"}},
	"milter":     nil, // it answers a mail server
	"predict":    {{"m.nb", "a.csv"}, {"m.nb", "free lunch"}, {"m.nb", "a.csv", "--append"}, {"m.nb", "a.csv", "--json"}},
	"serve":      nil, // it answers over HTTP
	"split":      {{"a.csv", "--force"}},
	"subtract":   {{"m.nb", "m.nb", "-o", "-"}},
	"test":       {{"m.nb", "a.csv"}, {"m.nb", "a.csv", "--json"}},
	"token":      {{"tokens.txt", "--name", "x"}, {"tokens.txt", "--name", "x", "--json"}},
	"train":      {{"a.csv", "-o", "-"}, {"a.csv", "-o", "t.nb", "--json"}},
	"tune":       {{"a.csv", "--folds", "2", "--analyzer", "whitespace", "--weighting", "count", "--min-df", "1", "--model", "multinomial"}},
	"unlearn":    {{"m.nb", "a.csv", "--json"}},
}

// What cannot be printed is a failure of every command.
func TestFullDevice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /dev/full here")
	}
	dir := trained(t)
	writeFile(t, filepath.Join(dir, "tokens.txt"), "")
	writeFile(t, filepath.Join(dir, "list.txt"), ".MSG_COUNT 1 1 20260101\nprize 1 0 20260101\n")
	// Shell completion knows all commands.
	for line := range strings.Lines(mustBayes(t, dir, "__complete", "")) {
		name, _, isCommand := strings.Cut(line, "\t")
		if !isCommand {
			continue
		}
		list, ok := printers[name]
		if !ok {
			t.Errorf("%s has no row in printers", name)
		}
		for _, args := range list {
			failsOnFull(t, dir, append([]string{name}, args...))
		}
	}
	failsOnFull(t, dir, []string{"--help"})
	if b, err := os.ReadFile(filepath.Join(dir, "tokens.txt")); err != nil || len(b) > 0 {
		t.Errorf("a token whose secret nobody knows is added: %q, %v", b, err)
	}
}

func failsOnFull(t *testing.T, dir string, args []string) {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	cmd := bayesIn(t, dir, append(args, "--quiet")...)
	cmd.Stdout, cmd.Stderr = full, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || stderr.String() != "bayes: standard output: no space left on device\n" {
		t.Errorf("bayes %s: %v, %q", strings.Join(args, " "), err, stderr.String())
	}
}

// A reader that has read enough ends a command without a word.
func TestClosedPipe(t *testing.T) {
	dir := trained(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	for _, shell := range []string{`exec bayes inspect m.nb --dump`, `trap "" PIPE; exec bayes inspect m.nb --dump`} {
		var stderr bytes.Buffer
		cmd := exec.Command("sh", "-c", shell)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, w, &stderr
		if err := cmd.Run(); err == nil || stderr.Len() > 0 {
			t.Errorf("%s: %v, %q", shell, err, stderr.String())
		}
	}
}

// A token is added to a last line without an end, as a line of its own.
func TestTokenLastLine(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "tokens.txt")
	first := mustBayes(t, dir, "token", "tokens.txt", "--name", "first")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, strings.TrimSuffix(string(b), "\n"))
	second := mustBayes(t, dir, "token", "tokens.txt", "--name", "second")
	list, err := readTokens(name)
	if err != nil || len(list) != 2 || list[0].Name != "first" || list[1].Name != "second" {
		t.Errorf("%v, %v", list, err)
	}
	if first == second || slices.Contains([]string{first, second}, "") {
		t.Errorf("secrets %q and %q", first, second)
	}
}

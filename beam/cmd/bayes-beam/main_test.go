package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bayes/beam/internal/generate"
	"bayes/internal/cli"
	"bayes/internal/testdata"

	"github.com/rogpeppe/go-internal/testscript"
)

// Programs that the test binary can be, named by this variable: Beam's flags are
// global, so each run is a process of its own.
const programVariable = "BAYES_BEAM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(programVariable) {
	case "bayes-beam":
		if pids := os.Getenv("BAYES_BEAM_TEST_PIDS"); pids != "" && isWorker(os.Args[1:]) {
			notePid(pids)
		}
		main()
	case "bayes":
		cli.Main()
	}
	testscript.Main(m, map[string]func(){
		"bayes":      func() { cli.Main() },
		"bayes-beam": main,
	})
}

// notePid appends this process's number to a file.
func notePid(name string) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(f, os.Getpid())
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// program returns a command that runs bayes or bayes-beam.
func program(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), programVariable+"="+name)
	return cmd
}

// mustRun runs a program, and returns what it prints.
func mustRun(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := program(name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String()
}

// Each file of testdata/script is one behaviour of the command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"parquet": writeParquet,
	}})
}

// generated returns a file of about size bytes.
func generated(t *testing.T, size int64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "generated.csv")
	f, err := os.Create(name)
	if err == nil {
		err = generate.CSV(f, size, 1)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// sameFile fails the test unless two files have the same bytes.
func sameFile(t *testing.T, what, got, want string) {
	t.Helper()
	a, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s: %d bytes that are not the %d bytes of bayes train", what, len(a), len(b))
	}
}

// The model of the pipeline, and of its shards merged, is the model of one
// machine, byte for byte.
func TestSameBytes(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		flags      []string
	}{
		{"nsmc", testdata.Path(t, "nsmc/train.csv"), []string{"--part-size", "1000000"}},
		{"20news", testdata.Path(t, "20news/train.csv"), []string{"--part-size", "4000000"}},
		{"20news selected", testdata.Path(t, "20news/train.csv"), []string{"--part-size", "8000000", "--model", "bernoulli", "--stem", "en", "--stopwords", "en", "--min-df", "3", "--max-df", "0.5", "--select", "chi2:5000"}},
		{"generated", generated(t, 20<<20), []string{"--part-size", "1500000"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			want, got := filepath.Join(dir, "want.nb"), filepath.Join(dir, "got.nb")
			mustRun(t, "bayes", append([]string{"train", "-q", tc.file, "-o", want}, tc.flags[2:]...)...)
			mustRun(t, "bayes-beam", append([]string{"train", "-q", tc.file, "-o", got, "--shards", "8"}, tc.flags...)...)
			sameFile(t, "the pipeline's model", got, want)
			shards, _ := filepath.Glob(filepath.Join(dir, "got-0000?-of-00008.nb"))
			if len(shards) != 8 {
				t.Fatalf("%d shards, want 8", len(shards))
			}
			merged := filepath.Join(dir, "merged.nb")
			mustRun(t, "bayes", append([]string{"merge", "-q", "-o", merged}, shards...)...)
			sameFile(t, "the model of its shards", merged, want)
		})
	}
}

// What is predicted and measured in parts is what one machine predicts and
// measures.
func TestSamePredictions(t *testing.T) {
	dir := t.TempDir()
	model, labels := filepath.Join(dir, "m.nb"), filepath.Join(dir, "labels.tsv")
	test := testdata.Path(t, "nsmc/test.csv")
	mustRun(t, "bayes", "train", "-q", testdata.Path(t, "nsmc/train.csv"), "-o", model)
	mustRun(t, "bayes-beam", "predict", "-q", model, test, "-o", labels, "--part-size", "300000")
	got, err := os.ReadFile(labels)
	if err != nil {
		t.Fatal(err)
	}
	if want := mustRun(t, "bayes", "predict", "-q", model, test); string(got) != want {
		t.Errorf("predictions differ: %d bytes, want %d", len(got), len(want))
	}
	for _, flags := range [][]string{nil, {"--json"}} {
		want := mustRun(t, "bayes", append([]string{"test", "-q", model, test, "--mistakes", "0"}, flags...)...)
		if got := mustRun(t, "bayes-beam", append([]string{"test", "-q", model, test, "--part-size", "300000"}, flags...)...); got != want {
			t.Errorf("test %v prints\n%s\nwant\n%s", flags, got, want)
		}
	}
}

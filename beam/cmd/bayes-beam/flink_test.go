package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bayes/internal/testdata"
)

const flinkScript = "../../flink.sh"

// flink starts Flink's job server, which stops when the test ends, and returns
// the flags to run on it, with workers in processes of their own. Their numbers
// are in the file called pids.
func flink(t *testing.T) (flags []string, pids string) {
	t.Helper()
	if testing.Short() {
		t.Skip("Flink: not with -short")
	}
	if _, err := exec.LookPath("java"); err != nil {
		absent(t, "Flink: there is no java to run it with")
	}
	if err := exec.Command("bash", flinkScript, "jars").Run(); err != nil {
		absent(t, "Flink: its jars are absent (beam/flink.sh fetch downloads them)")
	}
	port := freePort(t)
	serve(t, port)
	pids = filepath.Join(t.TempDir(), "pids")
	config := fmt.Sprintf(`{"command": %q, "env": {%q: "bayes-beam", "BAYES_BEAM_TEST_PIDS": %q}}`, os.Args[0], programVariable, pids)
	return []string{"--runner", "flink", "--endpoint", "localhost:" + port, "--parallelism", "4",
		"--environment_type", "PROCESS", "--environment_config", config}, pids
}

func absent(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// serve starts the job server and waits until it says that it serves.
func serve(t *testing.T, port string) {
	t.Helper()
	cmd := exec.Command("bash", flinkScript, "serve", port)
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var (
		log     lockedBuffer
		once    sync.Once
		ready   = make(chan bool)
		drained = make(chan bool)
	)
	go func() {
		defer close(drained)
		for s := bufio.NewScanner(out); s.Scan(); {
			fmt.Fprintln(&log, s.Text())
			if strings.Contains(s.Text(), "Job server now running") {
				once.Do(func() { close(ready) })
			}
		}
		once.Do(func() { close(ready) })
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-drained
		cmd.Wait()
		if t.Failed() {
			t.Logf("the end of the job server's log:\n%s", log.tail(8<<10))
		}
	})
	<-ready
	if !strings.Contains(log.tail(1<<20), "Job server now running") {
		t.Fatal("the job server did not start")
	}
}

// A lockedBuffer is for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) tail(n int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.b.String()
	return s[max(0, len(s)-n):]
}

// Flink's model is that of one machine, byte for byte, and so are its shards,
// its predictions and its measurements.
func TestFlink(t *testing.T) {
	flags, pids := flink(t)
	with := func(args ...string) []string { return append(args, flags...) }
	for name, file := range map[string]string{
		"nsmc": testdata.Path(t, "nsmc/train.csv"), "20news": testdata.Path(t, "20news/train.csv"), "generated": generated(t, 20<<20),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			want, got := filepath.Join(dir, "want.nb"), filepath.Join(dir, "got.nb")
			mustRun(t, "bayes", "train", "-q", file, "-o", want)
			mustRun(t, "bayes-beam", with("train", "-q", file, "-o", got, "--part-size", "1500000")...)
			sameFile(t, "Flink's model", got, want)
		})
	}
	if len(workers(t, pids)) == 0 {
		t.Error("Flink has started no worker")
	}
	t.Run("predict and test", func(t *testing.T) {
		dir := t.TempDir()
		model, labels := filepath.Join(dir, "m.nb"), filepath.Join(dir, "labels.tsv")
		test := testdata.Path(t, "sms/spam.csv")
		columns := []string{"--label", "v1", "--text", "v2"}
		mustRun(t, "bayes", append([]string{"train", "-q", test, "-o", model}, columns...)...)
		mustRun(t, "bayes-beam", with(append([]string{"predict", "-q", model, test, "-o", labels, "--part-size", "100000"}, columns...)...)...)
		got, err := os.ReadFile(labels)
		if err != nil {
			t.Fatal(err)
		}
		if want := mustRun(t, "bayes", append([]string{"predict", "-q", model, test}, columns...)...); string(got) != want {
			t.Errorf("predictions differ: %d bytes, want %d", len(got), len(want))
		}
		want := mustRun(t, "bayes", append([]string{"test", "-q", model, test, "--mistakes", "0"}, columns...)...)
		if got := mustRun(t, "bayes-beam", with(append([]string{"test", "-q", model, test, "--part-size", "100000"}, columns...)...)...); got != want {
			t.Errorf("test prints\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("bad record", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "bad.csv")
		if err := os.WriteFile(name, []byte("label,text\na,one\nb\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := program("bayes-beam", with("train", name, "-o", name+".nb")...).CombinedOutput()
		if want := "bayes-beam: " + name + ":3: 1 field where the header has 2\n"; err == nil || string(out) != want {
			t.Errorf("%v, %q, want %q", err, out, want)
		}
	})
}

// A worker that is killed in the middle does not show in the model.
func TestFlinkWorkerKilled(t *testing.T) {
	flags, pids := flink(t)
	dir := t.TempDir()
	want, got := filepath.Join(dir, "want.nb"), filepath.Join(dir, "got.nb")
	const size = 60 << 20
	file := generated(t, size)
	mustRun(t, "bayes", "train", "-q", file, "-o", want)
	for range 5 { // on a busy machine a job may be done before this test has looked
		victim := trainKilled(t, pids, size, append([]string{"train", "-q", file, "-o", got, "--part-size", "1000000", "--force"}, flags...))
		sameFile(t, "the model", got, want)
		if victim == 0 {
			continue
		}
		if list := workers(t, pids); list[len(list)-1] == victim {
			t.Errorf("no worker was started after %d was killed", victim)
		}
		return
	}
	t.Error("five jobs were done before a worker was killed")
}

// trainKilled runs bayes-beam on a file of some size, kills a worker that counts it, and returns which; 0 if all was counted before.
func trainKilled(t *testing.T, pids string, size int64, args []string) (victim int) {
	t.Helper()
	before := make(map[int]int64) // how much workers of other jobs have read
	for _, pid := range workers(t, pids) {
		before[pid] = bytesRead(pid)
	}
	var out bytes.Buffer
	cmd := program("bayes-beam", args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		for _, pid := range workers(t, pids) {
			// Each part is read twice, to find where it ends and to count it.
			if victim == 0 && bytesRead(pid)-before[pid] >= size*5/4 && syscall.Kill(pid, syscall.SIGKILL) == nil {
				victim = pid
			}
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("after worker %d was killed: %v\n%s", victim, err, out.String())
			}
			return victim
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// workers returns the numbers of the workers that were started.
func workers(t *testing.T, pids string) (list []int) {
	t.Helper()
	b, err := os.ReadFile(pids)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(b)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pid)
	}
	return list
}

// bytesRead returns how much a process has read, zero if it is gone.
func bytesRead(pid int) (n int64) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err == nil {
		fmt.Sscanf(string(b), "rchar: %d", &n)
	}
	return n
}

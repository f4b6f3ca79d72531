package overload_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const limit = 2 << 30 // bytes of memory that the server is given

// A cage is a cgroup that a server is started in.
type cage struct {
	folder string // empty where there are no cgroups, and the server is only told how much it may take
	peak   string // the file that says how much memory was taken at most
}

// newCage makes a cgroup, of version 2 or 1, whichever can be written to.
func newCage(t *testing.T) cage {
	t.Helper()
	name := fmt.Sprintf("bayes-overload-%d-%d", os.Getpid(), time.Now().UnixNano())
	for _, c := range []struct{ root, limit, peak string }{
		{"/sys/fs/cgroup", "memory.max", "memory.peak"},
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
	} {
		if _, err := os.Stat(filepath.Join(c.root, "cgroup.procs")); err != nil {
			continue // not the root of cgroups of this version
		}
		folder := filepath.Join(c.root, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, c.limit), []byte(strconv.Itoa(limit)), 0); err != nil {
			os.Remove(folder) // a folder without a controller of memory
			continue
		}
		os.WriteFile(filepath.Join(folder, "memory.swap.max"), []byte("0"), 0) // of version 2, where it is
		t.Cleanup(func() {
			for range 100 { // until the system has noticed that the process has ended
				if os.Remove(folder) == nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Errorf("%s is left", folder)
		})
		return cage{folder, filepath.Join(folder, c.peak)}
	}
	// A limit on addresses would not do: Go reserves many more than it uses.
	t.Log("no cgroup can be made: GOMEMLIMIT takes its place, and the peak is looked at")
	return cage{}
}

// command returns a command that runs in the cage.
func (c cage) command(program string, args ...string) *exec.Cmd {
	script := fmt.Sprintf(`echo $$ > %s/cgroup.procs && exec "$@"`, c.folder)
	if c.folder == "" {
		script = fmt.Sprintf(`GOMEMLIMIT=%d exec "$@"`, limit/8*7)
	}
	return exec.Command("sh", append([]string{"-c", script, "sh", program}, args...)...)
}

// A process is a running bayes serve.
type process struct {
	t       *testing.T
	cage    cage
	cmd     *exec.Cmd
	address string
	log     *lines
	ended   chan struct{}
}

// lines is what a process has written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start runs bayes serve with the arguments, and waits until it listens.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	p := &process{t: t, cage: newCage(t), address: address, log: new(lines), ended: make(chan struct{})}
	p.cmd = p.cage.command(binary(t), append([]string{"serve", "--listen", address}, args...)...)
	p.cmd.Stderr = p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	for !strings.Contains(p.log.String(), "listening") {
		select {
		case <-p.ended:
			t.Fatalf("the server did not start: %s", p.log)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return p
}

// kill ends the process as a machine that fails does.
func (p *process) kill() {
	p.cmd.Process.Signal(syscall.SIGKILL)
	<-p.ended
}

func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// resident returns how much memory the process itself had at most, in bytes.
func (p *process) resident() (bytes int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if n, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, _ := strconv.ParseInt(strings.Fields(n)[0], 10, 64)
			return kB << 10
		}
	}
	return 0
}

// charged returns how much memory the cgroup was charged with at most, files that are
// cached included.
func (p *process) charged() int64 {
	data, err := os.ReadFile(p.cage.peak)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n
}

var build = sync.OnceValues(func() (string, error) {
	if name := os.Getenv("BAYES_OVERLOAD_BINARY"); name != "" {
		return name, nil
	}
	dir, err := os.MkdirTemp("", "bayes-overload")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "bayes")
	out, err := exec.Command("go", "build", "-pgo=off", "-o", name, "../../cmd/bayes").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return name, err
})

// binary returns the program, which is built once.
func binary(t *testing.T) string {
	t.Helper()
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestMain(m *testing.M) {
	code := m.Run()
	if os.Getenv("BAYES_OVERLOAD_BINARY") == "" && os.Getenv("BAYES_OVERLOAD") != "" {
		if name, err := build(); err == nil {
			os.RemoveAll(filepath.Dir(name))
		}
	}
	os.Exit(code)
}

// A witness asks for a server's health, by a new connection each time, and for predictions
// of a short text as another client than the attackers, for as long as an attack goes on.
type witness struct {
	p        *process
	stop     context.CancelFunc
	running  sync.WaitGroup
	mu       sync.Mutex
	answered map[string]int
	failures []string
}

func (p *process) watch(secret, model string) *witness {
	ctx, stop := context.WithCancel(context.Background())
	v := &witness{p: p, stop: stop, answered: make(map[string]int)}
	elsewhere := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}} // than the attackers are
	fresh := &http.Client{Transport: &http.Transport{DialContext: elsewhere.DialContext, DisableKeepAlives: true}, Timeout: time.Minute}
	keeping := &http.Client{Transport: &http.Transport{DialContext: elsewhere.DialContext}, Timeout: time.Minute}
	v.running.Go(func() {
		v.ask(ctx, "health", fresh, func() *http.Request { return p.request("GET", "/healthz", "", "") })
	})
	v.running.Go(func() {
		v.ask(ctx, "prediction", keeping, func() *http.Request {
			return p.request("POST", "/v1/models/"+model+"/predict", secret, `{"text":"win a free prize"}`)
		})
	})
	return v
}

func (p *process) request(method, path, secret, body string) *http.Request {
	r, err := http.NewRequest(method, "http://"+p.address+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (v *witness) ask(ctx context.Context, what string, client *http.Client, request func() *http.Request) {
	for ctx.Err() == nil && v.p.alive() {
		resp, err := client.Do(request())
		v.mu.Lock()
		switch {
		case err != nil:
			v.failures = append(v.failures, what+": "+err.Error())
		case resp.StatusCode != 200:
			v.failures = append(v.failures, what+": "+resp.Status)
		default:
			v.answered[what]++
		}
		v.mu.Unlock()
		if err == nil {
			resp.Body.Close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// end ends the watch, and fails if anything was not answered, or the process is gone.
func (v *witness) end(name string) {
	t := v.p.t
	t.Helper()
	rss, charged := v.p.resident(), v.p.charged()
	v.stop()
	v.running.Wait()
	if !v.p.alive() {
		log := v.p.log.String()
		t.Errorf("the server is gone: %s", log[max(0, len(log)-2000):])
		return
	}
	for _, what := range []string{"health", "prediction"} {
		if v.answered[what] == 0 {
			t.Errorf("%s: no answer", what)
		}
	}
	for i, f := range v.failures {
		if i < 5 {
			t.Errorf("%d of the witness's requests failed: %s", len(v.failures), f)
		}
	}
	if rss > limit/16*15 {
		t.Errorf("%d MiB of memory", rss>>20)
	}
	t.Logf("%s: peak %d MiB, with files %d MiB; meanwhile %v", name, rss>>20, charged>>20, v.answered)
}

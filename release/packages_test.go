package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A chroot is a Debian system of nothing but what is needed to run, with systemd's programs.
type chroot struct {
	t   *testing.T
	dir string
}

// newChroot makes a chroot of the release that this machine runs, from where its own packages
// are from.
func newChroot(t *testing.T) *chroot {
	t.Helper()
	needs(t, "debootstrap", "dpkg-deb", "apt-get")
	needsRoot(t)
	var mirror, codename string
	for line := range strings.Lines(run(t, "apt-get", "indextargets", "--format", "$(ORIGIN) $(CODENAME) $(REPO_URI)", "Created-By: Packages")) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "Debian" && !strings.Contains(f[1], "-") {
			codename, mirror = f[1], f[2]
			break
		}
	}
	if mirror == "" {
		lacking(t, "Debian among apt's sources")
	}
	c := &chroot{t, t.TempDir()}
	if err := os.Chmod(c.dir, 0o755); err != nil { // another user than root is to run a server there
		t.Fatal(err)
	}
	run(t, "debootstrap", "--variant=minbase", "--include=systemd", codename, c.dir, mirror)
	if err := os.Chmod(filepath.Dir(c.dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

// path returns the name outside of a file in the chroot.
func (c *chroot) path(name string) string { return filepath.Join(c.dir, name) }

// run runs a program in the chroot, and returns what it prints.
func (c *chroot) run(args ...string) string {
	c.t.Helper()
	return run(c.t, "chroot", append([]string{c.dir, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"}, args...)...)
}

// put copies a file into the chroot's root folder, and returns its name there.
func (c *chroot) put(file string) string {
	c.t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(c.path(filepath.Base(file)), data, 0o644)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return "/" + filepath.Base(file)
}

// files lists all files, without what dpkg and rpm note for themselves; Debian's rpm does in
// the home of root.
func (c *chroot) files() []string {
	c.t.Helper()
	var list []string
	err := filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(name, c.dir)
		if d.IsDir() && slices.Contains([]string{"/var/lib/dpkg", "/var/lib/rpm", "/var/log", "/var/cache", "/proc", "/run", "/root/.rpmdb"}, name) {
			return fs.SkipDir
		}
		list = append(list, name)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// same fails the test if there are other files than before.
func (c *chroot) same(before []string, after string) {
	c.t.Helper()
	is := c.files()
	for _, name := range is {
		if !slices.Contains(before, name) {
			c.t.Errorf("%s leaves %s", after, name)
		}
	}
	if len(is) < len(before) {
		c.t.Errorf("%s takes files away: %d of %d are left", after, len(is), len(before))
	}
}

// Both packages install into a clean system, where the program, its documentation and its
// server work, and leave nothing behind.
func TestPackages(t *testing.T) {
	t.Parallel()
	needs(t, "rpm")
	dir := released(t)
	c := newChroot(t)
	deb, rpm := c.put(one(t, dir, "bayes_*_amd64.deb")), c.put(one(t, dir, "bayes-0*.x86_64.rpm"))
	other := c.put(one(t, dir, "bayes-nodictionaries_*_amd64.deb"))
	before := c.files()

	c.run("dpkg", "-i", deb)
	c.testInstalled("/usr/share/zsh/vendor-completions/_bayes")
	c.testServer()
	c.run("dpkg", "-i", other)
	enabled, state := "/etc/systemd/system/multi-user.target.wants/bayes.service", "/var/lib/private/bayes/"+kept
	c.has("after one variant has taken the other's place", "/usr/bin/bayes", "/etc/bayes/tokens.txt", state, enabled)
	if said := c.run("bayes", "--version"); !strings.Contains(said, "without the Japanese and Korean dictionaries") {
		t.Errorf("the other variant is %s", said)
	}
	c.run("dpkg", "-P", "bayes") // what is left of it, which the other one has now
	c.has("purged of the other variant", "/usr/bin/bayes", "/etc/bayes/tokens.txt", state, enabled)
	c.run("dpkg", "-i", deb)
	c.run("dpkg", "-r", "bayes")
	c.has("removed, but not purged", "/etc/bayes/tokens.txt", state)
	if _, err := os.Lstat(c.path(enabled)); err == nil {
		t.Error("the unit is enabled, and not there")
	}
	c.run("dpkg", "-P", "bayes", "bayes-nodictionaries")
	c.same(before, "dpkg -P")

	// Debian's rpm has another database than dpkg's, in which there is no /bin/sh.
	run(t, "rpm", "--root", c.dir, "-i", "--nodeps", c.path(rpm))
	c.testInstalled("/usr/share/zsh/site-functions/_bayes")
	run(t, "rpm", "--root", c.dir, "-e", "--nodeps", "bayes")
	c.same(before, "rpm -e")
}

// has fails the test where one of some files is not there.
func (c *chroot) has(when string, names ...string) {
	c.t.Helper()
	for _, name := range names {
		if _, err := os.Lstat(c.path(name)); err != nil {
			c.t.Errorf("%s: %v", when, err)
		}
	}
}

// testInstalled tests what is installed, for all shells; distributions place one of them
// differently.
func (c *chroot) testInstalled(zsh string) {
	t := c.t
	t.Helper()
	version, err := newestOf("..")
	if said := c.run("bayes", "--version"); err != nil || !strings.HasPrefix(said, "bayes version v"+version+", ") {
		t.Errorf("the version is %s, %v", said, err)
	}
	for _, name := range []string{
		"/usr/share/man/man1/bayes.1.gz", "/usr/share/man/man1/bayes-train.1.gz", "/usr/share/bash-completion/completions/bayes",
		"/usr/share/fish/vendor_completions.d/bayes.fish", zsh, "/usr/share/doc/bayes/NOTICE.gz", "/usr/share/doc/bayes/copyright",
	} {
		if info, err := os.Stat(c.path(name)); err != nil || info.Size() < 300 || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if info, err := os.Stat(c.path("/etc/bayes/tokens.txt")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("tokens.txt: %v, %v", info, err)
	}
	if said := c.run("bash", "-c", ". /usr/share/bash-completion/completions/bayes && bayes __complete tra 2>/dev/null"); !strings.HasPrefix(said, "train\t") {
		t.Errorf("completion says %q", said)
	}
	if said := c.run("systemd-analyze", "verify", "--man=no", "/usr/lib/systemd/system/bayes.service"); said != "" {
		t.Errorf("systemd-analyze verify: %s", said)
	}
}

const kept = "mail" // a folder of what the server keeps

// testServer runs what the unit says, as another user than root, with what systemd would give
// it: a folder for its state and a copy of the tokens.
func (c *chroot) testServer() {
	t := c.t
	t.Helper()
	const user, state, credentials = 61184, "/var/lib/private/bayes", "/run/credentials/bayes.service"
	token := strings.TrimSpace(c.run("bayes", "token", "/etc/bayes/tokens.txt", "--name", "test", "--scopes", "admin,learn,read"))
	c.run("systemctl", "--quiet", "enable", "bayes")
	write(t, c.path(credentials+"/tokens.txt"), read(t, c.path("/etc/bayes/tokens.txt")))
	if err := errors.Join(os.MkdirAll(c.path(state), 0o700), os.Chown(c.path(state), user, user), os.Symlink("private/bayes", c.path("/var/lib/bayes"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(c.path("/var/lib/private"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(read(t, c.path("/usr/lib/systemd/system/bayes.service")), "ExecStart=")
	line, _, _ = strings.Cut(line, "\n")
	address := freeAddress(t)
	line = strings.ReplaceAll(line, "127.0.0.1:8080", address)
	if !strings.Contains(line, address) {
		t.Fatalf("ExecStart is %s", line)
	}
	cmd := exec.Command("chroot", "--userspec="+strconv.Itoa(user)+":"+strconv.Itoa(user), c.dir, "env", "-i", "CREDENTIALS_DIRECTORY="+credentials, "sh", "-c", "exec "+line)
	url := "http://" + address
	ended := startServer(t, cmd, url)
	if said := c.run("bayes", "check", url); said != url+"/readyz: ready\n" {
		t.Errorf("bayes check: %s", said)
	}
	write(t, c.path("/tmp/a.csv"), "label,text\nspam,win a free prize\nham,lunch at noon\n")
	c.run("bayes", "train", "/tmp/a.csv", "-o", "/tmp/mail.nb")
	ask(t, "PUT", url+"/v1/models/mail", token, "application/octet-stream", read(t, c.path("/tmp/mail.nb")), 201, "")
	ask(t, "POST", url+"/v1/models/mail/learn", token, "application/json", `{"id":"7","label":"ham","text":"see you at dinner"}`, 200, "")
	ask(t, "POST", url+"/v1/models/mail/predict", token, "application/json", `{"text":"dinner"}`, 200, `"label":"ham"`)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if err := os.Rename(one(t, c.path(state), "*"), c.path(state+"/"+kept)); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"/tmp/a.csv", "/tmp/mail.nb"} {
		if err := os.Remove(c.path(name)); err != nil {
			t.Error(err)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A logBuffer is what a server has said so far.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startServer starts a server, waits until it is ready, and returns how it will have ended.
func startServer(t *testing.T, cmd *exec.Cmd, url string) chan error {
	t.Helper()
	log := new(logBuffer)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cmd.Process.Kill() })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-ended:
			t.Fatalf("the server ended: %v\n%s", err, log)
		default:
		}
		if resp, err := get(url + "/readyz"); err == nil {
			resp.Body.Close()
			return ended
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not answer\n%s", log)
		}
	}
}

func get(url string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(r)
}

// ask sends a request, and compares the answer's status and part of its body.
func ask(t *testing.T, method, url, token, kind, body string, status int, part string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if said, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != status || !strings.Contains(string(said), part) {
		t.Errorf("%s %s: %v, %s %s", method, url, err, resp.Status, fmt.Sprintf("%.500s", said))
	}
}

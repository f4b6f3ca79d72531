//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bayes"
	"bayes/mail"
)

// installed skips a test where a program is missing, which is an error in CI.
func installed(t *testing.T, program, what string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing: install it", program)
		}
		t.Skipf("%s is missing: install it to %s", program, what)
	}
}

// mailPage returns what docs/mail.md says that a file holds.
func mailPage(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/mail.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(b), "In `"+name+"`")
	_, after, ok := strings.Cut(after, ":\n\n")
	if !ok {
		t.Fatalf("docs/mail.md does not say what is in %s", name)
	}
	var content strings.Builder
	for line := range strings.Lines(after) {
		line, indented := strings.CutPrefix(line, "    ")
		if !indented && line != "\n" {
			break
		}
		content.WriteString(line)
	}
	return strings.TrimSuffix(content.String(), "\n")
}

// A dovecot is an IMAP server that has the hooks of docs/mail.md. Any user may log in.
type dovecot struct {
	dir     string
	address string
	account *syscall.Credential // it and its hooks run as, if not as the test
}

// startDovecot starts one that teaches the server at a port.
func startDovecot(t *testing.T, port string) *dovecot {
	t.Helper()
	dir, err := os.MkdirTemp("", "dovecot") // a path that is short enough for sockets
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &dovecot{dir: dir, address: l.Addr().String()}
	l.Close()
	own, err := user.Current()
	if err == nil && own.Uid == "0" { // which Dovecot reads no mail as
		own, err = user.Lookup("nobody")
	}
	if err != nil {
		t.Fatal(err)
	}
	group, err := user.LookupGroupId(own.Gid)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(own.Uid)
	gid, _ := strconv.Atoi(own.Gid)
	if uid != os.Getuid() {
		d.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(dir + "/log")
			t.Logf("Dovecot's log:\n%s", log)
		}
		os.RemoveAll(dir)
	})
	_, imap, _ := net.SplitHostPort(d.address)
	here := strings.NewReplacer("/etc/dovecot/bayes", dir+"/bayes", "127.0.0.1:8080", "127.0.0.1:"+port)
	for name, content := range map[string]string{
		"bayes/spam.sieve": here.Replace(mailPage(t, "/etc/dovecot/bayes/spam.sieve")),
		"bayes/ham.sieve":  here.Replace(mailPage(t, "/etc/dovecot/bayes/ham.sieve")),
		"bayes/learn":      here.Replace(mailPage(t, "/etc/dovecot/bayes/learn")),
		"bayes.conf":       here.Replace(mailPage(t, "/etc/dovecot/conf.d/95-bayes.conf")),
		"home/.keep":       "",
		"dovecot.conf": fmt.Sprintf(`protocols = imap
listen = 127.0.0.1
base_dir = %[1]s/run
state_dir = %[1]s/run
log_path = %[1]s/log
ssl = no
default_internal_user = %[2]s
default_internal_group = %[3]s
default_login_user = %[2]s
mail_location = maildir:~/Maildir
namespace inbox {
  inbox = yes
  separator = /
  mailbox Junk {
    auto = create
  }
  mailbox Trash {
    auto = create
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = %[4]s
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=%[2]s gid=%[3]s home=%[1]s/home/%%u
}
!include %[1]s/bayes.conf
`, dir, own.Username, group.Name, imap),
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"", "bayes", "bayes/spam.sieve", "bayes/ham.sieve", "home"} {
		if err := os.Chown(filepath.Join(dir, name), uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	d.run(t, "sievec", "-c", dir+"/dovecot.conf", dir+"/bayes/spam.sieve")
	d.run(t, "sievec", "-c", dir+"/dovecot.conf", dir+"/bayes/ham.sieve")
	cmd := exec.Command("dovecot", "-F", "-c", dir+"/dovecot.conf")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: d.account}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// run runs a program as the account of d, at home with the first user.
func (d *dovecot) run(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = d.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: d.account}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
}

// waiting returns the messages that wait to be learned.
func (d *dovecot) waiting() []string {
	names, _ := filepath.Glob(d.dir + "/home/*/.bayes/[0-9]*")
	return names
}

// folders returns the folder of each message, by its ID, and fails if there are two of one.
func (d *dovecot) folders(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, pattern := range []string{"/home/*/Maildir/[cn]*/*", "/home/*/Maildir/.*/[cn]*/*"} {
		names, err := filepath.Glob(d.dir + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			id, folder := mail.ID(raw), filepath.Base(filepath.Dir(filepath.Dir(name)))
			if found[id] != "" {
				t.Errorf("%s is in %s and in %s", id, found[id], folder)
			}
			found[id] = folder
		}
	}
	return found
}

// An imap is a session with an IMAP server.
type imap struct {
	t *testing.T
	net.Conn
	lines *bufio.Reader
}

func (d *dovecot) login(t *testing.T, user string) *imap {
	t.Helper()
	conn, err := net.Dial("tcp", d.address)
	for until := time.Now().Add(30 * time.Second); err != nil && time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		conn, err = net.Dial("tcp", d.address)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(2 * time.Minute))
	c := &imap{t, conn, bufio.NewReader(conn)}
	c.do("LOGIN %s secret", user)
	return c
}

// do sends a command, and waits until it is done.
func (c *imap) do(format string, args ...any) {
	c.t.Helper()
	fmt.Fprintf(c, "a "+format+"\r\n", args...)
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil {
			c.t.Errorf("%s: %v", format, err)
			return
		}
		if result, ok := strings.CutPrefix(line, "a "); ok {
			if !strings.HasPrefix(result, "OK") {
				c.t.Errorf("%s: %s", format, result)
			}
			return
		}
	}
}

// put adds a message to the inbox.
func (c *imap) put(raw string) {
	c.t.Helper()
	raw = strings.ReplaceAll(raw, "\n", "\r\n")
	c.do("APPEND INBOX {%d+}\r\n%s", len(raw), raw)
}

// moves are messages of a user. All have the same Message-ID, which their senders choose.
func moves(user string) (list []string) {
	for i := range 12 {
		list = append(list, fmt.Sprintf("Message-ID: <1@pills.example>\nFrom: x%d@pills.example\nTo: %s@home.example\nSubject: offer %d\n\nbuy pills %[2]s now, %[3]d for one\n", i, user, i))
	}
	return list
}

// A real Dovecot teaches by what users move, with the scripts of docs/mail.md, while the server is killed
// and started anew: no message is lost, and each is learned once.
func TestDovecot(t *testing.T) {
	for _, program := range []string{"dovecot", "sievec", "curl", "flock"} {
		installed(t, program, "learn from moves between folders")
	}
	dir := mailModel(t)
	if err := os.Rename(dir+"/m.nb", dir+"/mail.nb"); err != nil {
		t.Fatal(err)
	}
	port := port(t)
	serve := func() *running {
		return start(t, command(t, dir, "serve", "mail.nb", "--listen", "127.0.0.1:"+port))
	}
	server := serve()
	site := "http://127.0.0.1:" + port + "/v1/models/mail/"
	d := startDovecot(t, port)

	// Users move what they were sent to Junk, all at once, and the server is killed meanwhile.
	users := []string{"ann", "bob", "eve"}
	var moved atomic.Int32
	var wg sync.WaitGroup
	for _, user := range users {
		c := d.login(t, user)
		for _, raw := range moves(user) {
			c.put(raw)
		}
		c.do("SELECT INBOX")
		wg.Go(func() {
			for range moves(user) {
				c.do("MOVE 1 Junk")
				moved.Add(1)
			}
		})
	}
	until := func(n int32) {
		for moved.Load() < n && !t.Failed() {
			time.Sleep(time.Millisecond)
		}
	}
	until(9)
	server.Process.Kill()
	<-server.ended
	until(18)
	if len(d.waiting()) == 0 {
		t.Error("nothing waits for the server that was killed")
	}
	server = serve()
	wg.Wait()
	learnRest := func() {
		t.Helper()
		for _, user := range users {
			d.run(t, "env", "HOME="+d.dir+"/home/"+user, d.dir+"/bayes/learn")
		}
		if names := d.waiting(); len(names) > 0 {
			t.Errorf("not learned: %v", names)
		}
	}
	learnRest()

	file, err := os.Open(dir + "/mail.nb")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	base, em, err := bayes.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	learned := func(raw, label string, n int) {
		d := mail.Parse([]byte(raw)).Document()
		ex := bayes.Example{Label: label, Text: d.Text, Attrs: d.Attrs}
		if n > 0 {
			base.Learn(ex)
		} else {
			base.Unlearn(ex)
		}
	}
	check := func(when string) {
		t.Helper()
		status, snapshot := request(t, http.DefaultClient, "GET", site+"snapshot", "", nil)
		var want bytes.Buffer
		if err := bayes.Save(&want, base, em); err != nil || status != http.StatusOK {
			t.Fatal(status, err)
		}
		if snapshot != want.String() {
			t.Errorf("%s: what was learned is not what was moved, once each", when)
		}
	}
	for _, user := range users {
		for _, raw := range moves(user) {
			learned(raw, "spam", 1)
		}
	}
	check("in Junk")
	folders := d.folders(t)
	for _, user := range users {
		for _, raw := range moves(user) {
			if id := mail.ID([]byte(raw)); folders[id] != ".Junk" {
				t.Errorf("%q is in %q", raw, folders[id])
			}
		}
	}

	// Some go back, and some to the trash, which says nothing.
	c := d.login(t, "ann")
	c.do("SELECT Junk")
	for i, raw := range moves("ann")[:4] {
		if i < 2 {
			c.do("MOVE 1 INBOX")
			learned(raw, "spam", -1)
			learned(raw, "ham", 1)
		} else {
			c.do("MOVE 1 Trash")
		}
	}
	learnRest()
	check("and back")
	if n := len(d.folders(t)); n != len(folders) {
		t.Errorf("%d messages are left of %d", n, len(folders))
	}
	server.stop(os.Interrupt)
}

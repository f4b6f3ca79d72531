//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/smtp"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-message/textproto"
	"github.com/emersion/go-milter"
)

const (
	spamMail = "Received: from pills.example by home.example\nFrom: x@pills.example\nX-BAYES-status: ham\nX-Bayes-Status: ham\nSubject: cheap pills\n\nbuy cheap pills now\n"
	hamMail  = "Received: from a.example by home.example\nFrom: ann@a.example\nSubject: lunch\n\nsee you at noon\n"
)

// mailModel trains a model of mail in a folder, and freezes it.
func mailModel(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, raw := range map[string]string{"box/spam/1": spamMail, "box/ham/1": hamMail} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), raw)
	}
	mustBayes(t, dir, "train", "box", "--format", "mail", "-o", "m.nb")
	mustBayes(t, dir, "freeze", "m.nb", "-o", "f.nb")
	return dir
}

// startMilter starts bayes milter, and returns where it listens, what it logs, and how to kill it.
func startMilter(t *testing.T, dir, listen string) (address string, log *bytes.Buffer, kill func()) {
	t.Helper()
	cmd := bayesIn(t, dir, "milter", "f.nb", "--listen", listen)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(pipe)
	first, err := lines.ReadString('\n')
	_, rest, ok := strings.Cut(first, " address=")
	if err != nil || !ok {
		t.Fatalf("%q, %v", first, err)
	}
	log, done := new(bytes.Buffer), make(chan bool)
	go func() { log.ReadFrom(lines); close(done) }()
	kill = func() { cmd.Process.Kill(); <-done; cmd.Wait() }
	t.Cleanup(kill)
	address, _, _ = strings.Cut(rest, " ")
	return address, log, kill
}

// through sends a mail through a milter, and returns what it changes.
func through(t *testing.T, s *milter.ClientSession, raw string) []milter.ModifyAction {
	t.Helper()
	check := func(_ *milter.Action, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.Mail("x@pills.example", nil))
	check(s.Rcpt("ann@a.example", nil))
	h, err := textproto.ReadHeader(bufio.NewReader(strings.NewReader(strings.ReplaceAll(raw, "\n", "\r\n"))))
	if err != nil {
		t.Fatal(err)
	}
	check(s.Header(h))
	_, body, _ := strings.Cut(raw, "\n\n")
	changes, action, err := s.BodyReadFrom(strings.NewReader(body))
	if err != nil || action.Code != milter.ActAccept {
		t.Fatal(action, err)
	}
	return changes
}

// A milter marks one mail after another, as filter does, and goes on whatever becomes of the model.
func TestMilter(t *testing.T) {
	dir := mailModel(t)
	for _, listen := range []string{"inet:127.0.0.1:0", "unix:" + filepath.Join(dir, "s")} {
		address, log, kill := startMilter(t, dir, listen)
		network, _, _ := strings.Cut(strings.Replace(listen, "inet", "tcp", 1), ":")
		c := milter.NewClientWithOptions(network, address, milter.ClientOptions{ActionMask: milter.OptAddHeader | milter.OptChangeHeader})
		s, err := c.Session()
		if err != nil {
			t.Fatal(err)
		}
		var says []string
		for _, change := range append(through(t, s, spamMail), through(t, s, hamMail)...) {
			if strings.HasSuffix(change.HeaderName, "Status") {
				says = append(says, fmt.Sprintf("%d %s", change.HeaderIndex, change.HeaderValue))
			}
		}
		if got := strings.Join(says, ", "); got != "2 , 1 , 1 spam, 1 ham" {
			t.Errorf("%s: %s", listen, got)
		}
		// A model that is broken is not read, and one that is written anew is.
		whole, err := os.ReadFile(filepath.Join(dir, "f.nb"))
		if err != nil {
			t.Fatal(err)
		}
		replace := func(b []byte) {
			writeFile(t, filepath.Join(dir, "new"), string(b))
			if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "f.nb")); err != nil {
				t.Fatal(err)
			}
		}
		replace(whole[:len(whole)/2])
		if n := len(through(t, s, hamMail)); n != 3 {
			t.Errorf("with a broken model: %d changes", n)
		}
		replace(whole)
		if n := len(through(t, s, hamMail)); n != 3 {
			t.Errorf("with a new model: %d changes", n)
		}
		s.Close()
		c.Close()
		kill()
		if !strings.Contains(log.String(), "the model that was read before goes on") {
			t.Errorf("logged: %s", log)
		}
	}
	for _, listen := range []string{"", "inet:", "inet:nowhere", "pipe:x"} {
		cmd := bayesIn(t, dir, "milter", "f.nb", "--listen", listen)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "--listen") {
			t.Errorf("--listen %q: %v, %s", listen, err, out)
		}
	}
}

// A real Postfix marks what it delivers, and loses nothing when the milter is killed.
func TestPostfix(t *testing.T) {
	installed(t, "postfix", "deliver mail through the milter")
	if os.Getuid() != 0 {
		t.Skip("only root can start Postfix")
	}
	dir := mailModel(t)
	address, _, kill := startMilter(t, dir, "inet:127.0.0.1:0")
	server := startPostfix(t, address)
	send := func(raw string) string {
		t.Helper()
		if err := smtp.SendMail(server.address, nil, "x@pills.example", []string{"ann@test.example"}, []byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
			t.Fatal(err)
		}
		return server.delivered(t)
	}
	for _, c := range []struct{ raw, want string }{{spamMail, "X-Bayes-Status: spam\n"}, {hamMail, "X-Bayes-Status: ham\n"}} {
		got := send(c.raw)
		if strings.Count(strings.ToLower(got), "x-bayes-status:") != 1 || !strings.Contains(got, c.want) || !strings.Contains(got, "X-Bayes-Reason: ") {
			t.Errorf("delivered:\n%s", got)
		}
	}
	kill()
	if got := send(hamMail); strings.Contains(got, "X-Bayes-") || !strings.HasSuffix(got, "see you at noon\n") {
		t.Errorf("without the milter:\n%s", got)
	}

	// Killed while mail arrives, and started again: every message is delivered once, and whole.
	_, _, kill = startMilter(t, dir, "inet:"+address)
	const clients, each = 4, 10
	body := strings.Repeat("see you at noon, and bring the minutes of the last meeting with you\r\n", 2000)
	var sent atomic.Int32
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for i := range each {
				raw := fmt.Sprintf("From: ann@a.example\r\nSubject: %d of client %d\r\n\r\n%s", i, client, body)
				if err := smtp.SendMail(server.address, nil, "x@pills.example", []string{"ann@test.example"}, []byte(raw)); err != nil {
					t.Error(err)
				}
				sent.Add(1)
			}
		})
	}
	until := func(n int32) {
		for sent.Load() < n {
			time.Sleep(time.Millisecond)
		}
	}
	until(clients * each / 4)
	kill()
	until(clients * each / 2)
	startMilter(t, dir, "inet:"+address)
	wg.Wait()
	marked, seen := 0, make(map[string]bool)
	for range clients * each {
		got := server.delivered(t)
		_, subject, _ := strings.Cut(got, "\nSubject: ")
		subject, _, _ = strings.Cut(subject, "\n")
		if seen[subject] || !strings.HasSuffix(got, "\n\n"+strings.ReplaceAll(body, "\r", "")) {
			t.Errorf("%q is delivered twice, or in part", subject)
		}
		seen[subject] = true
		marked += strings.Count(got, "X-Bayes-Status: ham\n")
	}
	if marked == 0 || !strings.Contains(send(hamMail), "X-Bayes-Status: ham\n") {
		t.Errorf("%d messages are marked, and those after it not", marked)
	}
}

// A postfix is one that delivers to a Maildir.
type postfix struct {
	address string
	inbox   string
	log     string
}

func startPostfix(t *testing.T, milter string) *postfix {
	t.Helper()
	dir, err := os.MkdirTemp("", "postfix")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &postfix{l.Addr().String(), filepath.Join(dir, "mail", "inbox", "new"), filepath.Join(dir, "log")}
	l.Close()
	for name, owner := range map[string]string{".": "root", "conf": "root", "spool": "root", "data": "postfix", "mail": "nobody"} {
		name := filepath.Join(dir, name)
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
		u, err := user.Lookup(owner)
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		os.Chmod(name, 0o755)
		if err := os.Chown(name, uid, -1); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(dir, "conf", "main.cf"), `compatibility_level = 3.6
queue_directory = `+dir+`/spool
data_directory = `+dir+`/data
maillog_file_prefixes = `+dir+`
maillog_file = `+p.log+`
myhostname = home.example
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
virtual_mailbox_domains = test.example
virtual_mailbox_base = `+dir+`/mail
virtual_mailbox_maps = static:inbox/
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
smtpd_milters = inet:`+milter+`
milter_default_action = accept
`)
	writeFile(t, filepath.Join(dir, "conf", "master.cf"), p.address+` inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
`)
	run := func(action string) ([]byte, error) {
		return exec.Command("postfix", "-c", filepath.Join(dir, "conf"), action).CombinedOutput()
	}
	if out, err := run("start"); err != nil {
		log, _ := os.ReadFile(p.log)
		t.Fatalf("postfix: %v: %s %s", err, out, log)
	}
	t.Cleanup(func() { run("stop") })
	return p
}

// delivered waits for a mail, and takes it.
func (p *postfix) delivered(t *testing.T) string {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(p.inbox, "*"))
		if len(files) == 0 {
			continue
		}
		b, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(files[0])
		return string(b)
	}
	log, _ := os.ReadFile(p.log)
	t.Fatalf("nothing is delivered: %s", log)
	return ""
}

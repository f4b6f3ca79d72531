package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
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

	"bayes"
	"bayes/internal/cli"
	"bayes/server"

	"github.com/spf13/pflag"
)

// command returns the program under test, which runs in a folder.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "bayes") // by which TestMain knows what to be
	if err := os.Symlink(self, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd
}

// A running is a server that runs as a process of its own.
type running struct {
	*exec.Cmd
	t     *testing.T
	ended chan error
	mu    sync.Mutex
	log   bytes.Buffer // guarded by mu
}

func (r *running) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(p)
}

func (r *running) logged() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.String()
}

// start runs the program until it says that it listens.
func start(t *testing.T, cmd *exec.Cmd) *running {
	t.Helper()
	r := &running{Cmd: cmd, t: t, ended: make(chan error, 1)}
	cmd.Stderr = r
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { r.ended <- cmd.Wait() }()
	t.Cleanup(func() { cmd.Process.Kill() })
	r.waitLog("listening")
	return r
}

// waitLog waits until the log has some words.
func (r *running) waitLog(words string) {
	r.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(r.logged(), words); time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-r.ended:
			r.t.Fatalf("it ended: %v\n%s", err, r.logged())
		default:
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("no %q in the log:\n%s", words, r.logged())
		}
	}
}

// stop ends the server by a signal, and wants it to end well.
func (r *running) stop(signal os.Signal) {
	r.t.Helper()
	if err := r.Process.Signal(signal); err != nil {
		r.t.Fatal(err)
	}
	if err := <-r.ended; err != nil {
		r.t.Errorf("after %v: %v\n%s", signal, err, r.logged())
	}
}

func port(t *testing.T) string {
	t.Helper()
	p, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// request sends a request with a token, and returns the status.
func request(t *testing.T, client *http.Client, method, url, secret string, body []byte) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", map[bool]string{true: "application/octet-stream", false: "application/json"}[method == "PUT"])
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// model returns a small model's file.
func model(t *testing.T) []byte {
	t.Helper()
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	c.Learn(bayes.Example{Label: "ham", Text: "see you at noon"})
	var b bytes.Buffer
	if err := bayes.Save(&b, c, bayes.Multinomial{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// writePair writes a certificate for localhost with a serial number, and its key.
func writePair(t *testing.T, dir string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, filepath.Join(dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// SIGHUP reads the tokens and the certificate anew, and keeps the old ones where the
// new ones are bad. Where there are none it ends the server.
func TestReload(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGHUP here")
	}
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens.txt")
	first, firstSecret := server.NewToken("first", server.Read)
	second, secondSecret := server.NewToken("second", server.Read)
	write(t, tokens, []byte(first.String()+"\n"))
	write(t, filepath.Join(dir, "mail.nb"), model(t))
	writePair(t, dir, 1)
	address := "localhost:" + port(t)
	r := start(t, command(t, dir, "serve", "mail.nb", "--listen", address, "--tokens", tokens, "--tls-cert", "cert.pem", "--tls-key", "key.pem"))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	statuses := func() (list []int) {
		for _, secret := range []string{firstSecret, secondSecret} {
			status, _ := request(t, client, "GET", "https://"+address+"/v1/models", secret, nil)
			list = append(list, status)
		}
		return list
	}
	serial := func() int64 {
		conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if got := statuses(); !slices.Equal(got, []int{200, 401}) || serial() != 1 {
		t.Errorf("at first: %v, certificate %d", got, serial())
	}

	write(t, tokens, []byte(second.String()+"\n"))
	writePair(t, dir, 2)
	r.Process.Signal(syscall.SIGHUP)
	r.waitLog("msg=reloaded certificate=cert.pem")
	if got := statuses(); !slices.Equal(got, []int{401, 200}) || serial() != 2 {
		t.Errorf("after SIGHUP: %v, certificate %d", got, serial())
	}

	write(t, tokens, []byte("half a li"))
	write(t, filepath.Join(dir, "cert.pem"), []byte("-----BEGIN"))
	r.Process.Signal(syscall.SIGHUP)
	r.waitLog(`level=ERROR msg="the tokens are not reloaded, the old ones stay"`)
	r.waitLog(`level=ERROR msg="the certificate is not reloaded, the old one stays"`)
	if got := statuses(); !slices.Equal(got, []int{401, 200}) || serial() != 2 {
		t.Errorf("after SIGHUP with bad files: %v, certificate %d", got, serial())
	}
	r.stop(syscall.SIGTERM)

	plain := start(t, command(t, dir, "serve", "mail.nb", "--listen", "127.0.0.1:"+port(t)))
	plain.stop(syscall.SIGHUP)
}

// While it drains, a server says at /readyz that it stops, and answers.
func TestDrain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals here")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mail.nb"), model(t))
	address := "http://127.0.0.1:" + port(t)
	r := start(t, command(t, dir, "serve", "mail.nb", "--listen", strings.TrimPrefix(address, "http://"), "--drain", "24h"))
	r.Process.Signal(syscall.SIGTERM)
	r.waitLog("stopping")
	for { // readyz says so just before the log does
		status, _ := request(t, http.DefaultClient, "GET", address+"/readyz", "", nil)
		if status == 503 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	status, answer := request(t, http.DefaultClient, "POST", address+"/v1/models/mail/learn", "", []byte(`{"label":"ham","text":"noon"}`))
	if status != 200 {
		t.Errorf("while it drains: %d %s", status, answer)
	}
}

// The password of Redis, from a file or the environment, opens it, and is neither
// among the arguments of the process nor in its log.
func TestRedisPassword(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no redis-server")
		}
		t.Skip("there is no redis-server: apt-get install redis-server")
	}
	const secret = "s:e/c r@e?t"
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mail.nb"), model(t))
	write(t, filepath.Join(dir, "password"), []byte(secret+"\n"))
	write(t, filepath.Join(dir, "wrong"), []byte("wrong-secret\n"))
	write(t, filepath.Join(dir, "redis.conf"), []byte("port 0\nunixsocket socket\nsave \"\"\nappendonly no\nrequirepass \""+secret+"\"\n"))
	redis := exec.Command("redis-server", "redis.conf")
	redis.Dir = dir
	if err := redis.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { redis.Process.Kill(); redis.Wait() })
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "socket")); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	store := "unix://" + filepath.Join(dir, "socket")
	for name, how := range map[string]struct{ args, env []string }{
		"file":        {args: []string{"--redis-password-file", "password"}},
		"environment": {env: []string{passwordVariable + "=" + secret}},
	} {
		address := "127.0.0.1:" + port(t)
		cmd := command(t, dir, append([]string{"serve", "mail.nb", "--listen", address, "--store", store, "--log-level", "debug"}, how.args...)...)
		cmd.Env = append(os.Environ(), how.env...)
		r := start(t, cmd)
		if status, answer := request(t, http.DefaultClient, "POST", "http://"+address+"/v1/models/mail/learn", "", []byte(`{"label":"ham","text":"noon"}`)); status != 200 {
			t.Errorf("by %s: %d %s", name, status, answer)
		}
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.Process.Pid)); err == nil && bytes.Contains(line, []byte("e/c")) {
			t.Errorf("by %s: the arguments are %q", name, line)
		}
		r.stop(syscall.SIGTERM)
		if strings.Contains(r.logged(), "e/c") {
			t.Errorf("by %s: it is in the log:\n%s", name, r.logged())
		}
	}
	out, err := command(t, dir, "serve", "mail.nb", "--listen", "127.0.0.1:0", "--store", store, "--redis-password-file", "wrong", "--replica-dir", "other").CombinedOutput()
	if err == nil || strings.Contains(string(out), "wrong-secret") || strings.Contains(string(out), "panic") {
		t.Errorf("with a wrong password: %v\n%s", err, out)
	}
	out, err = command(t, dir, "serve", "mail.nb", "--store", "redis://:hidden-secret@127.0.0.1:1", "--redis-password-file", "password").CombinedOutput()
	if err == nil || strings.Contains(string(out), "hidden-secret") || !strings.Contains(string(out), "--store has a password") {
		t.Errorf("with two passwords: %v\n%s", err, out)
	}
}

// Each flag of serve that is a number or a time is checked before anything else is
// done, and named in one line.
func TestNumbers(t *testing.T) {
	bad := map[string][]string{
		"int": {"-1", "-5", "9223372036854775807"}, "int64": {"-1", "-9223372036854775808", "9223372036854775807"},
		"float64": {"nan", "NaN", "-1", "inf", "-inf", "1e300"}, "duration": {"-1ns", "-1h", "2562047h47m16s"},
	}
	checked := 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // for what is let through to end
	serveCommand(cli.NewApp(io.Discard, io.Discard)).Flags().VisitAll(func(f *pflag.Flag) {
		kind := f.Value.Type()
		for _, value := range bad[kind] {
			cmd := serveCommand(cli.NewApp(io.Discard, io.Discard))
			cmd.SetArgs([]string{"mail.nb", "--" + f.Name + "=" + value})
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			err := cmd.ExecuteContext(ctx)
			if err == nil || !strings.HasPrefix(err.Error(), "--"+f.Name+" ") || !strings.Contains(err.Error(), ": want ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("--%s=%s: %v", f.Name, value, err)
			}
			checked++
		}
		if _, known := bad[kind]; !known && kind != "string" && kind != "stringSlice" && kind != "bool" {
			t.Errorf("--%s is a %s, of which no bad values are known here", f.Name, kind)
		}
	})
	if checked < 30 {
		t.Errorf("only %d values were tried", checked)
	}
	for _, args := range [][]string{{"--max-connections", "-5"}, {"--rate", "NaN"}, {"--max-body", "-1"}, {"--grace", "0s"}, {"--listen", "nowhere"}} {
		out, err := command(t, t.TempDir(), append([]string{"serve", "mail.nb"}, args...)...).CombinedOutput()
		var exit *exec.ExitError
		if exit, _ = err.(*exec.ExitError); exit == nil || exit.ExitCode() != 2 || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "bayes: "+args[0]+" "+args[1]+": want ") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// A token goes on a line of its own, though the last one has no end.
func TestAddToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.txt")
	first, _ := server.NewToken("first", server.Read)
	write(t, file, []byte(first.String()))
	for _, name := range []string{"second", "third"} {
		if err := addToken(file, name, []server.Scope{server.Admin}, func(string) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	list, err := readTokens(file)
	if err != nil || len(list) != 3 || list[0].Name != "first" || list[2].Name != "third" {
		t.Errorf("%v, %v", list, err)
	}
}

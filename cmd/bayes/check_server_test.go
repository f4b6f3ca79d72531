package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// bayes check asks a server whether it takes requests, by whatever certificate on this machine,
// and fails where none answers, or another program does.
func TestCheckServer(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mail.nb"), model(t))
	check := func(args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		cmd := command(t, dir, append([]string{"check"}, args...)...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), out.String(), errs.String()
	}
	address := "127.0.0.1:" + port(t)
	url := "http://" + address
	if code, _, stderr := check(url); code != 1 || !strings.HasPrefix(stderr, "bayes: "+url+"/readyz: it does not answer: ") {
		t.Errorf("without a server: exit %d, %s", code, stderr)
	}
	r := start(t, command(t, dir, "serve", "mail.nb", "--listen", address))
	for asked, want := range map[string]string{url: "/readyz: ready\n", url + "/": "readyz: ready\n", url + "/healthz": ": ok\n"} {
		if code, stdout, stderr := check(asked); code != 0 || stdout != asked+want {
			t.Errorf("%s: exit %d, %q, %s", asked, code, stdout, stderr)
		}
	}
	if code, stdout, _ := check(url, "--json"); code != 0 || stdout != `{"file":"`+url+`","learning":{"mail":"ok"},"ok":true,"status":"ready"}`+"\n" {
		t.Errorf("--json: exit %d, %s", code, stdout)
	}
	if code, _, stderr := check(url + "/v1/nosuch"); code != 1 || !strings.Contains(stderr, ": 404 Not Found") {
		t.Errorf("what there is none of: exit %d, %s", code, stderr)
	}
	r.stop(syscall.SIGTERM)

	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/readyz":
			w.Write([]byte(`{"status":"ready"}`))
		case "/draining":
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write([]byte(`{"status":503,"detail":"the server is shutting down"}`))
		default:
			w.Write([]byte("<!doctype html>"))
		}
	}))
	defer other.Close()
	if code, stdout, stderr := check(other.URL); code != 0 || stdout != other.URL+"/readyz: ready\n" {
		t.Errorf("by TLS: exit %d, %q, %s", code, stdout, stderr)
	}
	if code, _, stderr := check(other.URL + "/draining"); code != 1 || !strings.HasSuffix(stderr, ": 503 Service Unavailable: the server is shutting down\n") {
		t.Errorf("a server that stops: exit %d, %s", code, stderr)
	}
	if code, _, stderr := check(other.URL + "/x"); code != 1 || !strings.Contains(stderr, "not the answer of bayes serve") {
		t.Errorf("another program: exit %d, %s", code, stderr)
	}
	if code, _, stderr := check("redis://localhost"); code != 1 || !strings.Contains(stderr, "want the address of a server") {
		t.Errorf("what is no server: exit %d, %s", code, stderr)
	}
}

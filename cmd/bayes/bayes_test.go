package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(testRun{m}, map[string]func(){
		"bayes": main,
		"fetch": func() { os.Exit(fetch(os.Args[1:])) },
	})
}

// A testRun runs the tests. Under nohup the programs that they start would ignore hangups, as
// they should; with a handler here they begin as they do on a terminal.
type testRun struct{ *testing.M }

func (m testRun) Run() int {
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	return m.M.Run()
}

// Each file of testdata/script is one behaviour of the server's commands.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"damage": damage},
		Setup: func(e *testscript.Env) error {
			port, err := freePort()
			e.Setenv("PORT", port)
			return err
		},
	})
}

// damage overwrites the files that patterns match: damage PATTERN...
func damage(ts *testscript.TestScript, neg bool, args []string) {
	for _, pattern := range args {
		files, err := filepath.Glob(ts.MkAbs(pattern))
		if err != nil || len(files) == 0 || neg {
			ts.Fatalf("damage %s: %q, %v", pattern, files, err)
		}
		for _, file := range files {
			ts.Check(os.WriteFile(file, bytes.Repeat([]byte("damaged "), 4096), 0o600))
		}
	}
}

// freePort returns a port that nobody listens on.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// fetch sends a request to the server of a script, once that listens, and prints
// the answer: fetch METHOD PATH [BODY | @FILE].
func fetch(args []string) int {
	var answer []byte
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		resp, err := fetchOnce(args)
		if err == nil {
			defer resp.Body.Close()
			if answer, err = io.ReadAll(resp.Body); err == nil {
				os.Stdout.Write(answer)
				if resp.StatusCode >= 400 {
					return 1
				}
				return 0
			}
		}
		if time.Now().After(deadline) {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
}

func fetchOnce(args []string) (*http.Response, error) {
	body := strings.Join(args[2:], "")
	contentType := "application/json"
	if name, ok := strings.CutPrefix(body, "@"); ok {
		file, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		body, contentType = string(file), "application/octet-stream"
	}
	r, err := http.NewRequest(args[0], "http://127.0.0.1:"+os.Getenv("PORT")+args[1], strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if name := os.Getenv("TOKEN_FILE"); name != "" {
		token, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	return http.DefaultClient.Do(r)
}

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bayes": main,
		"fetch": func() { os.Exit(fetch(os.Args[1:])) },
	})
}

// Each file of testdata/script is one behaviour of the server's commands.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			port, err := freePort()
			e.Setenv("PORT", port)
			return err
		},
	})
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
// the answer: fetch METHOD PATH [BODY].
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
	r, err := http.NewRequest(args[0], "http://127.0.0.1:"+os.Getenv("PORT")+args[1], strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
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

package connlimit_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"bayes/internal/connlimit"

	"golang.org/x/net/netutil"
)

// serve answers requests over at most n connections: at / it admits them, says so, and
// answers when it is told to; at /stranger it only answers.
func serve(t *testing.T, n int, admitted, answer chan struct{}) (address string) {
	t.Helper()
	return serveOver(t, func(l net.Listener) net.Listener { return connlimit.New(l, n) }, admitted, answer)
}

// serveOver is serve with another limit.
func serveOver(t *testing.T, limit func(net.Listener) net.Listener, admitted, answer chan struct{}) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		connlimit.Admit(r.Context())
		admitted <- struct{}{}
		<-answer
	})
	mux.HandleFunc("/stranger", func(http.ResponseWriter, *http.Request) {})
	s := &http.Server{Handler: mux, ConnState: connlimit.ConnState, ConnContext: connlimit.ConnContext}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(limit(l)) }()
	t.Cleanup(func() {
		s.Close()
		<-ended
	})
	return l.Addr().String()
}

func dial(t *testing.T, address string) net.Conn {
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	return c
}

// ask sends a request and returns the status of its answer.
func ask(t *testing.T, c net.Conn, path string) int {
	t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	return answer(t, c)
}

func answer(t *testing.T, c net.Conn) int {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// A new client is answered however many connections do nothing, have half a request, or
// have been answered and do not close.
func TestIdleMakesRoom(t *testing.T) {
	address := serve(t, 8, nil, nil)
	for i := range 100 {
		c := dial(t, address)
		switch i % 3 {
		case 1:
			io.WriteString(c, "GET / HT")
		case 2:
			if status := ask(t, c, "/stranger"); status != 200 {
				t.Fatalf("connection %d: %d", i, status)
			}
		}
	}
	if status := ask(t, dial(t, address), "/stranger"); status != 200 {
		t.Errorf("a new client: %d", status)
	}
}

// As many connections that do nothing as netutil.LimitListener allows keep a new client out
// until one of them is closed. Here they make room for it at once.
func TestIdleWithLimitListener(t *testing.T) {
	const n = 8
	for _, tt := range []struct {
		name    string
		limit   func(net.Listener) net.Listener
		keepOut bool
	}{
		{"netutil", func(l net.Listener) net.Listener { return netutil.LimitListener(l, n) }, true},
		{"connlimit", func(l net.Listener) net.Listener { return connlimit.New(l, n) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			address := serveOver(t, tt.limit, nil, nil)
			var idle []net.Conn
			for range n {
				idle = append(idle, dial(t, address))
			}
			c := dial(t, address)
			if _, err := io.WriteString(c, "GET /stranger HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if tt.keepOut {
				c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
				if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("a new client beside %d idle connections: %v, want no answer", n, err)
				}
				c.SetReadDeadline(time.Now().Add(time.Minute))
				idle[0].Close()
			}
			if status := answer(t, c); status != 200 {
				t.Errorf("a new client: %d", status)
			}
		})
	}
}

// Requests that were admitted are left alone: what there is no room for is a new one.
func TestActiveStays(t *testing.T) {
	admitted, release := make(chan struct{}), make(chan struct{})
	address := serve(t, 8, admitted, release)
	var conns []net.Conn
	for range 4 { // half of 8
		c := dial(t, address)
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		<-admitted
		conns = append(conns, c)
	}
	for range 10 {
		c := dial(t, address)
		io.WriteString(c, "GET /stranger HTTP/1.1\r\nHost: a\r\n\r\n")
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("a connection too many was answered")
		}
	}
	for i, c := range conns {
		if i == 0 {
			close(release)
		}
		if status := answer(t, c); status != 200 {
			t.Errorf("request %d: %d", i, status)
		}
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[2001:db8:1:2::5%eth0]:80": "2001:db8:1:2::/64",
		"[::ffff:192.0.2.7]:80": "::ffff:192.0.2.7", "@": "@", "": "",
	} {
		if got := connlimit.Address(in); got != want {
			t.Errorf("%q is of %q, want %q", in, got, want)
		}
	}
}

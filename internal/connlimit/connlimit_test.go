package connlimit_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"bayes/internal/connlimit"
)

// serve answers requests over at most n connections: at / it admits them, says so, and
// answers when it is told to; at /stranger it only answers.
func serve(t *testing.T, n int, admitted, answer chan struct{}) (address string) {
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
	go func() { ended <- s.Serve(connlimit.New(l, n)) }()
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

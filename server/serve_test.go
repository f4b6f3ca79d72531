package server_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bayes"
	"bayes/server"
)

// A stream is answered while it goes on: a client that waits for each answer
// before it sends more gets it.
func TestStreamAnswersAtOnce(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	pr, pw := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.listen()+predictPath, pr)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", asLines)
	answered := make(chan *http.Response, 1)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
		}
		answered <- resp
	}()
	var lines *bufio.Scanner
	for i := range 5 {
		fmt.Fprintf(pw, `{"id":"%d","text":"free"}`+"\n", i)
		if lines == nil {
			resp := <-answered
			if resp == nil {
				return
			}
			defer resp.Body.Close()
			lines = bufio.NewScanner(resp.Body)
		}
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), fmt.Sprintf(`{"id":"%d"`, i)) {
			t.Fatalf("answer %d: %q, %v", i, lines.Text(), lines.Err())
		}
	}
	pw.Close()
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("after the end: %q, %v", lines.Text(), lines.Err())
	}
}

// A client that sends all before it reads gets its answers too, and the order of
// many is kept.
func TestStreamInOrder(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	conn, err := net.Dial("tcp", s.listen())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	const n = 20_000
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%d","text":"free lunch"}`+"\n", i)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", predictPath, asLines, b.Len())
	if _, err := conn.Write(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(resp.Body)
	for i := range n {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), fmt.Sprintf(`{"id":"%d"`, i)) {
			t.Fatalf("answer %d: %q, %v", i, lines.Text(), lines.Err())
		}
	}
}

// stuck is a client that reads nothing until it is let.
type stuck struct {
	recorderOf
	free chan struct{}
}

func (w *stuck) Write(b []byte) (int, error) {
	<-w.free
	return w.recorderOf.Write(b)
}

// counter counts what is read.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// Of a client that sends and does not read, the server takes only so much, though
// its answers are many times as long as its lines.
func TestStreamKeepsLittle(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	const lines = 1 << 18
	body := &counter{r: strings.NewReader(strings.Repeat("{}\n", lines))}
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost"+predictPath, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", asLines)
	w := &stuck{recorderOf{header: make(http.Header)}, make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.server.ServeHTTP(w, r)
	}()
	for last := int64(-1); last != body.n.Load(); time.Sleep(300 * time.Millisecond) {
		last = body.n.Load()
	}
	if n := body.n.Load(); n == 0 || n > 2*lines {
		t.Errorf("%d of %d bytes were read", n, 3*lines)
	}
	close(w.free)
	<-done
	if n := bytes.Count(w.body.Bytes(), []byte("\n")); n != lines {
		t.Errorf("%d answers to %d lines", n, lines)
	}
}

func TestTooManyStreams(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Streams: 1}})
	pr, pw := io.Pipe()
	first := make(chan reply, 1)
	go func() { first <- s.do("POST", predictPath, asLines, pr) }()
	io.WriteString(pw, "{") // is read, so the stream has begun
	s.want(429, s.do("POST", predictPath, asLines, strings.NewReader(`{"text":"a"}`)))
	io.WriteString(pw, `"text":"a"}`)
	pw.Close()
	s.want(200, <-first)
	s.want(200, s.do("POST", predictPath, asLines, strings.NewReader(`{"text":"a"}`)))
}

// A server that is told to stop answers what it has begun to, and what was
// acknowledged is in the snapshot on disk.
func TestShutdown(t *testing.T) {
	dir := t.TempDir()
	c := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if _, err := c.Add(t.Context(), "mail", "", counts(mail...), nil); err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(c, &server.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, catalog: c, server: srv}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, l) }()
	conn := dial(t, l.Addr().String())
	if status, err := conn.send(post(learnPath, `{"id":"1","label":"spam","text":"x"}`)); status != 200 {
		t.Fatal(status, err)
	}
	request := post(learnPath, `{"id":"2","label":"spam","text":"y"}`)
	if _, err := conn.conn.Write(request[:len(request)-5]); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // for the server to begin; too short, and the request would be refused, not lost
	stop()
	for s.get("/readyz").Status != 503 {
		time.Sleep(time.Millisecond)
	}
	if status, err := conn.send(request[len(request)-5:]); status != 200 {
		t.Errorf("the request that had begun: %d, %v", status, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it still listens")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	s.want(503, s.post(learnPath, `{"id":"3","label":"spam","text":"z"}`))
	s.want(200, s.post(predictPath, `{"text":"x"}`))
	c = server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if err := c.AddAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if status := c.Store("mail").Status(); status.Snapshot != status.Applied || c.Store("mail").Counts().Examples() != 6 {
		t.Errorf("after the restart: %+v", status)
	}
}

// A connection that does nothing makes room for a new one: one client cannot keep others
// out, nor the health check.
func TestIdleConnections(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{Limits: server.Limits{Conns: 16}})
	address := s.listen()
	for i := range 100 {
		c := dial(t, address)
		defer c.conn.Close()
		switch i % 3 {
		case 1: // half a request
			io.WriteString(c.conn, "GET /heal")
		case 2: // one that has been answered
			if status, err := c.send(post(predictPath, `{"text":"free"}`)); status != 200 {
				t.Fatal(status, err)
			}
		}
	}
	c := dial(t, address)
	defer c.conn.Close()
	if status, err := c.send(post(predictPath, `{"text":"free"}`)); status != 200 {
		t.Errorf("the last connection: %d, %v", status, err)
	}
}

// Uploads that stall keep neither other clients from theirs nor their own for long.
func TestStalledUploads(t *testing.T) {
	a, aSecret := server.NewToken("a", server.Admin)
	b, bSecret := server.NewToken("b", server.Admin)
	const short = 500 * time.Millisecond
	s := newSite(t, counts(mail...), nil, server.Options{
		Tokens: []server.Token{a, b}, Timeouts: server.Timeouts{Body: short, Transfer: time.Hour},
	})
	address := s.listen()
	begin := func() net.Conn {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(conn, "PUT /v1/models/mail HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n\r\nbayes", aSecret, asBytes)
		return conn
	}
	status := func(conn net.Conn) int {
		defer conn.Close()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == 503 && resp.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		return resp.StatusCode
	}
	var got []int
	stalled := []net.Conn{begin(), begin(), begin(), begin()}
	s.token = bSecret
	for file := string(batch(t, bayes.Multinomial{}, mail...)); ; {
		if got := s.do("PUT", "/v1/models/mail", asBytes, strings.NewReader(file)); got.Status == 200 {
			break
		} else if got.Status != 503 {
			t.Fatal(got)
		}
	}
	for _, conn := range stalled {
		got = append(got, status(conn))
	}
	slices.Sort(got)
	if want := []int{408, 408, 503, 503}; !slices.Equal(got, want) {
		t.Errorf("four stalled uploads: %v, want %v", got, want)
	}
}

func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, counts(mail...), nil, server.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- s.server.ServeTLS(ctx, l, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	}()
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "localhost"}, ForceAttemptHTTP2: true}
	resp, err := (&http.Client{Transport: transport}).Post("https://"+l.Addr().String()+predictPath, asLines, strings.NewReader(`{"text":"free"}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || resp.StatusCode != 200 || resp.ProtoMajor != 2 || resp.Header.Get("Strict-Transport-Security") == "" || !bytes.HasPrefix(body, []byte(`{"label":"spam"`)) {
		t.Errorf("%v %v %s, %v", resp.Proto, resp.Header, body, err)
	}
	transport.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

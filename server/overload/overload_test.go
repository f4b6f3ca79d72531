package overload_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	mrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bayes"
	"bayes/server"
	"bayes/store"
	"bayes/text"
)

const (
	asJSON  = "application/json"
	asLines = "application/x-ndjson"
	mib     = 1 << 20
)

func wanted(t *testing.T) {
	t.Helper()
	if os.Getenv("BAYES_OVERLOAD") == "" {
		t.Skip("BAYES_OVERLOAD=1 attacks a server for two minutes")
	}
}

// A site is files that a server is started with.
type site struct {
	folder         string
	models         []string
	attack, friend string // secrets of tokens
}

// newSite writes models of few classes, of 150, and of pieces of words.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{folder: t.TempDir()}
	save := func(name string, c *bayes.Counts) {
		f, err := os.Create(filepath.Join(s.folder, name+".nb"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := bayes.Save(f, c, bayes.Multinomial{}); err != nil {
			t.Fatal(err)
		}
		s.models = append(s.models, f.Name())
	}
	few := func(space *bayes.Space) *bayes.Counts {
		c := bayes.NewCounts(space)
		c.Learn(bayes.Example{Label: "spam", Text: "win a free prize now"})
		c.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
		return c
	}
	save("mail", few(nil))
	save("learner", few(nil))
	save("pieces", few(&bayes.Space{Analyzer: &text.Analyzer{Segmenter: text.Chars{Min: 2, Max: 5}}}))
	save("triples", few(&bayes.Space{Analyzer: &text.Analyzer{Segmenter: text.Chars{Min: 3, Max: 3}}}))
	classes := bayes.NewCounts(nil)
	for k := range 150 {
		for range 20 {
			classes.Learn(bayes.Example{Label: fmt.Sprintf("a class of number %d", k), Text: words(100)})
		}
	}
	save("classes", classes)
	attack, secret := server.NewToken("attacker", server.Read, server.Learn, server.Admin)
	friend, other := server.NewToken("friend", server.Read, server.Learn, server.Admin)
	s.attack, s.friend = secret, other
	if err := os.WriteFile(filepath.Join(s.folder, "tokens.txt"), []byte(attack.String()+"\n"+friend.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// words returns a text of n words of a vocabulary of 2,000.
func words(n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "w%d ", mrand.IntN(2000))
	}
	return b.String()
}

// start starts a server of the models.
func (s *site) start(t *testing.T, args ...string) *process {
	t.Helper()
	return start(t, append(append([]string{"--tokens", filepath.Join(s.folder, "tokens.txt")}, args...), s.models...)...)
}

// An outcome is what came of an attack's requests.
type outcome struct {
	t    *testing.T
	soak bool // whether other attacks go on meanwhile
	mu   sync.Mutex
	seen map[string]int
}

func newOutcome(t *testing.T) *outcome { return &outcome{t: t, seen: make(map[string]int)} }

// note notes what came of a request. The client of one that is refused may find its
// connection closed while it still sends.
func (o *outcome) note(resp *http.Response, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.seen["cut off"]++
		return
	}
	o.seen[resp.Status[:3]]++
	refused := []int{http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInsufficientStorage}
	if resp.StatusCode != 200 && !slices.Contains(refused, resp.StatusCode) {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
		o.t.Errorf("%s: %s", resp.Status, body)
	}
	if (resp.StatusCode == 429 || resp.StatusCode == 503) && resp.Header.Get("Retry-After") == "" {
		o.t.Errorf("%s without Retry-After", resp.Status)
	}
}

// send sends a request, skips its answer, and returns how long that was.
func (o *outcome) send(client *http.Client, r *http.Request) (n int64) {
	resp, err := client.Do(r)
	o.note(resp, err)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	n, err = io.Copy(io.Discard, resp.Body)
	if err != nil {
		o.note(nil, err)
	}
	return n
}

// An attack asks something of a server, until it has been answered or ctx is done.
type attack struct {
	name string
	run  func(ctx context.Context, s *site, p *process, o *outcome)
}

func (s *site) post(p *process, path, contentType string, body io.Reader) *http.Request {
	r, err := http.NewRequest("POST", "http://"+p.address+path, body)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+s.attack)
	return r
}

// together does f n times at once.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// A holdUp reads all of a text but two bytes, and these only when it may.
type holdUp struct {
	first, last io.Reader
	ctx         context.Context
}

func unfinished(ctx context.Context, body string) io.Reader {
	n := len(body) - 2
	return &holdUp{strings.NewReader(body[:n]), strings.NewReader(body[n:]), ctx}
}

func (h *holdUp) Read(b []byte) (int, error) {
	n, err := h.first.Read(b)
	if err != io.EOF {
		return n, err
	}
	<-h.ctx.Done()
	return h.last.Read(b)
}

var attacks = []attack{
	{"80 bodies of 16 MiB less two bytes", func(ctx context.Context, s *site, p *process, o *outcome) {
		hold, end := context.WithTimeout(ctx, 5*time.Second)
		defer end()
		body := `{"text":"win a prize","other":"` + strings.Repeat("x", 16*mib-35) + `"}`
		together(80, func(i int) {
			r := s.post(p, "/v1/models/mail/predict", asJSON, unfinished(hold, body))
			if i%2 == 0 { // or else the length is not said
				r.ContentLength = int64(len(body))
			}
			o.send(&http.Client{Transport: new(http.Transport)}, r)
		})
	}},
	{"12 batches of 10,000 texts to 150 classes", func(_ context.Context, s *site, p *process, o *outcome) {
		var b strings.Builder
		b.WriteString(`{"documents":[`)
		for i := range 10_000 {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"text":"w%d w%d"}`, i%2000, i/7%2000)
		}
		b.WriteString(`]}`)
		together(12, func(int) {
			o.send(http.DefaultClient, s.post(p, "/v1/models/classes/predict", asJSON, strings.NewReader(b.String())))
		})
	}},
	{"8 texts of 1 MiB by characters", func(_ context.Context, s *site, p *process, o *outcome) {
		body := `{"text":"` + letters(mib) + `"}`
		together(16, func(i int) {
			model := []string{"pieces", "triples"}[i%2]
			o.send(http.DefaultClient, s.post(p, "/v1/models/"+model+"/predict", asJSON, strings.NewReader(body)))
		})
	}},
	{"8 explanations with the whole calculation", func(_ context.Context, s *site, p *process, o *outcome) {
		together(16, func(i int) {
			body := `{"text":"` + words([]int{150_000, 400}[i%2]) + `"}`
			o.send(http.DefaultClient, s.post(p, "/v1/models/classes/explain?work=true", asJSON, strings.NewReader(body)))
		})
	}},
	{"8 explanations of 1 MiB", func(_ context.Context, s *site, p *process, o *outcome) {
		together(8, func(i int) {
			body := `{"text":"` + letters(mib) + `"}`
			model := []string{"mail", "triples"}[i%2]
			o.send(http.DefaultClient, s.post(p, "/v1/models/"+model+"/explain", asJSON, strings.NewReader(body)))
		})
	}},
	{"3 streams of long lines that nobody reads", func(ctx context.Context, s *site, p *process, o *outcome) {
		line := `{"text":"win a prize","other":"` + strings.Repeat("x", 15*mib) + `"}` + "\n"
		s.unread(ctx, p, o, 3, "classes", strings.Repeat(`{"text":"w1 w2 w3"}`+"\n", 500), line) // whose first answers fill what the system keeps
	}},
	{"64 streams of short lines that nobody reads", func(ctx context.Context, s *site, p *process, o *outcome) {
		s.unread(ctx, p, o, 64, "classes", "{}\n", strings.Repeat(`{"text":"w1 w2 w3"}`+"\n", 1000))
	}},
	{"1,500 connections that do nothing", func(ctx context.Context, s *site, p *process, o *outcome) {
		hold, end := context.WithTimeout(ctx, 4*time.Second) // before the server closes them for their idleness
		defer end()
		var conns []net.Conn
		for i := range 1500 {
			conn, err := net.Dial("tcp", p.address)
			if err != nil {
				o.note(nil, err)
				continue
			}
			if i%3 == 0 { // whose bodies never come, and tokens neither
				fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n")
			}
			conns = append(conns, conn)
		}
		for _, r := range []*http.Request{
			p.request("GET", "/healthz", "", ""), p.request("POST", "/v1/models/mail/predict", s.friend, `{"text":"win a free prize"}`),
		} {
			fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			resp, err := fresh.Do(r.WithContext(hold))
			switch {
			case err == nil:
				o.note(resp, nil)
				resp.Body.Close()
			case !o.soak: // or else it may be late for other reasons
				o.t.Errorf("%s is not answered while connections are held: %v", r.URL.Path, err)
			}
		}
		<-hold.Done()
		for _, c := range conns {
			c.Close()
		}
	}},
	{"8 uploads that stall", func(ctx context.Context, s *site, p *process, o *outcome) {
		hold, end := context.WithTimeout(ctx, 5*time.Second)
		defer end()
		var friend sync.WaitGroup
		friend.Go(func() { // whose downloads go on
			for hold.Err() == nil {
				resp, err := http.DefaultClient.Do(p.request("GET", "/v1/models/mail/snapshot", s.friend, ""))
				if err != nil {
					continue
				}
				body, _ := io.ReadAll(resp.Body) // the next download begins when this one has ended
				resp.Body.Close()
				switch {
				case resp.StatusCode == 200:
				case !o.soak:
					o.t.Errorf("a download: %s: %s", resp.Status, body)
				default: // its connection was closed to make room, and it asks again before that has been noticed
					o.note(resp, nil)
				}
			}
		})
		together(8, func(int) {
			r := s.post(p, "/v1/models/mail", "application/octet-stream", io.MultiReader(strings.NewReader("bayes model 1\n"), unfinished(hold, "  ")))
			r.Method, r.ContentLength = "PUT", 100*mib
			resp, err := (&http.Client{Transport: new(http.Transport)}).Do(r.WithContext(hold))
			o.note(resp, err)
		})
		friend.Wait()
	}},
	{"learning 10,000 labels at once, and 1,000 again and again", func(_ context.Context, s *site, p *process, o *outcome) {
		learn := func(from, n int) {
			var b strings.Builder
			b.WriteString(`{"documents":[`)
			for i := from; i < from+n; i++ {
				if i > from {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, `{"label":"l%d","text":"term%d"}`, i, i)
			}
			b.WriteString(`]}`)
			o.send(http.DefaultClient, s.post(p, "/v1/models/learner/learn?new_labels=true", asJSON, strings.NewReader(b.String())))
		}
		learn(1_000_000, 10_000)
		learn(2_000_000, 10_000)
		for i := range 15 {
			learn(i*1000, 1000)
		}
		for { // until all that was acknowledged is in the model
			resp, err := http.DefaultClient.Do(p.request("GET", "/v1/models/learner", s.attack, ""))
			if err != nil {
				o.note(nil, err)
				return
			}
			var about struct{ Sequence, Visible int }
			err = json.NewDecoder(resp.Body).Decode(&about)
			resp.Body.Close()
			if err == nil && resp.StatusCode == 200 && about.Sequence == about.Visible {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}},
}

// unread sends streams, first some lines, then others again and again, and reads no answer
// for a while.
func (s *site) unread(ctx context.Context, p *process, o *outcome, n int, model, first, lines string) {
	hold, end := context.WithTimeout(ctx, 8*time.Second)
	defer end()
	together(n, func(int) {
		conn, err := net.Dial("tcp", p.address)
		if err != nil {
			o.note(nil, err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/models/%s/predict HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n", model, s.attack, asLines)
		var sending sync.WaitGroup
		sending.Go(func() {
			fmt.Fprintf(conn, "%x\r\n%s\r\n", len(first), first)
			for range 50 {
				if _, err := fmt.Fprintf(conn, "%x\r\n%s\r\n", len(lines), lines); err != nil {
					return
				}
			}
		})
		<-hold.Done()
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		o.note(http.ReadResponse(bufio.NewReader(conn), nil))
		conn.Close()
		sending.Wait()
	})
}

// letters returns n random letters, digits and signs.
func letters(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,-./:;=?@^_{|}~ "[mrand.IntN(61)]
	}
	return string(b)
}

// Each attack is made on a server of its own.
func TestAttacks(t *testing.T) {
	wanted(t)
	s := newSite(t)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			fresh(t, s)
			p := s.start(t)
			v := p.watch(s.friend, "mail")
			o := newOutcome(t)
			a.run(t.Context(), s, p, o)
			v.end(fmt.Sprint(o.seen))
			p.stop()
		})
	}
}

// fresh removes the stores of a site.
func fresh(t *testing.T, s *site) {
	folders, err := filepath.Glob(filepath.Join(s.folder, "*.store"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if err := os.RemoveAll(f); err != nil {
			t.Fatal(err)
		}
	}
}

// Requests are limited over however few connections they come: 40 with large bodies over one
// connection of HTTP/2.
func TestHTTP2(t *testing.T) {
	wanted(t)
	s := newSite(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(s.folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := s.start(t, "--tls-cert", filepath.Join(s.folder, "cert.pem"), "--tls-key", filepath.Join(s.folder, "key.pem"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	client := func() *http.Client {
		return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, MaxConnsPerHost: 1}, Timeout: time.Minute}
	}
	body := `{"text":"win a prize","other":"` + strings.Repeat("x", 16*mib-35) + `"}`
	hold, end := context.WithTimeout(t.Context(), 8*time.Second)
	defer end()
	o, one := newOutcome(t), client()
	var attacking sync.WaitGroup
	attacking.Go(func() {
		together(40, func(int) {
			r := s.post(p, "/v1/models/mail/predict", asJSON, unfinished(hold, body))
			r.URL.Scheme, r.ContentLength = "https", int64(len(body))
			o.send(one, r)
		})
	})
	friend := client()
	answered := 0
	for hold.Err() == nil {
		for _, r := range []*http.Request{
			p.request("GET", "/healthz", "", ""), p.request("POST", "/v1/models/mail/predict", s.friend, `{"text":"win a free prize"}`),
		} {
			r.URL.Scheme = "https"
			resp, err := friend.Do(r)
			if err != nil {
				t.Fatalf("%v: %s", err, p.log)
			}
			if resp.StatusCode != 200 || resp.ProtoMajor != 2 {
				t.Errorf("%s: %s %s", r.URL.Path, resp.Proto, resp.Status)
			}
			resp.Body.Close()
			answered++
		}
		time.Sleep(20 * time.Millisecond)
	}
	attacking.Wait()
	if !p.alive() {
		t.Fatalf("the server is gone: %s", p.log)
	}
	t.Logf("%v: peak %d MiB, with files %d MiB; meanwhile %d answers", o.seen, p.resident()>>20, p.charged()>>20, answered)
}

// A server that was killed starts again with what it had acknowledged, and a store that has
// outgrown the memory, as it was written by an older version or on a larger machine, keeps
// no other model from being served.
func TestStart(t *testing.T) {
	wanted(t)
	s := newSite(t)
	folder := filepath.Join(s.folder, "all")
	c := server.NewCatalog(&server.CatalogOptions{Dir: folder, Store: store.Options{Refit: time.Hour}}) // so that nothing is fitted here
	if _, err := c.Add(t.Context(), "large", "", nil, nil); err != nil {
		t.Fatal(err)
	}
	var entries []store.Entry
	for i := range 26_000 {
		entries = append(entries, store.Entry{Example: bayes.Example{Label: fmt.Sprint("label", i), Text: fmt.Sprint("term", i)}})
	}
	if _, err := c.Store("large").Learn(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	p := s.start(t, "--store", folder, "--memory", "134217728")
	v := p.watch(s.friend, "mail")
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{"/v1/models/large/predict", `{"text":"term1"}`, 507},
		{"/v1/models/large/learn", `{"label":"label1","text":"term1"}`, 507},
		{"/v1/models/mail/learn", `{"id":"1","label":"spam","text":"a free lunch"}`, 200},
	} {
		resp, err := http.DefaultClient.Do(p.request("POST", c.path, s.friend, c.body))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("%s: %s %s, want %d", c.path, resp.Status, body, c.status)
		}
	}
	v.end("a store that is too large")
	p.kill()
	p = s.start(t, "--store", folder, "--memory", "134217728")
	resp, err := http.DefaultClient.Do(p.request("POST", "/v1/models/mail/unlearn", s.friend, `{"id":"1"}`))
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("after the kill: %v, %v", resp, err)
	}
	p.stop()
}

// Everything goes on at once, again and again, and memory stays within its limit.
func TestSoak(t *testing.T) {
	wanted(t)
	d := 10 * time.Second
	if v := os.Getenv("BAYES_OVERLOAD_SOAK"); v != "" {
		var err error
		if d, err = time.ParseDuration(v); err != nil {
			t.Fatal(err)
		}
	}
	s := newSite(t)
	p := s.start(t)
	v := p.watch(s.friend, "mail")
	o := newOutcome(t)
	o.soak = true
	ctx, end := context.WithTimeout(t.Context(), d)
	defer end()
	together(len(attacks), func(i int) {
		for ctx.Err() == nil && p.alive() {
			attacks[i].run(ctx, s, p, o)
		}
	})
	v.end(fmt.Sprint(o.seen))
	p.stop()
}

// stop has the server stop as an operator does, and fails if it does not come to its end.
func (p *process) stop() {
	p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.ended:
		if !p.cmd.ProcessState.Success() {
			p.t.Errorf("the server ended with %v: %s", p.cmd.ProcessState, p.log)
		}
	case <-time.After(time.Minute):
		p.t.Errorf("the server does not stop: %s", p.log)
	}
}

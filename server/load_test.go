package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
	"bayes/server"
)

// A client sends requests over one connection and reads no more of an answer
// than it must, so that what is measured is the server.
type client struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(t testing.TB, address string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return &client{conn, bufio.NewReader(conn)}
}

// post returns the bytes of a request.
func post(path, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}

// send sends a request, skips its answer and returns the status.
func (c *client) send(request []byte) (status int, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	length := 0
	for first := true; ; first = false {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if first {
			if status, err = strconv.Atoi(string(line[9:12])); err != nil {
				return 0, err
			}
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		}
		if len(line) == 0 {
			_, err = c.r.Discard(length)
			return status, err
		}
	}
}

// smsSite serves a model of the SMS collection.
func smsSite(b *testing.B) (s *site, texts []string) {
	src, err := dataset.Open([]string{testdata.Path(b, "sms/spam.csv")}, nil, &dataset.Options{Label: "v1", Text: []string{"v2"}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := bayes.Count(context.Background(), nil, src.Examples(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for ex, err := range src.Examples() {
		if err != nil {
			b.Fatal(err)
		}
		if len(ex.Text) > 80 && len(ex.Text) < 120 {
			texts = append(texts, ex.Text)
		}
	}
	return newSite(b, c, bayes.Multinomial{}, server.Options{Timeouts: server.Timeouts{Transfer: time.Hour}}), texts
}

// hammer sends b.N requests over n connections, and reports how many a second
// there were and how long 99 in 100 of them took at most.
func hammer(b *testing.B, address string, n int, request func(i int) []byte) {
	var (
		next  atomic.Int64
		mu    sync.Mutex
		times []time.Duration
		wg    sync.WaitGroup
	)
	b.ResetTimer()
	for range n {
		wg.Go(func() {
			c := dial(b, address)
			defer c.conn.Close()
			var own []time.Duration
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				start := time.Now()
				status, err := c.send(request(int(i)))
				if err != nil || status != http.StatusOK {
					b.Errorf("status %d: %v", status, err)
					return
				}
				own = append(own, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, own...)
		})
	}
	wg.Wait()
	b.StopTimer()
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(times[len(times)*99/100].Seconds()*1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPredict asks for one prediction at a time, of texts of about 100
// bytes, over 16 connections.
func BenchmarkPredict(b *testing.B) {
	s, texts := smsSite(b)
	requests := make([][]byte, len(texts))
	for i, text := range texts {
		requests[i] = post("/v1/models/mail/predict", fmt.Sprintf(`{"text":%s}`, quoted(text)))
	}
	hammer(b, s.listen(), 16, func(i int) []byte { return requests[i%len(requests)] })
}

// BenchmarkLearn learns one document at a time, durably, over 64 connections.
func BenchmarkLearn(b *testing.B) {
	s, texts := smsSite(b)
	hammer(b, s.listen(), 64, func(i int) []byte {
		return post("/v1/models/mail/learn", fmt.Sprintf(`{"id":"%d","label":"spam","text":%s}`, i, quoted(texts[i%len(texts)])))
	})
}

// BenchmarkVisible says how soon an event is in the model, by the server's own histogram: one learned
// after the other on an idle server, and while 32 connections predict and 32 others learn.
func BenchmarkVisible(b *testing.B) {
	b.Run("20news", func(b *testing.B) {
		src, err := dataset.Open([]string{testdata.Path(b, "20news/train.csv")}, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		c, err := bayes.Count(context.Background(), nil, src.Examples(), nil)
		if err != nil {
			b.Fatal(err)
		}
		benchmarkVisible(b, c, func(i int) string { return fmt.Sprintf("the key of a bike at %d in windows and god knows", i) }, "sci.space")
	})
	b.Run("10,000,000 cells", func(b *testing.B) {
		c, word := bayes.NewCounts(nil), rand.New(rand.NewPCG(1, 2))
		var text strings.Builder
		for class := range 1000 {
			text.Reset()
			for term := word.IntN(10); term < 100_000; term += 1 + word.IntN(19) {
				fmt.Fprintf(&text, "w%d ", term)
			}
			c.Learn(bayes.Example{Label: fmt.Sprintf("c%d", class), Text: text.String()})
		}
		benchmarkVisible(b, c, func(i int) string {
			return fmt.Sprintf("w%d w%d w%d w%d w%d w%d w%d", i%1000, i%999, i%998, i%997, i%996, i%995, i)
		}, "c7")
	})
}

func benchmarkVisible(b *testing.B, c *bayes.Counts, text func(i int) string, label string) {
	for _, others := range []int{0, 32} {
		name := "idle"
		if others > 0 {
			name = "loaded"
		}
		b.Run(name, func(b *testing.B) {
			s := newSite(b, c, bayes.Multinomial{}, server.Options{})
			address, end := s.listen(), make(chan struct{})
			var wg sync.WaitGroup
			learn := func(id string, i int) []byte {
				return post("/v1/models/mail/learn", fmt.Sprintf(`{"id":"%s %d","label":%q,"text":%q}`, id, i, label, text(i)))
			}
			for other := range 2 * others {
				wg.Go(func() {
					c := dial(b, address)
					defer c.conn.Close()
					for i := 0; ; i++ {
						select {
						case <-end:
							return
						default:
						}
						request := post("/v1/models/mail/predict?top=3", fmt.Sprintf(`{"text":%q}`, text(i)))
						if other%2 == 0 {
							request = learn(fmt.Sprint(other), i)
						}
						if status, err := c.send(request); err != nil || status != http.StatusOK {
							b.Errorf("status %d: %v", status, err)
							return
						}
					}
				})
			}
			prober := dial(b, address)
			before := s.catalog.Store("mail").Waits()
			b.ResetTimer()
			for i := range b.N {
				if status, err := prober.send(learn("prober", i)); err != nil || status != http.StatusOK {
					b.Fatalf("status %d: %v", status, err)
				}
			}
			b.StopTimer()
			close(end)
			wg.Wait()
			w := s.catalog.Store("mail").Waits()
			within := func(share float64) float64 {
				for i, most := range w.AtMost {
					if float64(w.Counts[i]-before.Counts[i]) >= share*float64(w.Count-before.Count) {
						return most.Seconds() * 1000
					}
				}
				return math.Inf(1)
			}
			b.ReportMetric(within(0.5), "median-ms-at-most")
			b.ReportMetric(within(0.99), "p99-ms-at-most")
			b.ReportMetric((w.Sum-before.Sum).Seconds()*1000/float64(max(1, w.Count-before.Count)), "mean-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkStream predicts documents in one stream of NDJSON.
func BenchmarkStream(b *testing.B) {
	s, texts := smsSite(b)
	address := s.listen()
	lines := make([][]byte, len(texts))
	for i, text := range texts {
		lines[i] = fmt.Appendf(nil, "{\"text\":%s}\n", quoted(text))
	}
	b.ResetTimer()
	pr, pw := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(pw, 64<<10)
		for i := range b.N {
			w.Write(lines[i%len(lines)])
		}
		w.Flush()
		pw.Close()
	}()
	resp, err := http.Post("http://"+address+"/v1/models/mail/predict", asLines, pr)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	n, buf := 0, make([]byte, 64<<10)
	for {
		k, err := resp.Body.Read(buf)
		n += bytes.Count(buf[:k], []byte("\n"))
		if err == io.EOF {
			break
		} else if err != nil {
			b.Fatal(err)
		}
	}
	if n != b.N {
		b.Fatalf("%d answers to %d documents", n, b.N)
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "documents/s")
	b.ReportMetric(0, "ns/op")
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

package server_test

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"bayes/server"
)

var soak = flag.Duration("soak", 0, "how long TestSoak runs; it is skipped without")

// TestSoak asks a server for everything, again and again, and fails if it comes to
// hold more memory than it did after the first third of the time. The documents
// that are learned are always the same 1,000, now of one class and now of another.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("go test ./server -run Soak -soak 10m -timeout 20m")
	}
	s := newSite(t, counts(mail...), nil, server.Options{})
	address := "http://" + s.listen()
	end := time.Now().Add(*soak)
	send := func(method, path, contentType, body string) {
		r, err := http.NewRequest(method, address+path, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Content-Type", contentType)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode >= 500 {
			t.Errorf("%s %s: %d, %v", method, path, resp.StatusCode, err)
		}
	}
	lines := strings.Repeat(`{"text":"win a free lunch at noon"}`+"\n", 1000)
	var wg sync.WaitGroup
	for _, ask := range []func(i int){
		func(i int) { send("POST", predictPath, asJSON, `{"text":"win a free lunch at noon"}`) },
		func(i int) { send("POST", predictPath, asLines, lines) },
		func(i int) { send("POST", explainPath+"?work=true", asJSON, `{"text":"win a free lunch at noon"}`) },
		func(i int) {
			send("POST", learnPath, asJSON, fmt.Sprintf(`{"id":"%d","label":%q,"text":"word%d free lunch"}`, i%1000, []string{"ham", "spam"}[i/1000%2], i%1000))
		},
		func(i int) { send("POST", unlearnPath, asJSON, fmt.Sprintf(`{"id":"%d"}`, i*7%1000)) },
		func(i int) { send("POST", predictPath, asJSON, `{"text":`) },
		func(i int) { send("GET", "/v1/models/mail", "", "") },
		func(i int) { send("GET", "/metrics", "", "") },
		func(i int) { send("GET", "/v1/models/mail/snapshot", "", "") },
		func(i int) { send("GET", fmt.Sprintf("/v1/models/%d/terms", i), "", "") },
	} {
		wg.Go(func() {
			for i := 0; time.Now().Before(end) && !t.Failed(); i++ {
				ask(i)
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	var heaps []uint64
	const samples = 30
	for range samples {
		time.Sleep(*soak / samples)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		heaps = append(heaps, m.HeapAlloc)
		t.Logf("%5.0f s: heap %.1f MB, from the system %.1f MB, %d goroutines", (*soak - time.Until(end)).Seconds(), float64(m.HeapAlloc)/1e6, float64(m.Sys)/1e6, runtime.NumGoroutine())
	}
	wg.Wait()
	mean := func(list []uint64) (sum float64) {
		for _, v := range list {
			sum += float64(v) / float64(len(list))
		}
		return sum
	}
	if early, late := mean(heaps[samples/3:2*samples/3]), mean(heaps[2*samples/3:]); late > 1.2*early+1e6 {
		t.Errorf("the heap grew from %.1f to %.1f MB", early/1e6, late/1e6)
	}
}

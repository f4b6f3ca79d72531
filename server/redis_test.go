package server_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/server"
	"bayes/store"

	"github.com/redis/go-redis/v9"
)

// startRedis runs a real redis-server of the test's own in dir, until the test
// ends or the function that it returns is called.
func startRedis(t *testing.T, dir string) (stop func()) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no redis-server")
		}
		t.Skip("there is no redis-server: apt-get install redis-server")
	}
	cmd := exec.Command("redis-server",
		"--port", "0", "--unixsocket", "socket", "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	t.Cleanup(stop)
	return stop
}

// replica is a site whose log is in Redis.
func replica(t *testing.T, redis string) *site {
	t.Helper()
	c := server.NewCatalog(&server.CatalogOptions{Log: func(_ context.Context, name string) (store.Log, error) {
		return store.OpenRedis("unix://" + filepath.Join(redis, "socket") + "?stream=" + name)
	}})
	var err error
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err = c.Add(t.Context(), "mail", filepath.Join(t.TempDir(), "mail"), counts(mail...), nil); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	s, err := server.New(c, &server.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return &site{t: t, catalog: c, server: s}
}

// Two servers share what they learn. While Redis is away both predict, and
// learning says 503; afterwards both are the same, to the byte.
func TestReplicas(t *testing.T) {
	redis, err := os.MkdirTemp("", "redis") // a short name, as sockets need
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(redis) })
	stop := startRedis(t, redis)
	a, b := replica(t, redis), replica(t, redis)
	acknowledged := mail[:4:4]
	learn := func(s *site, n int) reply {
		return s.post(learnPath, fmt.Sprintf(`{"id":"%d","label":"spam","text":"free lunch"}`, n))
	}
	same := func() {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			x, y := a.snapshot(), b.snapshot()
			if bytes.Equal(x, y) && bytes.Equal(x, batch(t, bayes.Multinomial{}, acknowledged...)) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the replicas are not the same")
			}
		}
	}
	for i := range 10 {
		s := []*site{a, b}[i%2]
		s.want(200, learn(s, i))
		acknowledged = append(acknowledged, bayes.Example{Label: "spam", Text: "free lunch"})
	}
	same()
	a.want(200, a.post(unlearnPath, `{"id":"9"}`)) // b learned it
	acknowledged = acknowledged[:len(acknowledged)-1]
	same()
	a.want(409, a.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(a.snapshot())))

	stop()
	checkProblem(t, learn(a, 100), 503)
	checkProblem(t, a.post(unlearnPath, `{"id":"1"}`), 503)
	for _, s := range []*site{a, b} {
		s.want(200, s.post(predictPath, `{"text":"free"}`))
		s.want(200, s.get("/readyz"))
		s.want(200, s.get("/metrics"))
	}
	startRedis(t, redis)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if got := learn(b, 101); got.Status == 200 {
			break
		} else if got.Status != 503 || time.Now().After(deadline) {
			t.Fatalf("%d: %s", got.Status, got.Body)
		}
	}
	acknowledged = append(acknowledged, bayes.Example{Label: "spam", Text: "free lunch"})
	for _, id := range []int{100, 101} { // 100 may have been learned after all, and 101 now is
		learn(a, id)
	}
	acknowledged = append(acknowledged, bayes.Example{Label: "spam", Text: "free lunch"})
	same()
}

// What another program writes to a model's stream stops that model's learning, and
// breaks it at the next start; it keeps no other model from either.
func TestForeignEvent(t *testing.T) {
	dir, err := os.MkdirTemp("", "redis") // a short name, as sockets need
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	startRedis(t, dir)
	socket := filepath.Join(dir, "socket")
	waitFor(t, func() bool { _, err := os.Stat(socket); return err == nil })
	open := func() *site {
		c := server.NewCatalog(&server.CatalogOptions{Dir: filepath.Join(dir, "models"), Log: func(_ context.Context, name string) (store.Log, error) {
			return store.OpenRedis("unix://" + socket + "?stream=" + name)
		}})
		t.Cleanup(func() { c.Close() })
		for _, name := range []string{"mail", "shared"} {
			if _, err := c.Add(t.Context(), name, "", counts(mail...), nil); err != nil {
				t.Fatal(err)
			}
		}
		s, err := server.New(c, &server.Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		return &site{t: t, catalog: c, server: s}
	}
	state := func(s *site, name string) string {
		return decode[struct{ Learning map[string]string }](t, s.want(200, s.get("/readyz")).Body).Learning[name]
	}
	const predictShared, learnShared = "/v1/models/shared/predict", "/v1/models/shared/learn"
	s := open()
	s.want(200, s.post(learnShared, `{"id":"1","label":"spam","text":"free"}`))

	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	defer client.Close()
	if err := client.XAdd(t.Context(), &redis.XAddArgs{Stream: "shared", ID: "0-*", Values: []any{"e", "not an event"}}).Err(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return state(s, "shared") == "unavailable" })
	s.want(200, s.post(predictShared, `{"text":"free"}`))
	s.want(503, s.post(learnShared, `{"id":"2","label":"spam","text":"free"}`))
	s.want(200, s.post(learnPath, `{"id":"2","label":"spam","text":"free"}`))
	if got := decode[struct{ Reason string }](t, s.want(200, s.get("/v1/models/shared")).Body); !strings.Contains(got.Reason, "the log is damaged") {
		t.Errorf("the reason is %q", got.Reason)
	}
	s.catalog.Close()

	s = open()
	if got := state(s, "shared"); got != "unavailable" {
		t.Errorf("after a restart it is %s", got)
	}
	s.want(200, s.post(predictShared, `{"text":"free"}`)) // by its snapshot
	s.want(503, s.post(learnShared, `{"id":"3","label":"spam","text":"free"}`))
	s.want(200, s.post(predictPath, `{"text":"free"}`))
	s.want(200, s.post(learnPath, `{"id":"3","label":"spam","text":"free"}`))
	s.want(409, s.do("DELETE", "/v1/models/shared", "", nil)) // others may serve it
	s.want(409, s.do("PUT", "/v1/models/shared", asBytes, bytes.NewReader(batch(t, bayes.Multinomial{}, mail...))))
}

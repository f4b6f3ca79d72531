//go:build unix

package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/golden"
	"bayes/store"
)

// startRedis starts a Redis of the test's own and returns the path of its socket.
func startRedis(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no redis-server")
		}
		t.Skip("there is no redis-server: apt-get install redis-server")
	}
	dir := must[string](t)(os.MkdirTemp("", "redis")) // a short name, as sockets need
	t.Cleanup(func() { os.RemoveAll(dir) })
	cmd := exec.Command("redis-server", "--port", "0", "--unixsocket", "socket", "--dir", dir, "--save", "", "--appendonly", "no")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	socket := filepath.Join(dir, "socket")
	l := openRedis(t, socket)
	defer l.Close()
	waitFor(t, "Redis", func() bool {
		_, _, err := l.Bounds(t.Context())
		return err == nil
	})
	return socket
}

func openRedis(t testing.TB, socket string) store.Log {
	t.Helper()
	return must[store.Log](t)(store.OpenRedis("unix://" + socket + "?stream=golden"))
}

// fill appends encoded events to the stream as they are.
func fill(t testing.TB, socket string, events []string) {
	t.Helper()
	c := must[net.Conn](t)(net.Dial("unix", socket))
	defer c.Close()
	for i, event := range events {
		b := fromHex(t, event)
		id := fmt.Sprintf("0-%d", i+1)
		fmt.Fprintf(c, "*5\r\n$4\r\nXADD\r\n$6\r\ngolden\r\n$%d\r\n%s\r\n$1\r\ne\r\n$%d\r\n%s\r\n", len(id), id, len(b), b)
		answer := make([]byte, len(fmt.Sprintf("$%d\r\n%s\r\n", len(id), id)))
		if _, err := io.ReadFull(c, answer); err != nil || answer[0] != '$' {
			t.Fatalf("XADD: %q, %v", answer, err)
		}
	}
}

// stream returns the events of the stream, encoded.
func stream(t testing.TB, socket string) []string {
	t.Helper()
	l := openRedis(t, socket)
	defer l.Close()
	_, last, err := l.Bounds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	enough := errors.New("enough")
	err = l.Follow(t.Context(), 0, func(records []store.Record) error {
		for _, r := range records {
			b, err := r.MarshalBinary()
			if err != nil {
				return err
			}
			events = append(events, fmt.Sprintf("%x", b))
		}
		if uint64(len(events)) >= last {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return events
}

// TestGoldenReplica lets a replica that an earlier release left go on with the stream of
// that release, and a new one join it: a rolling upgrade.
func TestGoldenReplica(t *testing.T) {
	golden.New(t, "2", "replica", func(path string) {
		socket := startRedis(t)
		keep(t, socket)
		dir := filepath.Join(t.TempDir(), "replica")
		s := openStore(t, dir, openRedis(t, socket), store.Options{Counts: begun(), Model: bayes.Complement{}})
		golden.Write(t, path+".begun.nb", saved(t, begun(), bayes.Complement{}))
		learn(t, s, entry("1", "spam", "win a prize"), entry("2", "ham", "see you"), entry("", "spam", "free"))
		if err := s.Close(); err != nil { // which takes the snapshot
			t.Fatal(err)
		}
		copyFolder(t, dir, path)
		s = openStore(t, dir, openRedis(t, socket), store.Options{})
		must[store.Receipt](t)(s.Relabel(t.Context(), entry("1", "ham", "")))
		must[store.Receipt](t)(s.Unlearn(t.Context(), "2"))
		learn(t, s, entry("3", "work", "running late"))
		golden.Write(t, path+".nb", snapshot(t, s))
		golden.Write(t, path+".hex", []byte(strings.Join(stream(t, socket), "\n")+"\n"))
	})
	golden.Each(t, "replica", func(t *testing.T, path string) {
		socket := startRedis(t)
		keep(t, socket)
		fill(t, socket, strings.Fields(string(golden.Read(t, path+".hex"))))
		dir := filepath.Join(t.TempDir(), "replica")
		copyFolder(t, path, dir)
		old := openStore(t, dir, openRedis(t, socket), store.Options{})
		if want := golden.Read(t, path+".nb"); !bytes.Equal(snapshot(t, old), want) {
			t.Error("the replica holds other counts")
		}
		c, em := load(t, golden.Read(t, path+".begun.nb"))
		joined := openStore(t, filepath.Join(t.TempDir(), "new"), openRedis(t, socket), store.Options{Counts: c, Model: em})
		if !bytes.Equal(snapshot(t, joined), snapshot(t, old)) {
			t.Error("a new replica comes to other bytes")
		}
		goOn(t, old, []string{"1\tham\twin a prize", "3\twork\trunning late"})
		waitFor(t, "the same state", func() bool { return joined.Status().Applied == old.Status().Applied })
		if !bytes.Equal(snapshot(t, joined), snapshot(t, old)) {
			t.Error("replicas that go on come to other bytes")
		}
	})
}

// keep enters a replica that has no snapshot, so that the stream is not trimmed.
func keep(t testing.TB, socket string) {
	t.Helper()
	l := openRedis(t, socket)
	defer l.Close()
	if err := l.Compact(t.Context(), "slow", 0); err != nil {
		t.Fatal(err)
	}
}

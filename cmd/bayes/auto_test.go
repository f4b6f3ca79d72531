package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A table sent with auto becomes the model that bayes train --auto makes of it.
func TestServeAuto(t *testing.T) {
	dir := t.TempDir()
	var table strings.Builder
	table.WriteString("queue,message\n")
	for i := range 60 {
		fmt.Fprintf(&table, "billing,the invoice %d is wrong\nbug,the program %d crashed\n", i, i%7)
	}
	write(t, filepath.Join(dir, "tickets.csv"), []byte(table.String()))
	if out, err := command(t, dir, "train", "tickets.csv", "--auto", "--budget", "0", "--label", "queue", "--text", "message", "-o", "want.nb").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	address := "127.0.0.1:" + port(t)
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := start(t, command(t, dir, "serve", "--store", "models", "--listen", address))
	defer r.stop(syscall.SIGTERM)
	path := "http://" + address + "/v1/models/tickets"
	send := func(query string) (status int, lines []string) {
		t.Helper()
		req, err := http.NewRequest("PUT", path+query, strings.NewReader(table.String()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "text/csv")
		return get(t, req)
	}
	status, lines := send("?auto=true&label=queue&text=message&budget=300")
	last := lines[len(lines)-1]
	var made struct {
		Name   string
		Search struct {
			Accuracy  float64
			Documents int
		}
	}
	if err := json.Unmarshal([]byte(last), &made); err != nil || status != 200 || made.Name != "tickets" || made.Search.Accuracy < 0.99 || made.Search.Documents != 120 || len(lines) < 3 {
		t.Fatalf("%d, %v: %s", status, err, last)
	}
	req, err := http.NewRequest("GET", path+"/snapshot", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(dir, "want.nb"))
	if err != nil {
		t.Fatal(err)
	}
	if _, got := get(t, req); strings.Join(got, "\n") != strings.TrimSuffix(string(want), "\n") {
		t.Error("the model differs from that of bayes train --auto")
	}
	if _, lines := send("?auto=true&label=queue&text=message&space=klingon"); !strings.Contains(lines[len(lines)-1], `"status":422`) {
		t.Errorf("an analyzer that there is none of: %s", lines)
	}
}

// get sends a request, and returns the lines of the answer.
func get(t *testing.T, r *http.Request) (status int, lines []string) {
	t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
}

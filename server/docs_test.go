package server_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"bayes/server"

	"github.com/google/go-cmp/cmp"
)

// The manual's examples are what the server answers. Each is a request line, its
// body, if any, a blank line, the status and the answer.
func TestManual(t *testing.T) {
	data, err := os.ReadFile("../docs/server.md")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, counts(mail...), nil, server.Options{})
	blocks := strings.Split(string(data), "```http\n")[1:]
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		request, answer, _ := strings.Cut(block, "\n\n")
		line, body, _ := strings.Cut(request, "\n")
		method, target, _ := strings.Cut(line, " ")
		status, want, _ := strings.Cut(answer, "\n")
		s.visible()
		contentType := ""
		if method == "POST" {
			contentType = asJSON
		}
		got := s.do(method, target, contentType, strings.NewReader(body))
		if strconv.Itoa(got.Status) != status || cmp.Diff(want, got.Body) != "" {
			t.Errorf("%s\n got %d %s\nwant %s %s", request, got.Status, got.Body, status, want)
		}
	}
	if len(blocks) < 10 {
		t.Errorf("only %d examples", len(blocks))
	}
}

package labelling_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// newTopics writes n texts of four topics, three of whose forty words each has, and one that any may have.
func newTopics(t *testing.T, n int) *heap {
	t.Helper()
	h, rng := &heap{t: t, dir: t.TempDir()}, rand.New(rand.NewPCG(7, 7))
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"text"})
	for range n {
		topic := []string{"north", "east", "south", "west"}[rng.IntN(4)]
		words := []string{fmt.Sprint("any", rng.IntN(10))}
		for range 3 {
			words = append(words, fmt.Sprint(topic, rng.IntN(40)))
		}
		w.Write([]string{strings.Join(words, " ")})
		h.labels = append(h.labels, topic)
	}
	w.Flush()
	if err := os.WriteFile(filepath.Join(h.dir, "tickets.csv"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return h
}

// Where texts without an answer teach something, the page says how good the model is with them, and so does the command,
// with the line that trains such a model, and tells that the texts were drawn at random if they were.
func TestUnanswered(t *testing.T) {
	for _, order := range []string{"informative", "random"} {
		t.Run(order, func(t *testing.T) { testUnanswered(t, order) })
	}
}

func testUnanswered(t *testing.T, order string) {
	h := newTopics(t, 800)
	cmd, address := h.serve("--alpha", "0.5", "--order", order, "--class", "north", "--class", "east", "--class", "south", "--class", "west")
	u := h.visit(address, "", screen)
	for range 30 {
		u.answer()
	}
	u.sees("#unanswered", "%")
	u.Picture(t, "unanswered-"+order)
	if errs := u.Errors(); errs != nil {
		t.Error(errs)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(` with texts that have no answer, .*\(hint: bayes (train .*)\)`).FindStringSubmatch(h.said.String())
	if said == nil {
		t.Fatalf("no hint: %s", h.said.String())
	}
	out, err := h.bayes(strings.Fields(said[1])...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "unlabelled documents count") {
		t.Errorf("%v: %s", err, out)
	}
	if asked := strings.Contains(string(out), "24 of 30 answers were asked for"); asked != (order != "random") {
		t.Errorf("%s: %s", said[1], out)
	}
}

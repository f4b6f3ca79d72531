package server_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bayes"
	"bayes/server"
)

// On a full disk learning says 507, on a read-only one 503; predicting goes on,
// and what was acknowledged is there.
func TestDisks(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no disk can be mounted for the test, which root may do: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(root, 0) })
	open := func() (*server.Catalog, *site) {
		t.Helper()
		c := server.NewCatalog(&server.CatalogOptions{Dir: filepath.Join(root, "models")})
		if _, err := c.Add(t.Context(), "mail", "", counts(mail...), nil); err != nil {
			t.Fatal(err)
		}
		s, err := server.New(c, &server.Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		return c, &site{t: t, catalog: c, server: s}
	}
	c, s := open()
	learned := mail[:4:4]
	var got reply
	for i := range 10_000 {
		text := strings.Repeat(fmt.Sprintf("word%d ", i), 100)
		if got = s.post(learnPath, fmt.Sprintf(`{"id":"%d","label":"spam","text":%q}`, i, text)); got.Status != 200 {
			break
		}
		learned = append(learned, bayes.Example{Label: "spam", Text: text})
	}
	checkProblem(t, got, 507)
	if strings.Contains(got.Body, root) {
		t.Errorf("the answer names a file: %s", got.Body)
	}
	check := func() {
		t.Helper()
		s.visible()
		s.want(200, s.post(predictPath, `{"text":"word0"}`))
		s.want(200, s.get("/readyz"))
		if !bytes.Equal(s.snapshot(), batch(t, bayes.Multinomial{}, learned...)) {
			t.Error("the model is not that of what was acknowledged")
		}
	}
	check()
	c.Close() // which may find no room for a snapshot

	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	c, s = open()
	checkProblem(t, s.post(learnPath, `{"id":"x","label":"spam","text":"x"}`), 503)
	checkProblem(t, s.post(unlearnPath, `{"id":"0"}`), 503)
	check()
	if got := s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(batch(t, bayes.Multinomial{}, mail...))); got.Status != 503 {
		t.Errorf("upload to a read-only disk: %d %s", got.Status, got.Body)
	}
	check()
	c.Close() // which cannot write a snapshot

	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT, "size=20m"); err != nil {
		t.Fatal(err)
	}
	c, s = open()
	s.want(200, s.post(learnPath, `{"id":"x","label":"spam","text":"x"}`))
	learned = append(learned, bayes.Example{Label: "spam", Text: "x"})
	check()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

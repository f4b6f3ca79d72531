package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bayes"
	"bayes/server"
	"bayes/store"
)

// A model that is uploaded takes the place of another, or is a new one, and is
// there again after a restart.
func TestUpload(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	open := func() (*server.Catalog, *site) {
		c := server.NewCatalog(&server.CatalogOptions{Dir: dir})
		if _, err := c.Add(ctx, "mail", "", counts(mail...), nil); err != nil {
			t.Fatal(err)
		}
		if err := c.AddAll(ctx); err != nil {
			t.Fatal(err)
		}
		s, err := server.New(c, &server.Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		return c, &site{t: t, catalog: c, server: s}
	}
	c, s := open()
	s.want(200, s.post(learnPath, `{"id":"1","label":"spam","text":"old"}`))
	other := []bayes.Example{{Label: "a", Text: "x y"}, {Label: "b", Text: "z"}}
	file := batch(t, bayes.Bernoulli{}, other...)
	got := s.want(200, s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(file)))
	if !strings.Contains(got.Body, `"event":"bernoulli`) || !bytes.Equal(s.snapshot(), file) {
		t.Errorf("uploaded: %s", got.Body)
	}
	s.want(404, s.post(unlearnPath, `{"id":"1"}`)) // the old model's
	s.want(200, s.post(learnPath, `{"id":"2","label":"a","text":"new"}`))
	if got := s.want(201, s.do("PUT", "/v1/models/mes%20%EB%A9%94%EC%9D%BC", asBytes, bytes.NewReader(file))); got.Header.Get("Content-Type") != asJSON {
		t.Errorf("a new model is answered as %q", got.Header.Get("Content-Type"))
	}
	s.want(200, s.post("/v1/models/mes%20%EB%A9%94%EC%9D%BC/predict", `{"text":"x"}`))
	after := s.snapshot()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	c, s = open()
	defer c.Close()
	if names := c.Names(); !slices.Equal(names, []string{"mail", "mes 메일"}) {
		t.Errorf("after a restart: %q", names)
	}
	if !bytes.Equal(after, s.snapshot()) {
		t.Error("after a restart mail is another model")
	}
	s.want(200, s.post(unlearnPath, `{"id":"2"}`))
	if !bytes.Equal(s.snapshot(), file) {
		t.Error("after unlearning it is not the file that was uploaded")
	}
	stray, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(stray) != 4 { // two model.json, two stores
		t.Errorf("files: %q, %v", stray, err)
	}
}

// While a model is replaced again and again, nobody gets an error, and what is
// acknowledged is of the model that was live.
func TestUploadWhileInUse(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	file := batch(t, bayes.Multinomial{}, mail...)
	var wg sync.WaitGroup
	done := make(chan struct{})
	for k := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				if got := s.post(learnPath, fmt.Sprintf(`{"id":"%d-%d","label":"spam","text":"x"}`, k, i)); got.Status != 200 {
					t.Errorf("learn: %d %s", got.Status, got.Body)
					return
				}
				if got := s.post(predictPath, `{"text":"x"}`); got.Status != 200 {
					t.Errorf("predict: %d %s", got.Status, got.Body)
					return
				}
			}
		})
	}
	for range 5 {
		if got := s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(file)); got.Status != 200 {
			t.Errorf("upload: %d %s", got.Status, got.Body)
		}
	}
	close(done)
	wg.Wait()
}

func TestCatalogErrors(t *testing.T) {
	ctx := t.Context()
	c := server.NewCatalog(nil)
	defer c.Close()
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "a\x00", "a\n", "\xff", " . ", strings.Repeat("x", 101)} {
		if _, err := c.Add(ctx, name, t.TempDir(), nil, nil); err != server.ErrName {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := c.Add(ctx, "mail", "", nil, nil); err != server.ErrNoRoom {
		t.Errorf("no folder: %v", err)
	}
	dir := t.TempDir()
	if other, err := c.Add(ctx, "mail", dir, counts(mail...), nil); err != nil || other {
		t.Fatal(other, err)
	}
	if _, err := c.Add(ctx, "mail", t.TempDir(), nil, nil); err == nil {
		t.Error("two models of one name")
	}
	d := server.NewCatalog(nil)
	if _, err := d.Add(ctx, "post", dir, nil, nil); err == nil || !strings.Contains(err.Error(), "mail") {
		t.Errorf("another model's folder: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if other, err := d.Add(ctx, "mail", dir, counts(mail[:2]...), nil); err != nil || !other {
		t.Errorf("other counts: %v, %v", other, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "model.json"), []byte(`{"name":"mail","generation":0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := server.NewCatalog(nil)
	if other, err := bad.Add(ctx, "mail", dir, nil, nil); err != nil || other {
		t.Errorf("a bad model.json: %v, %v", other, err)
	}
	if err := bad.Broken("mail"); err == nil || !strings.Contains(err.Error(), "model.json") || bad.Store("mail") != nil {
		t.Errorf("a bad model.json: %v", err)
	}
	shared := server.NewCatalog(&server.CatalogOptions{Log: func(context.Context, string) (store.Log, error) { return nil, nil }})
	if _, err := shared.Replace(ctx, "mail", nil, nil); err != server.ErrShared {
		t.Errorf("a shared log: %v", err)
	}
}

// Of two catalogs that open one folder at the same time, one gets it.
func TestInUse(t *testing.T) {
	for range 2 {
		dir := t.TempDir()
		var errs [2]error
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() {
				c := server.NewCatalog(nil)
				t.Cleanup(func() { c.Close() })
				_, errs[i] = c.Add(t.Context(), "mail", dir, counts(mail...), nil)
			})
		}
		wg.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs[:]...), store.ErrInUse) {
			t.Fatalf("%v and %v", errs[0], errs[1])
		}
	}
}

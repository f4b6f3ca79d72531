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

// A crash at any step of an upload leaves a model that can be opened, as it was
// before or after; opening it removes the generation that it is not, with its texts.
func TestUploadCrash(t *testing.T) {
	ctx := t.Context()
	root := t.TempDir()
	dir := filepath.Join(root, "models")
	c := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if _, err := c.Replace(ctx, "mail", counts(mail...), nil); err != nil {
		t.Fatal(err)
	}
	learn := store.Entry{ID: "1", Example: bayes.Example{Label: "spam", Text: "oldsecret"}}
	if _, err := c.Store("mail").Learn(ctx, learn); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	copyTo := func(name string) (folder string) {
		t.Helper()
		to := filepath.Join(root, name)
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		folders, err := os.ReadDir(to)
		if err != nil || len(folders) != 1 {
			t.Fatal(folders, err)
		}
		return filepath.Join(to, folders[0].Name())
	}
	before := copyTo("before")
	c = server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if err := c.AddAll(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Replace(ctx, "mail", counts(mail[:2]...), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	after := copyTo("after")

	for _, crash := range []struct {
		name        string
		from, other string // what model.json says, and what else there is
		files       int    // of the other; some may be removed already
		documents   int64
	}{
		{"before model.json", before, filepath.Join(after, "2"), -1, 5},
		{"after model.json", after, filepath.Join(before, "1"), -1, 2},
		{"while the old one is removed", after, filepath.Join(before, "1"), 1, 2},
	} {
		t.Run(crash.name, func(t *testing.T) {
			home := t.TempDir()
			folder := filepath.Join(home, "mail")
			old := filepath.Join(folder, filepath.Base(crash.other))
			for to, from := range map[string]string{folder: crash.from, old: crash.other} {
				if err := os.CopyFS(to, os.DirFS(from)); err != nil {
					t.Fatal(err)
				}
			}
			files, err := os.ReadDir(old)
			if err != nil || len(files) < 3 {
				t.Fatal(files, err)
			}
			for i := 0; crash.files >= 0 && i < len(files)-crash.files; i++ {
				if err := os.Remove(filepath.Join(old, files[i].Name())); err != nil {
					t.Fatal(err)
				}
			}
			mine := filepath.Join(folder, "7") // called like a generation, but a person's
			if err := os.Mkdir(mine, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(mine, "notes.txt"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c := server.NewCatalog(&server.CatalogOptions{Dir: home})
			defer c.Close()
			if err := c.AddAll(ctx); err != nil {
				t.Fatal(err)
			}
			if n := c.Store("mail").Counts().Examples(); n != crash.documents {
				t.Errorf("%d documents, want %d", n, crash.documents)
			}
			if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the other generation is still there: %v", err)
			}
			if _, err := os.Stat(filepath.Join(mine, "notes.txt")); err != nil {
				t.Errorf("a file that is no store's: %v", err)
			}
		})
	}
}

// A store that model.json names and that is not there is not begun again.
func TestGenerationGone(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	c := server.NewCatalog(nil)
	if _, err := c.Add(ctx, "mail", dir, counts(mail...), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "1")); err != nil {
		t.Fatal(err)
	}
	again := server.NewCatalog(nil)
	if _, err := again.Add(ctx, "mail", dir, counts(mail...), nil); err != nil || !errors.Is(again.Broken("mail"), store.ErrLost) {
		t.Errorf("the store is gone: %v, %v", err, again.Broken("mail"))
	}
}

// No character of a folder's name is a pattern: a model's store beside one whose
// name it would match, and a home called [prod].
func TestNamesAreNoPatterns(t *testing.T) {
	ctx := t.Context()
	home := filepath.Join(t.TempDir(), "[prod]*?")
	names := []string{"mail1", "mail[1]", "mail*", `mail?`}
	for range 2 {
		c := server.NewCatalog(&server.CatalogOptions{Dir: home})
		if err := c.AddAll(ctx); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if c.Store(name) == nil {
				if _, err := c.Add(ctx, name, filepath.Join(home, name+".store"), counts(mail...), nil); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.Store(name).Learn(ctx, store.Entry{Example: bayes.Example{Label: "spam", Text: name}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			files, err := os.ReadDir(filepath.Join(home, name+".store", "1"))
			if err != nil || len(files) != 3 { // log.db, state.db and one model file
				t.Errorf("%s: %v, %v", name, files, err)
			}
		}
	}
	c := server.NewCatalog(&server.CatalogOptions{Dir: home})
	defer c.Close()
	if err := c.AddAll(ctx); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if s := c.Store(name); s == nil || s.Counts().Examples() != int64(len(mail)+2) {
			t.Errorf("%s is not what was learned", name)
		}
	}
}

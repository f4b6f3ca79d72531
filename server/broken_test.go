package server_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bayes"
	"bayes/server"
	"bayes/store"
)

// reports are what a catalog reports.
type reports map[string]error

func (r reports) add(model string, err error) { r[model] = errors.Join(r[model], err) }

// openDir opens all models in a folder, and serves them.
func openDir(t *testing.T, dir string) (*site, reports) {
	t.Helper()
	told := make(reports)
	c := server.NewCatalog(&server.CatalogOptions{Dir: dir, Report: told.add})
	if err := c.AddAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := server.New(c, &server.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return &site{t: t, catalog: c, server: s}, told
}

// makeModels makes models in a folder, which have all learned something, and
// returns their folders by name.
func makeModels(t *testing.T, dir string, names ...string) map[string]string {
	t.Helper()
	c := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	folders := make(map[string]string)
	for _, name := range names {
		if _, err := c.Replace(t.Context(), name, counts(mail...), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Store(name).Learn(t.Context(), store.Entry{ID: "1", Example: bayes.Example{Label: "ham", Text: "a secret of " + name}}); err != nil {
			t.Fatal(err)
		}
		list, err := filepath.Glob(filepath.Join(dir, name+"-*"))
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		folders[name] = list[0]
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return folders
}

// Of a folder of models with all kinds of damage the good one is served, and the
// others are listed as broken, with a reason, until they are replaced or deleted.
func TestBrokenModels(t *testing.T) {
	dir := t.TempDir()
	names := []string{"good", "about", "empty", "state", "counts", "missing", "log"}
	folders := makeModels(t, dir, names...)
	model, err := filepath.Glob(filepath.Join(folders["counts"], "1", "model-*.nb"))
	if err != nil || len(model) != 1 {
		t.Fatal(model, err)
	}
	for file, content := range map[string]string{
		filepath.Join(folders["about"], "model.json"):    `{"name":"about","gener`,
		filepath.Join(folders["empty"], "model.json"):    "",
		filepath.Join(folders["state"], "1", "state.db"): strings.Repeat("x", 1<<15),
		filepath.Join(folders["log"], "1", "log.db"):     strings.Repeat("x", 1<<15),
		model[0]: "no model",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(folders["missing"], "1", "log.db")); err != nil {
		t.Fatal(err)
	}

	s, told := openDir(t, dir)
	s.want(200, s.post("/v1/models/good/predict", `{"text":"free"}`))
	type info struct{ Name, Status, Reason, Learning string }
	listed := make(map[string]info)
	for _, m := range decode[struct{ Models []info }](t, s.want(200, s.get("/v1/models")).Body).Models {
		listed[m.Name] = m
	}
	ready := decode[struct{ Learning map[string]string }](t, s.want(200, s.get("/readyz")).Body).Learning
	metrics := s.want(200, s.get("/metrics")).Body
	if listed["good"].Status != "ok" || ready["good"] != "ok" || !strings.Contains(metrics, `bayes_model_up{model="good"} 1`) {
		t.Errorf("good: %+v, %s", listed["good"], ready["good"])
	}
	for _, name := range names[1:] {
		if m := listed[name]; m.Status != "broken" || !strings.HasPrefix(m.Reason, "its ") || strings.Contains(m.Reason, dir) || ready[name] != "broken" {
			t.Errorf("%s is listed as %+v, and ready as %q", name, m, ready[name])
		}
		if told[name] == nil || s.catalog.Broken(name) == nil {
			t.Errorf("%s: nobody was told", name)
		}
		if !strings.Contains(metrics, `bayes_model_up{model="`+name+`"} 0`) {
			t.Errorf("%s is up in the metrics", name)
		}
		for _, got := range []reply{
			s.post("/v1/models/"+name+"/predict", `{"text":"free"}`), s.post("/v1/models/"+name+"/learn", `{"label":"ham","text":"x"}`),
			s.do("POST", "/v1/models/"+name+"/predict", asLines, strings.NewReader(`{"text":"free"}`)),
			s.post("/v1/models/"+name+"/unlearn", `{"id":"1"}`), s.post("/v1/models/"+name+"/explain", `{"text":"free"}`),
			s.get("/v1/models/" + name), s.get("/v1/models/" + name + "/snapshot"), s.get("/v1/models/" + name + "/terms"),
		} {
			if s.want(503, got); !strings.Contains(got.Body, "is broken: its") || strings.Contains(got.Body, dir) {
				t.Errorf("%s: %s", name, got.Body)
			}
		}
	}

	file := batch(t, bayes.Bernoulli{}, mail...)
	for _, name := range names[1:] {
		if name == "counts" || name == "about" {
			s.want(204, s.do("DELETE", "/v1/models/"+name, "", nil))
			s.want(404, s.get("/v1/models/"+name))
			continue
		}
		s.want(200, s.do("PUT", "/v1/models/"+name, asBytes, bytes.NewReader(file)))
		s.want(200, s.post("/v1/models/"+name+"/learn", `{"id":"2","label":"ham","text":"x"}`))
	}
	if err := s.catalog.Close(); err != nil {
		t.Fatal(err)
	}
	s, told = openDir(t, dir)
	if len(told) > 0 || len(s.catalog.Names()) != len(names)-2 {
		t.Errorf("after a restart: %v, %q", told, s.catalog.Names())
	}
	for _, name := range s.catalog.Names() {
		s.want(200, s.post("/v1/models/"+name+"/unlearn", map[bool]string{true: `{"id":"1"}`, false: `{"id":"2"}`}[name == "good"]))
		if kept, err := filepath.Glob(filepath.Join(folders[name], "*")); err != nil || len(kept) != 2 {
			t.Errorf("%s: %q, %v", name, kept, err) // model.json and one generation
		}
	}
}

// A server of broken models alone takes no requests, and says why to those that come.
func TestNothingWorks(t *testing.T) {
	dir := t.TempDir()
	s, _ := openDir(t, dir)
	s.want(200, s.get("/readyz")) // no models at all: the first may be on its way
	folder := makeModels(t, dir, "mail")["mail"]
	if err := os.WriteFile(filepath.Join(folder, "1", "state.db"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ = openDir(t, dir)
	s.want(503, s.get("/readyz"))
	s.want(200, s.get("/healthz"))
	s.want(200, s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(batch(t, bayes.Multinomial{}, mail...))))
	s.want(200, s.get("/readyz"))
}

// A deleted model is gone from the disk, texts and all, and does not come back,
// wherever a crash cuts the deletion short.
func TestDelete(t *testing.T) {
	dir := t.TempDir()
	folders := makeModels(t, dir, "mail", "post")
	s, _ := openDir(t, dir)
	s.want(404, s.do("DELETE", "/v1/models/none", "", nil))
	s.want(204, s.do("DELETE", "/v1/models/mail", "", nil))
	s.want(404, s.do("DELETE", "/v1/models/mail", "", nil))
	for _, got := range []reply{s.post(predictPath, `{"text":"x"}`), s.post(learnPath, `{"label":"ham","text":"x"}`), s.get("/v1/models/mail")} {
		s.want(404, got)
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if data, _ := os.ReadFile(path); err != nil || bytes.Contains(data, []byte("a secret of mail")) {
			t.Errorf("%s holds a text of the deleted model (%v)", path, err)
		}
		return nil
	})
	s.want(201, s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(batch(t, bayes.Multinomial{}, mail...))))
	s.want(404, s.post(unlearnPath, `{"id":"1"}`)) // the deleted model's
	if err := s.catalog.Close(); err != nil {
		t.Fatal(err)
	}

	// A crash just after the rename, and another amid the removal of files.
	for _, removed := range []string{"", "model.json", "1/state.db"} {
		makeModels(t, dir, "mail")
		gone := filepath.Join(dir, ".deleted-"+filepath.Base(folders["mail"]))
		if err := os.Rename(folders["mail"], gone); err != nil {
			t.Fatal(err)
		}
		if removed != "" {
			if err := os.RemoveAll(filepath.Join(gone, removed)); err != nil {
				t.Fatal(err)
			}
		}
		s, told := openDir(t, dir)
		if names := s.catalog.Names(); len(names) != 1 || names[0] != "post" || len(told) > 0 {
			t.Errorf("after a crash: %q, %v", names, told)
		}
		if err := s.catalog.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(gone); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what was left is left: %v", err)
		}
	}
}

// A crash while a model is replaced, before or after the new one counts, leaves no
// other generation, with its texts, behind.
func TestCrashWhileReplacing(t *testing.T) {
	for _, live := range []string{"1", "2"} {
		dir := t.TempDir()
		folder := makeModels(t, dir, "mail")["mail"]
		if err := os.CopyFS(filepath.Join(folder, "2"), os.DirFS(filepath.Join(folder, "1"))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "model.json"), []byte(`{"name":"mail","generation":`+live+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
		s, told := openDir(t, dir)
		s.want(200, s.post(unlearnPath, `{"id":"1"}`))
		if kept, err := filepath.Glob(filepath.Join(folder, "[0-9]*")); err != nil || len(kept) != 1 || filepath.Base(kept[0]) != live || len(told) > 0 {
			t.Errorf("of generation %s: %q, %v, %v", live, kept, err, told)
		}
	}
}

// A PUT that was cut short, before there was a model.json, is not taken for what a
// later one brings.
func TestCrashWhileCreating(t *testing.T) {
	dir := t.TempDir()
	folder := makeModels(t, dir, "mail")["mail"]
	if err := os.Remove(filepath.Join(folder, "model.json")); err != nil {
		t.Fatal(err)
	}
	s, _ := openDir(t, dir)
	s.want(404, s.get("/v1/models/mail"))
	file := batch(t, bayes.Bernoulli{}, mail[:2]...)
	s.want(201, s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(file)))
	if !bytes.Equal(s.snapshot(), file) {
		t.Error("the model is not the one that was uploaded")
	}
	s.want(404, s.post(unlearnPath, `{"id":"1"}`))
}

// While a model is deleted and made again, everybody gets an answer or a 404, and
// what is acknowledged after the last time is there.
func TestDeleteWhileInUse(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	file := batch(t, bayes.Multinomial{}, mail...)
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, got := range []reply{s.post(learnPath, `{"label":"spam","text":"x"}`), s.post(predictPath, `{"text":"x"}`), s.get("/metrics"), s.get("/readyz")} {
					if got.Status != 200 && got.Status != 404 {
						t.Errorf("%d %s", got.Status, got.Body)
					}
				}
			}
		})
	}
	for range 5 {
		if got := s.do("DELETE", "/v1/models/mail", "", nil); got.Status != 204 {
			t.Errorf("delete: %d %s", got.Status, got.Body)
		}
		if got := s.do("PUT", "/v1/models/mail", asBytes, bytes.NewReader(file)); got.Status != 201 {
			t.Errorf("upload: %d %s", got.Status, got.Body)
		}
	}
	close(done)
	wg.Wait()
	s.want(200, s.post(learnPath, `{"id":"1","label":"spam","text":"x"}`))
	s.want(200, s.post(unlearnPath, `{"id":"1"}`))
}

// A replica deletes nothing that others serve.
func TestDeleteShared(t *testing.T) {
	c := server.NewCatalog(&server.CatalogOptions{Log: func(context.Context, string) (store.Log, error) { return nil, nil }})
	if deleted, err := c.Delete("mail"); deleted || err != server.ErrShared {
		t.Errorf("%v, %v", deleted, err)
	}
}

// Labels that are not UTF-8 have names of their own in the metrics.
func TestMetricsOfAnyLabel(t *testing.T) {
	labels := []string{"\xff", "\xfe", "�", `\xff`, `\\xff`, "\\\xff", `a\b`, "caf\xe9", "café"}
	var list []bayes.Example
	for i, label := range labels {
		list = append(list, bayes.Example{Label: label, Text: strings.Repeat("x ", i+1)})
	}
	s := newSite(t, counts(list...), nil, server.Options{})
	s.want(200, s.post(predictPath, `{"text":"x"}`))
	got := s.want(200, s.get("/metrics")).Body
	if n := strings.Count(got, "bayes_model_documents{"); n != len(labels) {
		t.Errorf("%d classes of %d:\n%s", n, len(labels), got)
	}
	for _, want := range []string{`class="\\xff"`, `class="\\xfe"`, `class="a\\b"`, `class="caf\\xe9"`, `class="café"`} {
		if !strings.Contains(got, "bayes_model_documents{"+want) {
			t.Errorf("no %s:\n%s", want, got)
		}
	}
}

// A model with a given prior is served, and learns the classes that it names.
func TestGivenPrior(t *testing.T) {
	em := bayes.Multinomial{Prior: bayes.GivenPrior{"ham": .9, "spam": .1}}
	for _, c := range []*bayes.Counts{counts(mail...), nil} {
		s := newSite(t, c, em, server.Options{})
		s.want(200, s.post(learnPath, `{"id":"1","label":"spam","text":"free"}`))
		s.want(200, s.post(learnPath, `{"id":"2","label":"ham","text":"noon"}`))
		s.visible()
		s.want(200, s.post(predictPath, `{"text":"free"}`))
		s.want(422, s.post(learnPath+"?new_labels=true", `{"label":"eggs","text":"free"}`))
	}
}

// A fit that fails while serving is in the log, the metrics, /readyz and the
// description of the model, and so is one that works again.
func TestFitFails(t *testing.T) {
	var log syncBuffer
	em := bayes.Multinomial{Prior: bayes.GivenPrior{"ham": .9, "spam": .1}}
	s := newSite(t, nil, em, server.Options{Log: logTo(&log)})
	s.listen()
	check := func(learning, up, reason string) {
		t.Helper()
		waitFor(t, func() bool {
			return decode[struct{ Learning map[string]string }](t, s.get("/readyz").Body).Learning["mail"] == learning
		})
		got := decode[struct{ Learning, Reason, Status string }](t, s.want(200, s.get("/v1/models/mail")).Body)
		if got.Learning != learning || got.Status != "ok" || !strings.Contains(got.Reason, reason) || (got.Reason == "") != (reason == "") {
			t.Errorf("the model is %+v", got)
		}
		if got := s.get("/metrics").Body; !strings.Contains(got, `bayes_model_fit_up{model="mail"} `+up+"\n") {
			t.Errorf("no %s:\n%s", up, got)
		}
	}
	s.want(200, s.post(learnPath, `{"id":"1","label":"spam","text":"free"}`))
	waitFor(t, func() bool { return s.get("/readyz").Status == 200 && s.catalog.Store("mail").Status().Fit != nil })
	if got := s.want(409, s.post(predictPath, `{"text":"free"}`)); !strings.Contains(got.Body, "cannot be fitted") {
		t.Errorf("without a model: %s", got.Body)
	}
	check("stale", "0", `"ham" is none of the classes`)
	waitFor(t, func() bool {
		return strings.Contains(log.String(), `level=ERROR msg="the counts cannot be fitted; predictions are of earlier ones" model=mail err=`)
	})
	s.want(200, s.post(learnPath, `{"id":"2","label":"ham","text":"noon"}`))
	check("ok", "1", "")
	waitFor(t, func() bool {
		return strings.Contains(log.String(), `level=INFO msg="the counts can be fitted again" model=mail`)
	})
}

// syncBuffer is a bytes.Buffer for many goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// waitFor waits until something has come about.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come about")
		}
	}
}

// Options that make no sense are refused by name.
func TestOptions(t *testing.T) {
	for name, opts := range map[string]server.Options{
		"Limits.Conns": {Limits: server.Limits{Conns: -5}}, "Limits.Body": {Limits: server.Limits{Body: -1}},
		"Timeouts.Drain": {Timeouts: server.Timeouts{Drain: -time.Second}}, "Rate": {Rate: math.NaN()},
	} {
		if _, err := server.New(server.NewCatalog(nil), &opts); err == nil || !strings.Contains(err.Error(), name+" is ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

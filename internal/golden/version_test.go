package golden_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/cli"
	"bayes/internal/golden"
	"bayes/internal/wire"
	"bayes/store"
)

func counted(examples ...bayes.Example) *bayes.Counts {
	c := bayes.NewCounts(nil)
	for _, ex := range examples {
		c.Learn(ex)
	}
	return c
}

const old = "analysis=0"

// TestAnalyzerVersionTravels follows the version of the analyzer through all that is made
// of counts.
func TestAnalyzerVersionTravels(t *testing.T) {
	is := new(bayes.Space).AnalyzerVersion()
	number := bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", 1)}}
	numbers, texts := counted(number), counted(mails...)
	if got := numbers.AnalyzerVersion(); got != "" || bytes.Contains(saved(t, numbers, nil), []byte("anlz")) {
		t.Errorf("numbers were cut by %q", got)
	}
	if got := texts.AnalyzerVersion(); got != is {
		t.Errorf("texts were cut by %q, not %q", got, is)
	}
	file := saved(t, texts, bayes.Multinomial{})
	foreign, _ := load(t, golden.WithVersion(file, old))
	silent, _ := load(t, wire.Essential(file))
	for what, c := range map[string]*bayes.Counts{
		"loaded": foreign, "cloned": foreign.Clone(), "split": foreign.Shard(1)[0],
		"restricted": foreign.Restrict(func(string) bool { return true }), "relabelled": foreign.Relabel(strings.ToUpper),
	} {
		if got := c.AnalyzerVersion(); got != old {
			t.Errorf("what is %s was cut by %q", what, got)
		}
	}
	if !foreign.Equal(texts) || !silent.Equal(texts) {
		t.Error("equal counts differ by the version of their analyzer")
	}

	// The first one's version stays, if it has terms.
	for _, tc := range []struct {
		what string
		c, d *bayes.Counts
		want string
	}{
		{"foreign + ours", foreign, texts, old},
		{"ours + foreign", texts, foreign, is},
		{"silent + ours", silent, texts, ""},
		{"numbers + foreign", numbers, foreign, old},
		{"nothing + silent", counted(), silent, ""},
		{"foreign + numbers", foreign, numbers, old},
	} {
		c := tc.c.Clone()
		if err := c.Add(tc.d); err != nil {
			t.Fatal(err)
		}
		if got := c.AnalyzerVersion(); got != tc.want {
			t.Errorf("%s has %q, not %q", tc.what, got, tc.want)
		}
	}

	// Frozen weights keep it too.
	m, err := bayes.Fit(foreign, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Freeze(&b, nil); err != nil {
		t.Fatal(err)
	}
	frozen, err := bayes.LoadModel(&b)
	if err != nil {
		t.Fatal(err)
	}
	if m.AnalyzerVersion() != old || frozen.AnalyzerVersion() != old {
		t.Errorf("the model was cut by %q, frozen by %q", m.AnalyzerVersion(), frozen.AnalyzerVersion())
	}
	for _, bad := range []string{"", "line\nfeed", "é", strings.Repeat("x", 5000)} {
		var fe *bayes.FormatError
		if _, _, err := bayes.Load(bytes.NewReader(golden.WithVersion(file, bad))); !errors.As(err, &fe) || fe.Section != "anlz" {
			t.Errorf("version %.10q is read: %v", bad, err)
		}
	}
}

// TestStoreOfAnotherAnalyzer opens a store whose texts another version of the analyzer
// cut: it learns, and takes nothing out.
func TestStoreOfAnotherAnalyzer(t *testing.T) {
	c, em := load(t, golden.WithVersion(saved(t, counted(mails...), bayes.Multinomial{}), old))
	dir := filepath.Join(t.TempDir(), "store")
	open := func(anyVersion bool) *store.Store {
		s, err := store.Open(t.Context(), dir, nil, &store.Options{Counts: c, Model: em, AnyVersion: anyVersion})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	s := open(false)
	learn(t, s, entry("1", "spam", "a prize"), entry("", "ham", "lunch"))
	for what, do := range map[string]func() (store.Receipt, error){
		"unlearn":     func() (store.Receipt, error) { return s.Unlearn(t.Context(), "1") },
		"relabel":     func() (store.Receipt, error) { return s.Relabel(t.Context(), entry("1", "ham", "")) },
		"learn again": func() (store.Receipt, error) { return s.Learn(t.Context(), entry("1", "ham", "a prize")) },
	} {
		if _, err := do(); !errors.Is(err, store.ErrInvalid) || !strings.Contains(err.Error(), old) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(true)
	if r := must[store.Receipt](t)(s.Unlearn(t.Context(), "1")); !r.Changed[0] {
		t.Error("nothing is unlearned")
	}
	if got := s.Counts().AnalyzerVersion(); got != old {
		t.Errorf("the store's texts were cut by %q", got)
	}

	// What a store began with is the same for releases that know of versions and that do not.
	base := func(file []byte) string {
		c, em := load(t, file)
		dir := filepath.Join(t.TempDir(), "base")
		s := openStore(t, dir, nil, store.Options{Counts: c, Model: em})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return baseOf(t, dir)
	}
	file := saved(t, counted(mails...), bayes.Multinomial{})
	if a, b := base(file), base(wire.Essential(file)); a != b || a == "" {
		t.Errorf("bases %q and %q", a, b)
	}
}

// baseOf returns what the first event of a store's log says that it is to be added to.
func baseOf(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := bytes.Cut(b, []byte(`"base":"`))
	base, _, _ := bytes.Cut(after, []byte(`"`))
	return string(base)
}

func load(t testing.TB, file []byte) (*bayes.Counts, bayes.EventModel) {
	t.Helper()
	c, em, err := bayes.Load(bytes.NewReader(file), cli.Languages()...)
	if err != nil {
		t.Fatal(err)
	}
	return c, em
}

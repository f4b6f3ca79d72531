package golden_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/golden"
	"bayes/server"
)

// tokens are names, scopes and secrets.
var tokens = []struct {
	name, scopes, secret string
}{
	{"monitoring", "read", "Q3JBZ5TLXW2M7RK4DHVPYN6AEC"},
	{"moderators", "read,learn", "B6WD5ZQPJX7TM3KNRVYH2LAECF"},
	{"정리-bot", "learn", "AAAAAAAAAAAAAAAAAAAAAAAAAA"},
}

func TestGoldenTokens(t *testing.T) {
	golden.New(t, "tokens.txt", func(path string) {
		lines := "# name, scopes, SHA-256\n\n"
		for _, token := range tokens {
			scopes := must[[]server.Scope](t)(server.ParseScopes(token.scopes))
			lines += server.Token{Name: token.name, Scopes: scopes, Hash: sha256.Sum256([]byte(token.secret))}.String() + "\n"
		}
		golden.Write(t, path, []byte(lines))
	})
	golden.Each(t, "tokens.txt", func(t *testing.T, path string) {
		file := string(golden.Read(t, path))
		list := must[[]server.Token](t)(server.ParseTokens(strings.NewReader(file)))
		if len(list) != len(tokens) {
			t.Fatalf("%d tokens, of %d", len(list), len(tokens))
		}
		for i, want := range tokens {
			if list[i].Name != want.name || list[i].Hash != sha256.Sum256([]byte(want.secret)) {
				t.Errorf("token %q is %v", want.name, list[i])
			}
			if !strings.Contains(file, list[i].String()+"\n") {
				t.Errorf("token %q is written as %s", want.name, list[i])
			}
			for scope := range strings.SplitSeq(want.scopes, ",") {
				if !list[i].Allows(server.Scope(scope)) {
					t.Errorf("token %q does not allow %s", want.name, scope)
				}
			}
		}
	})
}

// TestGoldenCatalog opens a folder of models as the server keeps them.
func TestGoldenCatalog(t *testing.T) {
	catalog := func(t *testing.T, dir string) *server.Catalog {
		c := server.NewCatalog(&server.CatalogOptions{Dir: dir})
		t.Cleanup(func() { c.Close() })
		return c
	}
	known := func() *bayes.Counts {
		c := bayes.NewCounts(nil)
		for _, ex := range mails {
			c.Learn(ex)
		}
		return c
	}
	golden.New(t, "catalog", func(path string) {
		dir := filepath.Join(t.TempDir(), "catalog")
		c := catalog(t, dir)
		must[bool](t)(c.Add(t.Context(), "mail é", "", bayes.NewCounts(nil), nil))
		must[bool](t)(c.Replace(t.Context(), "mail é", known(), bayes.Complement{}))
		learn(t, c.Store("mail é"), entry("7", "spam", "a prize"))
		golden.Write(t, path+".nb", snapshot(t, c.Store("mail é")))
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		copyFolder(t, dir, path)
	})
	golden.Each(t, "catalog", func(t *testing.T, path string) {
		dir := filepath.Join(t.TempDir(), "catalog")
		copyFolder(t, path, dir)
		c := catalog(t, dir)
		if other := must[bool](t)(c.Add(t.Context(), "mail é", "", known(), bayes.Complement{})); other {
			t.Error("the model is said to have begun with other counts")
		}
		if !bytes.Equal(snapshot(t, c.Store("mail é")), golden.Read(t, path+".nb")) {
			t.Error("the store holds other counts")
		}
		goOn(t, c.Store("mail é"), []string{"7\tspam\ta prize"})
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c = catalog(t, dir)
		if err := c.AddAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if names := fmt.Sprint(c.Names()); names != "[mail é]" {
			t.Errorf("models %s", names)
		}
		if _, ok, err := c.Store("mail é").Lookup("new"); !ok || err != nil {
			t.Errorf("the document that was learned is not there: %v", err)
		}
	})
}

package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"bayes"
	"bayes/server"
	"bayes/store"
)

// mailCatalog returns a catalog with one model, called mail, in a temporary folder.
func mailCatalog() (catalog *server.Catalog, dir string, done func()) {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	counts.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	catalog = server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if _, err := catalog.Add(context.Background(), "mail", "", counts, bayes.Multinomial{}); err != nil {
		log.Fatal(err)
	}
	return catalog, dir, func() {
		catalog.Close()
		os.RemoveAll(dir)
	}
}

// Each model has its log in Redis, which the catalogs of all replicas share.
func ExampleNewCatalog() {
	catalog := server.NewCatalog(&server.CatalogOptions{
		Dir: "models",
		Log: func(_ context.Context, name string) (store.Log, error) {
			return store.OpenRedis("redis://localhost:6379/0?stream=" + name)
		},
		Store:  store.Options{Memory: store.NewMemory(1 << 30)},
		Report: func(model string, err error) { log.Printf("%s: %v", model, err) },
	})
	defer catalog.Close()
	fmt.Println(len(catalog.Names()))
	// Output: 0
}

// A folder that holds a model is opened as it is. What is given is for a new one.
func ExampleCatalog_Add() {
	catalog, dir, done := mailCatalog()
	defer done()
	if err := catalog.Close(); err != nil {
		log.Fatal(err)
	}
	again := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	defer again.Close()
	other, err := again.Add(context.Background(), "mail", "", bayes.NewCounts(nil), bayes.Bernoulli{})
	fmt.Println(other, err, again.Store("mail").Model().EventModel())
	// Output: true <nil> multinomial smoothing=1 prior=empirical
}

// At the next start all models of the folder are there.
func ExampleCatalog_AddAll() {
	catalog, dir, done := mailCatalog()
	defer done()
	if err := catalog.Close(); err != nil {
		log.Fatal(err)
	}
	again := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	defer again.Close()
	fmt.Println(again.AddAll(context.Background()), again.Names())
	// Output: <nil> [mail]
}

func ExampleCatalog_Names() {
	catalog, _, done := mailCatalog()
	defer done()
	if _, err := catalog.Replace(context.Background(), "language", nil, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(catalog.Names())
	// Output: [language mail]
}

// What a model had learned is gone when it is replaced.
func ExampleCatalog_Replace() {
	catalog, _, done := mailCatalog()
	defer done()
	replaced, err := catalog.Replace(context.Background(), "mail", nil, bayes.Bernoulli{})
	fmt.Println(replaced, err, catalog.Store("mail").Counts().Examples())
	// Output: true <nil> 0
}

// A program that serves a model may also use it directly.
func ExampleCatalog_Store() {
	catalog, _, done := mailCatalog()
	defer done()
	fmt.Println(catalog.Store("mail").Model().Predict(bayes.Document{Text: "a prize"}).Best().Class)
	fmt.Println(catalog.Store("eggs") == nil)
	// Output:
	// spam
	// true
}

// Nothing can be added to a catalog that is closed.
func ExampleCatalog_Close() {
	catalog, _, done := mailCatalog()
	defer done()
	fmt.Println(catalog.Close())
	_, err := catalog.Add(context.Background(), "more", "", nil, nil)
	fmt.Println(errors.Is(err, store.ErrClosed))
	// Output:
	// <nil>
	// true
}

func ExampleReadFolder() {
	_, dir, done := mailCatalog()
	defer done()
	list, err := server.ReadFolder(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range list {
		fmt.Println(k.Name, filepath.Base(k.About), filepath.Base(k.Store))
	}
	// Output: mail model.json 1
}

func ExampleParseScopes() {
	fmt.Println(server.ParseScopes("predict,learn"))
	fmt.Println(server.ParseScopes("predict,everything"))
	// Output:
	// [predict learn] <nil>
	// [] scope "everything" is none of predict, read, learn and admin
}

func ExampleParseTokens() {
	file := `# who may do what
dashboard read 0000000000000000000000000000000000000000000000000000000000000000
laptop predict,learn
`
	_, err := server.ParseTokens(strings.NewReader(file))
	fmt.Println(err)
	// Output: line 3: 2 fields, where a name, scopes and a hash are wanted
}

func ExampleToken_Allows() {
	token, _ := server.NewToken("dashboard", server.Read)
	fmt.Println(token.Allows(server.Read), token.Allows(server.Predict), token.Allows(server.Learn))
	// Output: true true false
}

func ExampleToken_String() {
	token := server.Token{Name: "dashboard", Scopes: []server.Scope{server.Read, server.Learn}}
	fmt.Println(token)
	// Output: dashboard read,learn 0000000000000000000000000000000000000000000000000000000000000000
}

// A Server is a handler, which may be one of several.
func ExampleServer_ServeHTTP() {
	catalog, _, done := mailCatalog()
	defer done()
	s, err := server.New(catalog, nil)
	if err != nil {
		log.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
	fmt.Print(w.Code, w.Body)
	// Output: 200 {"status":"ready","learning":{"mail":"ok"}}
}

// Serve ends when its context does, after the requests that are being answered.
func ExampleServer_Serve() {
	catalog, _, done := mailCatalog()
	defer done()
	s, err := server.New(catalog, nil)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()

	resp, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
	stop()
	fmt.Println(<-ended)
	// Output:
	// {"status":"ok"}
	// <nil>
}

// The certificate is a test's; a program has its own, as from [tls.LoadX509KeyPair].
func ExampleServer_ServeTLS() {
	catalog, _, done := mailCatalog()
	defer done()
	s, err := server.New(catalog, nil)
	if err != nil {
		log.Fatal(err)
	}
	test := httptest.NewTLSServer(nil)
	defer test.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.ServeTLS(ctx, l, test.TLS) }()

	resp, err := test.Client().Get("https://" + l.Addr().String() + "/healthz")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.Status, resp.Header.Get("Strict-Transport-Security"))
	resp.Body.Close()
	stop()
	fmt.Println(<-ended)
	// Output:
	// 200 OK max-age=31536000
	// <nil>
}

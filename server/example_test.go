package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"bayes"
	"bayes/server"
	"bayes/store"
)

func ExampleNew() {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	counts.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	catalog := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if _, err := catalog.Add(context.Background(), "mail", "", counts, bayes.Multinomial{}); err != nil {
		log.Fatal(err)
	}
	defer catalog.Close()
	s, err := server.New(catalog, nil)
	if err != nil {
		log.Fatal(err)
	}
	site := httptest.NewServer(s) // or s.Serve(ctx, listener)
	defer site.Close()

	ask := func(path, body string) {
		resp, err := http.Post(site.URL+"/v1/models/mail"+path, "application/json", strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.60s\n", bytes.TrimSpace(answer))
	}
	ask("/predict", `{"text":"free lunch"}`)
	ask("/learn", `{"id":"17","label":"ham","text":"a free lunch for all"}`)
	ask("/learn", `{"id":"17","label":"spam"}`)
	ask("/unlearn", `{"id":"17"}`)
	// Output:
	// {"label":"ham","probability":0.5,"probabilities":{"ham":0.5,
	// {"sequence":2,"applied":1}
	// {"sequence":3,"applied":1}
	// {"sequence":4,"applied":1}
}

func ExampleNewToken() {
	token, secret := server.NewToken("laptop", server.Read)
	list, err := server.ParseTokens(strings.NewReader(token.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list[0].Name, list[0].Scopes, len(secret))
	// Output:
	// laptop [read] 26
}

func ExampleCatalog_Delete() {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	catalog := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	defer catalog.Close()
	if _, err := catalog.Replace(context.Background(), "mail", nil, bayes.Multinomial{}); err != nil {
		log.Fatal(err)
	}
	for range 2 {
		deleted, err := catalog.Delete("mail")
		left, _ := os.ReadDir(dir)
		fmt.Println(deleted, err, catalog.Names(), len(left))
	}
	// Output:
	// true <nil> [] 0
	// false <nil> [] 0
}

func ExampleCatalog_Broken() {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "model.json"), []byte("damaged"), 0o600); err != nil {
		log.Fatal(err)
	}

	catalog := server.NewCatalog(nil)
	defer catalog.Close()
	_, err = catalog.Add(context.Background(), "mail", dir, nil, nil)
	fmt.Println(err, errors.Is(catalog.Broken("mail"), store.ErrCorrupt))
	// Output:
	// <nil> true
}

func ExampleServer_SetTokens() {
	catalog := server.NewCatalog(nil)
	defer catalog.Close()
	s, err := server.New(catalog, nil)
	if err != nil {
		log.Fatal(err)
	}
	token, secret := server.NewToken("laptop", server.Read)
	s.SetTokens([]server.Token{token})
	for _, bearer := range []string{"", "Bearer " + secret} {
		r := httptest.NewRequest("GET", "/v1/models", nil)
		r.Header.Set("Authorization", bearer)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 401
	// 200
}
